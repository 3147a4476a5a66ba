"""EM: the start, the M-step, and the objective that must not fall."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from vorlage.command.progress import log
from vorlage.semihmm.jumps.base import JumpModel
from vorlage.semihmm.jumps.pruning import leaves_out
from vorlage.semihmm.rewrite.lexicon import UNSEEN
from vorlage.semihmm.rewrite.mixture import Mixture
from vorlage.semihmm.train.expectation import Expectations
from vorlage.semihmm.train.index import Index, Rows
from vorlage.semihmm.train.model1 import is_by_model1
from vorlage.semihmm.train.parameters import Parameters
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

    HEADER = (
        "iteration\tlog_likelihood\tlog_posterior\tnull_probability\t"
        "lambda_id\tlambda_stem\tlambda_wn\tlambda_rw\tlambda_encoder\teta\tseconds"
    )

    def row(self) -> str:
        """Return the row as text."""
        numbers = [self.log_likelihood, self.log_posterior, self.null_probability, *self.weights, self.eta]
        return "\t".join([str(self.iteration), *(f"{x:.10g}" for x in numbers), f"{self.seconds:.2f}"])


class Lexical(NamedTuple):
    """The lexical `counts` (E) of some rows, the `totals` of the rows, and the `log_prior` of both."""

    counts: Floats
    totals: Floats
    log_prior: float


def lexical(index: Index, rows: Rows, counts: Floats) -> Lexical:
    """Return the `Lexical` of the `counts` (E) of `rows`."""
    totals = index.totals(rows, counts)
    return Lexical(counts, totals, index.log_prior(rows, counts, totals))


def start(
    index: Index, table: Lexical, jumps: JumpModel, mixture: Mixture, settings: Mapping[str, Any]
) -> Parameters:
    """Return the parameters that EM starts from; `table`: without counts."""
    null = null_words(index, np.zeros(len(index.words)), settings)
    return Parameters(jumps, mixture, *table, index.norms(mixture.eta), *null)


def null_words(index: Index, nulls: Floats, settings: Mapping[str, Any]) -> tuple[Floats, float]:
    """Return r(word | ∅) of every word (V), 0 for a word in no summary, and that of such a word.

    The null state is one more document word: besides `null_smoothing` of each word, it has the fake counts
    of the lexical table by frequency, so that a word is as probable in it as in the lexical table of a word
    that tells nothing about it. `nulls` (V): expected uses in the null state.
    """
    null, words = np.zeros(len(index.words)), index.summary_words
    counts = nulls[words] + _null_fake(index, settings)
    null[words] = counts / counts.sum()
    unseen = settings["null_smoothing"] + index.unigram * UNSEEN / index.frequency.sum()
    return null, float(unseen / counts.sum())


def _null_fake(index: Index, settings: Mapping[str, Any]) -> Floats:
    """Return the fake counts of the summary words in the null state."""
    fake: Floats = settings["null_smoothing"] + index.spread[index.summary_words]
    return fake


def maximise_lexical(index: Index, rows: Rows, counts: Floats, settings: Mapping[str, Any]) -> Lexical:
    """Take the M-step of some rows: their expected `counts` (E) have a closed form.

    `settings`: `lexical_prune`, below which counts are dropped (in place).
    """
    counts[counts < settings["lexical_prune"]] = 0.0
    return lexical(index, rows, counts)


def maximisation(
    index: Index, parameters: Parameters, expected: Expectations, table: Lexical, settings: Mapping[str, Any]
) -> Parameters:
    """Take the M-step: return the parameters that maximise the expected log-posterior.

    λ has a closed form, from the responsibilities of the parts; η maximises the expected log-likelihood of
    the WordNet part, −η Σ n·distance − Σ n·log Z_d̄(η), which is concave. `table`: of
    `maximise_lexical`, for all rows. `settings`: `null_smoothing`; `null_learned`, without which
    φ stays what it is.
    """
    jumps = parameters.jumps.maximised(expected.jumps, float(expected.nulls.sum()), expected.jump_total)
    if not settings["null_learned"]:
        jumps = jumps.with_null(parameters.jumps.null)
    eta = parameters.mixture.eta
    if expected.parts[2] > 0:
        eta = index.best_eta(expected.related, expected.distance)
    used = expected.parts.sum()
    # If every summary word is null, no part is used and all weights are equally good.
    mixture = Mixture(expected.parts / used if used > 0 else parameters.mixture.weights, eta)
    null = null_words(index, expected.nulls, settings)
    return Parameters(jumps, mixture, *table, index.norms(eta), *null)


def objective(
    index: Index, parameters: Parameters, log_likelihood: float, settings: Mapping[str, Any]
) -> float:
    """Return the MAP objective: Σ log Pr(s|d) + Σ fake·log(t/t_0) + the same of the null state + the
    smoothing terms of jumps.

    Daumé & Marcu 2005, Section 4.3. Natural log. t_0, the table of the fake counts alone, is a constant.
    """
    fake = _null_fake(index, settings)
    null = parameters.null[index.summary_words]
    return float(
        log_likelihood
        + parameters.log_prior
        + parameters.jumps.log_prior()
        + float(fake @ np.log(null * (fake.sum() / fake)))
    )


def step(
    index: Index,
    parameters: Parameters,
    expected: Expectations,
    table: Lexical,
    settings: Mapping[str, Any],
    done: Sequence[Iteration],
    began: float,
) -> tuple[Iteration, Parameters]:
    """Finish an iteration after its E-step: return its row of `em.tsv` and the new parameters.

    `expected`: of all pairs under `parameters`; `table`: of `maximise_lexical`, for all rows;
    `done`: the iterations before; `began`: the start of this one by `time.time()`. Raise
    ArithmeticError if the objective falls, which exact EM never does; a beam, pruning and unlisted word pairs
    are not exact, so that with them a fall is only logged.
    """
    number = len(done) + 1
    log_posterior = objective(index, parameters, expected.log_likelihood, settings)
    # Model 1 has an objective of its own.
    first = not done or len(done) == settings["model1"]
    _check_rise(-np.inf if first else done[-1].log_posterior, log_posterior, number, is_exact(settings))
    maximised = maximisation(index, parameters, expected, table, settings)
    if is_by_model1(done, settings):
        jumps, mixture, norms = parameters.jumps, parameters.mixture, parameters.norms
        maximised = replace(maximised, jumps=jumps, mixture=mixture, norms=norms)
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
    return iteration, maximised


def is_exact(settings: Mapping[str, Any]) -> bool:
    """Return whether EM is exact under the settings, so that its objective cannot fall."""
    return (
        settings["beam"] == 1
        and not leaves_out(settings)
        and not settings["lexical_prune"]
        and settings["lexical_cooccurrence"] == 1
    )


def has_ended(done: Sequence[Iteration], settings: Mapping[str, Any]) -> bool:
    """Return whether EM stops after the iterations `done`: there are enough, or the objective is stable."""
    return len(done) >= settings["iterations"] or _converged(
        [iteration.log_posterior for iteration in done[settings["model1"] :]], settings["tolerance"]
    )


def _converged(history: Sequence[float], tolerance: float) -> bool:
    return len(history) > 1 and abs(history[-1] - history[-2]) < tolerance * abs(history[-1])


def _check_rise(previous: float, current: float, number: int, exact: bool) -> None:
    if not np.isfinite(current):
        raise ArithmeticError(f"the log-posterior is {current!r} in iteration {number}; please report it")
    # An objective near 0 is a sum of logarithms near 0, each rounded to some 1e-16.
    if current < previous - 1e-9 * max(abs(previous), 1e-3):
        message = f"the log-posterior fell from {previous!r} to {current!r} in iteration {number}"
        if exact:
            raise ArithmeticError(f"{message}; exact EM never does this, please report it")
        log.warning(message)
