"""EM: the expectation over all pairs, the maximisation, and the objective that must not fall."""

import time
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from pipeline.parallel import in_order
from pipeline.progress import log
from pipeline.semihmm import kernels
from pipeline.semihmm.moves import Moves
from pipeline.semihmm.pruning import prune, still_used

NO_LINKS = np.empty((0, 0))


class Inputs(NamedTuple):
    """What the kernels want of one pair, see :mod:`pipeline.semihmm.kernels`."""

    document: np.ndarray
    summary: np.ndarray
    words: np.ndarray
    null: np.ndarray
    phrases: np.ndarray
    by_end: np.ndarray
    phrase_r: np.ndarray
    moves: Moves


@dataclass(frozen=True)
class Parameters:
    """The parameters during training: ``jumps``, ``mixture``, lexical ``counts`` (E), ``null`` (V) and the
    null probability of a word in no summary, ``unseen``; and ``kept``, whether pruning has left them, for the
    document sentences of all pairs, one pair after another."""

    jumps: object
    mixture: object
    counts: np.ndarray
    null: np.ndarray
    unseen: float
    kept: np.ndarray


@dataclass(frozen=True)
class Expectations:
    """Sums over the corpus. ``entries`` (E): expected uses of each phrase pair; ``nulls`` (V): of each null
    word; ``jumps``: as the jump model counts them, ``moves`` of them in all; ``log_likelihood``: Σ log
    Pr(s|d),
    natural."""

    entries: np.ndarray
    nulls: np.ndarray
    jumps: np.ndarray
    moves: float
    kept: np.ndarray
    log_likelihood: float


@dataclass(frozen=True)
class Iteration:
    """One row of ``em.tsv``: the parameters an iteration began with and their objective."""

    iteration: int
    log_likelihood: float
    log_posterior: float
    null_probability: float
    weights: np.ndarray
    eta: float
    seconds: float

    HEADER = (
        "iteration\tlog_likelihood\tlog_posterior\tnull_probability\t"
        "lambda_id\tlambda_stem\tlambda_wn\tlambda_rw\teta\tseconds"
    )

    def row(self):
        """The row as text."""
        numbers = [self.log_likelihood, self.log_posterior, self.null_probability, *self.weights, self.eta]
        return "\t".join([str(self.iteration), *(f"{x:.10g}" for x in numbers), f"{self.seconds:.2f}"])


class Corpus:
    """The instances of a corpus with their support, ready for EM."""

    def __init__(self, instances, rewrite, vocabulary):
        self.instances = instances
        self.rewrite = rewrite
        self.summary_words = np.unique(np.concatenate([i.summary for i in instances]))
        self.size = len(vocabulary)
        self.longest = max(len(i.document) for i in instances)
        self.sentences = np.cumsum([0, *(len(i.document_breaks) for i in instances)])

    def kept(self, index, kept):
        """The part of the sentences ``kept`` that is of pair ``index``."""
        return kept[self.sentences[index] : self.sentences[index + 1]]

    def inputs(self, index, values, parameters):
        """The kernel inputs of pair ``index``, unpruned, under rewrite ``values`` (E) and ``parameters``."""
        instance, support = self.instances[index], self.rewrite.support
        return Inputs(
            instance.document_types[1],
            instance.summary_types[1],
            values[support.cells[index]],
            parameters.null[instance.summary],
            support.places[index],
            support.by_end[index],
            values[support.place_entries[index]],
            parameters.jumps.moves(instance),
        )


def start(corpus, jumps, mixture):
    """The parameters EM starts from: the lexical table from its fake counts alone, the null word uniform."""
    null = np.zeros(corpus.size)
    uniform = 1.0 / len(corpus.summary_words)
    null[corpus.summary_words] = uniform
    kept = np.ones(corpus.sentences[-1], dtype=bool)
    return Parameters(jumps, mixture, np.zeros(len(corpus.rewrite.support.kind)), null, uniform, kept)


def expectation(corpus, parameters, values, settings, threads, advance):
    """The E-step over all pairs, sums taken in the order of the pairs whatever the number of threads.

    ``values`` (E): r of every phrase pair. ``settings``: those of the section, ``beam`` and ``prune`` of
    them. ``advance()`` is called once a pair.
    """
    support = corpus.rewrite.support
    jumps = parameters.jumps
    entries, nulls = np.zeros(len(support.kind)), np.zeros(corpus.size)
    jump_counts = jumps.zeros()
    log_likelihoods = np.zeros(len(corpus.instances))
    left = np.empty_like(parameters.kept)

    def one(index):
        kept = corpus.kept(index, parameters.kept)
        return kept, *expect(corpus, index, values, parameters, kept, settings["beam"])

    results = in_order(one, range(len(corpus.instances)), threads)
    for index, (kept, words, moves, result) in enumerate(results):
        log_likelihoods[index], cells, pair_nulls, phrases, tally, starts = result
        instance = corpus.instances[index]
        entries[support.cells[index]] += cells
        np.add.at(entries, support.place_entries[index], phrases)
        np.add.at(nulls, instance.summary, pair_nulls)
        jumps.add(jump_counts, instance, kept, moves, tally)
        corpus.kept(index, left)[:] = (
            still_used(instance, kept, words, starts, settings["prune"]) if settings["prune"] else kept
        )
        advance()
    # Every phrase pair takes a jump to it, and every pair one more to the end.
    total = entries.sum() + len(corpus.instances)
    return Expectations(entries, nulls, jump_counts, total, left, float(log_likelihoods.sum()))


def expect(corpus, index, values, parameters, kept, beam):
    """Forward–backward over pair ``index``: the document words it was over, their moves and what
    :func:`kernels.expect` returns, in the numbering of the whole document."""
    inputs = corpus.inputs(index, values, parameters)
    if kept.all():
        return np.arange(len(inputs.document)), inputs.moves, kernels.expect(*inputs, beam, NO_LINKS)
    words, moves = parameters.jumps.pruned(corpus.instances[index], kept, inputs.moves)
    inputs, there = prune(inputs, words, moves)
    log_likelihood, cells, nulls, found, tally, starts = kernels.expect(*inputs, beam, NO_LINKS)
    phrases = np.zeros(len(there))
    phrases[there] = found
    cells = np.ascontiguousarray(cells[:, :-1])
    return words, moves, (log_likelihood, cells, nulls, phrases, tally, starts)


def pruning_loss(corpus, parameters, settings, most=64):
    """What pruning loses: ``(pairs, exact, pruned)``, the log-likelihoods of up to ``most`` pairs."""
    totals = corpus.rewrite.totals(parameters.counts)
    values = corpus.rewrite.values(parameters.mixture, parameters.counts, totals)
    chosen = np.unique(np.linspace(0, len(corpus.instances) - 1, most).astype(int)).tolist()
    sums = []
    for kept in (np.ones_like(parameters.kept), parameters.kept):
        found = (
            expect(corpus, i, values, parameters, corpus.kept(i, kept), settings["beam"])[2][0]
            for i in chosen
        )
        sums.append(float(sum(found)))
    return len(chosen), *sums


def maximisation(corpus, parameters, totals, values, expected, null_smoothing):
    """The M-step: the parameters that maximise the expected log-posterior."""
    jumps = parameters.jumps.maximised(expected.jumps, expected.nulls.sum(), expected.moves)
    mixture, counts = corpus.rewrite.maximised(
        parameters.mixture, parameters.counts, totals, values, expected.entries
    )
    null = np.zeros(corpus.size)
    seen = expected.nulls[corpus.summary_words] + null_smoothing
    null[corpus.summary_words] = seen / seen.sum()
    return Parameters(jumps, mixture, counts, null, null_smoothing / seen.sum(), expected.kept)


def run(corpus, parameters, settings, threads, progress, done=()):
    """Run EM; yields ``(iteration, parameters)`` after each M-step.

    ``done``: the iterations that ``parameters`` come from, when training goes on.

    The objective is MAP: Σ log Pr(s|d) + Σ fake·log t + the smoothing terms of jumps and null state
    (Daumé & Marcu 2005, Section 4.3). It is that of the parameters the iteration began with. Stops after
    ``settings["iterations"]``, or when the objective's relative change is below ``settings["tolerance"]``.
    Raises ArithmeticError when the objective falls, which exact EM never does; a beam and pruning are
    not exact, so with them a fall is logged and no more.
    """
    smoothing = settings["null_smoothing"]
    exact = settings["beam"] == 1 and not settings["prune"]
    history = [iteration.log_posterior for iteration in done]
    for number in range(len(history) + 1, settings["iterations"] + 1):
        if _converged(history, settings["tolerance"]):
            return
        began = time.monotonic()
        totals = corpus.rewrite.totals(parameters.counts)
        values = corpus.rewrite.values(parameters.mixture, parameters.counts, totals)
        expected = expectation(corpus, parameters, values, settings, threads, progress.advance)
        log_posterior = (
            expected.log_likelihood
            + corpus.rewrite.log_prior(parameters.counts, totals)
            + parameters.jumps.log_prior()
            + smoothing * float(np.log(parameters.null[corpus.summary_words]).sum())
        )
        _check(history[-1] if history else -np.inf, log_posterior, number, exact=exact)
        history.append(log_posterior)
        before = parameters
        parameters = maximisation(corpus, parameters, totals, values, expected, smoothing)
        progress.describe(f"iteration {number}, log-posterior {log_posterior:.6g}")
        yield (
            Iteration(
                number,
                expected.log_likelihood,
                log_posterior,
                before.jumps.null,
                before.mixture.weights,
                before.mixture.eta,
                time.monotonic() - began,
            ),
            parameters,
        )


def _converged(history, tolerance):
    return len(history) > 1 and abs(history[-1] - history[-2]) < tolerance * abs(history[-1])


def _check(previous, current, number, exact):
    if current < previous - 1e-9 * abs(previous):
        message = f"the log-posterior fell from {previous!r} to {current!r} in iteration {number}"
        if exact:
            raise ArithmeticError(f"{message}; exact EM never does this, please report it")
        log.warning(message)
