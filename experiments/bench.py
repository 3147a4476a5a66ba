"""Time and memory, as tables beside those of a peer in the same run: `make bench`.

    python experiments/bench.py --pairs 2033 --align-pairs 10000

- Forward–backward over one pair, against the same recursion with a dense matrix by BLAS.
- Every stage, and training of the three jump models, on a synthetic corpus with the shape of that of Daumé &
  Marcu (2005, Tables 2 and 3), against the HMM of sil-thot on the same extracts. The workflow runs one job at
  a time, and its jobs are measured by Snakemake.
- Whole commands, from the first one after installation to documents of 5 MB, beside their limits.
"""

import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
import yaml
from bench_recursion import recursion_table

ROOT = Path(__file__).parents[1]
MODEL = ROOT / "pipeline/vorlage/models/without-encoder.npz"
PROCESSORS = os.cpu_count() or 1
LENGTHS = [250, 511, 1000, 2000, 4000, 8000]
JUMPS = ["relative", "gaussian", "syntax"]
TEXTS = ("document", "summary")
LONG_TEXT = " ".join(f"Word{k} of this sentence {k} is met once in a thousand words." for k in range(17))
PEER = ("train-ibm1-doc", "train-hmm-doc")  # the HMM starts from Model 1


class Shape(NamedTuple):
    """Words and sentences of a document and, on average, of a summary; words of the vocabulary."""

    document_words: int
    document_sentences: int
    summary_words: float
    summary_sentences: int
    vocabulary: int


PAPER = Shape(511, 21, 128.5, 6, 26_000)
NEWS = Shape(400, 18, 60, 3, 1_000_000)  # with so large a vocabulary, new words keep coming


def write_corpus(path: Path, pairs: int, shape: Shape) -> None:
    """Write pairs of Zipf-distributed words; two thirds of each summary are runs of words of its document."""
    rng = np.random.default_rng(1)
    weights = 1.0 / np.arange(1, shape.vocabulary + 1)
    cumulative = np.cumsum(weights / weights.sum())

    def draw(size: int) -> list[str]:
        return [f"w{x}" for x in np.searchsorted(cumulative, rng.random(size))]

    def sentences(words: list[str], count: int) -> list[str]:
        return [" ".join([*part, "."]) for part in np.array_split(words, count)]

    with open(path, "w") as out:
        for number in range(pairs):
            # The full stops count too.
            document = draw(shape.document_words - shape.document_sentences)
            size = int(shape.summary_words + number % 2 / 2) - shape.summary_sentences
            summary: list[str] = []
            while len(summary) < size:
                first = int(rng.integers(0, len(document) - 8))
                summary += document[first : first + int(rng.integers(1, 8))] + draw(2)
            record = {
                "id": str(number),
                "document": sentences(document, shape.document_sentences),
                "summary": sentences(summary[:size], shape.summary_sentences),
            }
            out.write(json.dumps(record) + "\n")


def stage_table(folder: Path, pairs: int) -> pd.DataFrame:
    """Return a row for each job of the workflow on a synthetic corpus: seconds, peak memory.

    `/ HMM`: the seconds of a training as a multiple of those of the HMM of sil-thot.
    """
    write_corpus(folder / "corpus.jsonl", pairs, PAPER)
    shutil.copy(ROOT / "config.yaml", folder)
    config = {
        "corpus": {"name": "bench", "reader": "jsonl", "path": "corpus.jsonl", "tokenized": True},
        "extract": {"enabled": False},
        "semihmm": {"jumps": JUMPS, "encoder": False},
        "systems": [*(f"semihmm-{jump}" for jump in JUMPS), "hmm-doc"],
    }
    (folder / "bench.yaml").write_text(yaml.safe_dump(config))
    targets = [f"results/bench/align/{system}/alignments.jsonl" for system in config["systems"]]
    command = ["snakemake", *targets, "--snakefile", str(ROOT / "Snakefile"), "--directory", str(folder)]
    command += ["--cores", str(PROCESSORS), "--configfile", str(folder / "bench.yaml"), "--quiet", "all"]
    command += ["--resources", "turn=1", "--default-resources", "turn=1"]  # one job at a time
    subprocess.run(command, check=True)
    benchmarks = folder / "results/bench/benchmarks"
    files = sorted(benchmarks.rglob("*.tsv"), key=lambda path: path.stat().st_mtime)
    jobs = pd.concat([pd.read_table(path, na_values="-") for path in files], ignore_index=True)
    names = [str(path.relative_to(benchmarks).with_suffix("")) for path in files]
    table = pd.DataFrame({"job": names, "seconds": jobs["s"], "peak MB": jobs["max_rss"]})
    table["ms a pair"] = 1e3 * table["seconds"] / pairs
    peer = table.loc[table["job"].isin(PEER), "seconds"].sum()
    table["/ HMM"] = (table["seconds"] / peer).where(table["job"].str.startswith("train-"))
    return table


def command_table(folder: Path, pairs: int) -> pd.DataFrame:
    """Return a row for each command: median seconds and peak memory of whole processes, and their limits.

    A limit is the number of seconds that a command should take at most. The first command runs a copy of the
    package that has no compiled kernels.
    """
    write_corpus(folder / "new.jsonl", pairs, NEWS)
    write_corpus(folder / "few.jsonl", pairs // 10, NEWS)
    (folder / "equal.jsonl").write_text(json.dumps({"id": "1", **dict.fromkeys(TEXTS, "dog " * 2000)}))
    (folder / "long.txt").write_text(LONG_TEXT * 5000)
    package = shutil.copytree(
        ROOT / "pipeline", folder / "fresh", ignore=shutil.ignore_patterns("__pycache__")
    )
    files = [str(ROOT / "data/example" / name) for name in ("source.txt", "summary.txt")]
    attribute, align = ["attribute", *files], ["align", "--output", str(folder / "out.jsonl"), "--pairs"]
    plain = ["--model", str(MODEL)]
    fresh = {"PYTHONPATH": str(package), "XDG_CACHE_HOME": str(folder)}
    runs = [
        ("first attribute, nothing compiled", attribute, 1, fresh, 12.0),
        ("attribute, with the encoder", attribute, 5, {}, 1.8),
        ("attribute, without it", [*attribute, *plain], 5, {}, 1.2),
        ("vorlage --help", ["--help"], 5, {}, 0.2),
        (
            f"{pairs} pairs, without the encoder",
            [*align, str(folder / "new.jsonl"), *plain],
            1,
            {},
            pairs / 200,
        ),
        (f"{pairs // 10} pairs, with the encoder", [*align, str(folder / "few.jsonl")], 1, {}, pairs / 220),
        ("2,000 equal words on both sides", [*align, str(folder / "equal.jsonl"), *plain], 1, {}, None),
        ("attribute, 5 MB", ["attribute", str(folder / "long.txt"), files[1]], 1, {}, None),
    ]
    rows = []
    for name, arguments, repeats, environment, limit in runs:
        if "--pairs" in arguments:
            arguments = [*arguments, "--processes", str(PROCESSORS)]
        times, peaks = zip(*(run_command(arguments, environment) for _ in range(repeats)), strict=True)
        seconds = statistics.median(times)
        rows.append({"command": name, "seconds": seconds, "peak MB": max(peaks), "limit s": limit})
    table = pd.DataFrame(rows)
    table["/ limit"] = table["seconds"] / table["limit s"]
    return table


def run_command(arguments: list[str], environment: dict[str, str]) -> tuple[float, float]:
    """Run `vorlage` as a process of its own; return its seconds and its peak of memory in MB."""
    code = "from vorlage.cli.main import main; main()"
    began = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        env=os.environ | environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - began
    if status:
        raise subprocess.CalledProcessError(status, arguments)
    return seconds, usage.ru_maxrss / 1024


def print_table(title: str, table: pd.DataFrame) -> None:
    """Print a table under its title, with three significant digits."""
    text = table.to_string(
        index=False, float_format=lambda x: f"{x:,.0f}" if abs(x) >= 100 else f"{x:.3g}", na_rep=""
    )
    print(f"\n{title}\n\n{text}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=500, help="synthetic pairs to train on (default: 500)")
    parser.add_argument("--align-pairs", type=int, default=1000, help="new pairs to align (default: 1000)")
    options = parser.parse_args()
    machine = platform.processor() or platform.machine()
    print(f"{machine}, {PROCESSORS} processors, Python {platform.python_version()}", flush=True)
    title = "Forward–backward over one pair, 128 summary words, one thread, median of 5"
    print_table(title, recursion_table(LENGTHS))
    with tempfile.TemporaryDirectory() as name:
        table = stage_table(Path(name), options.pairs)
        print_table(f"Jobs on {options.pairs} synthetic pairs of 511 × 128.5 words", table)
        table = command_table(Path(name), options.align_pairs)
        print_table(f"Whole commands; pairs have 400 × 60 words, aligned by {PROCESSORS} processes", table)


if __name__ == "__main__":
    main()
