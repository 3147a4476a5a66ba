"""Palimpsest: which words of a document each word of its abstract was made from.

    from pipeline import load_model

    model = load_model("results/sample/train/relative/model.npz")
    aligned = model.align("The printer ships in June.", "Printers ship in June.")

Nothing is imported until it is asked for.
"""

import importlib

__all__ = ["load_model"]


def __getattr__(name):
    # By a computed name: a fingerprint of code follows imports, and every module's has this one in it.
    if name in __all__:
        return getattr(importlib.import_module("pipeline.api"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
