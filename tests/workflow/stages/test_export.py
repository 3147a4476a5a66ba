"""Exports: worked examples, and spans that lead back to the alignment."""

import csv

import pytest
from pair_files import write_pairs
from vorlage.alignments.alignment import Alignment, Link, write_alignments
from vorlage.documents.pair import Pair
from vorlage.text.tokenize import make_text
from vorlage.workflow.stages import export

DOCUMENT = "Two boats left.  The “wind” was strong, sailors\tsaid. Nobody was hurt 🙂."
SUMMARY = "Boats left in strong wind 🙂. All live."
PAIR = Pair("a", make_text(DOCUMENT), make_text(SUMMARY))
OTHER = Pair("b", make_text("It rained."), make_text("Sun."))


def find_span(text, phrase):
    """Return the token span of a phrase."""
    words, tokens = phrase.split(), text.words
    start = next(i for i in range(len(tokens)) if tokens[i : i + len(words)] == words)
    return start, start + len(words)


def link(summary, document, posterior=None):
    return Link(find_span(PAIR.summary, summary), document and find_span(PAIR.document, document), posterior)


ALIGNMENT = Alignment(
    "a",
    "s",
    -1.5,
    PAIR.document.written,
    PAIR.summary.written,
    [
        link("Boats left", "boats left", 0.9),
        link("in", None, 0.7),
        link("strong", "strong", 0.8),
        link("wind", "wind", 0.6),
        link("🙂", "🙂"),
        link("All live", "Nobody was", 0.5),
    ],
)


@pytest.fixture
def files(tmp_path):
    write_pairs(tmp_path / "corpus.jsonl", [PAIR, OTHER])
    empty = Alignment("b", "s", None, OTHER.document.written, OTHER.summary.written, [])
    write_alignments(tmp_path / "alignments.jsonl", [ALIGNMENT, empty])
    return tmp_path


def run_export(folder, kind, *more):
    export.main(
        ["--alignments", str(folder / "alignments.jsonl"), "--corpus", str(folder / "corpus.jsonl")]
        + ["--format", kind, "--output", str(folder / "out"), *more]
    )
    return (folder / "out").read_text(encoding="utf-8")


def test_pharaoh_links_are_those_of_the_soft_rule(files):
    first, second = run_export(files, "pharaoh").split("\n")[:2]
    cells = {tuple(map(int, cell.split("-"))) for cell in first.split()}
    named = {(PAIR.document.written[i], PAIR.summary.written[j]) for i, j in cells}
    # Equal phrases are linked word by word, others all to all.
    assert named == {
        *(("boats", "Boats"), ("left", "left"), ("strong", "strong"), ("wind", "wind"), ("🙂", "🙂")),
        *((d, s) for d in ("Nobody", "was") for s in ("All", "live")),
    }
    assert second == ""


def test_offsets_in_the_table_match_its_texts(files):
    run_export(files, "tsv")
    with open(files / "out", encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t"))
    assert list(rows[0]) == list(export.COLUMNS) and len(rows) == len(ALIGNMENT.links)
    for row in rows:
        assert SUMMARY[int(row["summary_start"]) : int(row["summary_end"])] == row["summary"]
        if row["document"]:
            assert DOCUMENT[int(row["document_start"]) : int(row["document_end"])] == row["document"]
    assert [row["document"] for row in rows] == ["boats left", "", "strong", "wind", "🙂", "Nobody was"]
    assert [row["posterior"] for row in rows][4:] == ["", "0.500000"]


@pytest.mark.parametrize(
    "kind, more, message",
    [
        ("html", [], "name the pair to show with --id"),
        ("html", ["--id", "c"], "has no pair with the id c"),
        ("tsv", ["--corpus", "nowhere.jsonl"], "nowhere.jsonl: cannot be read"),
    ],
)
def test_a_missing_argument_is_an_error_of_one_line(files, stops, kind, more, message):
    assert message in stops(run_export, files, kind, *more)
    assert not (files / "out").exists()


def test_another_corpus_is_an_error(files, stops):
    write_pairs(files / "corpus.jsonl", [Pair("a", PAIR.document, OTHER.summary), OTHER])
    assert "pair a: its summary tokens are not those of the corpus" in stops(run_export, files, "jsonl")
    write_pairs(files / "corpus.jsonl", [OTHER, PAIR])
    assert "not in this order" in stops(run_export, files, "jsonl")
    arguments = ["--alignments", "x", "--format", "tsv", "--output", "y"]
    assert "--format tsv needs --corpus" in stops(export.main, arguments)
