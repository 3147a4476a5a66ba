"""NLTK without the libraries that it brings along for what nobody here uses.

``import nltk`` imports scikit-learn, scipy and matplotlib where they are installed, for its classifiers and
plots: two seconds of every job in place of a third of one. Only commands do without; a program that imports
``pipeline`` keeps the whole of NLTK.
"""

import contextlib
import sys

UNUSED = ("matplotlib", "scipy", "sklearn")


@contextlib.contextmanager
def left_out(names):
    """Imports of these libraries fail, if they are not there already; NLTK then goes on without."""
    names = [name for name in names if name not in sys.modules]
    sys.modules.update(dict.fromkeys(names))
    try:
        yield
    finally:
        for name in names:
            del sys.modules[name]


def is_command():
    """Whether this process is ``python -m pipeline.…``."""
    spec = getattr(sys.modules["__main__"], "__spec__", None)
    return spec is not None and spec.name.startswith("pipeline.")


with left_out(UNUSED if is_command() else ()):
    import nltk

__all__ = ["nltk"]
