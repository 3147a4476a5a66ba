"""EM: the start, the E-step, the M-step, and the objective that must not fall."""

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from vorlage.command.progress import log
from vorlage.compiled import exact_kernel
from vorlage.semihmm.constants import UNSEEN
from vorlage.semihmm.jumps.base import JumpModel, jump_model
from vorlage.semihmm.kernels.forward_backward import TOGETHER
from vorlage.semihmm.null import null_state
from vorlage.semihmm.rewrite import (
    ENCODER,
    PARTS,
    STEEPEST,
    Parameters,
    WordRewrites,
    check_expected,
    enabled_parts,
    fake_table,
    make_rewrites,
    pair_inputs,
)
from vorlage.semihmm.table import PhraseTable, add_at, count_words, log_prior_gain, row_totals, split
from vorlage.semihmm.train.blocks import Block, Index
from vorlage.semihmm.wordnet import LONGEST
from vorlage.settings import Training
from vorlage.types import Floats, Ints


@dataclass
class Expectations:
    """Sums over pairs, in the numbers of a block or of the index.

    - `counts` (E): expected uses of the lexical part, by entry;
    - `stems`: of the table over stems, by its entries, empty without it;
    - `nulls`: of each word (V) or phrase (V+P) in the null state;
    - `related` (V+P): of the WordNet part, by row;
    - `jumps`: as the jump model counts them;
    - `jump_total`: their number;
    - `parts` (6): uses of the parts of the rewrite model;
    - `distance`: the total WordNet distance of the uses of the WordNet part;
    - `log_likelihood`: Σ log Pr(s|d), natural.
    """

    counts: Floats
    stems: Floats
    nulls: Floats
    related: Floats
    jumps: Any
    jump_total: float = 0.0
    parts: Floats | float = 0.0
    distance: float = 0.0
    log_likelihood: float = 0.0

    def add(self, block: Block, part: "Expectations") -> None:
        """Add those of a block, in place."""
        located = block.located.get()
        add_at(self.counts, located.entries, part.counts)
        add_at(self.nulls, located.rows[: len(part.nulls)], part.nulls)
        add_at(self.related, located.rows, part.related)
        if located.stems is not None:
            add_at(self.stems, located.stems.entries, part.stems)
        for name in ("jumps", "jump_total", "parts", "distance", "log_likelihood"):
            setattr(self, name, getattr(self, name) + getattr(part, name))


def expectation(block: Block, parameters: Parameters, norms: Floats, settings: Training) -> Expectations:
    """Return the expectations of the pairs of a block, summed in order, in its numbers.

    Args:
        block: located in the index.
        parameters: in the numbers of the index.
        norms: of the rows of the index, see `Index.norms`.
        settings: `beam`, `fake_counts`, `paper` and those of the encoder's part.

    Raises:
        InputError: for a pair whose numbers float64 cannot hold.
    """
    pairs, located = block.pairs.get(), block.located.get()
    null, jumps = null_state(settings), parameters.jumps
    rewrites = make_rewrites(pairs, located, parameters, norms[located.rows], settings, null)
    expected = Expectations(
        counts=np.zeros(len(rewrites.values)),
        stems=np.empty(0),
        nulls=np.zeros(len(rewrites.null)),
        related=np.empty(0),
        jumps=jumps.zeros(),
    )
    log_likelihoods, by_encoder = np.zeros(len(pairs)), np.zeros(len(pairs))
    # Documents of like length are taken together.
    order = np.argsort(-np.diff(pairs.document.words.at), kind="stable").tolist()
    groups = [order[first : first + TOGETHER] for first in range(0, len(order), TOGETHER)]
    for numbers in groups:
        some = list(pair_inputs(pairs, rewrites, parameters, settings, null, numbers))
        inputs = [one._replace(word_rewrites=words.of()) for _, one, words in some]
        found = null.expect(inputs, settings.beam)
        for i, (pair, one, words), of_pair in zip(numbers, some, found, strict=True):
            check_expected(pair.id, one, float(of_pair.word_uses.sum()), of_pair)
            log_likelihoods[i] = of_pair.log_likelihood
            uses, by_encoder[i] = _table_uses(words, of_pair.word_uses)
            types = pair.summary_types[1], pair.document_types[1]
            _add_uses((uses, *types, pair.cells), (of_pair.phrase_posteriors, pair.entries), expected.counts)
            add_at(expected.nulls, pair.summary, of_pair.null_posteriors)
            if null.emits_phrases:
                add_at(expected.nulls, pairs.table.partners[pair.entries], of_pair.null_phrases)
            if len(of_pair.transition_counts):
                jumps.add(expected.jumps, pair, one.transitions, of_pair)
    used, total = expected.counts, expected.counts.sum() + by_encoder.sum()
    # Every phrase pair is reached by a jump, and every pair of texts ends with one more.
    expected.jump_total = float(total + len(pairs) + null.JUMPS * expected.nulls.sum())
    further = {}
    for name, part in rewrites.further.items():
        further[name] = np.divide(used, rewrites.values, out=np.zeros_like(used), where=used > 0) * part
    if located.stems is not None:
        sums = np.bincount(located.stems.groups, further["stems"], len(located.stems.entries))
        expected.stems = sums.astype(float, copy=False)
    table = pairs.table, pairs.distance, rewrites.factors, rewrites.counts
    parts, expected.related, expected.distance = split(*table, rewrites.values, used)
    of_further = [further[name].sum() if name in further else 0.0 for name in PARTS[ENCODER + 1 :]]
    expected.parts = np.array([*parts, by_encoder.sum(), *of_further])
    expected.log_likelihood = float(log_likelihoods.sum())
    return expected


def _table_uses(words: WordRewrites, uses: Floats) -> tuple[Floats, float]:
    """Split the expected uses of pairs of words (T, n) into the table's and the encoder's sum."""
    if words.context is None:
        return uses, 0.0
    by_context = uses * (words.context.part() / words.without_factors())
    return uses - by_context, float(by_context.sum())


@exact_kernel
def _add_uses(of_words: tuple[Floats, Ints, Ints, Ints], longer: tuple[Floats, Ints], counts: Floats) -> None:
    """Add the uses of the entries of a pair to their counts, in place and in order.

    Args:
        of_words: the uses of pairs of words (T, n); the distinct word of each summary word (T), and of each
            document word (n); the entry of each pair of distinct words (V, U).
        longer: those of the longer phrase pairs, and their entries (m).
        counts: those of entries (E).
    """
    words, rows, columns, cells = of_words
    sums = np.zeros(cells.shape[::-1])
    for t in range(rows.shape[0]):
        word, of_type = words[t], sums[rows[t]]
        for j in range(columns.shape[0]):
            of_type[columns[j]] += word[j]
    for v in range(cells.shape[0]):
        for u in range(cells.shape[1]):
            counts[cells[v, u]] += sums[u, v]
    for m in range(longer[0].shape[0]):
        counts[longer[1][m]] += longer[0][m]


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

    HEADER = "\t".join(
        [
            *("iteration", "log_likelihood", "log_posterior", "null_probability"),
            *(f"lambda_{part}" for part in PARTS),
            *("eta", "seconds"),
        ]
    )

    def row(self) -> str:
        """Return the row as text."""
        numbers = self.log_likelihood, self.log_posterior, self.null_probability, *self.weights, self.eta
        return "\t".join([str(self.iteration), *(f"{x:.10g}" for x in numbers), f"{self.seconds:.2f}"])


class Maximisation:
    """The start of EM, its M-step and its objective, on the corpus of an index.

    `settings`: `null_start`, `null_learned`, `null_smoothing`, `jump_smoothing` and those of `step`.
    """

    def __init__(self, index: Index, settings: Training) -> None:
        self.index, self.settings = index, settings
        self._fake, self._unigram = fake_table(settings.fake_counts), float(settings.fake_counts.unigram)
        self._fake_totals = self.totals(np.zeros(len(index.table.partners)))
        frequency, null, table = index.known.frequency, null_state(settings), index.table
        self._spread = self._unigram * frequency / max(frequency.sum(), 1)
        words, longer = np.flatnonzero(frequency), np.empty(0, dtype=np.int64)
        if null.emits_phrases:
            longer = np.unique(table.partners[table.partners >= len(frequency)])
        self.null_size = null.size(table)
        self._stem_size = len(index.stems[1].partners) if index.stems else 0
        self._emitted = np.concatenate([words, longer])  # by the null state
        of_longer = np.full(len(longer), settings.fake_counts.phrase)
        self._null_fake = np.concatenate([settings.null_smoothing + self._spread[words], of_longer])

    def totals(self, counts: Floats) -> Floats:
        """Return total(d̄) of each row (V+P): the counts (E) and fake counts of all its entries."""
        return row_totals(self.index.table, self._fake, counts, self._unigram)

    def start(self, jump: str, labels: tuple[str, ...], wordnet: bool) -> Parameters:
        """Return the parameters that EM starts from: equal weights over the enabled parts, and η = 1.

        Args:
            jump: the name of the jump model.
            labels: those of the trees, empty without trees.
            wordnet: whether there is a WordNet part.
        """
        jumps = jump_model(jump).start(int(self.index.lengths.max()), labels, self.settings)
        enabled = enabled_parts(self.settings, wordnet)
        weights = np.array([part in enabled for part in PARTS], dtype=float)
        nothing = self._nothing(jumps, np.zeros(len(self.index.table.partners)))
        return self._parameters(jumps, weights / weights.sum(), 1.0, nothing)

    def _nothing(self, jumps: JumpModel, counts: Floats) -> Expectations:
        """Return expectations of 0; `counts`: theirs (E)."""
        stems, rows = np.zeros(self._stem_size), np.zeros(len(self.index.table.rows) - 1)
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
            stem_totals=stems and row_totals(stems, self._fake, expected.stems),
        )

    def _null_words(self, nulls: Floats) -> tuple[Floats, float]:
        """Return r(s̄|∅) of each word or phrase, 0 for one in no summary, and that of such a word.

        The null state is one more document word: besides `null_smoothing` of each word, it has the fake
        counts of the lexical table by frequency, so that a word is as probable in it as in the lexical table
        of a word that tells nothing about it. `nulls`: expected uses of each word or phrase.
        """
        counts, null = nulls[self._emitted] + self._null_fake, np.zeros(len(nulls))
        null[self._emitted] = counts / counts.sum()
        unseen = self.settings.null_smoothing + self._unigram * UNSEEN / self.index.known.frequency.sum()
        return null, float(unseen / counts.sum())

    def maximised(self, parameters: Parameters, expected: Expectations) -> Parameters:
        """Return the parameters that maximise the expected log-posterior.

        λ has a closed form, from the responsibilities of the parts, as has the lexical table; η maximises
        the expected log-likelihood of the WordNet part, −η Σ n·distance − Σ n·log Z_d̄(η), which is concave.
        """
        jumps = parameters.jumps.maximised(expected.jumps, float(expected.nulls.sum()), expected.jump_total)
        if not self.settings.null_learned:
            jumps = jumps.with_null(parameters.jumps.null)
        parts, eta = np.asarray(expected.parts), parameters.eta
        if parts[PARTS.index("wn")] > 0:
            histogram, size = self.index.row_histogram, len(self.index.histograms)
            has = histogram >= 0
            mass = np.bincount(histogram[has], expected.related[has], size).astype(float, copy=False)
            eta = best_eta(self.index.histograms, mass, expected.distance)
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
        prior = self._prior(self.index.table, p.counts, p.totals, self._fake_totals, self._spread)
        if self.index.stems:
            assert p.stem_counts is not None and p.stem_totals is not None
            table, nothing = self.index.stems[1], np.zeros_like(p.stem_counts)
            start, spread = row_totals(table, self._fake, nothing), np.zeros(count_words(table))
            prior += self._prior(table, p.stem_counts, p.stem_totals, start, spread)
        of_null = float(fake @ np.log(null * (fake.sum() / fake)))
        return float(log_likelihood + prior + p.jumps.log_prior() + of_null)

    def _prior(
        self, table: PhraseTable, counts: Floats, totals: Floats, start: Floats, spread: Floats
    ) -> float:
        """Return Σ fake·log(t/t_0) over a table; `start`: the totals of its rows (R) without counts."""
        has = start > 0
        gain = log_prior_gain(table, self._fake, counts, spread)
        return gain - float(start[has] @ np.log(totals[has] / start[has]))

    def add_up(self, expectations: Iterable[Expectations], jumps: JumpModel, counts: Floats) -> Expectations:
        """Return the sums of the expectations of blocks, in their order and in the numbers of the index.

        Args:
            expectations: one for each block.
            jumps: those of the E-step.
            counts: those of the result (E), 0 at first.
        """
        total = self._nothing(jumps, counts)
        for block, part in zip(self.index.blocks, expectations, strict=True):
            total.add(block, part)
        return total

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
    """Return the η in [0, STEEPEST] that maximises −η·distance − Σ_h mass[h] · log Σ_x histograms[h, x]
    e^(−ηx), a concave function.

    `histograms` (H, LONGEST): of `Index`; `mass` (H): expected uses by histogram; `distance`: expected total
    distance, in hypernym links.
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
