"""The commands of the stages as whole processes: seconds and peak memory."""

import json
import time
from pathlib import Path
from typing import NamedTuple

import pandas as pd
import thot_models
from measure import Row, processors, run_command
from vorlage.text.tokenize import make_text
from vorlage.trees.parser import open_parser

JUMPS = ("relative", "gaussian", "syntax")
REVERSE = "relative, summary to document"
OPTIONS = {REVERSE: ["--jump", "relative", "--reverse"]}


class Files(NamedTuple):
    """What training reads; `trees` may not exist where only relative jumps are trained."""

    corpus: Path
    extracts: Path
    trees: Path


def prepare(folder: Path, source: Path, parse: bool = True) -> tuple[list[Row], Files]:
    """Run the stages before training on a corpus; return a row for each stage, and the files."""
    files = Files(folder / "corpus/corpus.jsonl", folder / "extracts.jsonl", folder / "parse/trees.npz")
    given = ["--corpus", files.corpus, "--extracts", files.extracts]
    shard, parsed = folder / "0.jsonl", folder / "parsed.jsonl"
    commands: dict[str, list[object]] = {
        "corpus": ["vorlage.corpus", "--reader", "jsonl", "--path", source, "--tokenized", "true"]
        + ["--output", folder / "corpus"],
        "extract": ["vorlage.extract", "--corpus", files.corpus, "--output", files.extracts]
        + ["--enabled", "false"],
    }
    if parse:
        commands |= {
            "sentences": ["vorlage.trees.sentences", *given, "--output", shard, "--text", folder / "s.txt"],
            "parse, pattern": ["vorlage.trees", "--sentences", shard, "--store", folder / "store"]
            + ["--output", parsed],
            "gather parses": ["vorlage.trees.gather", "--shards", parsed, "--output", folder / "parse"],
        }
    rows: list[Row] = []
    for name, command in commands.items():
        cost = run_command(*command)
        rows.append({"stage": name, "seconds": cost.seconds, "peak MB": cost.megabytes})
    return rows, files


def count_pairs(path: Path) -> int:
    """Return the number of lines of a file."""
    with open(path, "rb") as lines:
        return sum(1 for _ in lines)


def train_rows(folder: Path, files: Files, threads: int) -> list[Row]:
    """Return a row for the other direction and for each jump model: a whole training, start-up included."""
    rows: list[Row] = []
    pairs = count_pairs(files.corpus)
    for jump in (REVERSE, *JUMPS):
        model, em = folder / f"{jump}.npz", folder / f"{jump}.tsv"
        options: list[object] = [*OPTIONS.get(jump, ["--jump", jump])]
        if jump == "syntax":
            options += ["--trees", files.trees]
        given = ["--corpus", files.corpus, "--extracts", files.extracts, *options]
        command = ["vorlage.semihmm.train", "--wordnet", "false", *given]
        cost = run_command(*command, "--model", model, "--em", em, "--threads", threads)
        table = pd.read_table(em)
        rows.append(
            {
                "model": jump,
                "threads": threads,
                "pairs": pairs,
                "ms a pair and iteration": 1e3 * table["seconds"].iloc[1:].median() / pairs,
                "iterations": len(table),
                "seconds in all": cost.seconds,
                "ms a pair in all": 1e3 * cost.seconds / pairs,
                "peak MB": cost.megabytes,
            }
        )
    return rows


def thot_rows(files: Files, limit: int) -> list[Row]:
    """Return rows for the models of sil-thot on the first `limit` pairs, with either side as the source."""
    pairs = thot_models.sentence_pairs(files.corpus, files.extracts, limit)
    rows: list[Row] = []
    for from_summary, source in ((False, "document"), (True, "summary")):
        total = 0.0
        for name, seconds in thot_models.train(pairs, from_summary).items():
            total += seconds
            rows.append(
                {
                    "model": f"sil-thot {name}, {source} as source",
                    "threads": processors(),
                    "pairs": limit,
                    "ms a pair and iteration": 1e3 * seconds / limit / thot_models.ITERATIONS,
                    "iterations": thot_models.ITERATIONS,
                    "seconds in all": total,
                    "ms a pair in all": 1e3 * total / limit,
                }
            )
    return rows


def parser_rows(sample: Path, benepar_model: str | None) -> list[Row]:
    """Return a row for each parser: its speed on one core over the document sentences of `sample`."""
    texts = [make_text(json.loads(line)["document"]) for line in sample.read_text().splitlines()]
    sentences = [tuple(text.words[slice(*span)]) for text in texts for span in text.sentences]
    rows: list[Row] = []
    for backend in ("pattern", "benepar") if benepar_model else ("pattern",):
        parser = open_parser({"backend": backend, "benepar_model": benepar_model})
        list(parser.parse(sentences[:20]))
        repeats = 5 if backend == "pattern" else 1
        processor_began, began = time.process_time(), time.perf_counter()
        for _ in range(repeats):
            list(parser.parse(sentences))
        count = repeats * len(sentences)
        rows.append(
            {
                "parser": backend,
                "sentences": len(sentences),
                "words a sentence": sum(map(len, sentences)) / len(sentences),
                "sentences/s a core": count / (time.process_time() - processor_began),
                "sentences/s": count / (time.perf_counter() - began),
            }
        )
    return rows
