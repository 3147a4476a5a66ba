"""Trained models: ``model.npz`` of each jump model."""

import math

import numpy as np

from fuzz.corpora import SENTENCES
from fuzz.mutators import npz
from fuzz.target import Target, put
from pipeline.align.aligner import Aligner
from pipeline.corpus.new import tokenize
from pipeline.corpus.readers.record import Record
from pipeline.encode.similarities import Similarities, shape_of
from pipeline.extract.extracts import Extract
from pipeline.parse.sentences import sentence_id
from pipeline.parse.tree_arrays import Trees
from pipeline.semihmm.describe import describe
from pipeline.semihmm.model import Model
from pipeline.settings import read_by, section
from pipeline.text.nltk import Tree
from pipeline.train.resources import Resources
from pipeline.train.training import train

PAIRS = [
    tokenize(Record(name, "", document, summary))
    for name, document, summary in (
        ("a", SENTENCES[0], "The printer ships."),
        ("b", "No one asked. The price fell by half.", "The price fell."),
    )
]
NEW = tokenize(Record("new", "", "The printer fell by half.", "A printer fell."))


def check(data):
    """Check that an accepted model aligns a pair, with a finite likelihood and valid posteriors."""
    model = Model.load(put("model.npz", data))
    if model.settings["wordnet"]:
        return
    aligner = Aligner(model, trees=lambda sentences: _flat_trees(sentences), similarities=_similarities)
    prepared = aligner.prepare(NEW, range(len(NEW.document.sentences)))
    for found in (aligner.own_posteriors(prepared, 0.0), aligner.posteriors(prepared)):
        log_likelihood, posteriors = found
        assert math.isfinite(log_likelihood), f"log-likelihood {log_likelihood}"
        sums = posteriors.sources.sum(axis=1) + posteriors.nulls
        assert np.allclose(sums, 1.0), f"posteriors of the words sum to {sums}"
        assert posteriors.sources.min() >= 0 and posteriors.sources.max() <= 1 + 1e-9
    assert posteriors.links.max() <= 1 + 1e-9 and posteriors.nulls.max() <= 1 + 1e-9
    assert posteriors.links.min() >= 0 and posteriors.nulls.min() >= 0
    assert aligner.align(NEW, range(len(NEW.document.sentences))).to_json()
    describe(model)


def seeds():
    """Return a model of each kind, and one of both directions with an encoder, trained on two pairs."""
    settings = section("semihmm", {"wordnet": False, "iterations": 2})
    settings = {key: settings[key] for key in read_by("train")}
    path = put("seed.npz", b"")
    made = []
    for jump in ("relative", "gaussian", "exponential", "syntax"):
        trees = _flat_trees([_words(pair, span) for pair in PAIRS for span in pair.document.sentences])
        corpus = [(pair, _whole(pair)) for pair in PAIRS]
        model, _ = train(corpus, jump, settings, Resources(trees=trees if jump == "syntax" else None))
        model.save(path)
        made.append(path.read_bytes())
    settings, resources = settings | {"encoder": True}, Resources(similarities=_Store())
    reverse, _ = train(corpus, "relative", settings, resources, reverse=True)
    train(corpus, "relative", settings, resources._replace(reverse_model=reverse))[0].save(path)
    return [*made, path.read_bytes()]


class _Store:
    """A store of invented similarities."""

    about = {"model": "0123456789ab", "layer": 4}

    def get(self, name, shape):
        return _made_up(shape)


def _similarities(pair, sentences):
    return _made_up(shape_of(pair, sentences))


def _made_up(shape):
    words, sentences = shape[:2], shape[2:]
    return Similarities(
        np.cos(np.arange(math.prod(words))).reshape(words).astype(np.float16),
        np.cos(np.arange(math.prod(sentences))).reshape(sentences).astype(np.float32),
    )


def _words(pair, span):
    return pair.document.words[slice(*span)]


def _whole(pair):
    count = len(pair.document.sentences)
    return Extract(pair.id, tuple(range(count)), (tuple(range(count)),) * len(pair.summary.sentences))


def _flat_trees(sentences):
    """Return trees of two levels, without a parser."""
    return Trees.collect(
        (sentence_id(tokens), Tree("TOP", [Tree("S", [Tree("NN", [token]) for token in tokens])]))
        for tokens in sentences
    )


TARGET = Target((check,), seeds, npz, ("pair new: ",))
