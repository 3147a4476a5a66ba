"""What shards and larger corpora cost, as tables: `python benchmarks/scaling.py --help`.

Runs the workflow itself, on synthetic corpora, by Snakemake on this machine. Each job adds its processor
seconds and peak memory to a file as it ends; memory of all processes together is sampled.
"""

import argparse
import math
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
from corpora import NEWS, PAIRS, PAPER
from measure import Row, print_machine, print_table
from workflow_run import STAGES, WorkflowRun

EVERY_ITERATION = ("expectation", "addition", "maximisation")
SHARDS_A_PART = 256  # of the rows of the index, as workflow/rules/sharded.smk divides them


class Plan(NamedTuple):
    """A corpus and the machines for it."""

    pairs: int
    nodes: int
    processors: int  # of each node


PLANS = (Plan(300_000, 1, 8), Plan(300_000, 8, 16), Plan(10_000_000, 16, 32), Plan(10_000_000, 64, 32))


class TrainingCost(NamedTuple):
    """Seconds and processor seconds of a training, its jobs, and megabytes of counts for each iteration."""

    seconds: float
    cpu: float
    jobs: pd.DataFrame
    megabytes: float


def train(run: WorkflowRun, shards: int, iterations: int) -> TrainingCost:
    """Train from the beginning in one direction and return the cost."""
    run.forget("train")
    settings = {"iterations": iterations, "shards": shards, "agreement": False}
    cost = run.make("train/relative/model.npz", extract=False, **settings)
    jobs = run.jobs()
    return TrainingCost(cost.seconds, jobs["cpu"].sum(), jobs, run.travelled() / iterations / 2**20)


def start_up_seconds() -> float:
    """Return the processor seconds of a job that only imports its modules."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", "import vorlage.semihmm.train.sharded.expect"], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def shard_rows(folder: Path, counts: Sequence[int], iterations: int) -> list[Row]:
    """Return a row for each number of shards: the relative model, on pairs with the shape of the paper's."""
    run = WorkflowRun(folder, PAIRS, PAPER)
    run.make("extract/extracts.jsonl", extract=False)
    train(run, 1, 1)  # compiles the kernels if need be
    start_up, unsharded = start_up_seconds(), 0.0
    rows: list[Row] = []
    for count in counts:
        first, last = train(run, count, 1), train(run, count, 1 + iterations)
        cpu = (last.cpu - first.cpu) / iterations
        starts = start_up * (count + 2) if count > 1 else 0.0
        unsharded = unsharded or cpu - starts
        rows.append(
            {
                "shards": count,
                "jobs an iteration": count + 2 if count > 1 else 0,
                "wall s an iteration": (last.seconds - first.seconds) / iterations,
                "CPU s an iteration": cpu,
                "CPU s of starts": starts,
                "CPU s of work": cpu - starts,
                "work / unsharded": (cpu - starts) / unsharded,
                "peak MB of a process": last.jobs["MB"].max(),
                "MB of counts, an iteration": last.megabytes,
            }
        )
    return rows


def size_rows(
    folder: Path, sizes: Sequence[int], pairs_a_shard: int, iterations: int
) -> tuple[list[Row], list[dict[str, Any]]]:
    """Return the cost of each stage for each number of pairs, and the totals of each run."""
    rows: list[Row] = []
    totals: list[dict[str, Any]] = []
    for pairs in sizes:
        run = WorkflowRun(folder / str(pairs), pairs, NEWS)
        shards = max(2, -(-pairs // pairs_a_shard))
        settings = {"iterations": iterations, "shards": shards, "lexical_cooccurrence": 2}
        cost = run.make("align/semihmm-relative/alignments.jsonl", extract=True, **settings)
        jobs = run.jobs()
        for name, stage in STAGES.items():
            of_stage = jobs[jobs["command"].isin(stage.commands)]
            rows.append(
                {
                    "pairs": pairs,
                    "stage": name,
                    "jobs": len(of_stage),
                    "seconds": of_stage["seconds"].sum(),
                    "CPU s": of_stage["cpu"].sum(),
                    "CPU ms a pair": 1e3 * of_stage["cpu"].sum() / pairs,
                    "peak MB of a process": of_stage["MB"].max(),
                }
            )
        totals.append(
            {
                "pairs": pairs,
                "shards": shards,
                "wall s": cost.seconds,
                "wall ms a pair": 1e3 * cost.seconds / pairs,
                "peak MB, all processes": cost.memory,
                "peak MB on disk": cost.disk,
            }
        )
        shutil.rmtree(run.folder)
    return rows, totals


def fit_rows(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Return the cost of each stage as a + b · pairs, fitted to the smaller sizes, checked on the largest."""
    table, fitted = pd.DataFrame(rows), []
    for stage, measured in table[table["jobs"] > 0].groupby("stage", sort=False):
        if len(measured) < 3:  # a corpus in one part has nothing to gather
            continue
        *smaller, last = measured.sort_values("pairs")[["pairs", "CPU s"]].to_numpy().tolist()
        (x0, y0), (x1, y1) = smaller[0], smaller[-1]
        slope = (y1 - y0) / (x1 - x0)
        predicted = y0 + slope * (last[0] - x0)
        fitted.append(
            {
                "stage": stage,
                "s at the start": y0 - slope * x0,
                "ms a pair": 1e3 * slope,
                f"predicted s, {last[0]:.0f} pairs": predicted,
                "measured s": last[1],
                "measured / predicted": last[1] / predicted,
            }
        )
    return fitted


def plan_rows(
    fitted: Sequence[dict[str, Any]], largest: dict[str, Any], measured: int, iterations: int = 10
) -> list[Row]:
    """Return what each plan costs, by the costs a pair of the largest corpus that was measured.

    `fitted`: `fit_rows`; `largest`: the totals of that corpus; `measured`: its iterations of EM.
    """
    rows: list[Row] = []
    for plan in PLANS:
        factor = plan.pairs / largest["pairs"]
        machines = plan.nodes * plan.processors
        workers = {
            "machines": machines,
            "machine": plan.processors,
            "parts of rows": min(machines, math.ceil(largest["shards"] * factor / SHARDS_A_PART)),
            "nothing": 1,
        }
        work, hours = 0.0, 0.0
        for row in fitted:
            cost = row["measured s"] * factor / 3600
            if row["stage"] in EVERY_ITERATION:
                cost *= iterations / measured
            work, hours = work + cost, hours + cost / workers[STAGES[row["stage"]].parallel]
        rows.append(
            {
                "pairs": plan.pairs,
                "nodes": plan.nodes,
                "processors a node": plan.processors,
                "processor hours": work,
                "hours": hours,
                "GB at most": largest["peak MB on disk"] / 1024 * factor,
            }
        )
    return rows


def main() -> None:
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
    print_machine()
    with tempfile.TemporaryDirectory() as name:
        if options.shards:
            rows = shard_rows(Path(name) / "shards", options.shards, options.iterations)
            print_table(f"Relative model on {PAIRS} pairs of 511 × 128.5 words by shards", rows)
        if options.pairs:
            rows, totals = size_rows(Path(name), options.pairs, options.pairs_a_shard, options.iterations)
            print_table(f"Pairs of 400 × 60 words, {options.iterations} iterations, stage by stage", rows)
            print_table("The same as a whole", totals)
            if len(options.pairs) > 2:
                fitted = fit_rows(rows)
                print_table(
                    "Cost as a + b · pairs, fitted to the smaller sizes, checked on the largest", fitted
                )
                planned = plan_rows(fitted, totals[-1], options.iterations)
                print_table("Larger corpora at the costs a pair of the largest, 10 iterations", planned)


if __name__ == "__main__":
    main()
