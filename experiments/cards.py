"""Writes the tables of the cards of the models and of the bundled corpora: `python experiments/cards.py`.

It also writes `tests/workflow/stages/gold_fit.tsv`: how many links of one word to one in each pair join
equal words.
"""

from pathlib import Path

import numpy as np
from markdown_tables import insert_into_file, markdown_table
from vorlage.documents.records import read_records, tokenize
from vorlage.semihmm.model import Model
from vorlage.semihmm.table import are_longer
from vorlage.workflow.gold import check_gold, read_annotations
from vorlage.workflow.tables import write_table

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
        cells = encoder, f"{len(model.vocabulary.words):,}", f"{sum(words):,}", f"{sum(phrases):,}"
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


def read_corpus(name):
    """Return the pairs of a bundled corpus and the gold of each pair by its id, which must fit its texts."""
    folder, languages = ROOT / "data" / name, {"languages": ("en", "de")}.get(name, ("en", None))
    pairs = [tokenize(record, False, *languages) for record in read_records(folder / "corpus.jsonl")]
    annotations = read_annotations(folder / "gold.jsonl")
    for pair in pairs:
        for gold in annotations[pair.id]:
            check_gold(gold, pair)
    return pairs, annotations


def equal_words(pair, gold):
    """Return whether each link of one word to one in the gold of a pair joins equal words."""
    links = [(*link.summary[0], *link.document[0]) for link in gold.links if gold.unit == "token"]
    return [
        pair.summary.words[i].lower() == pair.document.words[j].lower()
        for i, end, j, last in links
        if (end - i, last - j) == (1, 1)
    ]


def gold_fit():
    """Yield a row for each annotated pair of token gold: corpus, pair, annotator, equal words, links."""
    for name in CORPORA:
        pairs, annotations = read_corpus(name)
        for pair in pairs:
            for gold in annotations[pair.id]:
                if equal := equal_words(pair, gold):
                    yield name, pair.id, gold.annotator, sum(equal), len(equal)


def corpora_table():
    """Return the table of the bundled corpora: pairs, words, and links of each annotator."""
    rows = []
    for name in CORPORA:
        pairs, annotations = read_corpus(name)
        sides = [sum(len(getattr(pair, side).tokens) for pair in pairs) for side in ("document", "summary")]
        links, equal = {}, {}
        for pair in pairs:
            for gold in annotations[pair.id]:
                links.setdefault(gold.annotator, []).extend(link.sure for link in gold.links)
                equal.setdefault(gold.annotator, []).extend(equal_words(pair, gold))
        counts = [f"{a}: {len(sure):,}, {sum(sure):,} sure" for a, sure in sorted(links.items())]
        shares = [f"{a}: {np.mean(words):.3f}" for a, words in sorted(equal.items()) if words]
        numbers = str(len(pairs)), *(f"{count:,}" for count in sides)
        rows.append([f"`{name}`", *numbers, "; ".join(counts), "; ".join(shares) or "–"])
    heading = ["folder", "pairs", "document tokens", "summary tokens", "links of each annotator"]
    return markdown_table([*heading, "equal words"], rows)


def tables():
    """Return the tables of each card by their places."""
    models = {"models": models_table(), "support": support_table()}
    return {ROOT / "data" / "MODELS.md": models, ROOT / "data" / "README.md": {"corpora": corpora_table()}}


if __name__ == "__main__":
    for card, places in tables().items():
        insert_into_file(card, places)
    heading = ["corpus", "pair", "annotator", "equal_words", "links"]
    write_table(ROOT / "tests/workflow/stages/gold_fit.tsv", heading, gold_fit())
