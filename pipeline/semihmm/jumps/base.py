"""The jump models by name. Each is a module with one class of that name; only the one asked for is imported.

A jump model is a frozen dataclass with ``null``, the probability of a move to the null state, and

- ``start(corpus, settings)``: the model EM starts from, for a :class:`Shape` of corpus;
- ``moves(instance)``: the :class:`~pipeline.semihmm.kernels.transitions.Transitions` of a pair;
- ``pruned(instance, kept, whole)``: words and moves of a pair of which only the document sentences ``kept``
  are left; ``whole``: its moves when all are;
- ``zeros()``, ``add(counts, instance, kept, moves, tally)``: expected jumps, and those of a pair added to
  them in place; ``tally`` is what :func:`pipeline.semihmm.kernels.forward_backward.expect` returns;
- ``maximised(counts, nulls, jumps)``: the M-step; ``nulls`` and ``jumps`` are the expected moves to the null
  state and all others;
- ``with_null(null)``: the same with another probability of a move to the null state, the jumps scaled to it;
- ``log_prior()``: the smoothing's share of the objective, natural logarithm;
- ``to_arrays()`` and ``from_arrays(arrays)`` for the model file, ``check()``, which raises ValueError for
  parameters that no training gives; ``describe()``, plain values for people.

A class attribute ``TREES`` tells whether it wants the trees of the documents.
"""

from importlib import import_module
from typing import NamedTuple


class Shape(NamedTuple):
    """What a jump model has to know of a corpus: words of the longest document, labels of its trees."""

    longest: int
    labels: tuple


def jump_model(name):
    """The class of the jump model ``name`` (``"relative"``)."""
    return getattr(import_module(f"pipeline.semihmm.jumps.{name}"), name.capitalize())


def null_start(settings, others):
    """φ at the start: ``settings["null_start"]``, or uniform with ``others`` other moves."""
    null = settings["null_start"]
    return 1.0 / (others + 1) if null == "uniform" else float(null)
