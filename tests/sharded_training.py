"""Training in shards, command by command, and the same training in one job."""

import numpy as np
import pytest
from toy_training import LONGER, Similar, flat_trees, make

from pipeline.corpus.corpus_file import write_pairs
from pipeline.encode.similarities import write_similarities
from pipeline.extract.extracts import write_extracts
from pipeline.io.parts import Part
from pipeline.semihmm.model import Model
from pipeline.train import __main__ as train
from pipeline.train.sharded import add, collect, entries, expect, finish, forests, index, maximise, start


def write_files(folder, texts=LONGER):
    """Write a corpus, its extracts, its trees and its similarities to a folder."""
    corpus = make(texts)
    write_pairs(folder / "corpus.jsonl", [pair for pair, _ in corpus])
    write_extracts(folder / "extracts.jsonl", [extract for _, extract in corpus])
    flat_trees(corpus).save(folder / "trees.npz")
    write_store(folder / "encode", corpus)
    return folder


def write_store(folder, corpus, layer=4):
    """Write the similarities of a corpus by an encoder's ``layer``, as the encode stage does."""
    similar = Similar(layer)
    found = [similar.of(pair, extract.sentences) for pair, extract in corpus]
    shapes = [(*one.words.shape, *one.sentences.shape) for one in found]
    write_similarities(folder / "1-of-1", similar.about, [pair.id for pair, _ in corpus], shapes, found)


def options(**values):
    """Return the options of a command."""
    return [str(part) for name, value in values.items() for part in (f"--{name.replace('_', '-')}", value)]


def similarities(files, settings):
    """Return the option for the similarities if the settings have an encoder."""
    return options(similarities=files / "encode") if settings.get("encoder") == "true" else []


def some(settings, *names):
    """Return the options for those of ``names`` that the settings contain."""
    return options(**{name: settings[name] for name in names if name in settings})


class Training:
    """Sharded training in a folder, step by step.

    ``parts``: of the rows of the index. ``reverse``: True for the other direction, or the path of its model.
    """

    def __init__(self, files, name, shards, jump, reverse=None, parts=2, **settings):
        self.parts = [Part(k + 1, parts) for k in range(parts)]
        self.folder, self.shards, self.jump = files / name, [Part(k + 1, shards) for k in range(shards)], jump
        self.given = options(corpus=files / "corpus.jsonl", extracts=files / "extracts.jsonl")
        self.collected = options(shards=self.path("shards"), of=shards)
        self.trees = files / "trees.npz"
        self.settings = {"wordnet": "false", "iterations": 4, **settings}
        self.reverse = ["--reverse"] if reverse is True else []
        self.reverse_model = [] if reverse in (None, True) else options(**{"reverse-model": reverse})
        self.similarities = similarities(files, self.settings)

    def path(self, *parts):
        return self.folder.joinpath(*map(str, parts))

    def prepare(self):
        settings = self.settings
        for shard in self.shards:
            given = [*self.given, *options(part=shard)]
            names = "wordnet", "wordnet_senses", "sentence_similarity", "sentence_support", "encoder"
            chosen = some(settings, *names)
            more = [*self.reverse, *self.similarities, *chosen]
            collect.main([*given, *more, *options(output=self.path("shards", shard))])
            if self.jump == "syntax":
                forests.main([*given, *options(output=self.path("forests", shard), trees=self.trees)])
        names = "wordnet", "wordnet_senses", "fake_counts.word", "fake_counts.unigram"
        more = options(parts=len(self.parts), output=self.path("index"))
        index.main([*self.collected, *more, *some(settings, *names)])
        for part in self.parts:
            more = options(index=self.path("index"), part=part, output=self.path("entries", part))
            entries.main([*self.collected, *more, *some(settings, "lexical_cooccurrence")])
        trees = options(trees=self.trees) if self.jump == "syntax" else []
        given = options(jump=self.jump, index=self.path("index"), output=self.path(0, "state"), **settings)
        start.main([*given, *trees, *self.reverse])

    def expect(self, iteration, shard, threads=1):
        more = options(forests=self.path("forests", shard)) if self.jump == "syntax" else []
        if iteration > 1:
            more += options(previous=self.path(iteration - 1, f"{shard}.npz"))
            more += options(counts=self.path(iteration - 1, "counts"))
        expect.main(
            options(
                shard=self.path("shards", shard),
                index=self.path("index"),
                entries=self.path("entries"),
                state=self.path(iteration - 1, "state"),
                shards=len(self.shards),
                threads=threads,
                output=self.path(iteration, f"{shard}.npz"),
            )
            + more
        )

    def maximise(self, iteration):
        given = options(index=self.path("index"), state=self.path(iteration - 1, "state"))
        given += options(expectations=self.path(iteration), of=len(self.shards))
        for part in self.parts:
            more = options(
                entries=self.path("entries"), part=part, output=self.path(iteration, "counts", part)
            )
            if iteration > 1:
                more += options(previous=self.path(iteration - 1, "counts", part))
            add.main([*given, *more])
        more = options(counts=self.path(iteration, "counts"), output=self.path(iteration, "state"))
        maximise.main([*given, *more])

    def run(self, shuffle=None, threads=1):
        self.prepare()
        for iteration in range(1, self.settings["iterations"] + 1):
            order = list(self.shards)
            if shuffle:
                shuffle.shuffle(order)
            for shard in order:
                self.expect(iteration, shard, threads)
            self.maximise(iteration)
        return self.finish()

    def finish(self):
        last = self.path(self.settings["iterations"])
        model, em = self.path("model.npz"), self.path("em.tsv")
        trees = options(trees=self.trees) if self.jump == "syntax" else []
        made = options(index=self.path("index"), entries=self.path("entries"), model=model, em=em)
        made += options(state=last / "state", counts=last / "counts")
        finish.main([*self.given, *made, *trees, *self.similarities, *self.reverse_model])
        return model, [line.rsplit("\t", 1)[0] for line in em.read_text().splitlines()]


def single(files, jump, reverse=None, threads=1, name="single", **settings):
    """Train in one job with the same settings; return the model and the table of EM."""
    model, em = files / f"{name}.npz", files / f"{name}.tsv"
    given = options(corpus=files / "corpus.jsonl", extracts=files / "extracts.jsonl", jump=jump)
    more = options(trees=files / "trees.npz") if jump == "syntax" else []
    if reverse is not None:
        more += ["--reverse"] if reverse is True else options(**{"reverse-model": reverse})
    chosen = {"wordnet": "false", "iterations": 4, **settings}
    more += similarities(files, chosen)
    train.main([*given, *more, *options(model=model, em=em, threads=threads, **chosen)])
    return model, [line.rsplit("\t", 1)[0] for line in em.read_text().splitlines()]


def same_models(one, other, close):
    """Check that two models, or the models of two files, are equal within the tolerance ``close``."""
    one, other = (model if isinstance(model, Model) else Model.load(model) for model in (one, other))
    assert one.words == other.words
    for name, array in one.jumps.to_arrays().items():
        if array.dtype.kind == "f":
            np.testing.assert_allclose(other.jumps.to_arrays()[name], array, rtol=close)
    np.testing.assert_allclose(other.mixture.weights, one.mixture.weights, rtol=close, atol=1e-15)
    np.testing.assert_allclose(other.null.probability, one.null.probability, rtol=close)
    others = other.lexicon.to_arrays()
    for name, array in one.lexicon.to_arrays().items():
        np.testing.assert_allclose(others[name], array, rtol=close)
    assert (one.encoder, one.settings) == (other.encoder, other.settings)
    assert (one.reverse is None) == (other.reverse is None)
    if one.reverse:
        same_models(one.reverse, other.reverse, close)


def same_rows(rows, others, close=1e-8):
    """Check that two tables of EM without seconds are equal within a tolerance."""
    assert rows[0] == others[0]
    assert [[float(x) for x in row.split("\t")] for row in others[1:]] == [
        pytest.approx([float(x) for x in row.split("\t")], rel=close) for row in rows[1:]
    ]
