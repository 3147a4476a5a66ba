"""Tiny corpora to train on, their trees, and similarities of words and sentences without an encoder."""

import hashlib

import numpy as np
from nltk import Tree
from vorlage.documents.pair import Pair
from vorlage.encoder.similarities import Similarities
from vorlage.extensions import JUMPS as REGISTRY
from vorlage.extract.extracts import Extract
from vorlage.semihmm.jump_model import jump_model
from vorlage.settings import Training, validate
from vorlage.text.tokenize import make_text
from vorlage.trees.parser import list_constituents
from vorlage.trees.tree_arrays import Trees, sentence_id

# The model of the 2005 paper, as in workflow/presets/paper.yaml, except for the beam.
PAPER = {
    "null_learned": True,
    "fake_counts": {"word": 2, "identical": 4, "stem": 3, "unigram": 0},
    "wordnet": "first",
    "sentence_similarity": 0,
    "sentence_support": 0,
    "encoder": False,
}

CORPUS = [
    ("the personal computer sells", "a pc sells"),
    ("machines and computers", "the machine"),
    ("a printer offers the computer", "computers trade"),
    ("the printer", "a printer machine"),
    ("the printers sell", "printers sell"),
]


def settings(**changes):
    """Return the settings of training, with every count stored."""
    return validate(Training, {"lexical_threshold": 0, **changes})


def make(corpus):
    """Return (Pair, Extract) of each (document, summary), strings of one sentence a line; whole documents."""
    made = []
    for i, texts in enumerate(corpus):
        document, summary = (make_text(text.split("\n"), tokenized=True) for text in texts)
        pair = Pair(f"p{i}", document, summary)
        made.append((pair, Extract(pair.id, tuple(range(len(document.sentences))), ())))
    return made


BRACKETS = [
    "(S (NP (DT the) (NML (JJ personal) (NN computer))) (VP (VBZ sells)))",
    "(NP (NP (NNS machines)) (CC and) (NP (NNS computers)))",
    "(S (NP (DT a) (NN printer)) (VP (VBZ offers) (NP (DT the) (NN computer))))",
    "(NP (DT the) (NN printer))",
    "(S (NP (DT the) (NNS printers)) (VP (VBP sell)))",
]
JUMPS = REGISTRY.names()
TREE_JUMPS = tuple(jump for jump in JUMPS if jump_model(jump).needs_trees)


def toy_trees():
    trees = [Tree("TOP", [Tree.fromstring(text)]) for text in BRACKETS]
    return Trees.collect((sentence_id(tree.leaves()), list_constituents(tree)) for tree in trees)


def spans_of(tree):
    """Return {span: label} of the nodes of a tree; of a unary chain, only the topmost node counts."""
    spans, count = {}, 0

    def visit(node):
        nonlocal count
        if isinstance(node, str):
            count += 1
            return
        first = count
        for child in node:
            visit(child)
        spans[first, count] = node.label()  # the topmost node comes last

    visit(tree)
    return spans


LONGER = [
    (
        f"the {a} printer of {b} ships in june\nit sells the old {c} printer for less",
        f"{b} sells a {a} printer in june",
    )
    for a in ("fast", "cheap", "new", "slow")
    for b in ("acme", "bolt", "crane")
    for c in ("laser", "matrix")
]


def flat_tree(words):
    """Return a tree of pairs of words."""
    pairs = [Tree(f"P{i % 5}", [Tree("W", [w]) for w in words[i : i + 2]]) for i in range(0, len(words), 2)]
    return Tree("S", pairs)


def flat_trees(corpus):
    """Return a flat tree for every document sentence."""
    found = {}
    for pair, _ in corpus:
        for first, last in pair.document.sentences:
            words = pair.document.words[first:last]
            found[sentence_id(words)] = list_constituents(Tree("TOP", [flat_tree(words)]))
    return Trees.collect(found.items())


class Similar:
    """A stand-in for a `SimilarityStore`, with cosines in [−0.2, 1] that follow from the texts."""

    def __init__(self, layer=4):
        self.about = {"model": "0123456789ab", "layer": layer}

    def get_all(self, extracted):
        return [self.get(pair, sentences) for pair, sentences in extracted]

    def get(self, pair, sentences):
        """Return the similarities of a pair and document sentences."""
        spans = [pair.document.sentences[s] for s in sentences]
        words = [word for span in spans for word in pair.document.words[slice(*span)]]
        said = [" ".join(pair.document.words[slice(*span)]) for span in spans]
        own = [" ".join(pair.summary.words[slice(*span)]) for span in pair.summary.sentences]
        table = [[cosine(s, d, t - j) for j, d in enumerate(words)] for t, s in enumerate(pair.summary.words)]
        return Similarities(
            np.array(table, dtype=np.float16),
            np.array([[cosine(s, d, 0) for d in said] for s in own], dtype=np.float32),
        )


def cosine(summary, document, far):
    """Return a number for two texts and their distance, highest for equal texts at equal places."""
    same = 0.7 * (summary[:4].lower() == document[:4].lower())
    digest = hashlib.sha256(f"{summary} {document} {far}".encode()).digest()
    return same + digest[0] / 255 * 0.5 - 0.2
