"""What the package uses of NLTK, and of TextBlob, which imports NLTK: Punkt, the Porter stemmer and tags.

Imported plainly, they add 0.9 s of processor time to each start, and 1.9 s where scikit-learn and pandas are
installed, because NLTK's packages import parsers, translation, classifiers and scipy.stats, whichever module
is asked for. Every command that reads a text needs all three, so a later import saves nothing, and no other
package has the same sentences, stems and tags. So a few modules are imported here below packages that are
empty. A program that imports NLTK itself gets the whole of it, from other modules than these.

NLTK stops its patterns after some seconds by the clock, so that the speed of a machine would decide whether a
long document can be read. The patterns used here take time in proportion to the text and have no limit.
"""

import sys
from importlib.util import find_spec, module_from_spec

PACKAGES = ("nltk", "nltk.stem", "nltk.tokenize", "textblob")


def _remove_modules() -> dict[str, object]:
    """Remove the modules of these packages from those that are imported, and return them."""
    names = [name for name in sys.modules if name.partition(".")[0] in PACKAGES]
    return {name: sys.modules.pop(name) for name in names}


_whole = _remove_modules()
try:
    for _name in PACKAGES:
        _spec = find_spec(_name)
        assert _spec is not None
        sys.modules[_name] = module_from_spec(_spec)  # and not executed
    from nltk import redos
    from nltk.stem.porter import PorterStemmer
    from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer
    from textblob import en
finally:
    _remove_modules()
    sys.modules.update(_whole)  # type: ignore[arg-type]

redos.DEFAULT_TIMEOUT = None

__all__ = ["PorterStemmer", "PunktParameters", "PunktSentenceTokenizer", "en"]
