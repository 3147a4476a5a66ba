"""EM: the expectation over the pairs of a shard, the maximisation, and the objective that must not fall."""

import time
from dataclasses import dataclass, fields, replace

import numpy as np

from pipeline.run.parallel import map_in_threads
from pipeline.run.progress import log
from pipeline.semihmm.checks import check_covered
from pipeline.semihmm.jumps.pruning import prune, still_used
from pipeline.semihmm.kernels import forward_backward as kernels
from pipeline.semihmm.kernels.phrase_table import add_at
from pipeline.semihmm.phrases.rewrite import Mixture

NO_LINKS = np.empty((0, 0))


@dataclass(frozen=True)
class Parameters:
    """The parameters during training, in the numbers of the :class:`pipeline.train.index.Index`.

    ``jumps``; ``mixture``; lexical ``counts`` (E), and ``totals`` of the rows and ``norms`` (H) that follow
    from counts and mixture; ``null`` (V) and the null probability of a word in no summary, ``unseen``.
    """

    jumps: object
    mixture: Mixture
    counts: np.ndarray
    totals: np.ndarray
    norms: np.ndarray
    null: np.ndarray
    unseen: float

    def to_arrays(self):
        """Arrays for a file."""
        arrays = {name: getattr(self, name) for name in ("counts", "totals", "norms", "null")}
        return arrays | {
            "unseen": np.float64(self.unseen),
            "mixture_weights": self.mixture.weights,
            "mixture_eta": np.float64(self.mixture.eta),
            **self.jumps.to_arrays(),
        }

    @classmethod
    def from_arrays(cls, arrays, jumps):
        """The inverse of :meth:`to_arrays`; ``jumps``: the class of the jump model."""
        mixture = Mixture(arrays["mixture_weights"], float(arrays["mixture_eta"]))
        plain = (arrays[name] for name in ("counts", "totals", "norms", "null"))
        return cls(jumps.from_arrays(arrays), mixture, *plain, float(arrays["unseen"]))


@dataclass(frozen=True)
class Expectations:
    """Sums over pairs.

    ``counts`` (E): expected uses of the lexical part for each phrase pair; ``nulls`` (V): of each null word;
    ``jumps``: as the jump model counts them, ``moves`` of them in all; ``parts`` (5): uses of the parts of
    the rewrite model; ``related`` (H): of its WordNet part, by reading, and ``distance``, theirs in all;
    ``log_likelihood``: Σ log Pr(s|d), natural.
    """

    counts: np.ndarray
    nulls: np.ndarray
    jumps: np.ndarray
    moves: float
    parts: np.ndarray
    related: np.ndarray
    distance: float
    log_likelihood: float

    def sparse(self, entries, words):
        """The same with the counts of ``entries`` and the null words ``words`` alone."""
        return replace(self, counts=self.counts[entries], nulls=self.nulls[words])


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
        "lambda_id\tlambda_stem\tlambda_wn\tlambda_rw\tlambda_encoder\teta\tseconds"
    )

    def row(self):
        """The row as text."""
        numbers = [self.log_likelihood, self.log_posterior, self.null_probability, *self.weights, self.eta]
        return "\t".join([str(self.iteration), *(f"{x:.10g}" for x in numbers), f"{self.seconds:.2f}"])


def start(index, jumps, mixture):
    """The parameters EM starts from: the lexical table from its fake counts alone, the null word uniform."""
    null = np.zeros(len(index.words))
    uniform = 1.0 / len(index.summary_words)
    null[index.summary_words] = uniform
    counts = np.zeros(len(index.kind))
    return Parameters(jumps, mixture, counts, index.totals(counts), index.norms(mixture.eta), null, uniform)


def expectation(pairs, parameters, kept, settings, threads=1, advance=lambda: None):
    """The E-step over the pairs of a shard: ``(Expectations, kept)``, in the numbers of the shard.

    Sums are taken in the order of the pairs whatever the number of threads. ``kept``: whether pruning has
    left each document sentence, and in the result whether it leaves it for the next E-step. ``settings``:
    ``beam`` and ``prune`` of the section. ``advance()`` is called once a pair.
    """
    support, jumps = pairs.support, parameters.jumps
    mixture, counts, totals, norms = pairs.rewrites(parameters)
    values = pairs.rewrite.values(mixture, counts, totals, norms)
    null = parameters.null[pairs.words]
    expected, nulls = np.zeros(len(values)), np.zeros(len(null))
    jump_counts = jumps.zeros()
    log_likelihoods, contexts = (np.zeros(len(pairs.instances)) for _ in range(2))
    left = np.empty_like(kept)

    def one(index):
        own = pairs.kept(index, kept)
        return own, *expect(pairs, index, values, null, jumps, own, settings["beam"], mixture.weights[-1])

    results = map_in_threads(one, range(len(pairs.instances)), threads)
    for index, (own, words, moves, result, contexts[index]) in enumerate(results):
        log_likelihoods[index] = result.log_likelihood
        instance = pairs.instances[index]
        # Word pairs that are not listed share an entry.
        add_at(expected, support.cells[index].ravel(), result.word_uses.ravel())
        add_at(expected, support.place_entries[index], result.phrase_posteriors)
        add_at(nulls, instance.summary, result.null_posteriors)
        jumps.add(jump_counts, instance, own, moves, result.transition_counts)
        pairs.kept(index, left)[:] = (
            still_used(instance, own, words, result.phrase_starts, settings["prune"])
            if settings["prune"]
            else own
        )
        advance()
    # Every phrase pair takes a jump to it, and every pair one more to the end.
    moves = float(expected.sum() + contexts.sum() + len(pairs.instances))
    parts, by_row, distance = pairs.rewrite.split(mixture, counts, totals, norms, values, expected)
    parts = np.append(parts, contexts.sum())
    has = pairs.numbers.row_histogram >= 0
    related = np.bincount(pairs.numbers.row_histogram[has], by_row[has], minlength=len(parameters.norms))
    likelihood = float(log_likelihoods.sum())
    return Expectations(expected, nulls, jump_counts, moves, parts, related, distance, likelihood), left


def expect(pairs, index, values, null, jumps, kept, beam, encoder=0.0):
    """Forward–backward over pair ``index``: the document words it was over, their moves, what
    :func:`kernels.expect` returns, in the numbering of the whole document and over distinct words, of the
    parts of the table, and how often the encoder's part was used. ``encoder``: the weight of this.

    Raises :class:`InputError` for a pair whose numbers are of no use, see :func:`check_covered`.
    """
    context = pairs.context(index) if encoder else None
    if context is not None:
        context *= encoder
    inputs, name = pairs.inputs(index, values, null, jumps, context), pairs.instances[index].id
    if kept.all():
        expected = kernels.expect(inputs, beam, NO_LINKS)
        check_covered(name, inputs, expected)
        uses, used = pairs.of_table(index, expected.word_uses, values, context)
        return np.arange(len(inputs.document)), inputs.transitions, expected._replace(word_uses=uses), used
    words, moves = jumps.pruned(pairs.instances[index], kept, inputs.transitions)
    inputs, there = prune(inputs, words, moves)
    expected = kernels.expect(inputs, beam, NO_LINKS)
    check_covered(name, inputs, expected)
    phrases = np.zeros(len(there))
    phrases[there] = expected.phrase_posteriors
    uses, used = pairs.of_table(index, np.ascontiguousarray(expected.word_uses[:, :-1]), values, context)
    return words, moves, expected._replace(word_uses=uses, phrase_posteriors=phrases), used


def pruning_loss(pairs, parameters, kept, settings, most=64):
    """What pruning loses: ``(pairs, exact, pruned)``, the log-likelihoods of up to ``most`` pairs."""
    values = pairs.rewrite.values(*pairs.rewrites(parameters))
    null = parameters.null[pairs.words]
    chosen = np.unique(np.linspace(0, len(pairs.instances) - 1, most).astype(int)).tolist()
    sums = []
    for left in (np.ones_like(kept), kept):
        found = (
            expect(
                pairs,
                i,
                values,
                null,
                parameters.jumps,
                pairs.kept(i, left),
                settings["beam"],
                parameters.mixture.weights[-1],
            )[2].log_likelihood
            for i in chosen
        )
        sums.append(float(sum(found)))
    return len(chosen), *sums


class Sums:
    """Expectations of shards added up, in the numbers of the index; one shard after another, in order."""

    def __init__(self, entries, words):
        """``entries``, ``words``: how many the index has."""
        self._counts, self._nulls, self._others = np.zeros(entries), np.zeros(words), []

    def add(self, expected, entries, words):
        """Add the expectations of a shard; ``entries``, ``words``: the numbers of its counts, −1 for none."""
        listed = entries >= 0
        self._counts[entries[listed]] += expected.counts[listed]
        self._nulls[words] += expected.nulls
        others = [getattr(expected, field.name) for field in fields(Expectations)[2:]]
        if self._others:
            others = [one + other for one, other in zip(self._others, others, strict=True)]
        self._others = others

    def total(self):
        """The :class:`Expectations` of all shards."""
        return Expectations(self._counts, self._nulls, *self._others)


def maximisation(index, parameters, expected, settings):
    """The M-step: the parameters that maximise the expected log-posterior.

    λ and the lexical counts are closed-form, from the responsibilities of the parts; η maximises the
    expected log-likelihood of the WordNet part, −η Σ n·distance − Σ n·log Z_d̄(η), which is concave.
    ``settings``: ``null_smoothing``, ``null_learned``, without which the probability of a null move stays
    what it is, and ``lexical_prune``, under which counts are dropped (in place).
    """
    jumps = parameters.jumps.maximised(expected.jumps, expected.nulls.sum(), expected.moves)
    if not settings["null_learned"]:
        jumps = jumps.with_null(parameters.jumps.null)
    eta = parameters.mixture.eta
    if expected.parts[2] > 0:
        eta = index.best_eta(expected.related, expected.distance)
    used = expected.parts.sum()
    # Where every summary word is null no part is used, and all weights are as good.
    mixture = Mixture(expected.parts / used if used > 0 else parameters.mixture.weights, eta)
    counts = expected.counts
    counts[counts < settings["lexical_prune"]] = 0.0
    null = np.zeros(len(index.words))
    seen = expected.nulls[index.summary_words] + settings["null_smoothing"]
    null[index.summary_words] = seen / seen.sum()
    unseen = settings["null_smoothing"] / seen.sum()
    return Parameters(jumps, mixture, counts, index.totals(counts), index.norms(eta), null, unseen)


def objective(index, parameters, log_likelihood, settings):
    """The MAP objective: Σ log Pr(s|d) + Σ fake·log t + the smoothing terms of jumps and null state.

    Daumé & Marcu 2005, Section 4.3. Natural log.
    """
    return float(
        log_likelihood
        + index.log_prior(parameters.counts, parameters.totals)
        + parameters.jumps.log_prior()
        + settings["null_smoothing"] * float(np.log(parameters.null[index.summary_words]).sum())
    )


def step(index, parameters, expected, settings, done, began):
    """What follows an E-step: ``(iteration, parameters)``, the row of ``em.tsv`` and the new parameters.

    ``expected``: of all pairs under ``parameters``; ``done``: the iterations before; ``began``: when this one
    did, by ``time.time()``. Raises ArithmeticError when the objective falls, which exact EM never does; a
    beam, pruning and unlisted word pairs are not exact, so with them a fall is logged and no more.
    """
    number = len(done) + 1
    log_posterior = objective(index, parameters, expected.log_likelihood, settings)
    _check(done[-1].log_posterior if done else -np.inf, log_posterior, number, exact=is_exact(settings))
    iteration = Iteration(
        number,
        expected.log_likelihood,
        log_posterior,
        parameters.jumps.null,
        parameters.mixture.weights,
        parameters.mixture.eta,
        0.0,
    )
    parameters = maximisation(index, parameters, expected, settings)
    iteration = replace(iteration, seconds=max(time.time() - began, 0.0))
    log.info(
        f"iteration {number}: log-likelihood {iteration.log_likelihood:.8g}, "
        f"log-posterior {log_posterior:.8g}, {iteration.seconds:.1f} s"
    )
    return iteration, parameters


def is_exact(settings):
    """Whether the settings leave EM exact, so that its objective cannot fall."""
    return (
        settings["beam"] == 1
        and not settings["prune"]
        and not settings["lexical_prune"]
        and settings["lexical_cooccurrence"] == 1
    )


def has_ended(done, settings):
    """Whether EM stops after the iterations ``done``: there were enough, or the objective hardly changes."""
    return len(done) >= settings["iterations"] or _converged(
        [iteration.log_posterior for iteration in done], settings["tolerance"]
    )


def _converged(history, tolerance):
    return len(history) > 1 and abs(history[-1] - history[-2]) < tolerance * abs(history[-1])


def _check(previous, current, number, exact):
    if not np.isfinite(current):
        raise ArithmeticError(f"the log-posterior is {current!r} in iteration {number}; please report it")
    # An objective near 0 is a sum of logarithms near 0, each of them rounded to some 1e-16.
    if current < previous - 1e-9 * max(abs(previous), 1e-3):
        message = f"the log-posterior fell from {previous!r} to {current!r} in iteration {number}"
        if exact:
            raise ArithmeticError(f"{message}; exact EM never does this, please report it")
        log.warning(message)
