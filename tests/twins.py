"""A training and its twin in plain Python, compared after every step."""

import itertools
import math
import time
from functools import partial

import numpy as np
import pytest
from naive import NaiveModel
from naive_around import Around, context_part, length_ratios, relative, supported, tf_idf_cosines
from naive_jumps import (
    NaiveExponential,
    NaiveGaussian,
    NaiveJumps,
    NaiveLiteral,
    NaiveSyntax,
    NaiveSyntaxCounts,
)
from toy_training import Similar, make
from toy_wordnet import ToyReader, distance
from vorlage.api.derivation import derive
from vorlage.semihmm import mixture
from vorlage.semihmm.decode.aligner import Aligner
from vorlage.semihmm.jumps.syntax import FACTOR_PRECISION
from vorlage.semihmm.pairs import make_pairs
from vorlage.semihmm.table import phrase_texts, row_of_entries
from vorlage.semihmm.train.blocks import Store, make_index
from vorlage.semihmm.train.em import Maximisation
from vorlage.semihmm.train.expectation import expectation
from vorlage.semihmm.train.training import Resources, make_model
from vorlage.semihmm.wordnet import WordNetDistances
from vorlage.text.words import is_stop_word, stem

CLOSE = 1e-10
BY_DISTANCE = {"relative": NaiveJumps, "gaussian": NaiveGaussian, "exponential": NaiveExponential}


def check(twins, iterations=3):
    for _ in range(iterations):
        twins.step()
    twins.compare_objectives()
    twins.compare_alignments()
    return twins


class Twins:
    """A training and its twin in plain Python, compared after every step.

    `trees`: (trees, constituents of each document) for jumps over trees; `size`: pairs of a block; `more`:
    further parts of the mixture, as in `NaiveModel`.
    """

    def __init__(self, corpus, jump, chosen, trees=None, size=256, more=None):
        self.corpus, self.jump, self.settings = make(corpus), jump, chosen
        first_senses = chosen.wordnet == "first"
        self.wordnet = WordNetDistances(ToyReader(), first_senses) if chosen.wordnet else None
        self.similar = Similar() if chosen.encoder else None
        self.trees = trees[0] if trees else None
        self.resources = Resources(self.wordnet, self.trees, self.similar)
        sources = self.resources.sources(chosen)
        extracted = [(pair, extract.sentences) for pair, extract in self.corpus]
        batches = [extracted[i : i + size] for i in range(0, len(extracted), size)]
        collected = [Store(make_pairs(batch, sources)) for batch in batches]
        self.index = make_index(collected, chosen, self.wordnet)
        self.em = Maximisation(self.index, chosen)
        words = [(pair.document.words, pair.summary.words) for pair, _ in self.corpus]
        longest = max(len(document) for document, _ in words)
        start = (chosen.jump_smoothing, chosen.null_probability)
        if jump == "syntax":
            jumps = NaiveSyntax(trees[1], FACTOR_PRECISION, chosen.null_probability)
        elif trees:
            jumps = NaiveSyntaxCounts(trees[1], *start)
        else:
            literal = jump == "gaussian" and chosen.gaussian == "literal"
            kind = NaiveLiteral if literal else BY_DISTANCE[jump]
            jumps = kind(range(1 - longest, longest + 2), *start)
        self.plain = NaiveModel(
            words,
            chosen,
            stem,
            partial(distance, first_senses=first_senses) if chosen.wordnet else lambda d, s: None,
            jumps,
            [self.around(pair, extract) for pair, extract in self.corpus],
            more,
        )
        if self.similar:
            for around, (pair, extract) in zip(self.plain.around, self.corpus, strict=True):
                words, summary = self.similar.get(pair, extract.sentences).words, pair.summary.words
                around.contexts = context_part(
                    words.astype(float).tolist(),
                    summary,
                    self.plain.frequency,
                    chosen.encoder_temperature,
                    chosen.encoder_baseline,
                )
        self.parameters = self.em.start(jump, self.trees.labels if trees else (), bool(chosen.wordnet))
        self.done, self.offsets = [], []

    def around(self, pair, extract):
        document, summary = (
            [text.words[first:last] for first, last in text.sentences]
            for text in (pair.document, pair.summary)
        )
        factors = [[1.0] * len(document) for _ in summary]

        def times(more):
            return [[x * y for x, y in zip(*rows, strict=True)] for rows in zip(factors, more, strict=True)]

        power, support = self.settings.sentence_similarity, self.settings.sentence_support
        cosines = tf_idf_cosines(document, summary, stem, is_stop_word)
        if power:
            factors = times(relative(cosines, power))
        if support:
            factors = times(supported(cosines, support, 0.4))
        if self.similar:
            vectors = self.similar.get(pair, extract.sentences).sentences.astype(float).tolist()
            factors = times(relative(vectors, 2))
            factors = times(supported(vectors, 4.5 * support, 0.78))
            factors = times(length_ratios(summary, document, 2 * support))
        return Around(document, summary, factors)

    def names(self):
        """Return (document phrase, summary phrase) of each entry of the index, in words."""
        table, known = self.index.table, self.phrases()
        return [(known[d], known[s]) for d, s in zip(row_of_entries(table), table.partners, strict=True)]

    def phrases(self):
        """Return the phrase of each row of the index, in words."""
        words, table = self.index.vocabulary.words, self.index.table
        return [tuple(phrase.split(" ")) for phrase in phrase_texts(words, table.longer)]

    def step(self):
        """Run an iteration of both, and compare expectations and parameters."""
        plain, index = self.plain, self.index
        norms, counts = index.norms(self.parameters.eta), np.zeros(len(index.table.kind))
        of_blocks = [expectation(block, self.parameters, norms, self.settings) for block in self.index.blocks]
        expected = self.em.add_up(of_blocks, self.parameters.jumps, counts)
        used, parts, split, nulls, _ = plain.expected()
        likelihood = sum(math.log(plain.sums(i, *pair).total) for i, pair in enumerate(plain.corpus))
        assert expected.log_likelihood == pytest.approx(likelihood, rel=CLOSE)
        for pair, count in zip(self.names(), expected.counts, strict=True):
            assert count == pytest.approx(split["rw"].get(pair, 0.0), rel=CLOSE, abs=1e-12), pair
        found = dict(zip(self.phrases(), expected.nulls, strict=False))
        assert {phrase: found[phrase] for phrase in nulls} == pytest.approx(nulls, rel=CLOSE, abs=1e-12)
        np.testing.assert_allclose(
            expected.parts, [parts[part.name] for part in mixture.PARTS], rtol=CLOSE, atol=1e-12
        )
        assert expected.parts.sum() == pytest.approx(sum(used.values()) + parts["encoder"], rel=CLOSE)
        self.offsets.append(self.em.objective(self.parameters, likelihood) - plain.objective())
        iteration, self.parameters = self.em.step(self.parameters, expected, self.done, time.time())
        self.done.append(iteration)
        plain.step()
        self.compare(split["wn"])

    def compare(self, mass):
        """Compare the parameters of both; `mass`: expected uses of the WordNet part."""
        plain, parameters, jumps = self.plain, self.parameters, self.parameters.jumps
        assert jumps.null_probability == pytest.approx(plain.jumps.phi, rel=CLOSE)
        plain.jumps.compare(jumps)
        if sum(mass.values()):
            self.compare_eta(mass)
        weights = [plain.weights[part.name] for part in mixture.PARTS]
        np.testing.assert_allclose(parameters.weights, weights, rtol=CLOSE, atol=1e-14)
        for pair, count in zip(self.names(), parameters.counts, strict=True):
            assert count == pytest.approx(plain.counts.get(pair, 0.0), rel=CLOSE, abs=1e-12), pair
        null = dict(zip(self.phrases(), parameters.null, strict=False))
        assert {phrase: null[phrase] for phrase in plain.null} == pytest.approx(plain.null, rel=CLOSE)
        if self.index.stems:
            stems, table = self.index.stems
            named = [tuple(phrase.split(" ")) for phrase in phrase_texts(stems, table.longer)]
            pairs = [(named[d], named[s]) for d, s in zip(row_of_entries(table), table.partners, strict=True)]
            assert dict(zip(pairs, parameters.stem_counts, strict=True)) == pytest.approx(
                plain.stem_counts, rel=CLOSE, abs=1e-12
            )

    def compare_eta(self, mass):
        """Compare η if its likelihood has a single maximum; otherwise check that it is one of the maxima."""
        eta, size = self.parameters.eta, 1e-9 * sum(mass.values())
        slope, first, last = (self.plain.slope(mass, at) for at in (eta, 0.0, 50.0))
        assert abs(slope) <= size or (eta == 0.0 and slope < 0) or (eta == 50.0 and slope > 0)
        if first > 1e3 * size and last < -1e3 * size:
            assert eta == pytest.approx(self.plain.eta, rel=1e-9)
        self.plain.eta = eta

    def compare_objectives(self):
        """Compare the objectives, and check that they rise."""
        size = abs(self.done[-1].log_posterior)
        np.testing.assert_allclose(self.offsets, 0.0, atol=CLOSE * size)
        if self.settings.beam == 1:
            values = [iteration.log_posterior for iteration in self.done]
            assert all(b >= a - 1e-9 * abs(a) for a, b in itertools.pairwise(values))

    def compare_alignments(self):
        """Compare the likelihoods and posteriors of the trained model, for phrase pairs of every length."""
        model = make_model(self.em, self.parameters, self.resources)
        similar = self.similar.get_all if self.similar else None
        aligner = Aligner(model, self.wordnet, lambda sentences: self.trees, similar)
        self.plain.known.clear()
        for number, (pair, extract) in enumerate(self.corpus):
            [pair_input] = aligner.prepare([(pair, extract.sentences)])
            likelihood, found = next(aligner.unadjusted([pair_input], 0.0))
            sums = self.plain.sums(number, pair.document.words, pair.summary.words)
            assert likelihood == pytest.approx(math.log(sums.total), rel=CLOSE)
            expected = np.zeros(found.words.shape)
            for (t, k, j, span), posterior in sums.phrases.items():
                if k == span == 1:
                    expected[t, j] = posterior
            np.testing.assert_allclose(found.words, expected, rtol=1e-9, atol=1e-13)
            np.testing.assert_allclose(found.nulls, nulls_of(sums, len(expected)), 1e-9)
            places = dict(zip(map(tuple, found.places.tolist()), found.phrases, strict=True))
            longer = {place: p for place, p in sums.phrases.items() if place[1] > 1 or place[3] > 1}
            assert places == pytest.approx({place: longer.get(place, 0.0) for place in places}, rel=1e-9)
            assert longer.keys() <= places.keys()
            self.compare_derivation(number, derive(aligner, pair, extract.sentences), sums)
            information = [-math.log(self.plain.frequency[word]) for word in pair.summary.words]
            np.testing.assert_allclose(pair_input.information, information, rtol=1e-12, atol=1e-15)
            for share in (0.0, 0.5, 1.0):
                self.compare_sources(number, next(aligner.unadjusted([pair_input], share))[1], share)

    def compare_derivation(self, number, derivation, sums):
        """Compare the best path of a pair, and its steps, with those of the enumeration."""
        plain, (document, summary) = self.plain, self.plain.corpus[number]
        best = math.log(sums.best)
        total = sum(step.log_jump + step.log_rewrite for step in derivation.steps)
        assert total == pytest.approx(derivation.log_probability, rel=CLOSE)
        assert derivation.log_probability == pytest.approx(best, rel=CLOSE)
        *steps, end = derivation.steps
        path, position = [], 0
        for step in steps:
            (t, last), (j, stop) = step.summary, step.document or (-1, -1)
            path.append((t, last - t, j, stop - j))
            d, s = tuple(document[j:stop]), tuple(summary[t:last])
            assert step.origin == position
            jump = plain.jumps.probability(number, position, step.target) if step.target else 1.0
            if step.document:
                parts = plain.parts(d, s) if (d, s) in plain.counts else {}
                parts["encoder"] = plain.encoder(number, *path[-1])
                rewrite = sum(parts.values()) * plain.around[number].factor(t, j) ** (last - t)
                shares = {part.label: parts.get(part.name, 0.0) for part in mixture.PARTS}
                assert shares[step.kind] == pytest.approx(max(shares.values()), rel=CLOSE)
                position = stop
            else:
                jump, rewrite = jump * plain.jumps.phi, plain.null[s]
                position = step.target or position
            assert math.exp(step.log_jump) == pytest.approx(jump, rel=CLOSE)
            assert math.exp(step.log_rewrite) == pytest.approx(rewrite, rel=CLOSE)
        assert tuple(path) in sums.best_paths
        assert (end.origin, end.target) == (position, len(document) + 1)
        assert math.exp(end.log_jump) == pytest.approx(plain.jumps.probability(number, *end[2:4]), rel=CLOSE)

    def compare_sources(self, number, found, unigram_null):
        """Compare the sources of the summary words of a pair, of which no part may be lost."""
        plain, (document, summary) = self.plain, self.plain.corpus[number]
        sums = plain.sums(number, document, summary)
        sources, links = np.zeros(found.sources.shape), np.zeros(found.sources.shape)
        nulls = nulls_of(sums, len(summary))
        for (t, k, j, span), posterior in sums.phrases.items():
            d, s = tuple(document[j : j + span]), tuple(summary[t : t + k])
            diagonal = d == s or plain.same_stems(d, s)
            for a, b in itertools.product(range(k), range(span)):
                if a == b or not diagonal:
                    links[t + a, j + b] += posterior
                    sources[t + a, j + b] += posterior / (1 if diagonal else span)
            if k == span == 1 and posterior:
                whole = plain.rewrite(d, s) + plain.encoder(number, t, k, j, span)
                fake = plain.spread(d, s)
                by_frequency = plain.weights["rw"] * fake / plain.total(d) if fake else 0.0
                moved = unigram_null * posterior * by_frequency / whole
                sources[t, j] -= moved
                nulls[t] += moved
        np.testing.assert_allclose(found.links.dense(), links, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(found.sources, sources, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(found.nulls, nulls, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(found.sources.sum(axis=1) + found.nulls, 1.0, rtol=1e-12)


def nulls_of(sums, length):
    """Return the posterior that each summary word comes from the null state."""
    return [sum(p for (t, k), p in sums.nulls.items() if t <= word < t + k) for word in range(length)]
