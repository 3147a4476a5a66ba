"""The runs of experiments/replication.py are sound, and have every number that docs/replication.tsv names."""

import json
from pathlib import Path
from typing import TypeAlias

import pandas as pd
import pytest
from replication import NONE, TABLES, compare, runs
from toy import ROOT, Toy, write_corpus

Links: TypeAlias = list[dict[str, list[int]]]
BUNDLED = Path("data/sample")


def split_phrases(links: Links) -> Links:
    """Return a link for each word of the phrases of equal length, and the other links as they are."""
    split: Links = []
    for link in links:
        (start, end), (first, last) = link["summary"], link["document"]
        words = [
            {"summary": [start + k, start + k + 1], "document": [first + k, first + k + 1]}
            for k in range(end - start)
        ]
        split += words if last - first == end - start else [link]
    return split


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Toy:
    """Replace the bundled corpus by toy pairs with two annotators."""
    toy = Toy(tmp_path_factory.mktemp("replication"))
    folder = toy.folder / BUNDLED
    folder.mkdir(parents=True)
    write_corpus(folder / "corpus.jsonl", folder / "gold.jsonl")
    file = folder / "gold.jsonl"
    records = [json.loads(line) for line in file.read_text().splitlines()]
    others = [r | {"annotator": "B", "alignments": split_phrases(r["alignments"])} for r in records]
    file.write_text("".join(json.dumps(record) + "\n" for record in records + others))
    toy.config = {"parse": {"shards": 1}, "semihmm": {"iterations": 1, "wordnet": False}}
    return toy


def test_every_number_of_the_table_is_in_a_run(toy: Toy) -> None:
    for arguments in list(runs(None, None, None))[1:]:
        presets = arguments[3:5]
        outcome = toy.bare("--cores", "2", "--configfile", *presets, toy.write_config(), *arguments[5:])
        assert outcome.status == 0, outcome.text
    papers = pd.read_table(ROOT / "docs/replication.tsv")
    for name in TABLES:
        lines = compare(papers, toy.folder / "results", name).splitlines()
        heading, _, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in lines)
        assert rows and NONE not in [row[heading.index("bundled")] for row in rows], name


def test_runs_on_corpora_of_others_are_sound(toy: Toy) -> None:
    (toy.folder / "papers").mkdir()
    for arguments in list(runs("papers", "papers", None))[-2:]:
        outcome = toy.bare(*arguments, "-n")
        assert outcome.status == 0 and {"corpus", "decompose"} <= outcome.jobs, outcome.text
