"""Cut & Paste as a command: its links, the effect of extracts, its scores on real annotations."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from vorlage.alignments.alignment import read_alignments
from vorlage.baselines import cutpaste
from vorlage.corpus.corpus_file import write_pairs
from vorlage.corpus.gold import read_gold
from vorlage.corpus.pair import Pair
from vorlage.extract.extracts import Extract, write_extracts
from vorlage.files.jsonl import read_jsonl
from vorlage.settings import CutPaste
from vorlage.text.tokenize import join_sentences
from vorlage.text.words import is_stop_word, stem

MTREF = Path(__file__).parents[3] / "shared" / "data" / "mtref-dev"


def make_pair(key, document, summary):
    return Pair(key, join_sentences(document, tokenized=True), join_sentences(summary, tokenized=True))


def whole(pair):
    """Return an extract that is the whole document."""
    return Extract(pair.id, tuple(range(len(pair.document.sentences))), ())


def align(pair, extract=None, **settings):
    return cutpaste.CutPasteAligner(CutPaste(**settings)).align(pair, extract or whole(pair))


def spans(alignment):
    return [(link.summary, link.document) for link in alignment.links]


PAIR = make_pair(
    "p",
    ["Prices fell .", "The maker of printers cut prices in March .", "Dealers sold printers ."],
    ["Printer makers said", "the MAKER of Printer cuts prices in May"],
)


def test_equal_words_form_phrases_and_equal_stems_do_not():
    assert spans(align(PAIR)) == [
        ((0, 1), None),  # one word from `printers`, one from `maker`: phrases of one word are cut off
        ((1, 2), None),
        ((2, 3), None),
        ((3, 6), (3, 6)),  # the MAKER of
        ((6, 7), (6, 7)),  # Printer, printers
        ((7, 8), (7, 8)),  # cuts, cut
        ((8, 10), (8, 10)),  # prices in
        ((10, 11), None),
    ]


def test_without_stems_only_equal_words_match():
    found = [pair for pair in spans(align(PAIR, stem=False)) if pair[1]]
    assert found == [((3, 6), (3, 6)), ((8, 10), (8, 10))]


def test_words_come_from_the_extract_only():
    pair = make_pair("p", ["red green blue", "grey grey", "red green"], ["red green"])
    assert spans(align(pair)) == [((0, 2), (0, 2))]
    assert spans(align(pair, Extract("p", (1, 2), ()))) == [((0, 2), (5, 7))]
    assert spans(align(pair, Extract("p", (1,), ()))) == [((0, 1), None), ((1, 2), None)]


def test_sentence_numbers_count_the_extract():
    """The weights see the sentence numbers of the extract: without the sentences between, `blue` is near."""
    document = ["blue grey"] + ["-"] * 5 + ["red green", "-", "-", "blue grey"]
    pair = make_pair("p", document, ["red green blue grey"])
    # Six sentences back and three on both get P6: the earlier one wins.
    assert spans(align(pair))[-1] == ((2, 4), (0, 2))
    # In the extract the last sentence is the next one (P4), and the first is five back (P6).
    assert spans(align(pair, Extract("p", (0, 1, 2, 3, 4, 6, 9), ())))[-1] == ((2, 4), (11, 13))


words = st.sampled_from("The the maker makers , printer Printers sold sells .".split())
texts = st.lists(st.lists(words, min_size=1, max_size=8).map(" ".join), min_size=1, max_size=4)


@given(texts, texts, st.integers(1, 3), st.booleans(), st.data())
def test_every_summary_word_has_one_link_that_the_settings_allow(document, summary, run, stemmed, data):
    pair = make_pair("p", document, summary)
    count = len(pair.document.sentences)
    kept = sorted(data.draw(st.sets(st.integers(0, count - 1), min_size=1)))
    found = align(pair, Extract("p", tuple(kept), ()), run=run, stem=stemmed)

    covered = [word for link in found.links for word in range(*link.summary)]
    assert covered == list(range(len(pair.summary.tokens)))
    allowed = {word for s in kept for word in range(*pair.document.sentences[s])}
    form = stem if stemmed else str.lower
    source = {}
    for link in found.links:
        assert link.posterior is None
        assert link.document or link.summary[1] - link.summary[0] == 1
        for i, j in link.cells(pair.summary.words, pair.document.words):
            assert j in allowed
            assert form(pair.summary.words[i]) == form(pair.document.words[j])
            assert i not in source  # a phrase counts as its diagonal
            source[i] = j
    ends = {end for _, end in pair.document.sentences}
    starts = {start for start, _ in pair.summary.sentences}
    lengths = {}
    for i, j in source.items():  # in order of i
        joined = source.get(i - 1) == j - 1 and j not in ends and i not in starts
        lengths[i] = lengths.pop(i - 1) + 1 if joined else 1
    assert all(length >= run for length in lengths.values())


def run_command(tmp_path, pairs, *options):
    write_pairs(tmp_path / "corpus.jsonl", pairs)
    write_extracts(tmp_path / "extracts.jsonl", map(whole, pairs))
    output = tmp_path / "alignments.jsonl"
    files = ["--corpus", tmp_path / "corpus.jsonl", "--extracts", tmp_path / "extracts.jsonl"]
    cutpaste.main([str(argument) for argument in [*files, "--output", output, *options]])
    return list(read_alignments(output))


def test_whole_documents_are_aligned_whatever_the_extract(tmp_path):
    """The links on documents are those of an extract that is the whole document, in its own positions."""
    pair = make_pair(
        "p", ["a red boat left", "nobody came", "two men saw a red boat"], ["two men saw a red boat left"]
    )
    short = Extract("p", (0, 1), ())
    write_pairs(tmp_path / "corpus.jsonl", [pair])
    write_extracts(tmp_path / "extracts.jsonl", [short])
    found = []
    for name, options in (("extract", []), ("document", ["--documents", "--system", "cutpaste-document"])):
        given = [f"--{file}={tmp_path / file}.jsonl" for file in ("corpus", "extracts")]
        cutpaste.main([*given, "--output", str(tmp_path / name), *options])
        found += list(read_alignments(tmp_path / name))
    on_extract, on_document = found
    assert on_document.links == align(pair).links and on_extract.links == align(pair, short).links
    assert on_document.links != on_extract.links and on_document.system == "cutpaste-document"
    assert ((0, 3), (6, 9)) in spans(on_document)
    assert on_document.fingerprint != on_extract.fingerprint


def test_command_writes_alignments(tmp_path):
    other = make_pair("q", ["nothing alike"], ["two words"])
    first, second = run_command(tmp_path, [PAIR, other])
    assert (first.id, first.system, first.log_likelihood) == ("p", "cutpaste", None)
    assert first.links == align(PAIR).links
    assert first.document_words == PAIR.document.words and first.summary_words == PAIR.summary.words
    assert [link.document for link in second.links] == [None, None]
    assert first.fingerprint == second.fingerprint != ""
    assert run_command(tmp_path, [PAIR])[0].fingerprint == first.fingerprint
    assert run_command(tmp_path, [PAIR], "--run", "3")[0].fingerprint != first.fingerprint


def test_a_wrong_setting_ends_with_one_line(tmp_path, capsys):
    with pytest.raises(SystemExit) as stop:
        run_command(tmp_path, [PAIR], "--run", "0")
    assert stop.value.code == 1
    assert capsys.readouterr().err.startswith("error: config: `cutpaste.run`")
    assert not (tmp_path / "alignments.jsonl").exists()


@pytest.mark.skipif(not MTREF.exists(), reason="the development corpus ../shared/data/mtref-dev is not here")
def test_scores_on_annotated_pairs():
    """SoftF over all and non-stop words is as measured: 0.600 and 0.606 with runs of two."""
    gold = {annotation.id: annotation for annotation in read_gold(MTREF / "gold.jsonl")}
    sizes = {"all": np.zeros(4), "nonstop": np.zeros(4)}
    for _, record in read_jsonl(MTREF / "corpus.jsonl"):
        pair = make_pair(record["id"], record["document"], record["summary"])
        left, right = pair.summary.words, pair.document.words
        made = {cell for link in align(pair).links for cell in link.cells(left, right)}
        sure, possible = gold[pair.id].cells(sure_only=True), gold[pair.id].cells(sure_only=False)
        sizes["all"] += [len(made), len(made & possible), len(sure), len(made & sure)]
        stop = {(i, j) for i, j in made | possible if is_stop_word(left[i]) or is_stop_word(right[j])}
        made, possible, sure = made - stop, possible - stop, sure - stop
        sizes["nonstop"] += [len(made), len(made & possible), len(sure), len(made & sure)]
    for words, expected in [("all", 0.600), ("nonstop", 0.606)]:
        made, correct, sure, found = sizes[words]
        precision, recall = correct / made, found / sure
        assert 2 * precision * recall / (precision + recall) == pytest.approx(expected, abs=0.005)
