"""What the package uses of NLTK, and of TextBlob, which imports NLTK.

For its classifiers and plots, NLTK imports scikit-learn, parts of SciPy, pandas and matplotlib where they are
installed. They are hidden from it here: they would take most of the time in which a command starts. A
program that uses these classifiers imports NLTK before this package.

NLTK stops its patterns after some seconds by the clock, so that the speed of a machine would decide whether a
long document can be read. The patterns used here take time in proportion to the text and have no limit.
"""

import sys

HIDDEN = ("matplotlib", "pandas", "scipy.sparse", "scipy.stats", "sklearn")
_HIDDEN = [name for name in HIDDEN if name not in sys.modules]
sys.modules.update(dict.fromkeys(_HIDDEN))  # type: ignore[arg-type]  # None: not installed
try:
    from nltk import Tree, redos
    from nltk.stem import PorterStemmer, SnowballStemmer
    from nltk.tokenize import NLTKWordTokenizer
    from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer
    from textblob import en
finally:
    for _name in _HIDDEN:
        del sys.modules[_name]

redos.DEFAULT_TIMEOUT = None

__all__ = [
    "NLTKWordTokenizer",
    "PorterStemmer",
    "PunktParameters",
    "PunktSentenceTokenizer",
    "SnowballStemmer",
    "Tree",
    "en",
]
