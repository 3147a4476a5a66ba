"""A small corpus with the results of every stage, and every command that reads one of these files."""

import json
import shutil
from itertools import count
from pathlib import Path
from typing import NamedTuple

from pipeline import export
from pipeline.align import __main__ as align
from pipeline.baselines import cutpaste, identity, symmetrize
from pipeline.corpus import __main__ as corpus
from pipeline.decompose import __main__ as decompose
from pipeline.decompose import figure
from pipeline.extract import __main__ as extract
from pipeline.extract import evaluate, statistics, stems
from pipeline.parse import __main__ as parse
from pipeline.parse import gather, sentences
from pipeline.report import __main__ as report
from pipeline.report import figures
from pipeline.score import __main__ as score
from pipeline.score import agreement, analysis, phrases, profile, scored
from pipeline.semihmm import describe
from pipeline.train import __main__ as train

PAIRS = [
    {
        "id": name,
        "document": f"{name} opened a mill by the river. It grinds wheat, rye and oats. Nobody complained.",
        "summary": f"A mill of {name} grinds wheat.",
    }
    for name in ("Toller", "Marl", "Elling")
]
GOLD = [
    {"id": "Marl", "annotator": "A", "alignments": [{"summary": [1, 2], "document": [3, 4], "sure": True}]},
    {"id": "Marl", "annotator": "B", "alignments": [{"summary": [0, 1], "document": [2, 3], "sure": False}]},
    {
        "id": "Toller",
        "annotator": "A",
        "unit": "char",
        "alignments": [{"summary": [2, 6], "document": [[16, 20], [21, 23]]}],
    },
]


class Entry(NamedTuple):
    """A command and its options. Names in ``FILES`` are its inputs, ``OUT`` is an output."""

    main: object
    options: dict

    def arguments(self, world, out, replaced=None):
        """Return the command line; ``replaced``: option → another value."""
        line, outputs = [], (out.with_name(f"{number}-{out.name}".removeprefix("0-")) for number in count())
        for option, values in (self.options | (replaced or {})).items():
            line += [] if option == "model" else [option]
            for value in values if isinstance(values, list) else [values]:
                line.append(next(outputs) if value is OUT else world / value if value in FILES else value)
        return line


OUT = object()
FILES = {
    *("pairs.jsonl", "marked.jsonl", "corpus/corpus.jsonl", "corpus/gold.jsonl", "corpus/statistics.tsv"),
    *("documents.txt", "summaries.txt", "extracts.jsonl", "weights.json", "sentences.jsonl", "sentences.txt"),
    *("parses.jsonl", "parse/trees.npz", "parse/trees.mrg", "relative.npz", "syntax.npz"),
    *("identity.jsonl", "cutpaste.jsonl", "semihmm.jsonl", "scores", "figures", "profiles"),
}
BOTH = {"--corpus": "corpus/corpus.jsonl", "--extracts": "extracts.jsonl"}
SCORED = {
    "--corpus": "corpus/corpus.jsonl",
    "--gold": "corpus/gold.jsonl",
    "--alignments": "cutpaste.jsonl",
    "--output": OUT,
}
TRAINING = {**BOTH, "--wordnet": "false", "--iterations": "1", "--model": OUT, "--em": OUT}
MODEL = {"--model": "relative.npz", "--output": OUT}
SHOWN = {"--alignments": "cutpaste.jsonl", "--corpus": "corpus/corpus.jsonl", "--output": OUT}

ENTRIES = {
    "corpus": Entry(
        corpus.main, {"--reader": "jsonl", "--path": "pairs.jsonl", "--gold": "marked.jsonl", "--output": OUT}
    ),
    "statistics": Entry(statistics.main, {**BOTH, "--gold": "corpus/gold.jsonl", "--output": OUT}),
    "stems": Entry(stems.main, {"--corpus": "corpus/corpus.jsonl", "--output": OUT}),
    "extract": Entry(
        extract.main, {"--corpus": "corpus/corpus.jsonl", "--weights": "weights.json", "--output": OUT}
    ),
    "evaluate": Entry(evaluate.main, {**BOTH, "--gold": "corpus/gold.jsonl", "--output": OUT}),
    "sentences": Entry(sentences.main, {**BOTH, "--output": OUT, "--text": OUT}),
    "parse": Entry(
        parse.main,
        {
            **{"--sentences": "sentences.jsonl", "--backend": "trees", "--trees": "parse/trees.mrg"},
            **{"--store": OUT, "--output": OUT},
        },
    ),
    "gather": Entry(gather.main, {"--shards": "parses.jsonl", "--output": OUT}),
    "train": Entry(train.main, {**TRAINING, "--jump": "relative"}),
    "train on trees": Entry(train.main, {**TRAINING, "--jump": "syntax", "--trees": "parse/trees.npz"}),
    "describe": Entry(describe.main, {"model": "relative.npz"}),
    "align": Entry(align.main, {**MODEL, **BOTH}),
    "align new": Entry(align.main, {**MODEL, "--corpus": "pairs.jsonl"}),
    "align texts": Entry(
        align.main, {**MODEL, "--documents": "documents.txt", "--summaries": "summaries.txt"}
    ),
    "align by trees": Entry(
        align.main, {**MODEL, **BOTH, "--model": "syntax.npz", "--trees": "parse/trees.npz"}
    ),
    "identity": Entry(identity.main, {**BOTH, "--output": OUT}),
    "cutpaste": Entry(cutpaste.main, {**BOTH, "--output": OUT}),
    "symmetrize": Entry(
        symmetrize.main,
        {
            **{"--doc": "identity.jsonl", "--sum": "cutpaste.jsonl", "--heuristic": "gdfa"},
            **{"--system": "both", "--output": OUT},
        },
    ),
    "score": Entry(score.main, SCORED),
    "phrases": Entry(phrases.main, SCORED),
    "analysis": Entry(analysis.main, SCORED),
    "agreement": Entry(
        agreement.main,
        {"--corpus": "corpus/corpus.jsonl", "--gold": "corpus/gold.jsonl", "--output": OUT},
    ),
    "profile": Entry(profile.main, SHOWN),
    "scored": Entry(
        scored.main,
        {
            **{"--corpus": "corpus/corpus.jsonl", "--gold": "corpus/gold.jsonl"},
            **{"--alignments": "cutpaste.jsonl", "--pairs": "1", "--output": [OUT, OUT]},
        },
    ),
    **{
        f"export {kind}": Entry(export.main, {**SHOWN, "--format": kind})
        for kind in ("tsv", "jsonl", "sentences", "compressions", "reductions", "combinations")
    },
    "export pharaoh": Entry(
        export.main, {"--alignments": "cutpaste.jsonl", "--format": "pharaoh", "--output": OUT}
    ),
    "export html": Entry(export.main, {**SHOWN, "--format": "html", "--id": "Elling"}),
    "decompose": Entry(decompose.main, {**SCORED, "--systems": OUT, "--extracts": OUT}),
    "figure": Entry(figure.main, {**SHOWN, "--id": "Elling"}),
    "report": Entry(
        report.main,
        {
            **{"--corpus": "corpus/corpus.jsonl", "--gold": "corpus/gold.jsonl"},
            **{"--alignments": "cutpaste.jsonl", "--scores": "scores", "--figures": "figures"},
            **{"--statistics": "corpus/statistics.tsv", "--output": OUT},
        },
    ),
}


def lines(records):
    """Return records as JSON lines."""
    return "".join(json.dumps(record) + "\n" for record in records)


def build(folder):
    """Make ``FILES`` in a folder, with the commands themselves."""

    def run(name, out, **replaced):
        entry = ENTRIES[name]
        options = {f"--{key}": value for key, value in replaced.items()}
        entry.main([str(argument) for argument in entry.arguments(folder, folder / out, options)])

    (folder / "pairs.jsonl").write_text(lines(PAIRS))
    (folder / "marked.jsonl").write_text(lines(GOLD))
    for side in ("document", "summary"):
        name = {"document": "documents.txt", "summary": "summaries.txt"}[side]
        (folder / name).write_text("".join(pair[side] + "\n" for pair in PAIRS))
    run("corpus", "corpus")
    run("stems", "weights.json")
    run("extract", "extracts.jsonl", sentences="2")
    run("statistics", "corpus/statistics.tsv")
    run("sentences", "sentences.jsonl", text=folder / "sentences.txt")
    run("parse", "parses.jsonl", backend="pattern", trees="", store=folder / "store")
    run("gather", "parse", backend="pattern")
    run("train", "relative.npz", em=folder / "em.tsv")
    run("train on trees", "syntax.npz", em=folder / "em.tsv")
    run("align", "semihmm.jsonl")
    run("identity", "identity.jsonl")
    run("cutpaste", "cutpaste.jsonl")
    run("analysis", "scores")
    run("score", "scores/scores.tsv")
    run("profile", "profiles/1-of-1.json")
    figures.main(["--scores", str(folder / "scores"), "--output", str(folder / "figures")])


def copy(world, folder):
    """Return a copy of the files that a test may change."""
    return Path(shutil.copytree(world, folder / "world"))
