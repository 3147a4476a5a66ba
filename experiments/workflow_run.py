"""The workflow on a synthetic corpus, run by Snakemake on this machine: time, memory and disk."""

import contextlib
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Literal, NamedTuple

import pandas as pd
import psutil
import yaml
from corpora import Shape, write_corpus
from measure import children_of, megabytes, processors

ROOT, JOB_COSTS = Path(__file__).parents[1], Path(__file__).with_name("job_costs")
SAMPLE_SECONDS = 0.2
DISK_EVERY = 25  # the disk is measured at every 25th look at the memory
CORPUS = {"reader": "jsonl", "path": "corpus.jsonl", "tokenized": True}


class Stage(NamedTuple):
    """The commands of a stage, and what work in parallel on it.

    These are the processors of all machines, those of one, or a job for each part of the rows of the index.
    """

    commands: tuple[str, ...]
    parallel: Literal["machines", "machine", "parts of rows", "nothing"]


STAGES = {
    "corpus": Stage(("corpus",), "machine"),
    "extract": Stage(("extract.stems", "extract"), "machines"),
    "gather": Stage(("io.gather",), "nothing"),
    "collect shards": Stage(("train.sharded.collect",), "machines"),
    "index": Stage(("train.sharded.index", "train.sharded.start"), "nothing"),
    "entries": Stage(("train.sharded.entries",), "parts of rows"),
    "expectation": Stage(("train.sharded.expect",), "machines"),
    "addition": Stage(("train.sharded.add",), "parts of rows"),
    "maximisation": Stage(("train.sharded.maximise",), "nothing"),
    "model": Stage(("train.sharded.finish", "train"), "nothing"),
    "align": Stage(("align",), "machines"),
}


class RunCost(NamedTuple):
    """Wall seconds of a run, and the peak megabytes of all its processes and of its folder."""

    seconds: float
    memory: float
    disk: float


class WorkflowRun:
    """The workflow in a folder, with a synthetic corpus of `pairs` pairs of a shape."""

    def __init__(self, folder: Path, pairs: int, shape: Shape, name: str = "bench") -> None:
        self.folder, self.name = folder, name
        self.results, self.costs = folder / "results" / name, folder / "costs.tsv"
        self.environment = os.environ | {"PYTHONPATH": str(JOB_COSTS), "JOB_COSTS": str(self.costs)}
        folder.mkdir(exist_ok=True)
        shutil.copy(ROOT / "config.yaml", folder)
        if not (folder / "corpus.jsonl").exists():
            write_corpus(folder / "corpus.jsonl", pairs, shape)

    def make(self, target: str, extract: bool, **semihmm: object) -> RunCost:
        """Make a result with these settings of the semi-HMM."""
        config = {
            "corpus": {"name": self.name, **CORPUS},
            "extract": {"enabled": extract},
            "semihmm": {"jumps": ["relative"], "wordnet": False, "encoder": False, **semihmm},
            "systems": ["semihmm-relative"],
        }
        (self.folder / "bench.yaml").write_text(yaml.safe_dump(config))
        command = ["snakemake", f"results/{self.name}/{target}", "--snakefile", str(ROOT / "Snakefile")]
        command += ["--directory", str(self.folder), "--cores", str(processors())]
        command += ["--configfile", "bench.yaml"]
        with open(self.folder / "log", "w") as log:
            began = time.perf_counter()
            process = subprocess.Popen(command, stdout=log, stderr=log, cwd=self.folder, env=self.environment)
            memory, disk = watch(process, self.folder)
        if process.returncode:
            sys.exit((self.folder / "log").read_text()[-2000:])
        return RunCost(time.perf_counter() - began, memory, disk)

    def travelled(self) -> float:
        """Return the bytes of expectations that jobs wrote for other jobs, by their logs."""
        logs = (self.results / "logs").glob("expect-*.log")
        sizes = re.findall(r"counts, ([\d.]+) MB", " ".join(path.read_text() for path in logs))
        return 1e6 * sum(map(float, sizes))

    def jobs(self) -> pd.DataFrame:
        """Return a row for each finished job: its command, seconds, processor seconds and peak megabytes.

        The megabytes are those of its largest process.
        """
        jobs = pd.read_table(self.costs, names=["command", "seconds", "cpu", "MB"])
        jobs["command"] = jobs["command"].str.removeprefix("pipeline.")
        jobs["MB"] = jobs["MB"].map(megabytes)
        return jobs

    def forget(self, *parts: str) -> None:
        """Remove folders of results, so that they are made again, and the costs of all jobs."""
        for part in (*parts, "logs"):
            shutil.rmtree(self.results / part, ignore_errors=True)
        self.costs.unlink(missing_ok=True)


def watch(process: subprocess.Popen[bytes], folder: Path) -> tuple[float, float]:
    """Wait for a process; return the peak megabytes of it and its children, and of its folder."""
    top, memory, disk, looks = psutil.Process(process.pid), 0, 0, 0
    while process.poll() is None:
        memory = max(memory, sum(map(_unshared, [top, *children_of(top)])))
        if looks % DISK_EVERY == 0:
            disk = max(disk, size_of(folder))
        looks += 1
        time.sleep(SAMPLE_SECONDS)
    return memory / 2**20, disk / 2**20


def size_of(folder: Path) -> int:
    """Return the bytes of the files below a folder, which may disappear in the meantime."""
    total = 0
    for path in folder.rglob("*"):
        with contextlib.suppress(FileNotFoundError):
            total += path.stat().st_size
    return total


def _unshared(process: psutil.Process) -> int:
    """Return the bytes that no other process shares; files mapped by several processes do not count."""
    with contextlib.suppress(psutil.NoSuchProcess, psutil.AccessDenied):
        return process.memory_full_info().uss
    return 0
