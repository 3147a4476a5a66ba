"""Extracts: cosines counted by hand, deletion against exact fractions, and the stage as a command."""

import json
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive_around import tf_idf_cosines
from pair_files import write_pairs
from scipy.sparse import csr_matrix
from tokenized_pairs import fit_weights, make_pair
from vorlage.command.errors import InputError
from vorlage.extract import cosine, methods
from vorlage.extract.cosine import sentence_stems
from vorlage.extract.extracts import Extract, read_extracted_pairs, write_extracts
from vorlage.extract.methods import keep_units
from vorlage.settings import Extraction
from vorlage.text.words import STOP_WORDS, is_stop_word, stem
from vorlage.workflow.stages import extract as stage


def extract(pair, enabled=True, method="cosine", sentences=3):
    settings = Extraction(enabled=enabled, method=method, sentences=sentences)
    return methods.choose_extract(pair, fit_weights(pair), settings)


words = st.sampled_from("the , printer Printers maker makers sold cheap ink paper tray".split())
texts = st.lists(st.lists(words, min_size=1, max_size=6).map(" ".join), min_size=1, max_size=7)


@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=3))
def test_similarities_follow_the_definitions(corpus):
    pairs = [make_pair(str(number), *pair) for number, pair in enumerate(corpus)]
    try:
        fitted = fit_weights(*pairs)
    except InputError:
        content = {
            word.lower() for document, _ in corpus for s in document for word in s.split()
        } - STOP_WORDS
        assert not content
        return
    every = [sentence.split() for document, _ in corpus for sentence in document]
    for pair, texts_of_pair in zip(pairs, corpus, strict=True):
        sides = (cosine.weigh_stems(fitted, sentence_stems(text)) for text in (pair.summary, pair.document))
        document, summary = ([sentence.split() for sentence in side] for side in texts_of_pair)
        expected = np.array(tf_idf_cosines(document, summary, stem, is_stop_word, every))
        assert cosine.compute_similarities(*sides) == pytest.approx(expected, abs=1e-11)


INK = ["ink dried", "dealers sold printers", "paper jammed", "ink and paper were sold", "trays broke"]


@pytest.mark.parametrize(
    ("document", "summary", "settings", "sentences", "ranked"),
    [
        # The union of the best sentences of each summary sentence.
        (INK, ["paper jammed", "cheap ink dried"], (True, "cosine", 2), (0, 2, 3), ((2, 3), (0, 3))),
        # A summary sentence without similar ones gets the lead; a short document gives all its sentences.
        (INK, ["nobody knew", "the"], (True, "cosine", 2), (0, 1), ((0, 1), (0, 1))),
        (INK[:2], ["dealers sold ink"], (True, "cosine", 3), (0, 1), ((1, 0),)),
        # Without extracts all sentences are kept.
        (INK, ["trays broke"], (False, "cosine", 1), (0, 1, 2, 3, 4), ((4,),)),
        # Deletion leaves what the summary is made of.
        ([*INK[:3], INK[0]], ["paper jammed , ink dried"], (True, "deletion", 1), (0, 2), ((2,),)),
        # One sentence for each summary sentence; it deletes the later of equal ones.
        ([*INK[:3], INK[0]], ["ink dried", "paper"], (True, "deletion-each", 1), (0, 2), ((0,), (2,))),
    ],
)
def test_extracts_counted_by_hand(document, summary, settings, sentences, ranked):
    assert extract(make_pair("p", document, summary), *settings) == Extract("p", sentences, ranked)


def naive_deletion(document, summary, count=None):
    """Marcu's algorithm on weights that are whole numbers, recomputed each round in exact fractions."""
    target = [sum(column) for column in zip(*summary, strict=True)]

    def squared_cosine(kept):  # up to a constant factor
        rest = [sum(document[s][term] for s in kept) for term in range(len(target))]
        norm = sum(weight**2 for weight in rest)
        product = sum(a * b for a, b in zip(rest, target, strict=True))
        return Fraction(product**2, norm) if norm else Fraction(0)

    kept = list(range(len(document)))
    while len(kept) > (count or 1):
        shorter = [[s for s in kept if s != gone] for gone in reversed(kept)]
        best = max(shorter, key=squared_cosine)  # of equal ones the first, without the last sentence
        if count is None and squared_cosine(best) < squared_cosine(kept):
            break
        kept = best
    return kept


matrices = st.integers(1, 4).flatmap(
    lambda terms: st.tuples(
        *(
            st.lists(st.lists(st.integers(0, 3), min_size=terms, max_size=terms), min_size=1, max_size=size)
            for size in (8, 3)
        )
    )
)


@given(matrices, st.none() | st.integers(1, 4))
def test_deletion_is_marcus_algorithm(problem, count):
    document, summary = problem
    found = keep_units(csr_matrix(np.array(document, float)), csr_matrix(np.array(summary, float)), count)
    assert list(found) == naive_deletion(document, summary, count)


PAIRS = [
    make_pair("p", ["ink dried", "paper jammed", "trays broke"], ["paper jammed"]),
    make_pair("q", ["ink dried", "dealers sold ink"], ["dealers", "ink"]),
]


def run_command(tmp_path, *options):
    corpus, output = tmp_path / "corpus.jsonl", tmp_path / "extracts.jsonl"
    stage.main(["--corpus", str(corpus), "--output", str(output), *options])
    return corpus, output


def test_command(tmp_path):
    write_pairs(tmp_path / "corpus.jsonl", PAIRS)
    corpus, output = run_command(tmp_path, "--sentences", "1", "--log", str(tmp_path / "log"))
    assert [json.loads(line) for line in output.read_text().splitlines()] == [
        {"id": "p", "sentences": [1], "by_summary_sentence": [[1]]},
        {"id": "q", "sentences": [0, 1], "by_summary_sentence": [[1], [0]]},
    ]
    assert " 2/2 " in (tmp_path / "log").read_text()
    read = list(read_extracted_pairs(corpus, output))
    assert [pair.id for pair, _ in read] == ["p", "q"]
    assert read[0] == (PAIRS[0], Extract("p", (1,), ((1,),)))


@pytest.mark.parametrize(
    ("pairs", "options", "message"),
    [
        (PAIRS, ["--method", "magic"], "`extract.method`"),
        (PAIRS, ["--part", "1-of-2"], "--part without --weights"),
        (PAIRS, ["--weights", "corpus.jsonl"], "corpus.jsonl: not counts of stems"),
        ([make_pair("p", ["the , ."], ["ink"])], [], "has a word outside the stop list"),
    ],
)
def test_invalid_input_gives_one_line(tmp_path, monkeypatch, stops, pairs, options, message):
    monkeypatch.chdir(tmp_path)
    write_pairs(tmp_path / "corpus.jsonl", pairs)
    assert message in stops(run_command, tmp_path, *options)
    assert [path.name for path in tmp_path.iterdir()] == ["corpus.jsonl"]


@pytest.mark.parametrize(
    "extracts, message",
    [
        ([Extract("p", (0,), ())], "expected the extract of pair q, found no more extracts"),
        (
            [Extract("q", (0,), ()), Extract("p", (0,), ())],
            "expected the extract of pair p, found the extract of pair q",
        ),
        ([Extract("p", (1, 3), ())], "extract of p names sentences its document does not have"),
    ],
)
def test_extracts_of_another_corpus_are_refused(tmp_path, extracts, message):
    write_pairs(tmp_path / "corpus.jsonl", PAIRS)
    write_extracts(tmp_path / "extracts.jsonl", extracts)
    with pytest.raises(InputError, match=message):
        list(read_extracted_pairs(tmp_path / "corpus.jsonl", tmp_path / "extracts.jsonl"))
