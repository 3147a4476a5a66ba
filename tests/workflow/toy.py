"""A copy of the project with a toy corpus, and Snakemake run in it."""

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import yaml

ROOT = Path(__file__).parents[2]
PARTS = ("Snakefile", "config.yaml", "workflow", "profiles", "pipeline", "pyproject.toml")
LINKS = ("slurm",)

Phrases = list[tuple[str, str]]

# Of each pair: the sentences of the document, those of the summary, and gold phrases (summary, document).
PAIRS: dict[str, tuple[list[str], list[str], Phrases]] = {
    "boats": (
        ["Two boats left the harbour at dawn .", "The wind was strong .", "One boat came back at noon ."],
        ["At dawn two boats left the harbour .", "One returned ."],
        [("two boats left the harbour", "Two boats left the harbour"), ("returned", "came back")],
    ),
    "bread": (
        ["The baker sells bread and cakes .", "Her shop opens at six .", "Prices rose in May ."],
        ["The baker sells bread ; prices rose ."],
        [("The baker sells bread", "The baker sells bread"), ("prices rose", "Prices rose")],
    ),
    "train": (
        ["A train stopped on the bridge .", "Snow had covered the rails .", "Nobody was hurt ."],
        ["Snow stopped a train on the bridge ."],
        [
            ("Snow", "Snow"),
            ("stopped", "stopped"),
            ("a train", "A train"),
            ("on the bridge", "on the bridge"),
        ],
    ),
    "school": (
        ["The old school will close .", "Its pupils move to a new building .", "Parents had protested ."],
        ["The school will close and its pupils move ."],
        [("school will close", "school will close"), ("its pupils move", "Its pupils move")],
    ),
    "garden": (
        ["The garden won a prize .", "It has roses , herbs and a pond .", "Visitors pay nothing ."],
        ["A garden with roses and a pond won a prize ."],
        [("garden", "garden"), ("a pond", "a pond"), ("won a prize", "won a prize")],
    ),
    "market": (
        ["Farmers sell apples at the market .", "Apples were small this year .", "Rain had come late ."],
        ["Late rain made apples small ."],
        [("rain", "Rain"), ("Late", "late"), ("apples", "Apples"), ("small", "small")],
    ),
}

JUMPS = ("relative", "gaussian", "syntax")
SYSTEMS = (*(f"semihmm-{jump}" for jump in JUMPS), "cutpaste", "ibm1-gdfa")


class Outcome(NamedTuple):
    """The exit status and the output of a run of Snakemake."""

    status: int | None
    text: str

    @property
    def jobs(self) -> set[str]:
        """The rules in the table of job statistics, without `all`."""
        return set(self.counts)

    @property
    def counts(self) -> dict[str, int]:
        """The number of jobs of each rule in that table."""
        table = re.search(r"^Job stats:\n(.*?)^total\b", self.text, re.MULTILINE | re.DOTALL)
        rows = [row.split() for row in table[1].splitlines()[2:]] if table else []
        return {rule: int(count) for rule, count in rows if rule != "all"}


class Toy:
    """The copy, in `folder`, with `config` as its config; a run of Snakemake is killed after `seconds`."""

    seconds = 600

    def __init__(self, folder: Path, finished: Path | None = None) -> None:
        """Copy the project to `folder`, or another toy, `finished`, with its results."""
        self.folder = folder
        # Kernels would be compiled anew in each folder, which takes longer than this corpus without it.
        self.environment: dict[str, str] = {"NUMBA_DISABLE_JIT": "1"}
        if finished:
            shutil.copytree(finished, folder, symlinks=True, dirs_exist_ok=True)
        else:
            copy_project(folder)
            write_corpus(folder / "toy.jsonl", folder / "toy-gold.jsonl")
        self.config: dict[str, Any] = {
            "corpus": {
                "name": "toy",
                "reader": "jsonl",
                "path": "toy.jsonl",
                "gold": "toy-gold.jsonl",
                "tokenized": True,
            },
            "systems": list(SYSTEMS),
            "semihmm": {
                "iterations": 2,
                "wordnet": False,
                "encoder": False,
                "jump_smoothing": 0.01,
                "null_smoothing": 0.02,
            },
        }

    def snakemake(self, *arguments: str, configfiles: list[str] | None = None, **sections: Any) -> Outcome:
        """Run `snakemake` with the toy config, in which `sections` replace or add settings."""
        return self.bare(*arguments, "--configfile", *(configfiles or []), self.write_config(**sections))

    def write_config(self, **sections: Any) -> str:
        """Write the toy config, in which `sections` replace or add settings, and return its name."""
        config = self.config | {
            name: self.config.get(name, {}) | value if isinstance(value, dict) else value
            for name, value in sections.items()
        }
        (self.folder / "toy.yaml").write_text(yaml.safe_dump(config))
        return "toy.yaml"

    def bare(self, *arguments: str) -> Outcome:
        """Run `snakemake` with the bundled config alone."""
        environment = os.environ | {"PYTHONPATH": str(self.folder / "pipeline")} | self.environment
        environment.pop("SNAKEMAKE_PROFILE", None)
        run = subprocess.run(
            [sys.executable, "-m", "snakemake", *arguments],
            cwd=self.folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=self.seconds,
        )
        return Outcome(run.returncode, run.stdout)

    def planned(self, **sections: Any) -> dict[str, int]:
        """Return the number of jobs of each rule that a run would run."""
        outcome = self.snakemake("-n", **sections)
        assert outcome.status == 0, outcome.text
        return outcome.counts

    @contextlib.contextmanager
    def edited(self, path: str, old: str, new: str) -> Iterator[None]:
        """Replace the first `old` in the file at `path` by `new`, and restore the file afterwards."""
        file = self.folder / path
        text, times = file.read_text(), file.stat()
        assert old in text
        file.write_text(text.replace(old, new, 1))
        try:
            yield
        finally:
            file.write_text(text)
            os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))


def copy_project(folder: Path) -> None:
    """Copy what a run needs to `folder`."""
    for part in PARTS:
        source = ROOT / part
        if source.is_dir():
            shutil.copytree(source, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, folder / part)
    for link in LINKS:
        shutil.copy(ROOT / link, folder / link, follow_symlinks=False)


def write_corpus(corpus: Path, gold: Path) -> None:
    """Write the toy pairs and their gold in the input format."""
    pairs: list[dict[str, Any]] = []
    golds: list[dict[str, Any]] = []
    for name, (document, summary, phrases) in PAIRS.items():
        pairs.append({"id": name, "document": document, "summary": summary})
        links = [{"summary": _span(summary, s), "document": _span(document, d)} for s, d in phrases]
        golds.append({"id": name, "annotator": "A", "unit": "token", "alignments": links})
    for path, records in ((corpus, pairs), (gold, golds)):
        path.write_text("".join(json.dumps(record) + "\n" for record in records))


def _span(sentences: list[str], phrase: str) -> list[int]:
    tokens, expected = " ".join(sentences).split(), phrase.split()
    start = next(i for i in range(len(tokens)) if tokens[i : i + len(expected)] == expected)
    return [start, start + len(expected)]
