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
# The seconds of a system on the report page; no other number has one decimal.
PAGE_SECONDS = re.compile(rb'data-value="[\d.]+\d">\d+\.\d</td>')
PARTS = ("Snakefile", "config.yaml", "workflow", "profiles", "pipeline", "pyproject.toml")

# Of each pair: its id, the document, the summary, and gold phrases (summary = document).
PAIRS = [
    """boats
Two boats left the harbour at dawn . | The wind was strong . | One boat came back at noon .
At dawn two boats left the harbour . | One returned .
two boats left the harbour = Two boats left the harbour | returned = came back""",
    """bread
The baker sells bread and cakes . | Her shop opens at six . | Prices rose in May .
The baker sells bread ; prices rose .
The baker sells bread = The baker sells bread | prices rose = Prices rose""",
    """train
A train stopped on the bridge . | Snow had covered the rails . | Nobody was hurt .
Snow stopped a train on the bridge .
Snow = Snow | stopped = stopped | a train = A train | on the bridge = on the bridge""",
    """school
The old school will close . | Its pupils move to a new building . | Parents had protested .
The school will close and its pupils move .
school will close = school will close | its pupils move = Its pupils move""",
    """garden
The garden won a prize . | It has roses , herbs and a pond . | Visitors pay nothing .
A garden with roses and a pond won a prize .
garden = garden | a pond = a pond | won a prize = won a prize""",
    """market
Farmers sell apples at the market . | Apples were small this year . | Rain had come late .
Late rain made apples small .
rain = Rain | Late = late | apples = Apples | small = small""",
]
IDS = [pair.split("\n")[0] for pair in PAIRS]
JUMPS = ("relative", "gaussian", "syntax")
SYSTEMS = (*(f"semihmm-{jump}" for jump in JUMPS), "cutpaste", "ibm1-gdfa")


class Outcome(NamedTuple):
    """The exit status and the output of a run of Snakemake."""

    status: int | None
    text: str

    @property
    def counts(self) -> dict[str, int]:
        """The number of jobs of each rule, without `all`."""
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
            for part in PARTS:
                copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
                copy(ROOT / part, folder / part)
            (folder / "slurm").symlink_to("profiles/slurm")
            write_corpus(folder / "toy.jsonl", folder / "toy-gold.jsonl")
        files = {"name": "toy", "reader": "jsonl", "path": "toy.jsonl", "gold": "toy-gold.jsonl"}
        smoothing = {"jump_smoothing": 0.01, "null_smoothing": 0.02}
        self.config: dict[str, Any] = {
            "corpus": files | {"tokenized": True},
            "systems": list(SYSTEMS),
            "parse": {"backend": "pattern"},
            "semihmm": {"iterations": 2, "wordnet": False, "encoder": False, **smoothing},
        }

    def snakemake(self, *arguments: str, configfiles: list[str] | None = None, **sections: Any) -> Outcome:
        """Run `snakemake` with the toy config, in which `sections` replace or add settings."""
        config = self.config | {
            name: self.config.get(name, {}) | value if isinstance(value, dict) else value
            for name, value in sections.items()
        }
        (self.folder / "toy.yaml").write_text(yaml.safe_dump(config))
        return self.bare(*arguments, "--configfile", *(configfiles or []), "toy.yaml")

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


def write_corpus(corpus: Path, gold: Path) -> None:
    """Write the toy pairs and their gold in the input format."""
    with open(corpus, "w") as pairs, open(gold, "w") as golds:
        for name, document, summary, phrases in (pair.split("\n") for pair in PAIRS):
            sides = {"document": document.split(" | "), "summary": summary.split(" | ")}
            print(json.dumps({"id": name, **sides}), file=pairs)
            linked = [phrase.split(" = ") for phrase in phrases.split(" | ")]
            links = [{"summary": _span(summary, s), "document": _span(document, d)} for s, d in linked]
            record = {"id": name, "annotator": "A", "unit": "token", "alignments": links}
            print(json.dumps(record), file=golds)


def _span(side: str, phrase: str) -> list[int]:
    """Return where a phrase is first in a side, in tokens."""
    tokens, words = side.replace(" | ", " ").split(), phrase.split()
    start = next(i for i in range(len(tokens)) if tokens[i : i + len(words)] == words)
    return [start, start + len(words)]
