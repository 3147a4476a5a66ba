"""Vorlage finds the words and phrases of a document that each word of a text made from it comes from.

    from vorlage import load_model

    model = load_model()  # the model that comes with the package
    pair = model.align("The printer ships in June.", "Printers ship in June.")

Errors in the input raise `InputError`.
"""

from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from vorlage.command.errors import InputError

if TYPE_CHECKING:
    from vorlage.api import align, attribute, load_model, train

__all__ = ["InputError", "align", "attribute", "load_model", "train"]


def __getattr__(name: str) -> Any:
    """Return a function of `vorlage.api`, which is imported for the first one, or `__version__`."""
    if name in __all__:
        return getattr(import_module("vorlage.api"), name)
    if name == "__version__":
        return version("vorlage")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
