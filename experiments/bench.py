"""Time and memory, each beside that of a peer in the same run or beside its limit: `make bench`.

    python experiments/bench.py --pairs 2033 --align-pairs 1000

Times are processor seconds of whole processes and their children, with one thread each, so that other work on
the machine changes them little. The table goes to `docs/results/bench.tsv` and into `docs/results.md`.
"""

import argparse
import compileall
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import starmap
from pathlib import Path
from statistics import median
from typing import NamedTuple

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before NumPy is imported

import numpy as np
import pandas as pd
from bench_kernels import recursion_rows
from markdown_tables import insert_into_file, markdown_table
from vorlage.files.jsonl import read_jsonl
from vorlage.text.tokenize import make_text
from vorlage.text.wordnet import open_wordnet

ROOT = Path(__file__).parents[1]
WITHOUT = ["--model", str(ROOT / "pipeline/vorlage/models/without-encoder.npz")]
TRAININGS = ("reverse", "relative", "gaussian", "syntax")
LONG_TEXT = " ".join(f"Word{k} of this sentence {k} is met once in a thousand words." for k in range(17))
# Runs Vorlage as a child of a small process: the memory of a parent counts as memory of its child.
MEASURE = """
import resource, subprocess, sys
code = "from vorlage.cli.main import main; main()"
subprocess.run([sys.executable, "-c", code, *sys.argv[1:]], stdout=subprocess.DEVNULL, check=True)
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
print(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)
"""


class Row(NamedTuple):
    """A row of the table; `its`: the value of the `peer`, or the limit."""

    what: str
    value: float
    unit: str
    peer: str = ""
    its: float | None = None

    def texts(self) -> list[str]:
        """Return the cells of the row, with the ratio of the two values."""
        its, ratio = (shown(self.its), f"{self.value / self.its:.2f}") if self.its else ("", "")
        return [self.what, shown(self.value), self.unit, self.peer, its, ratio]


def shown(value: float) -> str:
    """Return a value with three significant digits."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


class Shape(NamedTuple):
    """Words and sentences of a document and, on average, of a summary; words of the vocabulary."""

    document_words: int
    document_sentences: int
    summary_words: float
    summary_sentences: int
    vocabulary: int


PAPER = Shape(511, 21, 128.5, 6, 26_000)  # Daumé & Marcu (2005, Tables 2 and 3)
LONG = Shape(20_000, 1000, 2000, 100, 30_000)
NEWS = Shape(400, 18, 60, 3, 30_000)  # with so large a vocabulary, new words keep coming


@cache
def words() -> list[str]:
    """Return the words of the sample corpus, the most frequent first, and then those of WordNet."""
    records = [record for _, record in read_jsonl(ROOT / "data/sample/corpus.jsonl")]
    texts = [make_text(record[side]) for record in records for side in ("document", "summary")]
    counts = Counter(word for text in texts for word in text.words if word.isalpha())
    lemmas = [lemma for lemma in open_wordnet().lemmas if lemma.isalpha() and lemma not in counts]
    return [word for word, _ in counts.most_common()] + np.random.default_rng(1).permutation(lemmas).tolist()


def write_corpus(path: Path, pairs: int, shape: Shape) -> None:
    """Write pairs of Zipf-distributed words; two thirds of each summary are runs of words of its document."""
    rng = np.random.default_rng(1)
    weights = 1.0 / np.arange(1, shape.vocabulary + 1)
    cumulative = np.cumsum(weights / weights.sum())

    def draw(size: int) -> list[str]:
        return [words()[x] for x in np.searchsorted(cumulative, rng.random(size))]

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


def run(*arguments: str, **environment: str) -> tuple[float, float]:
    """Run `vorlage` as a process of its own; return its processor seconds and its peak of memory in MB."""
    command = [sys.executable, "-c", MEASURE, *arguments]
    options = {"env": os.environ | environment, "stderr": subprocess.DEVNULL, "text": True}
    printed = subprocess.run(command, stdout=subprocess.PIPE, check=True, **options).stdout
    seconds, memory = map(float, printed.split())
    return seconds, memory


def prepare(folder: Path, pairs: int, shape: Shape) -> list[str]:
    """Write a corpus and whole documents as its extracts; return the options that name them."""
    folder.mkdir()
    write_corpus(folder / "pairs.jsonl", pairs, shape)
    made = ["--corpus", str(folder / "corpus.jsonl")], ["--extracts", str(folder / "extracts.jsonl")]
    path = ["--path", str(folder / "pairs.jsonl"), "--output", str(folder)]
    run("corpus", "--reader", "jsonl", "--tokenized", "true", "--language", "en", *path)
    run("extract", "--enabled", "false", *made[0], "--output", made[1][1])
    return [*made[0], *made[1]]


def training_rows(folder: Path, pairs: int) -> Iterator[Row]:
    """Yield the training of each model, and of all, beside the HMM of sil-thot on the same extracts."""
    corpus, trees = prepare(folder, pairs, PAPER), str(folder / "trees.npz")
    peer = 0.0
    for model, start in (("ibm1", []), ("hmm", ["--start", str(folder / "ibm1")])):  # starts from Model 1
        output = ["--source", "doc", "--iterations", "5", "--output", str(folder / model)]
        peer += run("train-translation", "--model", model, *start, *corpus, *output)[0]
    run("parse", *corpus, "--backend", "pattern", "--output", trees)
    total, peak = 0.0, 0.0
    for name in TRAININGS:
        files = ["--model", str(folder / f"{name}.npz"), "--em", str(folder / f"{name}.tsv")]
        jump = ["--jump", "relative", "--reverse"]
        if name != "reverse":
            jump = ["--jump", name, "--reverse-model", str(folder / "reverse.npz")]
        if name == "syntax":
            jump += ["--trees", trees]
        seconds, memory = run("train", *jump, *corpus, "--encoder", "false", "--null-start", "0.2", *files)
        total, peak = total + seconds, max(peak, memory)
        what = f"training, {name}, 5 iterations"
        yield Row(what, 1e3 * seconds / pairs, "ms a pair", "HMM of sil-thot", 1e3 * peer / pairs)
    yield Row(f"training, all four, {pairs} pairs of 511 × 128.5 words", total, "s")
    yield Row("training, peak of memory", peak, "MB")


def pair_rows(folder: Path, pairs: int) -> Iterator[Row]:
    """Yield the time of new pairs: beside the limit, and with the encoder beside SimAlign's method."""
    few = pairs // 10
    corpus = prepare(folder, few, NEWS)
    write_corpus(folder / "new.jsonl", pairs, NEWS)
    output = ["--output", str(folder / "out.jsonl"), "--processes", "1"]
    seconds, memory = run("align", "--pairs", str(folder / "new.jsonl"), *WITHOUT, *output)
    what = "pair of 400 × 60 words"
    yield Row(f"{what}, without the encoder", 1e3 * seconds / pairs, "ms", "limit", 10.0)
    yield Row(f"{pairs} such pairs, peak of memory", memory, "MB")
    seconds, _ = run("align", "--pairs", str(folder / "pairs.jsonl"), *output)
    yield Row(f"{what}, with the encoder", 1e3 * seconds / few, "ms", "limit", 91.0)
    peer, _ = run("baseline", "--system", "embed", *corpus, *output[:2])
    peer_name = "Argmax of SimAlign by the same vectors"
    yield Row(f"{what}, with the encoder", 1e3 * seconds / few, "ms", peer_name, 1e3 * peer / few)


def command_rows(folder: Path) -> Iterator[Row]:
    """Yield whole commands beside their limits.

    The first runs a copy of the package without kernels, as from a new wheel.
    """
    package = shutil.copytree(
        ROOT / "pipeline", folder / "fresh", ignore=shutil.ignore_patterns("__pycache__")
    )
    files = [str(ROOT / "data/example" / name) for name in ("source.txt", "summary.txt")]
    compileall.compile_dir(package, quiet=1)
    first, _ = run("attribute", *files, PYTHONPATH=str(package), XDG_CACHE_HOME=str(folder))
    yield Row("first `vorlage attribute`, nothing compiled", first, "s", "limit", 40.0)
    for name, arguments, limit in (
        ("`vorlage attribute`", ["attribute", *files], 2.5),
        ("`vorlage attribute`, without the encoder", ["attribute", *files, *WITHOUT], 2.5),
        ("`vorlage --help`", ["--help"], 0.2),
    ):
        yield Row(name, median(run(*arguments)[0] for _ in range(5)), "s", "limit", limit)
    equal = {"id": "1", **dict.fromkeys(("document", "summary"), "dog " * 2000)}
    (folder / "equal.jsonl").write_text(json.dumps(equal))
    output = ["--output", str(folder / "out.jsonl")]
    seconds, peak = run("align", "--pairs", str(folder / "equal.jsonl"), *WITHOUT, *output)
    yield Row("2,000 × 2,000 equal words, start included", seconds, "s", "limit", 3.0)
    yield Row("2,000 × 2,000 equal words, peak of memory", peak, "MB", "limit", 600.0)
    write_corpus(folder / "pair.jsonl", 1, LONG)
    for which, options in (("with", []), ("without", WITHOUT)):
        seconds, peak = run("attribute", "--pairs", str(folder / "pair.jsonl"), *options, *output)
        what = f"`vorlage attribute`, 20,000 × 2,000 words, {which} the encoder"
        yield Row(what, seconds, "s")
        yield Row(f"{what}, peak of memory", peak, "MB", "limit", 1000.0)
    (folder / "long.txt").write_text(LONG_TEXT * 5000)
    seconds, peak = run("attribute", str(folder / "long.txt"), files[1])
    yield Row("`vorlage attribute`, a document of 5 MB", seconds, "s")
    yield Row("`vorlage attribute`, a document of 5 MB, peak of memory", peak, "MB", "limit", 2000.0)


def write_table(rows: list[Row], tables: Path, page: Path) -> None:
    """Write the rows to `bench.tsv` in a folder of tables, and into the place `<!-- bench -->` of a page."""
    texts = [row.texts() for row in rows]
    columns = ["what", "value", "unit", "peer or limit", "its value", "ratio"]
    pd.DataFrame(texts, columns=columns).to_csv(tables / "bench.tsv", sep="\t", index=False)
    lines = [
        [what, f"{value} {unit}", f"{peer}: {its}" if peer else "", ratio]
        for what, value, unit, peer, its, ratio in texts
    ]
    insert_into_file(page, {"bench": markdown_table(["", "here", "peer or limit", "ratio"], lines)})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=300, help="synthetic pairs to train on (default: 300)")
    parser.add_argument("--align-pairs", type=int, default=500, help="new pairs to align (default: 500)")
    options = parser.parse_args()
    cores, load = os.cpu_count(), os.getloadavg()[0]
    machine = f"{platform.processor() or platform.machine()}, {cores} processors, load {load:.1f}"
    print(f"{machine}, Python {platform.python_version()}", flush=True)
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for part in (
            starmap(Row, recursion_rows()),
            command_rows(folder),
            pair_rows(folder / "new", options.align_pairs),
            training_rows(folder / "training", options.pairs),
        ):
            for row in part:
                print(*row.texts(), sep="\t", flush=True)
                rows.append(row)
    write_table(rows, ROOT / "docs/results", ROOT / "docs/results.md")


if __name__ == "__main__":
    main()
