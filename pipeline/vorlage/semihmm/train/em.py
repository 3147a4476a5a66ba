"""EM: the start, the M-step, and the objective that must not fall."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vorlage.command.progress import log
from vorlage.semihmm.constants import UNSEEN
from vorlage.semihmm.jumps.base import jump_model
from vorlage.semihmm.rewrite.mixture import PARTS, STEEPEST, Mixture
from vorlage.semihmm.rewrite.wordnet_distance import LONGEST
from vorlage.semihmm.train.expectation import Expectations, Parameters
from vorlage.semihmm.train.index import Index
from vorlage.settings import Training
from vorlage.types import Floats

NONE: Floats = np.empty(0)


@dataclass(frozen=True)
class Iteration:
    """One row of `em.tsv`: the parameters that an iteration began with and their objective."""

    iteration: int
    log_likelihood: float
    log_posterior: float
    null_probability: float
    weights: Floats
    eta: float
    seconds: float

    HEADER = (
        "iteration\tlog_likelihood\tlog_posterior\tnull_probability\t"
        "lambda_id\tlambda_stem\tlambda_wn\tlambda_rw\tlambda_encoder\tlambda_stems\teta\tseconds"
    )

    def row(self) -> str:
        """Return the row as text."""
        weights = [*self.weights, 0.0][: len(PARTS)]
        numbers = [self.log_likelihood, self.log_posterior, self.null_probability, *weights, self.eta]
        return "\t".join([str(self.iteration), *(f"{x:.10g}" for x in numbers), f"{self.seconds:.2f}"])


class Maximisation:
    """The start of EM, its M-step and its objective, on the corpus of an index.

    `settings`: `null_start`, `null_learned`, `null_smoothing`, `jump_smoothing` and those of `step`.
    """

    def __init__(self, index: Index, settings: Training) -> None:
        self.index, self.settings = index, settings
        self._fake_totals = index.totals(np.zeros(len(index.table.kind)))
        words, phrases = index.summary_words, index.null_phrases
        self._null_fake = np.concatenate(
            [
                settings.null_smoothing + index.spread[words],
                np.full(len(phrases), settings.fake_counts.phrase),
            ]
        )
        self._emitted = np.concatenate([words, phrases])  # by the null state

    def start(self, jump: str, labels: tuple[str, ...], wordnet: bool) -> Parameters:
        """Return the parameters that EM starts from.

        `jump`: the name of the jump model; `labels`: those of the trees, empty without trees; `wordnet`:
        whether there is a WordNet part.
        """
        index, settings = self.index, self.settings
        jumps = jump_model(jump).start(index.longest, labels, settings)
        mixture = Mixture.start(wordnet, settings.encoder, index.stems is not None)
        counts, nulls = np.zeros(len(index.table.kind)), np.zeros(index.null_size)
        lexical = self._lexical(counts, counts)
        return Parameters(jumps, mixture, *lexical, index.norms(mixture.eta), *self.null_words(nulls))

    def _lexical(self, counts: Floats, uses: Floats) -> tuple[Floats, Floats, Floats, Floats, float]:
        """Return what `Parameters` has of the lexical table and of the table over stems.

        `counts` (E): of the lexical table; `uses` (E): expected uses of the table over stems for each entry.
        """
        index = self.index
        totals = index.totals(counts)
        log_prior = index.log_prior(counts, totals, self._fake_totals)
        if not index.stems:
            return counts, totals, NONE, NONE, log_prior
        summed = np.bincount(index.stem_groups, uses, len(index.stems.pairs)).astype(float, copy=False)
        stems = index.stems.with_counts(summed)
        values = stems.probabilities()[index.stem_groups] * index.summary_chance
        return counts, totals, stems.counts, values, log_prior + stems.log_prior()

    def null_words(self, nulls: Floats) -> tuple[Floats, float]:
        """Return r(word | ∅) of every word (V), 0 for a word in no summary, and that of such a word.

        A null state that emits longer phrases has one of these probabilities for every phrase (V+P).

        The null state is one more document word: besides `null_smoothing` of each word, it has the fake
        counts of the lexical table by frequency, so that a word is as probable in it as in the lexical table
        of a word that tells nothing about it. `nulls`: expected uses of each word or phrase.
        """
        index, counts = self.index, nulls[self._emitted] + self._null_fake
        null = np.zeros(len(nulls))
        null[self._emitted] = counts / counts.sum()
        unseen = self.settings.null_smoothing + index.unigram * UNSEEN / index.frequency.sum()
        return null, float(unseen / counts.sum())

    def maximised(self, parameters: Parameters, expected: Expectations) -> Parameters:
        """Return the parameters that maximise the expected log-posterior.

        λ has a closed form, from the responsibilities of the parts, as has the lexical table; η maximises
        the expected log-likelihood of the WordNet part, −η Σ n·distance − Σ n·log Z_d̄(η), which is concave.
        """
        jumps = parameters.jumps.maximised(expected.jumps, float(expected.nulls.sum()), expected.jump_total)
        if not self.settings.null_learned:
            jumps = jumps.with_null(parameters.jumps.null)
        eta = parameters.mixture.eta
        if expected.parts[2] > 0:
            eta = best_eta(self.index.histograms, expected.related, expected.distance)
        used = expected.parts.sum()
        # If every summary word is null, no part is used and all weights are equally good.
        mixture = Mixture(expected.parts / used if used > 0 else parameters.mixture.weights, eta)
        lexical, nulls = self._lexical(expected.counts, expected.stems), self.null_words(expected.nulls)
        return Parameters(jumps, mixture, *lexical, self.index.norms(eta), *nulls)

    def objective(self, parameters: Parameters, log_likelihood: float) -> float:
        """Return the MAP objective, natural log (Daumé & Marcu 2005, Section 4.3).

        Σ log Pr(s|d) + Σ fake·log(t/t_0) + the same of the null state + the smoothing terms of jumps, where
        t_0, the table of the fake counts alone, is a constant.
        """
        fake, null = self._null_fake, parameters.null[self._emitted]
        prior = parameters.jumps.log_prior()
        of_null = float(fake @ np.log(null * (fake.sum() / fake)))
        return float(log_likelihood + parameters.log_prior + prior + of_null)

    def step(
        self, parameters: Parameters, expected: Expectations, done: Sequence[Iteration], began: float
    ) -> tuple[Iteration, Parameters]:
        """Finish an iteration after its E-step: return its row of `em.tsv` and the new parameters.

        Args:
            parameters: those of the E-step.
            expected: over all pairs, in the numbers of the index.
            done: the iterations before.
            began: the start of this one, by `time.time()`.

        Raises:
            ArithmeticError: if the objective falls, which exact EM never does; with a `beam` it is logged.
        """
        number = len(done) + 1
        log_posterior = self.objective(parameters, expected.log_likelihood)
        previous = done[-1].log_posterior if done else -np.inf
        _check_rise(previous, log_posterior, number, exact=self.settings.beam == 1)
        iteration = Iteration(
            number,
            expected.log_likelihood,
            log_posterior,
            parameters.jumps.null,
            parameters.mixture.weights,
            parameters.mixture.eta,
            max(time.time() - began, 0.0),
        )
        log.info(
            f"iteration {number}: log-likelihood {iteration.log_likelihood:.8g}, "
            f"log-posterior {log_posterior:.8g}, {iteration.seconds:.1f} s"
        )
        return iteration, self.maximised(parameters, expected)

    def has_ended(self, done: Sequence[Iteration]) -> bool:
        """Return whether EM stops after some iterations: there are enough, or the objective is stable."""
        if len(done) < 2 or len(done) >= self.settings.iterations:
            return len(done) >= self.settings.iterations
        previous, last = done[-2].log_posterior, done[-1].log_posterior
        return abs(last - previous) < self.settings.tolerance * abs(last)


def best_eta(histograms: Floats, mass: Floats, distance: float) -> float:
    """Return the η in [0, STEEPEST] that maximises −η·distance − Σ_h mass[h] · log Σ_x histograms[h, x]
    e^(−ηx), a concave function.

    `histograms` (H, LONGEST): of `Index`; `mass` (H): expected uses by histogram; `distance`: expected total
    distance, in hypernym links.
    """
    from scipy.optimize import brentq

    x = np.arange(LONGEST)

    def slope(eta: float) -> float:
        weighted = histograms * np.exp(-eta * x)
        norm = weighted.sum(axis=1)
        mean = np.divide(weighted @ x, norm, out=np.zeros_like(norm), where=norm > 0)
        return float(mass @ mean) - distance

    if slope(0.0) <= 0:
        return 0.0
    if slope(STEEPEST) >= 0:
        return STEEPEST
    return float(brentq(slope, 0.0, STEEPEST, xtol=1e-12, rtol=1e-14))


def _check_rise(previous: float, current: float, number: int, exact: bool) -> None:
    if not np.isfinite(current):
        raise ArithmeticError(f"the log-posterior is {current!r} in iteration {number}; please report it")
    # An objective near 0 is a sum of logarithms near 0, each rounded to some 1e-16.
    if current < previous - 1e-9 * max(abs(previous), 1e-3):
        message = f"the log-posterior fell from {previous!r} to {current!r} in iteration {number}"
        if exact:
            raise ArithmeticError(f"{message}; exact EM never does this, please report it")
        log.warning(message)
