"""What shards and larger corpora cost, as tables: ``python benchmarks/scaling.py --help``.

Runs the workflow itself, on synthetic corpora, by Snakemake on this machine. Processor seconds and peak
memory of each job are from Snakemake's ``benchmark:`` files; memory of all processes together is sampled.
"""

import argparse
import contextlib
import os
import platform
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pandas as pd
import psutil
import yaml
from corpora import NEWS, PAIRS, PAPER, write_corpus

ROOT = Path(__file__).parents[1]
EVERY = 0.2  # seconds between two looks at the memory
# The stages, how the names of their jobs begin, and whether more machines make them faster.
STAGES = {
    "corpus": (["corpus"], False),
    "extract": (["count-stems", "extract"], True),
    "gather extracts": (["stem-weights", "gather-extract"], False),
    "collect shards": (["collect"], True),
    "index": (["index", "start"], False),
    "expectation": (["expect"], True),
    "maximisation": (["add", "maximise"], False),
    "model": (["finish", "train"], False),
    "align": (["align"], True),
    "gather alignments": (["gather-align"], False),
}
RULES = [rule for rules, _ in STAGES.values() for rule in rules]
EVERY_ITERATION = ("expectation", "maximisation")
# Pairs, nodes, processors of each.
PLANS = ((300_000, 1, 8), (300_000, 8, 16), (10_000_000, 16, 32), (10_000_000, 64, 32))
CORPUS = {"reader": "jsonl", "path": "corpus.jsonl", "tokenized": True}


class Run:
    """The workflow in a folder with a corpus of ``pairs`` pairs of a shape; ``settings``: of the semi-HMM."""

    def __init__(self, folder, pairs, shape, name="bench"):
        self.folder, self.name = folder, name
        folder.mkdir(exist_ok=True)
        shutil.copy(ROOT / "config.yaml", folder)
        if not (folder / "corpus.jsonl").exists():
            write_corpus(folder / "corpus.jsonl", pairs, shape)

    def make(self, target, extract, **semihmm):
        """Make a result; returns wall seconds and the peak megabytes of all processes together."""
        settings = {"jumps": ["relative"], "wordnet": False, **semihmm}
        config = {
            "corpus": {"name": self.name, **CORPUS},
            "extract": {"enabled": extract},
            "semihmm": settings,
            "systems": ["semihmm-relative"],
        }
        (self.folder / "bench.yaml").write_text(yaml.safe_dump(config))
        command = ["snakemake", f"results/{self.name}/{target}", "--snakefile", ROOT / "Snakefile"]
        command += ["--directory", self.folder, "--cores", str(os.cpu_count()), "--configfile", "bench.yaml"]
        with open(self.folder / "log", "w") as log:
            began = time.perf_counter()
            done = subprocess.Popen(list(map(str, command)), stdout=log, stderr=log, cwd=self.folder)
            peak, disk = watch(done, self.folder)
        if done.returncode:
            sys.exit((self.folder / "log").read_text()[-2000:])
        return time.perf_counter() - began, (peak, disk)

    def train(self, shards, iterations):
        """Train anew: ``((wall, CPU seconds), jobs, bytes of counts that travel an iteration)``."""
        self.forget("train")
        settings = {"iterations": iterations, "shards": shards, "agreement": False}
        seconds, _ = self.make("train/relative/model.npz", extract=False, **settings)
        jobs = self.jobs()
        return (seconds, jobs["cpu"].sum()), jobs, self.travelled() / iterations

    def travelled(self):
        """Bytes of expectations that went from job to job, by the logs of the jobs that wrote them."""
        logs = (self.folder / "results" / self.name / "logs").glob("expect-*.log")
        found = re.findall(r"counts, ([\d.]+) MB", " ".join(path.read_text() for path in logs))
        return 1e6 * sum(map(float, found))

    def jobs(self):
        """A row for each job that has run: its rule, seconds, processor seconds and peak megabytes."""
        folder = self.folder / "results" / self.name / "benchmarks"
        rows = []
        for path in sorted(folder.rglob("*.tsv")):
            found = pd.read_table(path).iloc[0]
            name = "-".join(path.relative_to(folder).with_suffix("").parts)
            rows.append(
                {
                    "rule": next(rule for rule in RULES if name.startswith(rule)),
                    "seconds": found["s"],
                    "cpu": float(found["cpu_time"]),
                    "MB": float(found["max_rss"]),
                }
            )
        return pd.DataFrame(rows)

    def forget(self, *parts):
        """Remove results, so that they are made again."""
        for part in (*parts, "benchmarks", "logs"):
            shutil.rmtree(self.folder / "results" / self.name / part, ignore_errors=True)


def watch(process, folder):
    """Wait for a process; returns the peak megabytes that it and its children used, and of its folder."""
    top, memory, disk = psutil.Process(process.pid), 0, 0
    looks = 0
    while process.poll() is None:
        with contextlib.suppress(psutil.NoSuchProcess):
            memory = max(memory, sum(map(_own, [top, *top.children(recursive=True)])))
        if looks % 25 == 0:
            disk = max(disk, size_of(folder))
        looks += 1
        time.sleep(EVERY)
    return memory / 2**20, disk / 2**20


def size_of(folder):
    """Bytes of the files below a folder, some of which may be removed meanwhile."""
    total = 0
    for path in folder.rglob("*"):
        with contextlib.suppress(FileNotFoundError):
            total += path.stat().st_size
    return total


def _own(process):
    """Bytes that a process has for itself: files that several have mapped count for none."""
    with contextlib.suppress(psutil.NoSuchProcess, psutil.AccessDenied):
        return process.memory_full_info().uss
    return 0


def start_up():
    """Processor seconds of a job that only begins: those of its imports."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", "import pipeline.train.sharded.expect"], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def shard_rows(folder, counts, iterations):
    """A row for each number of shards: the relative model, on pairs of the shape of the paper's."""
    run = Run(folder, PAIRS, PAPER)
    run.make("extract/extracts.jsonl", extract=False)
    run.train(1, 1)  # compiles, perhaps
    alone, rows = start_up(), []
    for count in counts:
        first, _, _ = run.train(count, 1)
        last, jobs, size = run.train(count, 1 + iterations)
        wall, cpu = ((last[i] - first[i]) / iterations for i in (0, 1))
        starts = alone * (count + 1) if count > 1 else 0.0
        rows.append(
            {
                "shards": count,
                "jobs an iteration": count + 1 if count > 1 else 0,
                "wall s an iteration": wall,
                "CPU s an iteration": cpu,
                "CPU s of starts": starts,
                "CPU s of work": cpu - starts,
                "work / unsharded": (cpu - starts) / (rows[0]["CPU s of work"] if rows else cpu),
                "peak MB of a job": jobs["MB"].max(),
                "MB of counts, an iteration": size / 2**20,
            }
        )
    return rows


def size_rows(folder, sizes, pairs_a_shard, iterations):
    """``(rows, totals)``: for each number of pairs the cost of each stage, and of the run as a whole."""
    rows, totals = [], []
    for pairs in sizes:
        run = Run(folder / str(pairs), pairs, NEWS)
        shards = max(2, -(-pairs // pairs_a_shard))
        settings = {"iterations": iterations, "shards": shards, "lexical_cooccurrence": 2}
        seconds, (memory, disk) = run.make(
            "align/semihmm-relative/alignments.jsonl", extract=True, **settings
        )
        jobs = run.jobs()
        for stage, (rules, _) in STAGES.items():
            found = jobs[jobs["rule"].isin(rules)]
            rows.append(
                {
                    "pairs": pairs,
                    "stage": stage,
                    "jobs": len(found),
                    "seconds": found["seconds"].sum(),
                    "CPU s": found["cpu"].sum(),
                    "CPU ms a pair": 1e3 * found["cpu"].sum() / pairs,
                    "peak MB of a job": found["MB"].max(),
                }
            )
        totals.append(
            {
                "pairs": pairs,
                "shards": shards,
                "wall s": seconds,
                "wall ms a pair": 1e3 * seconds / pairs,
                "peak MB, all processes": memory,
                "peak MB on disk": disk,
            }
        )
        shutil.rmtree(run.folder)
    return rows, totals


def fit_rows(rows):
    """A row for each stage: its cost as a + b · pairs from the smaller sizes, checked on the largest."""
    table, out = pd.DataFrame(rows), []
    for stage, found in table[table["jobs"] > 0].groupby("stage", sort=False):
        if len(found) < 3:  # a corpus in one part has nothing to gather
            continue
        *smaller, last = found.sort_values("pairs")[["pairs", "CPU s"]].to_numpy().tolist()
        (x0, y0), (x1, y1) = smaller[0], smaller[-1]
        slope = (y1 - y0) / (x1 - x0)
        predicted = y0 + slope * (last[0] - x0)
        out.append(
            {
                "stage": stage,
                "s at the start": y0 - slope * x0,
                "ms a pair": 1e3 * slope,
                f"predicted s, {last[0]:.0f} pairs": predicted,
                "measured s": last[1],
                "measured / predicted": last[1] / predicted,
            }
        )
    return out


def plan_rows(fitted, totals, measured, plans, iterations=10):
    """A row for each plan, ``(pairs, nodes, processors a node)``: what these figures make of it.

    ``fitted``: :func:`fit_rows`; ``totals``: of the largest corpus, whose costs a pair are taken;
    ``measured``: iterations of its EM.
    Stages that more machines make no faster have one processor, the corpus stage those of a node.
    """
    rows = []
    for pairs, nodes, processors in plans:
        work, hours = 0.0, 0.0
        for row in fitted:
            _, spread = STAGES[row["stage"]]
            cost = row["measured s"] * pairs / totals["pairs"] / 3600
            if row["stage"] in EVERY_ITERATION:
                cost *= iterations / measured
            share = nodes * processors if spread else processors if row["stage"] == "corpus" else 1
            work, hours = work + cost, hours + cost / share
        rows.append(
            {
                "pairs": pairs,
                "nodes": nodes,
                "processors a node": processors,
                "processor hours": work,
                "hours": hours,
                "GB at most": totals["peak MB on disk"] / 1024 * pairs / totals["pairs"],
            }
        )
    return rows


def show(title, rows):
    """Print a table with its title, three digits that count."""
    text = pd.DataFrame(rows).to_string(
        index=False, float_format=lambda x: f"{x:,.0f}" if abs(x) >= 100 else f"{x:.3g}", na_rep=""
    )
    print(f"\n{title}\n\n{text}", flush=True)


def main():
    """Run the benchmarks and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--shards", type=int, nargs="*", default=[1, 2, 4, 8], help="numbers of shards")
    parser.add_argument(
        "--pairs", type=int, nargs="*", default=[1000, 4000, 16000], help="three sizes of corpus"
    )
    parser.add_argument("--pairs-a-shard", type=int, default=4000, help="pairs of a shard (default: 4000)")
    parser.add_argument(
        "--iterations", type=int, default=2, help="iterations of EM that are measured (default: 2)"
    )
    options = parser.parse_args()
    machine = platform.processor() or platform.machine()
    print(f"{machine}, {os.cpu_count()} processors, Python {platform.python_version()}", flush=True)
    with tempfile.TemporaryDirectory() as name:
        if options.shards:
            rows = shard_rows(Path(name) / "shards", options.shards, options.iterations)
            show(f"Relative model on {PAIRS} pairs of 511 × 128.5 words by shards", rows)
        if options.pairs:
            rows, totals = size_rows(Path(name), options.pairs, options.pairs_a_shard, options.iterations)
            show(f"Pairs of 400 × 60 words, {options.iterations} iterations, stage by stage", rows)
            show("The same as a whole", totals)
            if len(options.pairs) > 2:
                fitted = fit_rows(rows)
                show("Cost as a + b · pairs, from the sizes before, checked on the largest", fitted)
                planned = plan_rows(fitted, totals[-1], options.iterations, PLANS)
                show("What the costs a pair of the largest make of larger corpora, 10 iterations", planned)


if __name__ == "__main__":
    main()
