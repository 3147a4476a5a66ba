"""The stage that scores: its table, signature and rows of annotators, and inputs that it refuses."""

import re

import numpy as np
import pandas as pd
import pytest
from pair_files import write_pairs
from vorlage.alignments.alignment import Alignment, Link, write_alignments
from vorlage.files.jsonl import write_jsonl
from vorlage.text.words import STOP_WORDS
from vorlage.workflow.gold import Gold, GoldLink
from vorlage.workflow.score import rows as signatures
from vorlage.workflow.score import stage as command
from vorlage.workflow.score.counts import WORDS
from worked_example import EXAMPLE, GOLD, make_gold, make_pair, naive

COLUMNS = "system words soft_precision recall soft_f hard_precision hard_f low high pairs links signature"

SECOND = make_pair("a2", "Sales of software rose .", "software sales rose .")
SECOND_GOLD = make_gold("a2", "A", ((0, 1), (2, 3), True), ((1, 2), (0, 1), True), ((2, 3), (3, 4), True))
UNMARKED = make_pair("a3", "one two", "two")


def align(pair, system="test", links=(), fingerprint="f", words=None):
    return Alignment(
        pair.id, system, None, words or pair.document.words, pair.summary.words, list(links), fingerprint
    )


@pytest.fixture
def corpus(tmp_path):
    """Write a corpus of three pairs, two of them with gold; return the folder."""
    write_pairs(tmp_path / "corpus.jsonl", [EXAMPLE, SECOND, UNMARKED])
    write_jsonl(tmp_path / "gold.jsonl", (gold.to_json() for gold in (*GOLD, SECOND_GOLD)))
    links = [Link((0, 1), (2, 3), 0.9), Link((2, 4), (3, 5), 0.9)]
    write_alignments(tmp_path / "test.jsonl", [align(UNMARKED), align(SECOND, links=links), align(EXAMPLE)])
    perfect = [Link(m.summary[0], m.document[0]) for gold in GOLD for m in gold.links]
    second = [Link(m.summary[0], m.document[0]) for m in SECOND_GOLD.links]
    write_alignments(
        tmp_path / "perfect.jsonl",
        [align(EXAMPLE, "perfect", perfect), align(SECOND, "perfect", second)],
    )
    return tmp_path


def run(folder, *systems, output="scores.tsv", options=()):
    paths = [str(folder / f"{system}.jsonl") for system in systems]
    inputs = ["--corpus", str(folder / "corpus.jsonl"), "--gold", str(folder / "gold.jsonl")]
    log = ["--log", str(folder / "log")]
    command.main([*inputs, "--alignments", *paths, "--output", str(folder / output), *log, *options])
    return pd.read_table(folder / output)


def test_command_writes_and_prints_the_table(corpus, capsys):
    table = run(corpus, "test", "perfect")
    assert list(table.columns) == COLUMNS.split()
    systems = ("test", "perfect", "annotator-A", "annotator-B")
    rows = [[system, words] for system in systems for words in WORDS]
    assert table[["system", "words"]].values.tolist() == rows
    first = table.iloc[0]  # S: 4 + 3 links; A: 3 links, 2 of them in P and S
    assert (first["pairs"], first["links"]) == (2, 3)
    measures = ["soft_precision", "recall", "hard_precision"]
    assert first[measures].tolist() == pytest.approx([2 / 3, 2 / 7, 2 / 5], abs=1e-6)
    assert first["low"] <= first["soft_f"] <= first["high"]
    assert (table.loc[2:3, ["soft_f", "low", "high"]] == 1).all(axis=None)
    printed = capsys.readouterr().out
    for text in (printed, (corpus / "log").read_text()):
        assert re.search("perfect +nonstop +1.000", text)
    assert first["signature"] in printed


def test_signature_changes_with_every_choice(monkeypatch):
    golds = {"a1": (EXAMPLE, GOLD)}
    other_mark = make_gold("a1", "A", ((0, 1), (0, 1), True))
    unsure = Gold("a1", "B", "token", tuple(GoldLink(m.summary, m.document, False) for m in GOLD[1].links))
    base = signatures.signature(golds, 1000, 1)
    made = {
        base,
        signatures.signature(golds, 999, 1),
        signatures.signature(golds, 1000, 2),
        signatures.signature({"a1": (EXAMPLE, GOLD[:1])}, 1000, 1),
        signatures.signature({"a1": (EXAMPLE, [other_mark, GOLD[1]])}, 1000, 1),
        signatures.signature({"a1": (EXAMPLE, [GOLD[0], unsure])}, 1000, 1),
        signatures.signature({"a1": (EXAMPLE, GOLD), "a2": (SECOND, [SECOND_GOLD])}, 1000, 1),
    }
    assert base == signatures.signature({"a1": (EXAMPLE, GOLD[::-1])}, 1000, 1)
    monkeypatch.setattr(signatures, "stop_words", lambda language: STOP_WORDS - {"the"})
    assert len({*made, signatures.signature(golds, 1000, 1)}) == 8
    assert base.startswith("annotators:A+B|") and "|bootstrap:1000|seed:1|" in base


BAD_ALIGNMENTS = [
    ([align(EXAMPLE)], "no alignment for pair a2, which has gold"),
    ([align(make_pair("a9", "x", "y"))], "pair a9: is not in the corpus"),
    ([align(EXAMPLE), align(SECOND, system="other")], "pair a2: is by system 'other'"),
    ([align(EXAMPLE), align(SECOND, fingerprint="g")], "pair a2: was made with other code"),
    ([align(EXAMPLE, system="gold")], "which is the name of the gold in tables"),
    ([], "contains no alignments"),
]
BAD_GOLD = [
    ([], "nothing to score"),
    ([{**SECOND_GOLD.to_json(), "unit": "char"}], "word scores need gold in tokens"),
]


@pytest.mark.parametrize(
    ("alignments", "gold", "systems", "message"),
    [
        *((alignments, None, ["test"], message) for alignments, message in BAD_ALIGNMENTS),
        *((None, gold, ["test"], message) for gold, message in BAD_GOLD),
        (None, None, ["test", "test"], "system 'test' is in"),
    ],
)
def test_bad_files_end_with_one_line(corpus, stops, alignments, gold, systems, message):
    if alignments is not None:
        write_alignments(corpus / "test.jsonl", alignments)
    if gold is not None:
        write_jsonl(corpus / "gold.jsonl", gold)
    assert message in stops(run, corpus, *systems)
    assert not (corpus / "scores.tsv").exists()


def test_gold_in_characters_is_left_out_and_logged(corpus):
    without = run(corpus, "test")
    lines = (corpus / "gold.jsonl").read_text()
    characters = '{"id": "a3", "annotator": "C", "unit": "char", "alignments": []}\n'
    (corpus / "gold.jsonl").write_text(characters + lines)
    assert run(corpus, "test").equals(without)
    assert "left out 1 annotations that are not in tokens" in (corpus / "log").read_text()


MARKED = {
    "A": [((1, 2), (1, 3), True), ((2, 4), (4, 6), True), ((0, 1), (0, 1), False)],
    "B": [((1, 2), (2, 3), True), ((2, 3), (4, 5), True), ((4, 5), (6, 7), False)],
    "C": [((4, 5), (6, 7), True)],
    "adjudicated": [((0, 1), (0, 1), True)],
}
# The annotators of each pair in the order of the gold file, which is not that of the corpus.
ANNOTATORS = {"a1": ["A", "B", "adjudicated"], "b1": ["A", "B", "adjudicated", "C"], "c1": ["A"]}


@pytest.mark.parametrize(
    ("skip", "others_by_name"),
    [
        (0, {"A": {"a1": "B", "b1": "BC"}, "B": {"a1": "A", "b1": "AC"}, "C": {"b1": "AB"}}),
        (1, {"A": {"b1": "BC"}, "B": {"b1": "AC"}}),
    ],
)
def test_annotators_have_rows_against_the_others(tmp_path, skip, others_by_name):
    """The rows annotator-… score the links of an annotator against the gold of the others."""
    pairs = {key: make_pair(key, EXAMPLE.document.raw, EXAMPLE.summary.raw) for key in ("b1", "a1", "c1")}
    golds = [make_gold(key, name, *MARKED[name]) for key, names in ANNOTATORS.items() for name in names]
    write_pairs(tmp_path / "corpus.jsonl", pairs.values())
    write_jsonl(tmp_path / "gold.jsonl", (gold.to_json() for gold in golds))
    write_alignments(tmp_path / "s.jsonl", [align(pair, "s") for pair in pairs.values()])
    files = tmp_path / "corpus.jsonl", tmp_path / "gold.jsonl", [tmp_path / "s.jsonl"]
    system, *rows = command.score(*files, 100, 1, skip)[1:]
    assert system["system"] == "s"
    assert [row["system"] for row in rows[::2]] == [f"annotator-{name}" for name in others_by_name]
    for row in rows:
        name = row["system"][-1]
        others = others_by_name[name]
        links = [Link(summary, document) for summary, document, _ in MARKED[name]]
        annotated = [
            (pairs[key], [make_gold(key, other, *MARKED[other]) for other in names], links)
            for key, names in others.items()
        ]
        expected = [float(value) for value in naive(annotated, "soft", row["words"])]
        assert [row[column] for column in ("soft_precision", "recall", "soft_f")] == pytest.approx(expected)
        assert row["pairs"] == len(others) and np.isnan(row["low"]) == (len(others) == 1)
