"""The command of the decompose stage: its three tables, recomputed by hand from small files."""

import csv
import json

import pytest
from pair_files import write_pairs
from vorlage.alignments.alignment import Alignment, Link, write_alignments
from vorlage.documents.pair import Pair
from vorlage.text.tokenize import make_text
from vorlage.workflow.decompose.stage import main

DOCUMENT = "the old ferry sailed north\nits captain spoke quietly\nnobody answered calls\nrain fell all day\n"
SUMMARY = "the old ferry sailed and its captain spoke\nbad weather came\n"
PAIRS = [
    Pair(key, make_text(DOCUMENT, tokenized=True), make_text(SUMMARY, tokenized=True)) for key in ("a", "b")
]


def alignment(key, system, cells):
    links = [Link((i, i + 1), (j, j + 1)) for i, j in cells]
    return Alignment(key, system, None, PAIRS[0].document.words, PAIRS[0].summary.words, links)


def gold_line(key, cells, unit="token", **more):
    spans = [{"summary": [i, i + 1], "document": [j, j + 1], "sure": sure} for i, j, sure in cells]
    return json.dumps({"id": key, "annotator": "A", "unit": unit, "alignments": spans, **more})


# Pair a: one system finds both sources, the other the first alone; pair b: nothing, and the first again.
BOTH = [(0, 0), (1, 1), (2, 2), (3, 3), (5, 5), (6, 6), (7, 7)]
FIRST = BOTH[:4]
GOLD = [(1, 1, True), (2, 2, True), (6, 6, True), (8, 13, True), (9, 14, False)]


@pytest.fixture
def folder(tmp_path):
    write_pairs(tmp_path / "corpus.jsonl", PAIRS)
    for system, links in (("one", (BOTH, [])), ("two", (FIRST, FIRST))):
        made = [alignment(pair.id, system, cells) for pair, cells in zip(PAIRS, links, strict=True)]
        write_alignments(tmp_path / f"{system}.jsonl", made)
    (tmp_path / "gold.jsonl").write_text(gold_line("a", GOLD) + "\n")
    return tmp_path


def run(folder, *more):
    main(
        ["--corpus", str(folder / "corpus.jsonl"), "--alignments", str(folder / "one.jsonl")]
        + [str(folder / "two.jsonl"), "--output", str(folder / "sentences.tsv")]
        + ["--systems", str(folder / "systems.tsv"), *more]
    )
    return [read(folder, name) for name in ("sentences", "systems")]


def read(folder, name):
    with open(folder / f"{name}.tsv", encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t"))


def test_without_gold_all_pairs_count(folder):
    sentences, systems = run(folder)
    assert [(row["system"], row["id"], row["sentence"]) for row in sentences] == [
        (system, key, number) for key in "ab" for system in ("one", "two") for number in "01"
    ]
    row = "one a 0 8 0.875000 0.875000 yes 2|0 1|reduction combination"
    assert list(sentences[0].values()) == [*row.split("|")[0].split(), *row.split("|")[1:]]
    # Half of the words is not more than half.
    assert (sentences[2]["copied"], sentences[2]["cut_and_pasted"]) == ("0.500000", "no")
    assert [row["system"] for row in systems] == ["one", "two"]
    one, two = ({key: row[key] for key in list(row)[1:]} for row in systems)
    assert (one["sentences"], one["cut_and_pasted"]) == ("4", "0.250000")
    assert (one["sources_0"], one["sources_1"], one["sources_2_3"]) == ("0.750000", "0.000000", "0.250000")
    assert (two["sources_0"], two["sources_1"], two["reduction"]) == ("0.500000",) * 3


def test_gold_is_a_system_and_scores_the_extracts(folder):
    more = ("--gold", str(folder / "gold.jsonl"), "--extracts", str(folder / "extracts.tsv"))
    sentences, systems = run(folder, *more)
    systems_of_a = [row["system"] for row in sentences if row["id"] == "a" and row["sentence"] == "0"]
    assert systems_of_a == ["gold", "one", "two"]
    assert {row["system"] for row in sentences if row["id"] == "b"} == {"one", "two"}
    # Only the annotated pair counts: two sentences.
    assert [(row["system"], row["sentences"]) for row in systems] == [
        ("gold", "2"),
        ("one", "2"),
        ("two", "2"),
    ]
    # The gold extract is sentences 0, 1 and 3: the gold reaches them from content words, surely.
    expected = {"gold": ("1", "0.3333", "0.5"), "one": ("1", "0.6667", "0.8"), "two": ("1", "0.3333", "0.5")}
    rows = read(folder, "extracts")
    assert [(row["system"], row["id"]) for row in rows] == [
        (system, key) for system in expected for key in ("a", "average", "all")
    ]
    for row in rows:
        assert (row["precision"], row["recall"], row["f"]) == expected[row["system"]]
        assert float(row["gold_sentences"]) == 3
