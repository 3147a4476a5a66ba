"""Speed and memory of aligning ever more new pairs, as a table: ``python benchmarks/align_bench.py --help``.

Synthetic pairs of 400 × 60 words, sentence by sentence, not tokenized. A relative model is trained on 500 of
them; then ``python -m pipeline.align`` takes growing parts of them, by one process and by one for each
processor. Memory is sampled: that of the first process, of the largest other one, and of all together, where
pages that several share count for each.
"""

import argparse
import contextlib
import os
import platform
import subprocess
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path

import pandas as pd
import psutil
from corpora import NEWS, write_corpus
from stages import prepare, run

TRAINING_PAIRS, ITERATIONS = 500, 3
EVERY = 0.1  # seconds between two looks at the memory


def align_rows(folder, most, smallest=1000):
    """A row for each number of pairs, tenfold from ``smallest`` up to ``most``, and of processes."""
    everything = folder / "everything.jsonl"
    write_corpus(everything, max(most, TRAINING_PAIRS), NEWS)
    model = _train(folder, everything)
    rows = []
    for count in _sizes(smallest, most):
        part = _head(everything, count, folder / f"{count}.jsonl")
        for threads in sorted({1, os.cpu_count()}):
            given = ["--model", model, "--corpus", part, "--output", folder / "out.jsonl"]
            seconds, first, others, together = watch("pipeline.align", *given, "--threads", threads)
            rows.append(
                {
                    "pairs": count,
                    "threads": threads,
                    "seconds": seconds,
                    "pairs/s": count / seconds,
                    "ms a pair": 1e3 * seconds / count,
                    "MB first process": first,
                    "MB largest other": others,
                    "MB all": together,
                }
            )
        part.unlink()
    return rows


def watch(*command):
    """Seconds of ``python -m`` with these arguments, and peak megabytes: see the module."""
    began = time.perf_counter()
    done = subprocess.Popen([sys.executable, "-m", *map(str, command)], stderr=subprocess.DEVNULL)
    top, first, others, together = psutil.Process(done.pid), 0, 0, 0
    while done.poll() is None:
        own, children = _resident([top]), _resident(_children(top))
        first = max(first, *own, 0)
        others = max(others, *children, 0)
        together = max(together, sum(own) + sum(children))
        time.sleep(EVERY)
    seconds = time.perf_counter() - began
    if done.returncode:
        raise subprocess.CalledProcessError(done.returncode, done.args)
    return seconds, *(peak / 2**20 for peak in (first, others, together))


def _children(process):
    with contextlib.suppress(psutil.NoSuchProcess):
        return process.children(recursive=True)
    return []


def _resident(processes):
    """Resident bytes of each process that is still there."""
    found = [0]
    for process in processes:
        with contextlib.suppress(psutil.NoSuchProcess):
            found.append(process.memory_info().rss)
    return found


def _train(folder, everything):
    """The model file of a short training on the first pairs."""
    source, model = _head(everything, TRAINING_PAIRS, folder / "training.jsonl"), folder / "model.npz"
    _, files = prepare(folder, source, parse=False)
    given = ["--corpus", files["corpus"], "--extracts", files["extracts"], "--wordnet", "false"]
    options = ["--jump", "relative", "--iterations", ITERATIONS, "--threads", os.cpu_count()]
    command = ["pipeline.train", *given, *options, "--em", folder / "em.tsv"]
    run(*command, "--reverse", "--model", folder / "reverse.npz")
    run(*command, "--reverse-model", folder / "reverse.npz", "--model", model)
    return model


def _head(source, count, path):
    with open(source) as lines, open(path, "w") as out:
        out.writelines(islice(lines, count))
    return path


def _sizes(smallest, most):
    """``smallest`` and its tenfolds below ``most``, and ``most``."""
    sizes = [most]
    while smallest < most:
        sizes.append(smallest)
        smallest *= 10
    return sorted(sizes)


def main():
    """Run the benchmark and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=100_000, help="the most pairs (default: 100000)")
    options = parser.parse_args()
    machine = platform.processor() or platform.machine()
    print(f"{machine}, {os.cpu_count()} processors, Python {platform.python_version()}\n", flush=True)
    with tempfile.TemporaryDirectory() as name:
        table = pd.DataFrame(align_rows(Path(name), options.pairs))
    print(table.to_string(index=False, float_format=lambda x: f"{x:,.0f}" if x >= 100 else f"{x:.3g}"))


if __name__ == "__main__":
    main()
