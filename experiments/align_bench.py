"""Speed and memory of aligning ever more new pairs, as a table: `python benchmarks/align_bench.py --help`.

The pairs are synthetic: 400 × 60 words, sentence by sentence, not tokenized. A relative model is trained on
500 of them; then `vorlage align` aligns growing parts of the corpus, with one process and with
one process for each processor. Memory is sampled: that of the first process, of the largest other process,
and of all together, where pages shared by several processes count for each.
"""

import argparse
import contextlib
import subprocess
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import psutil
from corpora import NEWS, write_corpus
from measure import Row, children_of, print_machine, print_table, processors, run_command
from stages import prepare

TRAINING_PAIRS, ITERATIONS = 500, 3
SAMPLE_SECONDS = 0.1


class Watched(NamedTuple):
    """Wall seconds of a command, and peak resident megabytes of its processes."""

    seconds: float
    first: float
    largest_other: float
    together: float


def align_rows(folder: Path, most: int, smallest: int = 1000) -> list[Row]:
    """Return a row for each number of pairs, tenfold from `smallest` to `most`, and of processes."""
    all_pairs = folder / "all.jsonl"
    write_corpus(all_pairs, max(most, TRAINING_PAIRS), NEWS)
    model = _train(folder, all_pairs)
    rows: list[Row] = []
    for count in _sizes(smallest, most):
        part = _head(all_pairs, count, folder / f"{count}.jsonl")
        for threads in sorted({1, processors()}):
            given = ["--model", model, "--corpus", part, "--output", folder / "out.jsonl"]
            watched = watch("vorlage.semihmm.decode", *given, "--threads", threads)
            rows.append(
                {
                    "pairs": count,
                    "threads": threads,
                    "seconds": watched.seconds,
                    "pairs/s": count / watched.seconds,
                    "ms a pair": 1e3 * watched.seconds / count,
                    "MB first process": watched.first,
                    "MB largest other": watched.largest_other,
                    "MB all": watched.together,
                }
            )
        part.unlink()
    return rows


def watch(*command: object) -> Watched:
    """Run `python -m` with these arguments and sample the memory of its processes."""
    began = time.perf_counter()
    process = subprocess.Popen([sys.executable, "-m", *map(str, command)], stderr=subprocess.DEVNULL)
    top, first, largest_other, together = psutil.Process(process.pid), 0, 0, 0
    while process.poll() is None:
        own, others = _resident([top]), _resident(children_of(top))
        first = max(first, *own)
        largest_other = max(largest_other, *others)
        together = max(together, sum(own) + sum(others))
        time.sleep(SAMPLE_SECONDS)
    seconds = time.perf_counter() - began
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, process.args)
    return Watched(seconds, first / 2**20, largest_other / 2**20, together / 2**20)


def _resident(processes: list[psutil.Process]) -> list[int]:
    """Return 0 and the resident bytes of each process that still runs."""
    sizes = [0]
    for process in processes:
        with contextlib.suppress(psutil.NoSuchProcess):
            sizes.append(process.memory_info().rss)
    return sizes


def _train(folder: Path, corpus: Path) -> Path:
    """Train a model on the first pairs, for a few iterations, and return its file."""
    source, model = _head(corpus, TRAINING_PAIRS, folder / "training.jsonl"), folder / "model.npz"
    _, files = prepare(folder, source, parse=False)
    given = ["--corpus", files.corpus, "--extracts", files.extracts, "--wordnet", "false"]
    options = ["--jump", "relative", "--iterations", ITERATIONS, "--threads", processors()]
    command = ["vorlage.semihmm.train", *given, *options, "--em", folder / "em.tsv"]
    run_command(*command, "--reverse", "--model", folder / "reverse.npz")
    run_command(*command, "--reverse-model", folder / "reverse.npz", "--model", model)
    return model


def _head(source: Path, count: int, path: Path) -> Path:
    """Copy the first `count` lines of a file to `path`."""
    with open(source) as lines, open(path, "w") as out:
        out.writelines(islice(lines, count))
    return path


def _sizes(smallest: int, most: int) -> list[int]:
    """Return `smallest` and its tenfolds below `most`, and `most`."""
    sizes = [most]
    while smallest < most:
        sizes.append(smallest)
        smallest *= 10
    return sorted(sizes)


def main() -> None:
    """Run the benchmark and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=100_000, help="the most pairs (default: 100000)")
    options = parser.parse_args()
    print_machine()
    with tempfile.TemporaryDirectory() as name:
        rows = align_rows(Path(name), options.pairs)
    print_table("New pairs of 400 × 60 words aligned by relative, whole processes", rows)


if __name__ == "__main__":
    main()
