"""Writes the tables of the cards of the models and of the bundled corpora: `python experiments/cards.py`.

It also writes `tests/workflow/stages/gold_fit.tsv`: how many links of one word to one in each pair join
equal words.
"""

from collections import defaultdict

import numpy as np
from markdown_tables import ROOT, markdown_table, write_pages
from vorlage.documents.records import read_records, tokenize
from vorlage.encoder.installed import PACKAGED
from vorlage.semihmm.model import Model
from vorlage.semihmm.table import are_longer
from vorlage.workflow.gold import check_gold, read_annotations
from vorlage.workflow.tables import write_table

MODELS = ROOT / "pipeline/vorlage/models"
CORPORA = ("sample", "genres", "languages")


def models_table():
    """Return the table of the three models of links: what each file holds."""
    rows = []
    for name in ("with-encoder", "without-encoder", "with-multilingual-encoder"):
        path = MODELS / f"{name}.npz"
        model = Model.load(path)
        encoder = model.encoder.get("name", PACKAGED if model.encoder else "–")
        longer = np.concatenate([are_longer(each.table) for each in (model, model.reverse)])
        counts = len(model.vocabulary.words), (~longer).sum(), longer.sum()
        megabytes = f"{path.stat().st_size / 1e6:.1f}"
        rows.append([f"`{path.name}`", encoder, *(f"{count:,}" for count in counts), megabytes])
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
    """Return the pairs of a bundled corpus, each with its gold, which must fit its texts."""
    folder, summaries = ROOT / "data" / name, "de" if name == "languages" else None
    annotations = read_annotations(folder / "gold.jsonl")
    pairs = [tokenize(record, False, "en", summaries) for record in read_records(folder / "corpus.jsonl")]
    for pair in pairs:
        for gold in annotations[pair.id]:
            check_gold(gold, pair)
    return [(pair, annotations[pair.id]) for pair in pairs]


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
        for pair, golds in read_corpus(name):
            for gold in golds:
                if equal := equal_words(pair, gold):
                    yield name, pair.id, gold.annotator, sum(equal), len(equal)


def corpora_table():
    """Return the table of the bundled corpora: pairs, words, and links of each annotator."""
    rows = []
    for name in CORPORA:
        corpus, links, equal = read_corpus(name), defaultdict(list), defaultdict(list)
        for pair, golds in corpus:
            for gold in golds:
                links[gold.annotator] += [link.sure for link in gold.links]
                equal[gold.annotator] += equal_words(pair, gold)
        words = (sum(len(getattr(p, side).tokens) for p, _ in corpus) for side in ("document", "summary"))
        counts = [f"{a}: {len(sure):,}, {sum(sure):,} sure" for a, sure in sorted(links.items())]
        shares = [f"{a}: {np.mean(each):.3f}" for a, each in sorted(equal.items()) if each]
        numbers = str(len(corpus)), *(f"{count:,}" for count in words)
        rows.append([f"`{name}`", *numbers, "; ".join(counts), "; ".join(shares) or "–"])
    heading = ["folder", "pairs", "document tokens", "summary tokens", "links of each annotator"]
    return markdown_table([*heading, "equal words"], rows)


def tables():
    """Return the tables of each card by their places."""
    models = {"models": models_table(), "support": support_table()}
    return {ROOT / "data/MODELS.md": models, ROOT / "data/README.md": {"corpora": corpora_table()}}


if __name__ == "__main__":
    write_pages(tables)
    heading = ["corpus", "pair", "annotator", "equal_words", "links"]
    write_table(ROOT / "tests/workflow/stages/gold_fit.tsv", heading, gold_fit())
