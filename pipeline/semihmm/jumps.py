"""The jump models by name. Each is a module with one class of that name; only the one asked for is imported.

A jump model has ``null``; ``start(longest, settings)``; ``distances(longest)`` for the kernels;
``maximised(jumps, nulls)``; ``log_prior()``; ``to_arrays()`` and ``from_arrays(arrays)``; ``describe()``.
"""

from importlib import import_module


def jump_model(name):
    """The class of the jump model ``name`` (``"relative"``)."""
    return getattr(import_module(f"pipeline.semihmm.{name}"), name.capitalize())
