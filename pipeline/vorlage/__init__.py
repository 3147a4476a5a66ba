"""Vorlage finds the words and phrases of a document that each word of a text made from it comes from.

    from vorlage import load_model

    model = load_model()  # the model that comes with the package
    pair = model.align("The printer ships in June.", "Printers ship in June.")

Errors in the input raise `InputError`.
"""

from typing import Any

from vorlage.api import align, attribute, load_model, train
from vorlage.command.errors import InputError

__all__ = ["InputError", "align", "attribute", "load_model", "train"]


def __getattr__(name: str) -> Any:
    """Return `__version__`, which is looked up when it is asked for because that takes a while."""
    if name == "__version__":
        from importlib.metadata import version

        return version("vorlage")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
