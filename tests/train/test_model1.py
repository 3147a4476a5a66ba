"""Iterations of Model 1 against its definition in plain Python, word by word."""

import itertools
import math

import numpy as np
import pytest
from sharded_training import Training, same_models, same_rows, single, write_files
from toy_training import CORPUS, LONGER, PAPER, make, settings
from toy_wordnet import ToyReader

from pipeline.semihmm.phrases.wordnet_distance import WordNetDistances
from pipeline.text.words import stem
from pipeline.train import em, model1
from pipeline.train.resources import Resources
from pipeline.train.shard import collect
from pipeline.train.training import initial_parameters, number_pairs, train

FAKES = {"word": 2, "identical": 4, "stem": 3, "unigram": 0}


def prior(word, other):
    """Return the fake counts of two words of FAKES."""
    return FAKES["word"] + FAKES["identical"] * (word == other) + FAKES["stem"] * (stem(word) == stem(other))


def plain_model1(corpus, iterations, smoothing):
    """Return the expected counts, the null state and the log-likelihoods of MAP-EM over word lists.

    The words of a row of the table are all that occur with its document word, in any pair.
    """
    together = {(d, s) for document, summary in corpus for d in document for s in summary}
    words = sorted({s for _, summary in corpus for s in summary})
    counts, null = dict.fromkeys(together, 0.0), dict.fromkeys(words, 1 / len(words))
    likelihoods = []
    for _ in range(iterations):
        total = {d: sum(counts[d, s] + prior(d, s) for e, s in together if e == d) for d, _ in together}
        t = {(d, s): (counts[d, s] + prior(d, s)) / total[d] for d, s in together}
        uses, nulls, likelihood = dict.fromkeys(together, 0.0), dict.fromkeys(words, 0.0), 0.0
        for document, summary in corpus:
            for s in summary:
                whole = null[s] + sum(t[d, s] for d in document)
                likelihood += math.log(whole / (len(document) + 1))
                nulls[s] += null[s] / whole
                for d in document:
                    uses[d, s] += t[d, s] / whole
        likelihoods.append(likelihood)
        counts = uses
        sums = sum(nulls.values()) + smoothing * len(words)
        null = {s: (nulls[s] + smoothing) / sums for s in words}
    return counts, null, likelihoods


@pytest.mark.guarantee("exact")
@pytest.mark.parametrize("corpus", [CORPUS, LONGER], ids=["one sentence", "longer"])
def test_model1_agrees_with_its_definition(corpus):
    chosen = settings(
        **PAPER | {"model1": 4, "wordnet": False, "max_document_phrase": 1, "max_summary_phrase": 1}
    )
    pairs = make(corpus)
    index, rows, numbered = number_pairs(collect(pairs, chosen), chosen)
    table = em.lexical(index, rows, np.zeros(len(rows.kind)))
    parameters = initial_parameters(index, table, "relative", chosen, None, False)
    start, done = parameters, []
    for _ in range(4):
        assert model1.is_by_model1(done, chosen)
        expected = model1.expectation(numbered, parameters)
        table = em.maximise_lexical(index, rows, expected.counts, chosen)
        iteration, parameters = em.step(index, parameters, expected, table, chosen, done, 0)
        done.append(iteration)
    assert not model1.is_by_model1(done, chosen)
    lists = [([w.lower() for w in p.document.words], [w.lower() for w in p.summary.words]) for p, _ in pairs]
    counts, null, likelihoods = plain_model1(lists, 4, chosen["null_smoothing"])
    assert [i.log_likelihood for i in done] == pytest.approx(likelihoods, rel=1e-12)
    document = np.repeat(np.arange(len(index.words)), np.diff(rows.word_rows))
    names = [(index.words[d], index.words[s]) for d, s in zip(document, rows.partners, strict=True)]
    assert set(names) == set(counts)
    assert parameters.counts.tolist() == pytest.approx([counts[name] for name in names], abs=1e-12)
    found = {word: chance for word, chance in zip(index.words, parameters.null, strict=True) if chance}
    assert found == pytest.approx(null, rel=1e-12)
    # Jumps and weights wait, and the objective rises.
    assert parameters.jumps is start.jumps and parameters.mixture is start.mixture
    assert all(b.log_posterior >= a.log_posterior - 1e-9 for a, b in itertools.pairwise(done))


def test_training_goes_on_from_what_model1_found():
    chosen = settings(**PAPER | {"wordnet": True, "iterations": 5, "model1": 2, "tolerance": 0.9})
    resources = Resources(WordNetDistances(ToyReader(), "first"))
    model, iterations = train(make(CORPUS), "relative", chosen, resources)
    # The tolerance stops EM as soon as two iterations of the semi-HMM can be compared, not those of Model 1.
    assert len(iterations) == 4
    first, second, third, fourth = iterations
    assert (first.weights == third.weights).all() and (fourth.weights != third.weights).any()
    assert second.log_posterior >= first.log_posterior and fourth.log_posterior >= third.log_posterior
    other, rows = train(make(CORPUS), "relative", chosen | {"model1": 0, "tolerance": 0}, resources)
    assert third.log_likelihood != pytest.approx(rows[0].log_likelihood)


@pytest.mark.guarantee("shards")
def test_model1_in_shards_changes_nothing_but_rounding(tmp_path):
    files = write_files(tmp_path)
    one, rows = single(files, "relative", model1=2)
    many, others = Training(files, "many", 3, "relative", model1=2).run()
    same_models(one, many, 1e-9)
    same_rows(rows, others)
