"""`make replication`: its commands are sound, and a run has every number that docs/replication.tsv names."""

import json
import shlex
import subprocess
from pathlib import Path
from typing import TypeAlias

import pandas as pd
import pytest
from replication_page import NONE, TABLES, compare
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


def commands(**folders: str) -> list[list[str]]:
    """Return the arguments of each run of Snakemake by `make replication` after `make align`."""
    given = [f"{name}={folder}" for name, folder in folders.items()]
    make = ["make", "-n", "-o", ".venv/set-up", "-o", "align", "replication", *given]
    lines = subprocess.run(make, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    return [shlex.split(line)[1:] for line in lines if line.startswith("snakemake ")]


def test_every_number_of_the_table_is_in_a_run(toy: Toy) -> None:
    for arguments in commands():
        outcome = toy.bare(
            *arguments[: arguments.index("--configfile") + 3], toy.write_config(), *arguments[5:]
        )
        assert outcome.status == 0, outcome.text
    papers = pd.read_table(ROOT / "docs/replication.tsv")
    for name in TABLES:
        lines = compare(papers, toy.folder / "results", name).splitlines()
        heading, _, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in lines)
        assert rows and NONE not in [row[heading.index("bundled")] for row in rows], name


def test_commands_for_corpora_of_others_are_sound(toy: Toy) -> None:
    (toy.folder / "papers").mkdir()
    bundled = commands()
    for variable in ("SCISUMMNET", "ZIFFDAVIS"):
        (added,) = (line for line in commands(**{variable: "papers"}) if line not in bundled)
        outcome = toy.bare(*added, "-n")
        assert outcome.status == 0 and {"corpus", "decompose"} <= outcome.jobs, outcome.text
