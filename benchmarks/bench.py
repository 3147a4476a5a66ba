"""Speed and memory, as tables: ``make bench``.

The first table times forward–backward over one pair against the same recursion written with dense
matrix products (NumPy over BLAS), in the same run. The second takes a synthetic corpus of the shape of the
2005 paper's extracts through every stage's command. Figures are medians; the machine is named above them.
"""

import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd

from pipeline.semihmm import kernels

REPEATS = 5
# Daumé & Marcu 2005, Tables 2 and 3: words of an extract and of a summary, and sentences of both.
EXTRACT_WORDS, EXTRACT_SENTENCES = 511, 21
SUMMARY_WORDS, SUMMARY_SENTENCES = 128, 6
VOCABULARY, PAIRS = 26_000, 200


def main():
    """Run both tables and print them."""
    print(
        f"{platform.processor() or platform.machine()}, {os.cpu_count()} processors, "
        f"Python {platform.python_version()}"
    )
    print(
        f"\nForward–backward over one pair, {SUMMARY_WORDS} summary words, one thread, median of {REPEATS}\n"
    )
    print(recursion_table([250, 511, 1000, 2000, 4000]).to_string(index=False))
    print(
        f"\nStages on {PAIRS} synthetic pairs of {EXTRACT_WORDS} document and {SUMMARY_WORDS} summary words, "
        "whole processes\n"
    )
    with tempfile.TemporaryDirectory() as folder:
        print(stage_table(Path(folder)).to_string(index=False))


def recursion_table(lengths):
    """Milliseconds of the compiled kernel and of the dense recursion for each document length."""
    rows = []
    for n in lengths:
        pair = random_pair(n, SUMMARY_WORDS)
        ours, theirs = [], []
        kernels.expect(*pair, 1.0, np.empty((0, 0)))
        for _ in range(REPEATS):
            ours.append(seconds(lambda pair=pair: kernels.expect(*pair, 1.0, np.empty((0, 0)))))
            theirs.append(seconds(lambda pair=pair: dense(*pair)))
        # α, β and the counts each take one multiply-add for every move between two positions.
        work = 2 * 3 * SUMMARY_WORDS * n * n
        rows.append(
            {
                "document words": n,
                "kernel ms": round(1e3 * statistics.median(ours), 2),
                "kernel GFLOP/s": round(work / statistics.median(ours) / 1e9, 1),
                "dense BLAS ms": round(1e3 * statistics.median(theirs), 2),
                "dense / kernel": round(
                    statistics.median(b / a for a, b in zip(ours, theirs, strict=True)), 2
                ),
            }
        )
    return pd.DataFrame(rows)


def seconds(function):
    """Wall time of one call."""
    began = time.perf_counter()
    function()
    return time.perf_counter() - began


def random_pair(n, length):
    """Kernel inputs for a random pair without longer phrases."""
    rng = np.random.default_rng(1)
    document, summary = rng.integers(0, 300, n), rng.integers(0, 80, length)
    none = np.empty((0, 4), dtype=np.int32)
    table = 1.0 / (1.0 + np.abs(np.arange(-n, n + 2) - 1.0)) ** 2
    return (
        document.astype(np.int32),
        summary.astype(np.int32),
        10.0 ** rng.uniform(-6, 0, (80, 300)),
        np.full(length, 1e-4),
        none,
        np.empty(0, dtype=np.int32),
        np.empty(0),
        0.15,
        0.85 * table / table.sum(),
        n,
    )


def dense(document, summary, words, null, _phrases, _by_end, _phrase_r, phi, table, origin):
    """The same expectations with one (n+1) × n matrix of moves and BLAS products."""
    n, length = len(document), len(summary)
    moves = table[origin + np.arange(1, n + 1)[None, :] - np.arange(n + 1)[:, None]]
    final = table[origin + n + 1 - np.arange(n + 1)]
    emit = words[summary][:, document]
    alpha, beta = np.zeros((length + 1, n + 1)), np.zeros((length + 1, n + 1))
    alpha[0, 0] = 1.0
    for t in range(length):
        alpha[t + 1] = alpha[t] * (phi * null[t])
        alpha[t + 1, 1:] += (alpha[t] @ moves) * emit[t]
        alpha[t + 1] /= alpha[t + 1].sum()
    beta[length] = final
    start = np.empty((length, n))
    for t in range(length - 1, -1, -1):
        start[t] = emit[t] * beta[t + 1, 1:]
        beta[t] = beta[t + 1] * (phi * null[t]) + moves @ start[t]
        beta[t] /= beta[t].sum()
    counts = (alpha[:-1].T @ start) * moves
    return np.array([np.trace(counts, offset) for offset in range(-n, n)])


def stage_table(folder):
    """Seconds and peak memory of each stage's command on a synthetic corpus."""
    write_corpus(folder / "synthetic.jsonl")
    corpus, extracts, model = folder / "corpus/corpus.jsonl", folder / "extracts.jsonl", folder / "model.npz"
    threads = str(os.cpu_count())
    stages = {
        "corpus": ["pipeline.corpus", "--reader", "jsonl", "--path", folder / "synthetic.jsonl"]
        + ["--output", folder / "corpus"],
        "extract (all sentences)": ["pipeline.extract", "--corpus", corpus, "--output", extracts]
        + ["--enabled", "false"],
        f"train relative, {threads} threads": [
            "pipeline.semihmm.train",
            "--jump",
            "relative",
            "--wordnet",
            "false",
        ]
        + ["--corpus", corpus, "--extracts", extracts, "--model", model, "--em", folder / "em.tsv"]
        + ["--threads", threads],
        "align": ["pipeline.align", "--model", model, "--corpus", corpus, "--extracts", extracts]
        + ["--output", folder / "alignments.jsonl", "--threads", threads],
        "cutpaste": ["pipeline.baselines.cutpaste", "--corpus", corpus, "--extracts", extracts]
        + ["--output", folder / "cutpaste.jsonl"],
    }
    rows = []
    for name, command in stages.items():
        wall, peak = run([sys.executable, "-m", *map(str, command)])
        rows.append(
            {"stage": name, "seconds": round(wall, 1), "pairs/s": round(PAIRS / wall, 1), "peak MB": peak}
        )
    em = pd.read_table(folder / "em.tsv")
    rate = em["seconds"].iloc[1:].median() / PAIRS * 1e3
    print(f"EM: {rate:.2f} ms a pair and iteration (median of {len(em) - 1} iterations)\n")
    return pd.DataFrame(rows)


# A process counts the memory of the one it was forked from, so a small one stands between.
LAUNCHER = """
import os, resource, subprocess, sys, time
began = time.perf_counter()
subprocess.run(sys.argv[1:], check=True, stderr=subprocess.DEVNULL)
print(time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def run(command):
    """Wall seconds and peak resident megabytes of a command."""
    done = subprocess.run(
        [sys.executable, "-c", LAUNCHER, *command], check=True, stdout=subprocess.PIPE, text=True
    )
    wall, peak = done.stdout.split()[-2:]
    return float(wall), round(int(peak) / (1 << 20 if sys.platform == "darwin" else 1 << 10))


def write_corpus(path):
    """Pairs of Zipf-distributed words; two thirds of a summary are runs copied from its document."""
    rng = np.random.default_rng(1)

    def draw(size):
        return [f"w{x}" for x in np.minimum(rng.zipf(1.3, size), VOCABULARY)]

    def sentences(words, count):
        return [" ".join(map(str, part)) + " ." for part in np.array_split(words, count)]

    with open(path, "w") as out:
        for number in range(PAIRS):
            document = draw(EXTRACT_WORDS)
            summary = []
            while len(summary) < SUMMARY_WORDS:
                first = int(rng.integers(0, EXTRACT_WORDS - 8))
                summary += document[first : first + int(rng.integers(1, 8))] + draw(2)
            record = {
                "id": str(number),
                "document": sentences(document, EXTRACT_SENTENCES),
                "summary": sentences(summary[:SUMMARY_WORDS], SUMMARY_SENTENCES),
            }
            out.write(json.dumps(record) + "\n")


if __name__ == "__main__":
    main()
