"""Nine short pairs about printers, and models trained on them."""

import json

from vorlage.cli import train
from vorlage.workflow.stages import corpus as corpus
from vorlage.workflow.stages import extract as extract
from vorlage.workflow.stages import parse as parse

PAIRS = [
    {
        "id": f"p{i}",
        "document": f"The {a} printer of {b} ships in June. It sells the old printer for less. No one asked.",
        "summary": f"{b} will ship a {a} printer in June.",
    }
    for i, (a, b) in enumerate((a, b) for a in ("fast", "cheap", "new") for b in ("Acme", "Bolt", "Crane"))
]


def write_pairs(path, pairs=PAIRS):
    """Write pairs as JSON lines, and return the path as text."""
    path.write_text("".join(json.dumps(pair, ensure_ascii=False) + "\n" for pair in pairs), encoding="utf-8")
    return str(path)


def make_files(folder, jump="relative", wordnet="false"):
    """Make pairs.jsonl, corpus/, extracts.jsonl of whole documents, and model.npz; return the folder."""
    pairs, made = write_pairs(folder / "pairs.jsonl"), str(folder / "corpus/corpus.jsonl")
    corpus.main(["--reader", "jsonl", "--path", pairs, "--output", str(folder / "corpus")])
    both = ["--corpus", made, "--extracts", str(folder / "extracts.jsonl")]
    extract.main([*both[:2], "--output", both[3], "--enabled", "false"])
    trees = []
    if jump == "syntax":
        trees = ["--trees", str(folder / "trees.npz")]
        parse.main([*both, "--output", trees[1]])
    train.main(
        ["--jump", jump, *both, *trees, "--wordnet", wordnet, "--encoder", "false", "--iterations", "4"]
        + ["--model", str(folder / "model.npz"), "--em", str(folder / "em.tsv")]
    )
    return folder
