"""Palimpsest finds the words and phrases of a document that each word of its summary comes from.

    from pipeline import load_model

    model = load_model("results/sample/train/relative/model.npz")
    aligned = model.align("The printer ships in June.", "Printers ship in June.")

Errors in the input raise ``InputError``. ``__version__`` is the installed version. This package imports its
modules when a name is first used.
"""

import importlib
import sys
from types import TracebackType

# Names and their modules. `__init__.pyi` tells type checkers the same. An import statement in this file, even
# under TYPE_CHECKING, would put the whole package into every fingerprint (pipeline/fingerprint.py).
_MODULES = {"InputError": "pipeline.run.errors", "load_model": "pipeline.api"}

__all__ = ["InputError", "load_model"]


def _report(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Print one line for a package that is not installed, and the traceback of any other error."""
    find = importlib.import_module("pipeline.run.extras").find_missing
    if isinstance(error, ModuleNotFoundError) and (missing := find(error)):
        print(f"error: {missing}", file=sys.stderr)
    else:
        sys.__excepthook__(kind, error, trace)


# `python -m pipeline.report` imports this package before the command, which may fail while it is imported.
if sys.argv[:1] == ["-m"]:
    sys.excepthook = _report


def __getattr__(name: str) -> object:
    if name in _MODULES:
        return getattr(importlib.import_module(_MODULES[name]), name)
    if name == "__version__":
        return importlib.import_module("importlib.metadata").version("palimpsest")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
