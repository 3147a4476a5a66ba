"""Training and alignment of drawn texts by the package, for `simulation.py`."""

from collections.abc import Iterator, Sequence
from unittest.mock import patch

import numpy as np
from simulation_texts import Document, Drawn, Rewrites
from vorlage.alignments.alignment import soft_links
from vorlage.corpus.pair import Pair
from vorlage.corpus.records import Record, tokenize
from vorlage.extract.extracts import Extract
from vorlage.semihmm.decode.aligner import Aligner
from vorlage.semihmm.jumps import syntax
from vorlage.semihmm.kernels.phrase_table import IDENTICAL
from vorlage.semihmm.model import Model
from vorlage.semihmm.train.training import Resources, train
from vorlage.settings import TREE_JUMPS, SemiHmm, validate
from vorlage.trees.tree_arrays import Trees
from vorlage.types import JsonObject

# EM whose prior is too weak to be felt; nothing adjusts the posteriors.
SETTINGS: JsonObject = {
    "iterations": 40,
    "tolerance": 1e-7,
    "agreement": False,
    "max_document_phrase": 1,
    "max_summary_phrase": 1,
    "null_start": 0.3,
    "null_learned": True,
    "jump_smoothing": 1e-3,
    "null_smoothing": 1e-3,
    "wordnet": False,
    "sentence_similarity": 0,
    "sentence_support": 0,
    "encoder": False,
    "lexical_threshold": 0,
    "posterior_threshold": 0.5,
    "gap_threshold": 1,
    "phrase_support": 0,
    "diagonal_discount": 0,
    "stretch_support": 0,
}
# Without fake counts for unlike words, the rewrite table keeps to copies.
COPIES = {"fake_counts": {"word": 0, "identical": 1, "stem": 0, "unigram": 0}}
REWRITES = {"fake_counts": {"word": 0.01, "identical": 0, "stem": 0, "unigram": 0}}


def make_pairs(documents: Sequence[Document], drawn: Sequence[Drawn]) -> list[Pair]:
    """Return the pairs of documents and drawn texts; a text is one sentence."""
    return [
        tokenize(Record(r["id"], "", r["document"], r["summary"]), tokenized=True)
        for r in make_records(documents, drawn)
    ]


def make_records(documents: Sequence[Document], drawn: Sequence[Drawn]) -> Iterator[JsonObject]:
    """Yield the pairs as lines of a corpus with spaces between tokens."""
    for number, (document, text) in enumerate(zip(documents, drawn, strict=True), start=1):
        sentences = [" ".join(words) for words in document.sentences]
        yield {"id": f"drawn-{number}", "document": sentences, "summary": [" ".join(text.summary)]}


def whole_document(pair: Pair) -> Extract:
    return Extract(pair.id, tuple(range(len(pair.document.sentences))), ())


def learn(pairs: Sequence[Pair], jump: str, settings: JsonObject, trees: Trees) -> tuple[Model, Aligner]:
    """Return the model that training makes of pairs, and its aligner."""
    corpus = [(pair, whole_document(pair)) for pair in pairs]
    resources = Resources(trees=trees if jump in TREE_JUMPS else None)
    with patch.object(syntax, "FACTOR_PRECISION", 1e-3):
        model, _ = train(corpus, jump, validate(SemiHmm, SETTINGS | settings).training, resources)
    return model, Aligner(model, trees=lambda sentences: trees)


def link_f(aligner: Aligner, pairs: Sequence[Pair], drawn: Sequence[Drawn], settings: JsonObject) -> float:
    """Return F of the links that a model finds, over all pairs."""
    decoding = validate(SemiHmm, SETTINGS | settings)
    found = true = right = 0
    for pair, text in zip(pairs, drawn, strict=True):
        alignment = aligner.align(pair, whole_document(pair).sentences, decoding)
        links = soft_links(alignment.links, pair.summary.words, pair.document.words)
        sources = {(t, j) for t, j in enumerate(text.sources) if j >= 0}
        found, true, right = found + len(links), true + len(sources), right + len(links & sources)
    return 2 * right / (found + true)


def learned_rewrites(model: Model, words: list[str]) -> Rewrites:
    """Return the rewrites of a model of single words without WordNet, whose words have their own stems."""
    lexicon, weights, fake = model.lexicon, model.mixture.weights, model.settings.fake_counts
    known = np.array(Rewrites(words, np.empty(0), np.empty(0)).numbers(model.words))
    listed = len(lexicon.table.partners)
    rows = np.repeat(np.arange(len(known)), np.diff(lexicon.table.word_rows))
    counts = lexicon.counts[:listed] + fake.word + fake.identical * (lexicon.table.kind[:listed] == IDENTICAL)
    table, null = np.zeros((len(words), len(words))), np.zeros(len(words))
    table[known[rows], known[lexicon.table.partners]] = weights[3] * counts / lexicon.totals[rows]
    table[known, known] += weights[0] + weights[1]
    null[known] = model.null.probability
    return Rewrites(words, table, null)
