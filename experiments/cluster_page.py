"""Measure what the jobs of the workflow need, and put it beside what they request in docs/cluster.md.

    python experiments/cluster_page.py run --folder needs/drawn --pairs 20000
    python experiments/cluster_page.py run --folder needs/scisummnet --scisummnet folder
    python experiments/cluster_page.py page --folder needs
    python experiments/cluster_page.py growth --folder growth

`run` draws pairs, or reads ScisummNet, and runs the workflow on them; `--set SECTION=JSON`
changes the config. `page` makes the table of all runs. The requests in it are those of the
present rules, so an edited coefficient needs no new run. `growth` trains on ever more pairs,
and calculates from the last two trainings what larger corpora would need.
"""

import argparse
import json
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bench
import pandas as pd
import yaml
from markdown_tables import insert_into_file, markdown_table
from vorlage.files.jsonl import read_jsonl
from vorlage.text.tokenize import make_text

ROOT = Path(__file__).parents[1]
CORES = 2
SENTENCES = {"document": 12, "summary": 2}  # of a drawn pair
SOURCES = 3  # bundled pairs that the sentences of a drawn pair come from
CONFIG: dict[str, Any] = {
    "semihmm": {"jumps": ["relative", "syntax"]},
    "systems": [
        *("semihmm-relative", "semihmm-syntax", "semihmm-relative-viterbi", "paper-relative", "cutpaste"),
        *("cutpaste-1-document", "identity", "hmm-doc", "hmm-sum", "hmm-gdfa", "model4-doc"),
    ],
}
# Snakemake samples a job twice a second at first, but then every 30 seconds, which misses peaks of memory.
SNAKEMAKE = """
import math, sys
from snakemake import benchmark, cli
benchmark.benchmarked.__wrapped__.__defaults__ = (None, None, math.inf)
cli.main(sys.argv[1:])
"""
COLUMNS = ["run", "pairs", "rule", "job", "threads", "input_mb"]
COLUMNS += ["minutes", "asked_minutes", "minutes_ratio", "mb", "asked_mb", "mb_ratio"]
HEADING = ["rule", "pairs", "threads", "input, MB", "minutes", "asked", "ratio", "MB", "asked", "ratio"]
# Larger corpora: their pairs, the shape of each and how many of it are measured; the nodes for them.
LARGE = {
    "200,000 papers of 6,000 words": (200_000, bench.Shape(6000, 260, 150, 6, 60_000), (100, 400, 1600)),
    "100 million pairs of 20 words": (10**8, bench.Shape(20, 1, 20, 1, 30_000), (1000, 10_000, 100_000)),
}
NODES, NODE_CORES = 10, 32
# Trains, and prints the processor seconds for blocks, which processes share, those for the rest, and MB.
TRAINING = """
import resource, sys, time
from vorlage.cli import train
from vorlage.semihmm.train import training

def timed(name):
    def call(*arguments, **options):
        begun = time.process_time()
        result = function(*arguments, **options)
        spent[name] += time.process_time() - begun
        return result
    function, spent[name] = getattr(training, name), 0.0
    setattr(training, name, call)

spent = {}
timed("collect_pairs")
timed("expectation")
train.main(sys.argv[1:])
blocks = sum(spent.values())
print(blocks, time.process_time() - blocks, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""
FLOOR = {"minutes": 5.0, "mb": 500.0}  # a job that needs less may request as much as one that needs this


def draw(path: Path, pairs: int) -> None:
    """Write pairs whose sentences are drawn from the documents and the summaries of a few bundled pairs."""
    rng = random.Random(pairs)
    records = [record for name in ("sample", "genres") for record in bundled(name)]
    sentences = {side: [make_text(r[side]).sentence_words() for r in records] for side in SENTENCES}
    with open(path, "w", encoding="utf-8") as out:
        for number in range(pairs):
            sources = rng.sample(range(len(records)), SOURCES)
            pair = {
                side: [" ".join(words) for words in rng.sample(sum((own[s] for s in sources), []), count)]
                for (side, count), own in zip(SENTENCES.items(), sentences.values(), strict=True)
            }
            print(json.dumps({"id": str(number), **pair}), file=out)


def bundled(name: str) -> list[dict[str, Any]]:
    """Return the pairs of a bundled corpus."""
    return [record for _, record in read_jsonl(ROOT / f"data/{name}/corpus.jsonl")]


def run(folder: Path, options: argparse.Namespace) -> None:
    """Run the workflow in `folder`, where it finds its config at the next call."""
    folder.mkdir(parents=True, exist_ok=True)
    corpus: dict[str, Any] = {"name": folder.name, "reader": "scisummnet", "path": options.scisummnet}
    if options.pairs:
        draw(folder / "pairs.jsonl", options.pairs)
        corpus |= {"reader": "jsonl", "path": "pairs.jsonl", "tokenized": True}
    corpus["select"] = {"unusable": "drop"}
    changes = (text.partition("=") for text in options.set)
    config = CONFIG | {"corpus": corpus} | {section: json.loads(value) for section, _, value in changes}
    (folder / "config.yaml").write_text(yaml.safe_dump(config))
    subprocess.run([*snakemake(folder), "--benchmark-extended", "--keep-going"], check=True)


def snakemake(folder: Path) -> list[str]:
    """Return the command that runs the workflow with the config in `folder` and keeps temporary files."""
    options = ["--snakefile", str(ROOT / "Snakefile"), "--directory", str(folder), "--cores", str(CORES)]
    options += ["--workflow-profile", "none", "--notemp"]
    return [sys.executable, "-c", SNAKEMAKE, *options, "--configfile", str(folder / "config.yaml")]


def requests(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield for each job of a run its rule, its benchmark, its threads, its input and what it requests."""
    plan = [*snakemake(folder), "--dry-run", "--forceall"]
    printed = subprocess.run(plan, check=True, capture_output=True, text=True)
    for text in re.split(r"\n(?=(?:local)?rule )", printed.stdout + printed.stderr):
        fields = dict(re.findall(r"^    (\w+): (.*)$", text, re.MULTILINE))
        if "benchmark" in fields and (folder / fields["benchmark"]).exists():
            resources = dict(pair.split("=") for pair in fields["resources"].split(", "))
            files = (folder / name.split(" (")[0] for name in fields["input"].split(", "))
            yield {
                "rule": re.match(r"\s*(?:local)?rule (\w+)", text)[1],
                "benchmark": folder / fields["benchmark"],
                "threads": int(fields.get("threads", 1)),
                "input_mb": sum(size(path) for path in files),
                "asked_minutes": float(resources["runtime"]),
                "asked_mb": float(resources["mem_mb"]),
            }


def size(path: Path) -> float:
    """Return the size of a file or folder in MB."""
    files = path.rglob("*") if path.is_dir() else [path]
    return sum(file.stat().st_size for file in files if file.is_file()) / 10**6


def needs(folder: Path) -> pd.DataFrame:
    """Return a row for each job of a run: what it needed and what it requests."""
    rows = pd.DataFrame(requests(folder))
    measured = pd.concat([pd.read_table(path).head(1) for path in rows["benchmark"]], ignore_index=True)
    results = folder / "results" / yaml.safe_load((folder / "config.yaml").read_text())["corpus"]["name"]
    with open(results / "corpus/corpus.jsonl", "rb") as lines:
        rows["pairs"] = sum(1 for _ in lines)
    jobs = [path.relative_to(results).with_suffix("") for path in rows["benchmark"]]
    rows["run"], rows["job"] = folder.name, [str(job).replace("benchmarks/", "") for job in jobs]
    # As on a machine whose cores are free, whatever else ran during the measurement.
    rows["minutes"] = measured["cpu_time"].fillna(0) / 60 / rows["threads"]
    rows["mb"] = measured["max_rss"].fillna(0)
    for unit, floor in FLOOR.items():
        rows[f"{unit}_ratio"] = rows[f"asked_{unit}"] / rows[unit].clip(lower=floor)
    return rows[COLUMNS]


def page(folder: Path, _: argparse.Namespace) -> None:
    """Write the table of all jobs, and the longest job of each rule into the page."""
    table = pd.concat([needs(config.parent) for config in sorted(folder.glob("*/config.yaml"))])
    table = table.sort_values(["pairs", "run", "rule", "job"])
    table.round(2).to_csv(ROOT / "docs/results/requests.tsv", sep="\t", index=False)
    longest = table.sort_values("minutes", ascending=False).drop_duplicates("rule").sort_values("rule")
    rows = [
        [f"`{row.rule}`", f"{row.pairs:,}", f"{row.threads}", f"{row.input_mb:,.1f}"]
        + [f"{row.minutes:.1f}", f"{row.asked_minutes:.0f}", f"{row.minutes_ratio:.1f}"]
        + [f"{row.mb:,.0f}", f"{row.asked_mb:,.0f}", f"{row.mb_ratio:.1f}"]
        for row in longest.itertuples()
    ]
    counts = (sum(table[unit] > floor) for unit, floor in FLOOR.items())
    ratios = (f"{table[f'{unit}_ratio'].min():.1f} to {table[f'{unit}_ratio'].max():.1f}" for unit in FLOOR)
    line = (
        "Of {} measured jobs, {} needed more than 5 minutes and {} more than 500 MB. With smaller needs "
        "counted as these, the ratios are {} for time and {} for memory."
    ).format(len(table), *counts, *ratios)
    text = f"{markdown_table(HEADING, rows)}\n\n{line}"
    insert_into_file(ROOT / "docs/cluster.md", {"requests": text})


def grown(folder: Path, pairs: int, shape: bench.Shape, encode: bool) -> dict[str, float]:
    """Return the processor seconds that each stage takes for drawn pairs, and the MB of training.

    `encode`: whether the stages but training are run, too.
    """
    bench.write_corpus(folder / "pairs.jsonl", pairs, shape)
    corpus, extracts = (["--" + name, str(folder / f"{name}.jsonl")] for name in ("corpus", "extracts"))
    read = ["--reader", "jsonl", "--tokenized", "true", "--language", "en", "--output", str(folder)]
    bench.run("corpus", *read, "--path", str(folder / "pairs.jsonl"))
    costs = {"extract": bench.run("extract", *corpus, "--output", extracts[1]).seconds}
    model = ["--model", str(folder / "model.npz")]
    options = ["--jump", "relative", "--encoder", "false", "--em", str(folder / "em.tsv"), *corpus, *extracts]
    train = [sys.executable, "-c", TRAINING, *options, *model]
    printed = subprocess.run(train, check=True, capture_output=True, text=True).stdout
    costs |= dict(zip(("blocks", "one process", "MB"), map(float, printed.split()), strict=True))
    if encode:
        costs["encode"] = bench.run("encode", *corpus, *extracts, "--output", str(folder / "encoded")).seconds
        align = ["align", "--system", "semihmm-relative", *model, *corpus, *extracts]
        costs["align"] = bench.run(*align, "--output", str(folder / "alignments.jsonl")).seconds
    return costs


def growth(folder: Path, _: argparse.Namespace) -> None:
    """Measure how the stages grow with the pairs, and write it and larger corpora into the page."""
    grows, large = [], []
    for name, (pairs, shape, sizes) in LARGE.items():
        folder.mkdir(parents=True, exist_ok=True)
        table = pd.DataFrame([grown(folder, size, shape, size < sizes[-1]) for size in sizes], index=sizes)
        grows += [
            [f"{size:,} of {shape.document_words:,} × {shape.summary_words:,} words"]
            + [f"{row[column]:,.1f}" for column in ("blocks", "one process")]
            + [f"{row['MB']:,.0f}"]
            for size, row in table.iterrows()
        ]
        needs = {}
        for column in table:
            (few, low), (many, high) = table[column].dropna().iloc[-2:].items()
            needs[column] = high + (pairs - many) * (high - low) / (many - few)
        hours = [needs[stage] / 3600 / NODES / NODE_CORES for stage in ("extract", "encode", "align")]
        training = [2 * needs["blocks"] / 3600 / NODES / NODE_CORES, 2 * needs["one process"] / 3600]
        large.append([name, *(f"{each:.2g}" for each in hours + training), f"{needs['MB'] / 1e3:,.0f}"])
    columns = [
        "",
        "extract, h",
        "encode, h",
        "align, h",
        "train: blocks, h",
        "one process, h",
        "its memory, GB",
    ]
    tables = {
        "growth": markdown_table(["pairs", "blocks, s", "one process, s", "MB"], grows),
        "large": markdown_table(columns, large),
    }
    insert_into_file(ROOT / "docs/cluster.md", tables)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("run", "page", "growth"))
    parser.add_argument("--folder", type=Path, required=True, help="of a run, or that of all runs")
    corpus = parser.add_mutually_exclusive_group()
    corpus.add_argument("--pairs", type=int, help="draw pairs to run on")
    corpus.add_argument("--scisummnet", metavar="FOLDER", help="run on ScisummNet")
    parser.add_argument(
        "--set", metavar="SECTION=JSON", action="append", default=[], help="change the config"
    )
    options = parser.parse_args()
    {"run": run, "page": page, "growth": growth}[options.what](options.folder.absolute(), options)


if __name__ == "__main__":
    main()
