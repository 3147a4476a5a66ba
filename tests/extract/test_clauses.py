"""Units like clauses: where sentences are split, and extracts that compare them with the summary."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tokenized_pairs import fit_weights, make_pair
from vorlage.extract import cosine, methods
from vorlage.extract.clauses import MIN_WORDS, find_clauses, split_clauses
from vorlage.extract.cosine import sentence_stems
from vorlage.extract.methods import keep_units
from vorlage.settings import Extraction
from vorlage.text.words import is_punctuation


@pytest.mark.parametrize(
    "sentence",
    [
        # Marks, subordinators, and words after a comma.
        "the price fell sharply ; | dealers were pleased",
        "dealers sold fewer printers | because ink was dear",
        "the maker sold its plant , | which had made ink since 1980",
        "the maker sold its plant , | and the town lost its jobs",
        # A clause at the beginning of the sentence ends at its first comma.
        "when the plant closed , | the town lost its jobs , said the mayor",
        # Not after a comma, these words join phrases or belong to a verb.
        "paper and ink were sold before the fire",
        "the town lost its jobs , said the mayor",
        "while rare , ink was dear",
        "ink was dear -- | very dear -- because dealers sold out early",
    ],
)
def test_where_a_sentence_is_split(sentence):
    units = [unit.split() for unit in sentence.split("|")]
    words = [word for unit in units for word in unit]
    assert [words[start:end] for start, end in split_clauses(words)] == units


words = st.sampled_from(", ; -- . because and which when ink paper Dealers sold trays".split())


@given(st.lists(words, min_size=1, max_size=20))
@example([";", ",", ";"])
def test_units_cover_the_sentence_and_are_not_short(sentence):
    units = split_clauses(sentence)
    assert [token for unit in units for token in range(*unit)] == list(range(len(sentence)))
    lengths = [sum(not is_punctuation(word) for word in sentence[a:b]) for a, b in units]
    assert len(units) == 1 or min(lengths) >= MIN_WORDS


texts = st.lists(st.lists(words, min_size=1, max_size=12).map(" ".join), min_size=1, max_size=5)


@given(texts, texts, st.sampled_from(["cosine", "deletion"]))
def test_the_extract_is_that_of_the_sentences_of_units(document, summary, method):
    pair = make_pair("p", [*document, "ink"], summary)
    fitted = fit_weights(pair)
    text = pair.document
    units = [(number, span) for number, of_sentence in enumerate(find_clauses(text)) for span in of_sentence]
    by_unit = cosine.weigh_stems(fitted, [cosine.content_stems(text.words[a:b]) for _, (a, b) in units])
    if method == "deletion":
        kept = keep_units(by_unit.matrix(), cosine.weigh_stems(fitted, sentence_stems(pair.summary)).matrix())
        expected = {units[unit][0] for unit in kept}
    else:
        values = cosine.compute_similarities(
            cosine.weigh_stems(fitted, sentence_stems(pair.summary)), by_unit
        )
        expected = set()
        for row in values:
            best = [
                max(row[k] for k, (n, _) in enumerate(units) if n == s) for s in range(len(text.sentences))
            ]
            expected |= set(sorted(range(len(best)), key=lambda s: (-best[s], s))[:2])
    settings = Extraction(method=method, sentences=2, unit="clause")
    found = methods.choose_extract(pair, fitted, settings)
    assert set(found.sentences) == expected
    whole = methods.choose_extract(pair, fitted, settings.model_copy(update={"enabled": False}))
    assert whole.sentences == tuple(range(len(text.sentences)))
    assert np.all([len(row) == min(2, len(found.sentences)) for row in found.by_summary_sentence])
