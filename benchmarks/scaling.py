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

import numpy as np
import pandas as pd
import psutil
import yaml
from corpora import NEWS, PAIRS, PAPER, write_corpus

ROOT = Path(__file__).parents[1]
EVERY = 0.2  # seconds between two looks at the memory
# The stages, and the rules whose jobs they are.
STAGES = {
    "corpus": ["corpus"],
    "extract": ["count-stems", "stem-weights", "extract", "gather-extracts"],
    "index of shards": ["collect", "index"],
    "expectation": ["expect"],
    "maximisation": ["start", "add", "maximise", "finish"],
    "align": ["align", "gather-alignments"],
}
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
            peak = watch(done)
        if done.returncode:
            sys.exit((self.folder / "log").read_text()[-2000:])
        return time.perf_counter() - began, peak

    def jobs(self):
        """A row for each job that has run: its name, rule, seconds, processor seconds and peak megabytes."""
        folder = self.folder / "results" / self.name / "benchmarks"
        rows = []
        for path in sorted(folder.glob("*.tsv")):
            found = pd.read_table(path).iloc[0]
            rows.append(
                {
                    "job": path.stem,
                    "rule": re.sub(r"-?(relative|semihmm|\d+-of-\d+|\d+)(?=-|$)", "", path.stem).strip("-"),
                    "seconds": found["s"],
                    "cpu": float(found["cpu_time"]),
                    "MB": float(found["max_rss"]),
                }
            )
        return pd.DataFrame(rows)

    def forget(self, *parts):
        """Remove results, so that they are made again."""
        for part in (*parts, "benchmarks"):
            shutil.rmtree(self.folder / "results" / self.name / part, ignore_errors=True)


def watch(process):
    """Wait for a process; returns the peak megabytes that it and its children used together."""
    top, peak = psutil.Process(process.pid), 0
    while process.poll() is None:
        with contextlib.suppress(psutil.NoSuchProcess):
            found = [top, *top.children(recursive=True)]
            peak = max(peak, sum(map(_own, found)))
        time.sleep(EVERY)
    return peak / 2**20


def _own(process):
    """Bytes that a process has for itself: files that several have mapped count for none."""
    with contextlib.suppress(psutil.NoSuchProcess, psutil.AccessDenied):
        return process.memory_full_info().uss
    return 0


def start_up():
    """Processor seconds of a job that only begins: those of its imports."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", "import pipeline.semihmm.sharded.expect"], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def shard_rows(folder, counts, iterations):
    """A row for each number of shards: the training of the relative model on the shape of the paper's corpus."""
    run = Run(folder, PAIRS, PAPER)
    run.make("extract/extracts.jsonl", extract=False)
    run.make("train/relative/model.npz", extract=False, iterations=1, shards=1)  # compiles, perhaps
    alone, rows = start_up(), []
    whole = None
    for count in counts:
        taken, used = [], []
        for planned in (1, 1 + iterations):
            run.forget("train")
            settings = {"iterations": planned, "shards": count}
            seconds, _ = run.make("train/relative/model.npz", extract=False, **settings)
            jobs = run.jobs()
            taken.append(seconds)
            used.append(jobs["cpu"].sum())
        each = [(last - first) / iterations for first, last in (taken, used)]
        starts = alone * (count + 1) if count > 1 else 0.0
        whole = whole or each[1]
        expected = jobs[jobs["rule"] == "expect"]
        rows.append(
            {
                "shards": count,
                "jobs an iteration": count + 1 if count > 1 else 0,
                "wall s an iteration": each[0],
                "CPU s an iteration": each[1],
                "of it starts of processes": starts,
                "CPU / unsharded": each[1] / whole,
                "without starts": (each[1] - starts) / whole,
                "peak MB of a job": jobs["MB"].max(),
                "peak MB of expect": expected["MB"].max() if len(expected) else np.nan,
                "CPU s before": used[0] - each[1],
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
        seconds, peak = run.make("align/semihmm-relative/alignments.jsonl", extract=True, **settings)
        jobs = run.jobs()
        for stage, rules in STAGES.items():
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
        disk = sum(path.stat().st_size for path in (run.folder / "results").rglob("*") if path.is_file())
        totals.append(
            {
                "pairs": pairs,
                "shards": shards,
                "wall s": seconds,
                "wall ms a pair": 1e3 * seconds / pairs,
                "peak MB, all processes": peak,
                "MB left on disk": disk / 2**20,
            }
        )
        shutil.rmtree(run.folder)
    return rows, totals


def fit_rows(rows):
    """A row for each stage: its cost as a + b · pairs from the smaller sizes, checked on the largest."""
    table, out = pd.DataFrame(rows), []
    for stage, found in table.groupby("stage", sort=False):
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
                show("Cost as a + b · pairs, from all sizes but the largest", fit_rows(rows))


if __name__ == "__main__":
    main()
