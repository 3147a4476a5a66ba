"""EM: the start, the M-step, and the objective that must not fall."""

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from vorlage.command.progress import log
from vorlage.compiled import exact_kernel, inner_kernel
from vorlage.semihmm import mixture
from vorlage.semihmm.jump_model import JumpModel, jump_model
from vorlage.semihmm.mixture import STEEPEST, WORDNET, Parameters, fake_table
from vorlage.semihmm.null import null_state
from vorlage.semihmm.table import UNSEEN, PhraseTable, row_totals
from vorlage.semihmm.train.blocks import CorpusIndex
from vorlage.semihmm.train.expectation import Expectations, add_at
from vorlage.semihmm.wordnet import LONGEST
from vorlage.settings import Training
from vorlage.types import Floats


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

    @staticmethod
    def header() -> str:
        """Return the names of the columns as text."""
        weights = (f"lambda_{part.name}" for part in mixture.PARTS)
        names = "iteration", "log_likelihood", "log_posterior", "null_probability", *weights, "eta", "seconds"
        return "\t".join(names)

    def row(self) -> str:
        """Return the row as text."""
        numbers = self.log_likelihood, self.log_posterior, self.null_probability, *self.weights, self.eta
        return "\t".join([str(self.iteration), *(f"{x:.10g}" for x in numbers), f"{self.seconds:.2f}"])


class Maximisation:
    """The start of EM, its M-step and its objective, on the corpus of an index.

    `settings`: `null_probability`, `null_learned`, `null_smoothing`, `jump_smoothing` and those of `step`.
    """

    def __init__(self, index: CorpusIndex, settings: Training) -> None:
        self.index, self.settings = index, settings
        self._fake, self._unigram = fake_table(settings.fake_counts), float(settings.fake_counts.unigram)
        frequency, table, self._null = index.vocabulary.frequency, index.table, null_state(settings)
        self._spread = self._unigram * frequency / max(frequency.sum(), 1)
        words, longer = np.flatnonzero(frequency), np.empty(0, dtype=np.int64)
        if self._null.emits_phrases:
            longer = np.unique(table.partners[table.partners >= len(frequency)])
        self.null_size = self._null.size(table)
        self._emitted = np.concatenate([words, longer])  # by the null state
        of_longer = np.full(len(longer), settings.fake_counts.phrase)
        self._null_fake = np.concatenate([settings.null_smoothing + self._spread[words], of_longer])

    def totals(self, counts: Floats) -> Floats:
        """Return total(d̄) of each row (V+P): the counts (E) and fake counts of all its entries."""
        return row_totals(self.index.table, self._fake, counts, self._unigram, np.empty(0))

    def start(self, jump: str, labels: tuple[str, ...], wordnet: bool) -> Parameters:
        """Return the parameters that EM starts from: equal weights over the enabled parts, and η = 1.

        `jump`: the name of the jump model; `labels`: those of the trees; `wordnet`: whether WordNet is used.
        """
        jumps = jump_model(jump).start(int(self.index.lengths.max()), labels, self.settings)
        weights = np.array([part.enabled(self.settings, wordnet) for part in mixture.PARTS], dtype=float)
        nothing = self._nothing(jumps, np.zeros(len(self.index.table.partners)))
        return self._parameters(jumps, weights / weights.sum(), 1.0, nothing)

    def _nothing(self, jumps: JumpModel, counts: Floats) -> Expectations:
        """Return expectations of 0; `counts`: theirs (E)."""
        stems = np.zeros(len(self.index.stems[1].partners) if self.index.stems else 0)
        rows = np.zeros(len(self.index.table.rows) - 1)
        return Expectations(counts, stems, np.zeros(self.null_size), rows, jumps.zeros())

    def _parameters(
        self, jumps: JumpModel, weights: Floats, eta: float, expected: Expectations
    ) -> Parameters:
        """Return the parameters with the counts of some expectations."""
        null, unseen = self._null_words(expected.nulls)
        stems = self.index.stems and self.index.stems[1]
        return Parameters(
            jumps=jumps,
            weights=weights,
            eta=eta,
            counts=expected.counts,
            totals=self.totals(expected.counts),
            null=null,
            unseen=unseen,
            stem_counts=expected.stems if stems else None,
            stem_totals=stems and row_totals(stems, self._fake, expected.stems, 0.0, np.empty(0)),
        )

    def _null_words(self, nulls: Floats) -> tuple[Floats, float]:
        """Return r(s̄|∅) of each word or phrase, 0 for one in no summary, and that of such a word.

        The null state is one more document word: besides `null_smoothing` of each word, it has the fake
        counts of the lexical table by frequency, so that a word is as probable in it as in the lexical table
        of a word that tells nothing about it. `nulls`: expected uses of each word or phrase.
        """
        counts, null = nulls[self._emitted] + self._null_fake, np.zeros(len(nulls))
        null[self._emitted] = counts / counts.sum()
        unseen = self.settings.null_smoothing + self._unigram * UNSEEN / self.index.vocabulary.frequency.sum()
        return null, float(unseen / counts.sum())

    def maximised(self, parameters: Parameters, expected: Expectations) -> Parameters:
        """Return the parameters that maximise the expected log-posterior.

        λ has a closed form, from the responsibilities of the parts, as has the lexical table; η maximises
        the expected log-likelihood of the WordNet part, −η Σ n·distance − Σ n·log Z_d̄(η), which is concave.
        """
        parts, nulls, eta = np.asarray(expected.parts), float(expected.nulls.sum()), parameters.eta
        # Every phrase pair is reached by a jump, and every pair of texts ends with one more.
        total = float(parts.sum() + len(self.index.lengths) + self._null.jumps * nulls)
        jumps = parameters.jumps.maximised(expected.jumps, nulls, total)
        if not self.settings.null_learned:
            jumps = jumps.with_null(parameters.jumps.null_probability)
        if parts[mixture.PARTS.index(WORDNET)] > 0:
            mass = np.zeros(len(self.index.histograms) + 1)  # the last is of rows without one, −1
            add_at(mass, self.index.row_histogram, expected.related)
            eta = best_eta(self.index.histograms, mass[:-1], expected.distance)
        # If every summary word is null, no part is used and all weights are equally good.
        weights = parts / parts.sum() if parts.sum() > 0 else parameters.weights
        return self._parameters(jumps, weights, eta, expected)

    def objective(self, parameters: Parameters, log_likelihood: float) -> float:
        """Return the MAP objective, natural log (Daumé & Marcu 2005, Section 4.3).

        Σ log Pr(s|d) + Σ fake·log(t/t_0) + the same of the table over stems and of the null state + the
        smoothing terms of jumps. t_0 is a table of the fake counts alone; without it, thousands of fake
        counts a word would hide the likelihood.
        """
        fake, null, p = self._null_fake, parameters.null[self._emitted], parameters
        prior = log_prior(self.index.table, self._fake, self._spread, self._unigram, p.counts, p.totals)
        if self.index.stems:
            assert p.stems
            nothing = np.zeros(len(self.index.stems[0]))
            prior += log_prior(self.index.stems[1], self._fake, nothing, 0.0, *p.stems)
        of_null = float(fake @ np.log(null * (fake.sum() / fake)))
        return float(log_likelihood + prior + p.jumps.log_prior() + of_null)

    def add_up(self, expectations: Iterable[Expectations], jumps: JumpModel, counts: Floats) -> Expectations:
        """Return the sums of the expectations of blocks, in their order and in the numbers of the index.

        `jumps`: those of the E-step; `counts`: those of the result (E), 0 at first.
        """
        total = self._nothing(jumps, counts)
        for block, part in zip(self.index.blocks, expectations, strict=True):
            numbers = block.numbers.get()
            add_at(total.counts, numbers.entries, part.counts)
            add_at(total.nulls, numbers.rows[: len(part.nulls)], part.nulls)
            add_at(total.related, numbers.rows, part.related)
            if numbers.stems is not None:
                add_at(total.stems, numbers.stems.entries, part.stems)
            for name in ("jumps", "parts", "distance", "log_likelihood"):
                setattr(total, name, getattr(total, name) + getattr(part, name))
        return total

    def step(
        self, parameters: Parameters, expected: Expectations, done: Sequence[Iteration], began: float
    ) -> tuple[Iteration, Parameters]:
        """Finish an iteration after its E-step: return its row of `em.tsv` and the new parameters.

        `done`: the iterations before; `began`: the start of this one, by `time.time()`.

        Raises:
            ArithmeticError: if the objective falls, which exact EM never does; with a `beam`, or jumps that
                do not maximise, it is logged.
        """
        number = len(done) + 1
        log_posterior = self.objective(parameters, expected.log_likelihood)
        previous = done[-1].log_posterior if done else -np.inf
        exact = self.settings.beam == 1 and parameters.jumps.maximises
        _check_rise(previous, log_posterior, number, exact)
        iteration = Iteration(
            number,
            expected.log_likelihood,
            log_posterior,
            parameters.jumps.null_probability,
            parameters.weights,
            parameters.eta,
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
    """Return the best η: of −η·distance − Σ_h mass[h] · log Σ_x histograms[h, x] · e^(−ηx), in [0, STEEPEST].

    `mass` (H): expected uses by histogram; `distance`: the expected total, in hypernym links.
    """
    from scipy.optimize import brentq

    histograms, mass, x = histograms[mass > 0], mass[mass > 0], np.arange(LONGEST)

    def slope(eta: float) -> float:
        weights = np.exp(-eta * x)
        norms, sums = (histograms @ np.column_stack([weights, weights * x])).T
        means = np.divide(sums, norms, out=np.zeros_like(norms), where=norms > 0)
        return float(mass @ means) - distance

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


@exact_kernel
def log_prior(
    table: PhraseTable, fake: Floats, spread: Floats, unigram: float, counts: Floats, totals: Floats
) -> float:
    """Return Σ fake · log(t / t_0) over the entries with fake counts, natural log; t_0: by these alone.

    The arguments are those of `row_totals` and of `Factors`, and `totals` (R): total(d̄) of each row.
    """
    out, words = 0.0, spread.shape[0]
    for row in range(totals.shape[0]):
        part, start = 0.0, unigram if row < words else 0.0
        for e in range(table.rows[row], table.rows[row + 1]):
            longer = int(row >= words or table.partners[e] >= words)
            prior = fake[longer, table.kind[e]]
            start += prior
            if longer == 0:
                prior += spread[table.partners[e]]
            if prior > 0:
                part += prior * _log1p(counts[e] / prior)
        if start > 0:
            part -= start * np.log(totals[row] / start)
        out += part
    return out


@inner_kernel
def _log1p(x: float) -> float:
    """Return log(1 + x), for a small x ten times as fast by its series, whose rest is below rounding."""
    if x < 1e-4:
        return x * (1.0 - x * (0.5 - x * (1.0 / 3.0 - x * 0.25)))
    return float(np.log1p(x))
