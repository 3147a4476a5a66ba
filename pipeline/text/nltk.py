"""NLTK without the libraries that it imports for features unused here, and without its time limit.

``import nltk`` imports scikit-learn, SciPy and matplotlib if they are installed, for its classifiers and
plots: each job would take two seconds to start instead of a third of one. Only commands leave them out; a
program that imports ``pipeline`` gets the whole of NLTK.

NLTK stops its patterns after five seconds by the clock. The speed and load of a machine would then decide
whether a document of 200,000 words can be read. The patterns used here take time in proportion to the text
(``tests/hostile``), so they need no limit.
"""

import contextlib
import sys
from collections.abc import Iterator
from typing import Any

UNUSED = ("matplotlib", "scipy", "scipy.stats", "sklearn")


@contextlib.contextmanager
def left_out(names: tuple[str, ...]) -> Iterator[None]:
    """Make imports of these libraries fail in the block, unless they have been imported already."""
    blocked = [name for name in names if name not in sys.modules]
    modules: dict[str, Any] = sys.modules
    modules.update(dict.fromkeys(blocked))
    try:
        yield
    finally:
        for name in blocked:
            del sys.modules[name]


def is_command() -> bool:
    """Return whether this process is ``python -m pipeline.…`` or ``palimpsest``."""
    spec = getattr(sys.modules["__main__"], "__spec__", None)
    return "pipeline.cli" in sys.modules or (spec is not None and spec.name.startswith("pipeline."))


with left_out(UNUSED if is_command() else ()):
    import nltk

nltk.redos.DEFAULT_TIMEOUT = None

__all__ = ["nltk"]
