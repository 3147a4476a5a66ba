"""Time and memory, each beside that of a peer and of an older checkout in the same run: `make bench`.

    python experiments/bench.py --before ../other-checkout --pairs 2033 --align-pairs 1000

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
# In arguments, `{package}` is that of the checkout that runs, and `{checkout}` its number.
WITHOUT = ["--model", "{package}/vorlage/models/without-encoder.npz"]
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
    """A row of the table; `before`: the value of the older checkout; `its`: that of the `peer`."""

    what: str
    value: float
    unit: str
    peer: str = ""
    its: float | None = None
    before: float | None = None

    def texts(self) -> list[str]:
        """Return the cells of the row, with the ratios to the older checkout and to the peer."""
        pairs = [
            [shown(other), f"{self.value / other:.2f}"] if other else ["", ""]
            for other in (self.before, self.its)
        ]
        return [self.what, shown(self.value), self.unit, *pairs[0], self.peer, *pairs[1]]


class Cost(NamedTuple):
    """The processor seconds of a command and its peak of memory in MB."""

    seconds: float
    memory: float


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
PAIRS = {
    "400 × 60 words, many of them new": NEWS,
    "400 × 60 words": NEWS._replace(vocabulary=2_000),
    "22 × 22 words": Shape(22, 1, 22, 1, 2_000),
}


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


def run(*arguments: str, package: Path = ROOT / "pipeline", **environment: str) -> Cost:
    """Run the `vorlage` of a folder as a process of its own."""
    command = [
        sys.executable,
        "-c",
        MEASURE,
        *(each.format(package=package, checkout=hash(package)) for each in arguments),
    ]
    options = {"env": os.environ | {"PYTHONPATH": str(package)} | environment, "stderr": subprocess.DEVNULL}
    printed = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True, **options).stdout
    return Cost(*map(float, printed.split()))


def run_both(before: Path | None, *arguments: str, rounds: int = 1) -> tuple[Cost, Cost | None]:
    """Run a command here and in an older checkout, by turns; return the medians of both."""
    packages = [ROOT / "pipeline", *([before / "pipeline"] if before else [])]
    costs = [[run(*arguments, package=package) for package in packages] for _ in range(rounds)]
    here, *older = (Cost(*map(median, zip(*each, strict=True))) for each in zip(*costs, strict=True))
    return here, older[0] if older else None


def prepare(folder: Path, pairs: int, shape: Shape) -> list[str]:
    """Write a corpus and whole documents as its extracts; return the options that name them."""
    folder.mkdir()
    write_corpus(folder / "pairs.jsonl", pairs, shape)
    made = ["--corpus", str(folder / "corpus.jsonl")], ["--extracts", str(folder / "extracts.jsonl")]
    path = ["--path", str(folder / "pairs.jsonl"), "--output", str(folder)]
    run("corpus", "--reader", "jsonl", "--tokenized", "true", "--language", "en", *path)
    run("extract", "--enabled", "false", *made[0], "--output", made[1][1])
    return [*made[0], *made[1]]


def length_rows(folder: Path) -> Iterator[Row]:
    """Yield the time of a text of 60 words by the length of its document, start included."""
    folder.mkdir()
    for words in (1000, 4000, 16_000, 64_000, 256_000):
        write_corpus(folder / "pair.jsonl", 1, Shape(words, words // 22, 60, 3, 30_000))
        pair, output = ["--pairs", str(folder / "pair.jsonl")], ["--output", str(folder / "out.jsonl")]
        seconds = run("align", *pair, *WITHOUT, *output).seconds
        yield Row(f"`vorlage align`, {words:,} × 60 words, without the encoder", seconds, "s")


def training_rows(folder: Path, pairs: int, before: Path | None) -> Iterator[Row]:
    """Yield the training of each model, and of all, beside translation models on the same extracts."""
    corpus, trees = prepare(folder, pairs, PAPER), str(folder / "trees.npz")
    peers = {}
    for model, start in (("ibm1", []), ("hmm", ["--start", str(folder / "ibm1")]), ("eflomal", [])):
        output = ["--source", "doc", "--iterations", "5", "--output", str(folder / model)]
        peers[model] = run("train-translation", "--model", model, *start, *corpus, *output).seconds
    hmm = 1e3 * (peers["ibm1"] + peers["hmm"]) / pairs  # the HMM starts from Model 1
    run("parse", *corpus, "--backend", "pattern", "--output", trees)
    costs, peak = [], 0.0
    for name in TRAININGS:
        made = str(folder / "{checkout}-")
        files = ["--model", f"{made}{name}.npz", "--em", f"{made}{name}.tsv"]
        jump = ["--jump", "relative", "--reverse"]
        if name != "reverse":
            jump = ["--jump", name, "--reverse-model", f"{made}reverse.npz"]
        if name == "syntax":
            jump += ["--trees", trees]
        here, older = run_both(before, "train", "--encoder", "false", *jump, *corpus, *files)
        old = older.seconds if older else 0.0
        costs.append((here.seconds, old))
        peak = max(peak, here.memory)
        what = f"training, {name}, 5 iterations"
        yield Row(what, 1e3 * here.seconds / pairs, "ms a pair", "HMM of sil-thot", hmm, 1e3 * old / pairs)
    both, older = 1e3 * np.sum(costs[:2], axis=0) / pairs
    peer = "eflomal of sil-thot, both directions", 1e3 * peers["eflomal"] / pairs
    yield Row("training, reverse and relative", both, "ms a pair", *peer, older)
    total, older = np.sum(costs, axis=0)
    yield Row(f"training, all four, {pairs} pairs of 511 × 128.5 words", total, "s", before=older)
    yield Row("training, peak of memory", peak, "MB")


def pair_rows(folder: Path, pairs: int, before: Path | None) -> Iterator[Row]:
    """Yield the time of a pair without the start, and with the encoder beside SimAlign's method."""
    few = pairs // 10
    corpus = prepare(folder, few, NEWS)
    one, output = str(folder / "one.jsonl"), ["--output", str(folder / "out.jsonl"), "--processes", "1"]
    for what, shape in PAIRS.items():
        write_corpus(folder / "new.jsonl", pairs + 1, shape)
        write_corpus(folder / "one.jsonl", 1, shape)
        many = str(folder / "new.jsonl")
        costs = [
            run_both(before, "align", "--pairs", path, *WITHOUT, *output, rounds=3) for path in (one, many)
        ]
        start, end = ([1e3 * each.seconds / pairs if each else 0.0 for each in cost] for cost in costs)
        here, older = np.subtract(end, start)
        yield Row(f"pair of {what}, without the encoder", here, "ms", before=older)
    yield Row(f"{pairs} pairs of {what}, peak of memory", costs[1][0].memory, "MB")
    here, older = run_both(before, "align", "--pairs", str(folder / "pairs.jsonl"), *output)
    peer = run("baseline", "--system", "embed", *corpus, *output[:2])
    yield Row(
        "pair of 400 × 60 words, with the encoder, start included",
        *(1e3 * here.seconds / few, "ms", "Argmax of SimAlign by the same vectors", 1e3 * peer.seconds / few),
        before=1e3 * older.seconds / few if older else None,
    )


def command_rows(folder: Path, before: Path | None) -> Iterator[Row]:
    """Yield whole commands. The first runs a copy of the package without kernels, as from a new wheel."""
    package = shutil.copytree(
        ROOT / "pipeline", folder / "fresh", ignore=shutil.ignore_patterns("__pycache__")
    )
    files = [str(ROOT / "data/example" / name) for name in ("source.txt", "summary.txt")]
    compileall.compile_dir(package, quiet=1)
    first = run("attribute", *files, package=package, XDG_CACHE_HOME=str(folder))
    yield Row("first `vorlage attribute`, nothing compiled", first.seconds, "s")
    output = ["--output", str(folder / "out.jsonl")]
    equal = {"id": "1", **dict.fromkeys(("document", "summary"), "dog " * 2000)}
    (folder / "equal.jsonl").write_text(json.dumps(equal))
    write_corpus(folder / "pair.jsonl", 1, LONG)
    (folder / "long.txt").write_text(LONG_TEXT * 5000)
    pair = ["attribute", "--pairs", str(folder / "pair.jsonl")]
    for what, arguments, rounds in (
        ("`vorlage --help`", ["--help"], 5),
        ("`vorlage attribute`", ["attribute", *files], 5),
        ("`vorlage attribute`, without the encoder", ["attribute", *files, *WITHOUT], 5),
        (
            "2,000 × 2,000 equal words",
            ["align", "--pairs", str(folder / "equal.jsonl"), *WITHOUT, *output],
            1,
        ),
        ("`vorlage attribute`, 20,000 × 2,000 words", [*pair, *output], 1),
        ("the same without the encoder", [*pair, *WITHOUT, *output], 1),
        ("`vorlage attribute`, a document of 5 MB", ["attribute", str(folder / "long.txt"), files[1]], 1),
    ):
        here, older = run_both(before, *arguments, rounds=rounds)
        yield Row(what, here.seconds, "s", before=older and older.seconds)
        if rounds == 1:
            yield Row(f"{what}, peak of memory", here.memory, "MB", before=older and older.memory)


def write_table(rows: list[Row], tables: Path, page: Path) -> None:
    """Write the rows to `bench.tsv` in a folder of tables, and into the place `<!-- bench -->` of a page."""
    texts = [row.texts() for row in rows]
    columns = ["what", "value", "unit", "before", "ratio", "peer", "its value", "ratio to it"]
    pd.DataFrame(texts, columns=columns).to_csv(tables / "bench.tsv", sep="\t", index=False)
    lines = [
        [what, f"{value} {unit}", before, change, f"{peer}: {its}" if peer else "", ratio]
        for what, value, unit, before, change, peer, its, ratio in texts
    ]
    insert_into_file(page, {"bench": markdown_table(["", "here", "before", "ratio", "peer", "ratio"], lines)})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=300, help="synthetic pairs to train on (default: 300)")
    parser.add_argument("--align-pairs", type=int, default=500, help="new pairs to align (default: 500)")
    parser.add_argument("--before", type=Path, help="a checkout to compare with (default: none)")
    options = parser.parse_args()
    cores, load = os.cpu_count(), os.getloadavg()[0]
    machine = f"{platform.processor() or platform.machine()}, {cores} processors, load {load:.1f}"
    print(f"{machine}, Python {platform.python_version()}", flush=True)
    run_both(options.before, "warm-up")  # compiles
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for part in (
            starmap(Row, recursion_rows()),
            command_rows(folder, options.before),
            length_rows(folder / "length"),
            pair_rows(folder / "new", options.align_pairs, options.before),
            training_rows(folder / "training", options.pairs, options.before),
        ):
            for row in part:
                print(*row.texts(), sep="\t", flush=True)
                rows.append(row)
    write_table(rows, ROOT / "docs/results", ROOT / "docs/results.md")


if __name__ == "__main__":
    main()
