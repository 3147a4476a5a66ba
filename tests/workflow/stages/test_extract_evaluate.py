"""Evaluation of extracts: tables counted by hand, and real extracts against real gold."""

import pandas as pd
import pytest
from pair_files import write_pairs
from tokenized_pairs import make_pair
from vorlage.documents.pair import Pair
from vorlage.extract.extracts import Extract, write_extracts
from vorlage.files.jsonl import write_jsonl
from vorlage.text.tokenize import split_text
from vorlage.workflow.gold import Gold, GoldLink
from vorlage.workflow.score import extracts as evaluate


def token_gold(key, annotator, *links):
    """Gold of (summary token, document token, sure) triples."""
    made = (GoldLink(((i, i + 1),), ((j, j + 1),), sure) for i, j, sure in links)
    return Gold(key, annotator, "token", tuple(made))


# Sentences of tokens 0–2, 3–5, 6–8, 9–11.
DOCUMENT = ["the ink dried", "the paper jammed", "trays broke .", "dealers sold ink"]
PAIR = make_pair("p", DOCUMENT, ["the ink dried . paper jammed"])
GOLDS = [
    token_gold("p", "A", (0, 0, True), (1, 1, True), (2, 2, False), (3, 8, True)),
    token_gold("p", "B", (1, 1, True), (1, 11, True), (4, 4, True), (3, 1, False)),
]
# S = the–the, ink–ink, ink–ink of the last sentence, .–., paper–paper; P adds dried–dried and .–ink.


def run_command(tmp_path, pairs, golds, extracts):
    write_pairs(tmp_path / "corpus.jsonl", pairs)
    write_jsonl(tmp_path / "gold.jsonl", (gold.to_json() for gold in golds))
    write_extracts(tmp_path / "extracts.jsonl", extracts)
    files = [f"--{name}={tmp_path / name}.jsonl" for name in ("corpus", "gold", "extracts")]
    evaluate.main([*files, f"--output={tmp_path / 'evaluation.tsv'}"])
    return pd.read_csv(tmp_path / "evaluation.tsv", sep="\t", index_col="id")


def test_worked_example(tmp_path):
    pairs = [PAIR, make_pair("unannotated", ["a"], ["a"]), make_pair("q", DOCUMENT, ["trays broke"])]
    golds = [*GOLDS, token_gold("q", "A", (0, 6, True), (1, 7, True))]
    extracts = [Extract("p", (0, 1, 2), ()), Extract("unannotated", (0,), ()), Extract("q", (2,), ())]
    table = run_command(tmp_path, pairs, golds, extracts)
    assert list(table.index) == ["p", "q", "average", "all"]
    # p: sure links between non-stop words reach sentences 0, 1, 3; 0 and 1 of them are in the extract.
    # Kept: all but ink–ink of the last sentence; ink, paper of ink, ink, paper.
    expected = [4, 3, 3, 2 / 3, 2 / 3, 2 / 3, 4 / 5, 2 / 3, 6 / 7, 3 / 4]
    assert table.loc["p"].tolist() == pytest.approx(expected, abs=1e-4)
    assert list(table.columns) == [
        *("document_sentences", "extract_sentences", "gold_sentences", "precision", "recall", "f"),
        *("sure_kept", "sure_nonstop_kept", "possible_kept", "possible_nonstop_kept"),
    ]
    assert (table.loc["q", "precision":] == 1).all()
    assert table.loc["average", "f"] == pytest.approx((2 / 3 + 1) / 2, abs=1e-4)
    # Together: 4 sentences extracted, 4 in the gold, 3 in both; 7 sure links, 6 kept.
    assert table.loc["all", ["precision", "recall", "f"]].tolist() == [0.75] * 3
    assert table.loc["all", "sure_kept"] == pytest.approx(6 / 7, abs=1e-4)


def test_gold_in_characters(tmp_path):
    text = "Ink dried. Paper jammed, they said. Trays broke."
    pair = Pair("p", split_text(text), split_text("Paper jammed and trays broke."))
    start, end = text.index("aper"), text.index(", they") + 1  # from within a word to the end of the comma
    tray = (text.index("Trays"), text.index("Trays") + 5)
    dot = (text.index(". Paper"), text.index(". Paper") + 1)
    links = (
        GoldLink(((0, 12),), ((start, end),), True),  # Paper jammed ,
        GoldLink(((17, 29),), (tray, dot), True),  # Trays; the full stop of the first sentence
        GoldLink(((0, 12),), ((0, 9),), False),  # Ink dried, up to the full stop
    )
    table = run_command(tmp_path, [pair], [Gold("p", "A", "char", links)], [Extract("p", (1,), ())])
    # Only the second and third sentence have a content word.
    # Kept: Paper jammed , of Paper jammed , Trays .
    expected = [3, 1, 2, 1, 1 / 2, 2 / 3, 3 / 5, 2 / 3, 3 / 7, 2 / 5]
    assert table.loc["p"].tolist() == pytest.approx(expected, abs=1e-4)
