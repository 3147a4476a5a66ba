"""A copy of the project with a toy corpus, and Snakemake run in it."""

import asyncio
import contextlib
import json
import multiprocessing
import os
import re
import runpy
import shutil
from pathlib import Path
from typing import NamedTuple

import yaml

ROOT = Path(__file__).parents[2]
OFFLINE = ROOT / "tests" / "offline"
PARTS = ("Snakefile", "config.yaml", "workflow", "pipeline", "pyproject.toml")
LINKS = ("slurm", "profiles")

# Each pair: the sentences of the document, those of the summary, and gold phrases (summary, document).
PAIRS = {
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
SYSTEMS = (*(f"semihmm-{jump}" for jump in JUMPS), "cutpaste", "identity", "hmm-doc", "hmm-sum", "hmm-gdfa")


class Outcome(NamedTuple):
    """What a run of Snakemake left behind: its exit status and all it printed."""

    status: int
    text: str

    @property
    def jobs(self):
        """The rules in the table of job statistics, without ``all``."""
        return set(self.counts)

    @property
    def counts(self):
        """How many jobs of each rule there are in that table."""
        table = re.search(r"^Job stats:\n(.*?)^total\b", self.text, re.MULTILINE | re.DOTALL)
        rows = [row.split() for row in table[1].splitlines()[2:]] if table else []
        return {rule: int(count) for rule, count in rows if rule != "all"}


class Toy:
    """The copy. ``config`` is what its config file says, ``folder`` where it is.

    ``environment`` has variables for its runs, which have no network; one that takes
    more than ``seconds`` is killed. A run by SLURM looks at its jobs every two seconds, not as seldom as
    Snakemake would.
    """

    seconds = 600

    def __init__(self, folder):
        self.folder = folder
        self.output = folder / "output.txt"
        self.environment = {"PYTHONPATH": str(OFFLINE)}
        for part in PARTS:
            source = ROOT / part
            if source.is_dir():
                shutil.copytree(source, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(source, folder / part)
        for link in LINKS:
            shutil.copy(ROOT / link, folder / link, follow_symlinks=False)
        write_corpus(folder / "toy.jsonl", folder / "toy-gold.jsonl")
        self.config = {
            "corpus": {
                "name": "toy",
                "reader": "jsonl",
                "path": "toy.jsonl",
                "gold": "toy-gold.jsonl",
                "tokenized": True,
            },
            "parse": {"shards": 2},
            "systems": list(SYSTEMS),
            "semihmm": {"iterations": 2, "wordnet": False, "jump_smoothing": 0.01, "null_smoothing": 0.02},
        }

    def snakemake(self, *arguments, configfiles=(), **sections):
        """Run ``snakemake`` with the toy config, in which ``sections`` replace or add settings."""
        return self.bare(*arguments, "--configfile", *configfiles, self.write_config(**sections))

    def write_config(self, **sections):
        """Write the toy config, in which ``sections`` replace or add settings; returns its name."""
        config = self.config | {
            name: self.config.get(name, {}) | value if isinstance(value, dict) else value
            for name, value in sections.items()
        }
        (self.folder / "toy.yaml").write_text(yaml.safe_dump(config))
        return "toy.yaml"

    def bare(self, *arguments):
        """Run ``snakemake`` with the bundled config alone."""
        return self.wait(self.start(*arguments))

    def start(self, *arguments):
        """Start ``snakemake`` with the bundled config alone, in a process group of its own."""
        self.output.write_text("")
        process = FORKSERVER.Process(
            target=_run, args=(self.folder, self.output, arguments, self.environment)
        )
        process.start()
        return process

    def wait(self, process):
        """The :class:`Outcome` of a started process."""
        try:
            process.join(self.seconds)
        finally:
            if process.is_alive():
                process.kill()  # a Snakemake that waits for a job takes no notice of anything less
                process.join()
        return Outcome(process.exitcode, self.output.read_text())

    def planned(self, **sections):
        """The rules that a run would run."""
        outcome = self.snakemake("-n", **sections)
        assert outcome.status == 0, outcome.text
        return outcome.jobs

    def untargeted(self, *arguments):
        """The results of the corpus `toy` that are no targets, nor in a folder that is one."""
        text = self.snakemake("-n", "--forceall", *arguments).text
        targets = set(re.search(r"^(?:local)?rule all:\n    input: (.*)$", text, re.MULTILINE)[1].split(", "))
        logs = {"logs", "benchmarks", "rejected.tsv"}
        made = (path.relative_to(self.folder) for path in (self.folder / "results/toy").rglob("[!.]*"))
        return [
            str(path)
            for path in made
            if (self.folder / path).is_file()
            and not logs & set(path.parts)
            and not targets & {str(path), *map(str, path.parents)}
        ]

    @contextlib.contextmanager
    def edited(self, path, old, new):
        """The file at ``path`` with ``new`` in place of the first ``old``; as it was before afterwards."""
        path = self.folder / path
        text, times = path.read_text(), path.stat()
        assert old in text
        path.write_text(text.replace(old, new, 1))
        try:
            yield
        finally:
            path.write_text(text)
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def write_corpus(corpus, gold):
    """Write the toy pairs and their gold in the input format."""
    pairs, golds = [], []
    for name, (document, summary, phrases) in PAIRS.items():
        pairs.append({"id": name, "document": document, "summary": summary})
        links = [{"summary": _span(summary, s), "document": _span(document, d)} for s, d in phrases]
        golds.append({"id": name, "annotator": "A", "unit": "token", "alignments": links})
    for path, records in ((corpus, pairs), (gold, golds)):
        path.write_text("".join(json.dumps(record) + "\n" for record in records))


def _span(sentences, phrase):
    tokens, wanted = " ".join(sentences).split(), phrase.split()
    start = next(i for i in range(len(tokens)) if tokens[i : i + len(wanted)] == wanted)
    return [start, start + len(wanted)]


# Importing Snakemake takes seconds; a server that has done it forks a process for each run. None of the
# modules it imports is the project's: those must come from the copy.
FORKSERVER = multiprocessing.get_context("forkserver")
FORKSERVER.set_forkserver_preload(
    ["snakemake.cli", "snakemake.report", "snakemake.executors.local", "jsonschema", "pandas", "smart_open"]
)


def _run(folder, output, arguments, environment):
    os.chdir(folder)
    os.setsid()
    log = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(log, 1)
    os.dup2(log, 2)
    os.environ.pop("SNAKEMAKE_PROFILE", None)
    # Compiling the kernels takes longer than running them on a toy.
    os.environ["NUMBA_DISABLE_JIT"] = "1"
    os.environ.update(environment)
    runpy.run_path(OFFLINE / "sitecustomize.py")
    from snakemake.cli import main
    from snakemake_interface_executor_plugins.executors.remote import RemoteExecutor

    RemoteExecutor.sleep = lambda executor: asyncio.sleep(2)
    main([*arguments, "--nocolor"])
