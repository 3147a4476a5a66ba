"""Writes the tables of the cards of the models and of the bundled corpora: `python experiments/cards.py`."""

from pathlib import Path

import numpy as np
from markdown_tables import insert_into_file, markdown_table
from vorlage.corpus.records import read_records, tokenize
from vorlage.files.jsonl import read_jsonl
from vorlage.semihmm.model import Model
from vorlage.semihmm.table import are_longer

ROOT = Path(__file__).parents[1]
MODELS = ROOT / "pipeline" / "vorlage" / "models"
CORPORA = ("sample", "genres", "languages")


def models_table():
    """Return the table of the three models of links: what each file holds."""
    rows = []
    for name in ("with-encoder", "without-encoder", "with-multilingual-encoder"):
        model = Model.load(MODELS / f"{name}.npz")
        tables = [each.table for each in (model, model.reverse)]
        phrases = [int(are_longer(table).sum()) for table in tables]
        words = [len(table.partners) - count for table, count in zip(tables, phrases, strict=True)]
        encoder = model.encoder.get(
            "name", "sentence-transformers/all-MiniLM-L6-v2" if model.encoder else "–"
        )
        cells = encoder, f"{len(model.words):,}", f"{sum(words):,}", f"{sum(phrases):,}"
        rows.append([f"`{name}.npz`", *cells, f"{(MODELS / f'{name}.npz').stat().st_size / 1e6:.1f}"])
    heading = ["model", "encoder", "words", "word pairs, both directions", "phrase pairs", "MB"]
    return markdown_table(heading, rows, 2)


def support_table():
    """Return the table of the support model: how many numbers it weighs."""
    with np.load(MODELS / "support.npz") as arrays:
        rows = [
            [f"{head}, {suffix} the encoder", str(len(arrays[name + suffix]))]
            for head, name in (("words", "word_weights_"), ("sentences", "sentence_"))
            for suffix in ("with", "without")
        ]
    return markdown_table(["support of", "weights"], rows)


def corpora_table():
    """Return the table of the bundled corpora: pairs, words, annotated pairs, and links of each annotator."""
    rows = []
    for name in CORPORA:
        folder = ROOT / "data" / name
        languages = {"languages": ("en", "de")}.get(name, ("en", None))
        pairs = [tokenize(record, False, *languages) for record in read_records(folder / "corpus.jsonl")]
        gold = [record for _, record in read_jsonl(folder / "gold.jsonl")]
        links = {annotator: [] for annotator in sorted({record["annotator"] for record in gold})}
        for record in gold:
            links[record["annotator"]] += [link["sure"] for link in record["alignments"]]
        counts = [f"{a}: {len(sure):,}, {sum(sure):,} sure" for a, sure in links.items()]
        sides = [sum(len(getattr(pair, side).tokens) for pair in pairs) for side in ("document", "summary")]
        rows.append([f"`{name}`", str(len(pairs)), *(f"{count:,}" for count in sides), "; ".join(counts)])
    heading = ["folder", "pairs", "document tokens", "summary tokens", "links of each annotator"]
    return markdown_table(heading, rows)


def tables():
    """Return the tables of each card by their places."""
    models = {"models": models_table(), "support": support_table()}
    return {ROOT / "data" / "MODELS.md": models, ROOT / "data" / "README.md": {"corpora": corpora_table()}}


if __name__ == "__main__":
    for card, places in tables().items():
        insert_into_file(card, places)
