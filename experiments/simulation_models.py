"""The documents and the models that the texts of `simulation.py` are drawn from.

The documents are pieces of the bundled corpus with their rare words replaced by frequent ones, so that few
parameters describe all rewrites.
"""

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from nltk import Tree
from simulation_texts import Document, Rewrites, Simulation, distances
from vorlage.corpus.pair import Pair
from vorlage.corpus.records import Record, tokenize
from vorlage.semihmm.jumps.base import JumpModel
from vorlage.semihmm.jumps.exponential import Exponential
from vorlage.semihmm.jumps.gaussian import Gaussian
from vorlage.semihmm.jumps.relative import Relative
from vorlage.semihmm.jumps.syntax import Syntax
from vorlage.settings import Parse
from vorlage.text.words import stem
from vorlage.trees.brackets import constituents
from vorlage.trees.parser import open_parser
from vorlage.trees.tree_arrays import Trees, sentence_id

CORPUS = Path("data/sample/corpus.jsonl")
JUMPS = ("relative", "gaussian", "exponential", "syntax")  # of drawn texts
TRAINED = (*JUMPS, "syntax-counts")
SEED = 1
NULL = 0.2  # φ of all models
LENGTH = 0.5  # words of a text with phrases, for each word of its document
FREQUENT_NULLS = 10  # words that the null state emits


def make_documents(
    texts: Sequence[Sequence[tuple[list[str], Tree]]], vocabulary: int, size: int
) -> list[Document]:
    """Return documents of at least `size` words, whose rare words are replaced by frequent ones.

    `texts`: the sentences of each, with trees; `vocabulary`: the number of words, each with its own stem.
    """
    counts = Counter(word.lower() for text in texts for words, _ in text for word in words)
    by_stem: dict[str, str] = {}
    for word, _ in counts.most_common():
        if len(by_stem) < vocabulary:
            by_stem.setdefault(stem(word), word)
    kept, rng = list(by_stem.values()), np.random.default_rng(SEED)
    shares = np.array([counts[word] for word in kept], dtype=float)
    shares /= shares.sum()
    new = {word: word if word in kept else str(rng.choice(kept, p=shares)) for word in sorted(counts)}
    documents = []
    for text in texts:
        sentences, trees = list[list[str]](), list[Tree]()
        for words, tree in text:
            sentences.append([new[word.lower()] for word in words])
            trees.append(tree)
            if sum(map(len, sentences)) >= size:
                documents.append(Document(sentences, trees))
                sentences, trees = [], []
    return documents


def bundled_texts() -> list[list[tuple[list[str], Tree]]]:
    """Return the sentences of each document of the bundled corpus, with trees of the parser `pattern`."""
    texts = []
    for pair in bundled_pairs():
        sentences = [pair.document.words[slice(*span)] for span in pair.document.sentences]
        texts.append(list(zip(sentences, parse(sentences), strict=True)))
    return texts


def bundled_pairs() -> list[Pair]:
    with CORPUS.open(encoding="utf-8") as lines:
        records = map(json.loads, lines)
        return [tokenize(Record(r["id"], "", r["document"], r["summary"])) for r in records]


def parse(sentences: Sequence[Sequence[str]]) -> list[Tree]:
    """Return the trees of sentences by the parser `pattern`."""
    return [parsed.tree for parsed in open_parser(Parse())(sentences)]


def collect_trees(documents: Sequence[Document], trees: Sequence[Sequence[Tree]] | None = None) -> Trees:
    """Return trees of the sentences of documents, one list for each document; None for their own."""
    found = {
        sentence_id(sentence): constituents(tree)
        for document, own in zip(documents, trees or [each.trees for each in documents], strict=True)
        for sentence, tree in zip(document.sentences, own, strict=True)
    }
    return Trees.collect(found.items())


def make_rewrites(documents: Sequence[Document], rng: np.random.Generator, same: float = 1.0) -> Rewrites:
    """Return rewrites by which words stay the same, or else become one of three others.

    `same`: the least probability that a word stays the same; the largest is halfway between it and 1.
    """
    counts = Counter(word for document in documents for word in document.words)
    words = sorted(counts)
    table = np.eye(len(words))
    for number, row in enumerate(table):
        stays = rng.uniform(same, (1 + same) / 2)
        others = rng.choice(np.delete(np.arange(len(words)), number), 3, replace=False)
        row[number], row[others] = stays, (1 - stays) * np.array([0.6, 0.3, 0.1])
    frequent = {word: count for word, count in counts.most_common(FREQUENT_NULLS)}
    null = np.array([frequent.get(word, 0) for word in words], dtype=float)
    return Rewrites(words, table, null / null.sum())


def make_jumps(documents: Sequence[Document]) -> dict[str, JumpModel]:
    """Return the jump models that texts are drawn from."""
    longest = max(len(document.words) for document in documents)
    every = distances(longest)
    weights = np.where(every > 1, 2.0, 0.8) / (1.0 + np.abs(every - 1)) ** 2
    weights[every == 1] = 3.0
    labels = collect_trees(documents).labels
    factors = np.exp(-1 - np.random.default_rng(SEED).random((len(labels), 2))) * [[1.0, 0.5]]
    return {
        "relative": Relative(NULL, int(every[0]), (1 - NULL) * weights / weights.sum(), 0.0),
        "gaussian": Gaussian(NULL, longest, 1.5, 2.5),
        "exponential": Exponential(NULL, longest, 0.6, 1.0),
        "syntax": Syntax(NULL, labels, factors, next_word=3.0, precision=0.0),
    }


def make_simulation(
    documents: list[Document], jump: str, same: float = 1.0, lengths: tuple[float, ...] = (1.0,)
) -> Simulation:
    """Return what texts with the jumps of a model are drawn from."""
    rewrites = make_rewrites(documents, np.random.default_rng(SEED), same)
    share = LENGTH if sum(lengths) > 1 else None
    return Simulation(documents, rewrites, make_jumps(documents)[jump], lengths, share)
