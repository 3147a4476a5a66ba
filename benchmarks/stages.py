"""The commands of the stages as whole processes: seconds and peak memory."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import thot_models

JUMPS = ("relative", "gaussian", "syntax")
REVERSE = "relative, summary to document"
OPTIONS = {REVERSE: ["--jump", "relative", "--reverse"]}

# A process counts the memory of the one it was forked from, so a small one stands between.
LAUNCHER = """
import os, resource, subprocess, sys, time
began = time.perf_counter()
subprocess.run(sys.argv[1:], check=True, stderr=subprocess.DEVNULL)
print(time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def run(*command):
    """Wall seconds and peak resident megabytes of ``python -m`` with these arguments."""
    done = subprocess.run(
        [sys.executable, "-c", LAUNCHER, sys.executable, "-m", *map(str, command)],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    wall, peak = done.stdout.split()[-2:]
    return float(wall), round(int(peak) / (1 << 20 if sys.platform == "darwin" else 1 << 10))


def prepare(folder, source, parse=True):
    """Take a corpus through the stages before training, ``parse`` or not; returns ``(rows, files)``."""
    files = {
        "corpus": folder / "corpus/corpus.jsonl",
        "extracts": folder / "extracts.jsonl",
        "trees": folder / "parse/trees.npz",
    }
    given = ["--corpus", files["corpus"], "--extracts", files["extracts"]]
    shard, parsed = folder / "0.jsonl", folder / "parsed.jsonl"
    commands = {
        "corpus": ["pipeline.corpus", "--reader", "jsonl", "--path", source, "--tokenized", "true"]
        + ["--output", folder / "corpus"],
        "extract": ["pipeline.extract", "--corpus", files["corpus"], "--output", files["extracts"]]
        + ["--enabled", "false"],
    }
    parsing = {
        "sentences": ["pipeline.parse.sentences", *given, "--output", shard, "--text", folder / "s.txt"],
        "parse, pattern": ["pipeline.parse", "--sentences", shard, "--store", folder / "store"]
        + ["--output", parsed],
        "gather parses": ["pipeline.parse.gather", "--shards", parsed, "--output", folder / "parse"],
    }
    rows = []
    for name, command in (commands | parsing if parse else commands).items():
        wall, peak = run(*command)
        rows.append({"stage": name, "seconds": wall, "peak MB": peak})
    return rows, files


def count_pairs(path):
    """Lines of a file."""
    with open(path, "rb") as lines:
        return sum(1 for _ in lines)


def train_rows(folder, files, threads):
    """A row for the other direction and for each jump model: a whole training, start-up included."""
    rows, pairs = [], count_pairs(files["corpus"])
    for jump in (REVERSE, *JUMPS):
        model, em = folder / f"{jump}.npz", folder / f"{jump}.tsv"
        options = OPTIONS.get(jump, ["--jump", jump])
        options = [*options, "--trees", files["trees"]] if jump == "syntax" else options
        given = ["--corpus", files["corpus"], "--extracts", files["extracts"], *options]
        command = ["pipeline.train", "--wordnet", "false", *given]
        wall, peak = run(*command, "--model", model, "--em", em, "--threads", threads)
        table = pd.read_table(em)
        rows.append(
            {
                "model": jump,
                "threads": threads,
                "pairs": pairs,
                "ms a pair and iteration": 1e3 * table["seconds"].iloc[1:].median() / pairs,
                "iterations": len(table),
                "seconds in all": wall,
                "ms a pair in all": 1e3 * wall / pairs,
                "peak MB": peak,
            }
        )
    return rows


def thot_rows(files, limit):
    """Rows for sil-thot's models on the first ``limit`` pairs, either side as the source."""
    pairs = thot_models.sentence_pairs(files["corpus"], files["extracts"], limit)
    rows = []
    for turned, source in ((False, "document"), (True, "summary")):
        total = 0.0
        for name, seconds in thot_models.train(pairs, turned).items():
            total += seconds
            rows.append(
                {
                    "model": f"sil-thot {name}, {source} as source",
                    "threads": os.cpu_count(),
                    "pairs": limit,
                    "ms a pair and iteration": 1e3 * seconds / limit / thot_models.ITERATIONS,
                    "iterations": thot_models.ITERATIONS,
                    "seconds in all": total,
                    "ms a pair in all": 1e3 * total / limit,
                }
            )
    return rows


def parser_rows(sample, benepar_model):
    """Sentences a second of the parsers, on one core, for the document sentences of ``sample``."""
    from pipeline.corpus.tokenize import make_text
    from pipeline.parse.parser import open_parser

    texts = [make_text(json.loads(line)["document"]) for line in Path(sample).read_text().splitlines()]
    sentences = [tuple(text.words[slice(*span)]) for text in texts for span in text.sentences]
    rows = []
    for backend in ("pattern", "benepar") if benepar_model else ("pattern",):
        parser = open_parser({"backend": backend, "benepar_model": benepar_model})
        list(parser.parse(sentences[:20]))
        repeats = 5 if backend == "pattern" else 1
        began = time.process_time(), time.perf_counter()
        for _ in range(repeats):
            list(parser.parse(sentences))
        count = repeats * len(sentences)
        rows.append(
            {
                "parser": backend,
                "sentences": len(sentences),
                "words a sentence": sum(map(len, sentences)) / len(sentences),
                "sentences/s a core": count / (time.process_time() - began[0]),
                "sentences/s": count / (time.perf_counter() - began[1]),
            }
        )
    return rows
