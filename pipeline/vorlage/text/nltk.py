"""NLTK's tokenizers, its Porter stemmer and its trees, without the rest of NLTK and without its time limit.

`import nltk` imports scikit-learn, SciPy and matplotlib if they are installed, for its classifiers and
plots: each job would take a second to start instead of a twentieth of one. The names of this module differ
from the same names in `nltk`, so its trees are not instances of `nltk.Tree`.

NLTK stops its patterns after five seconds by the clock. The speed and load of a machine would then decide
whether a document of 200,000 words can be read. The patterns used here take time in proportion to the text
(`tests/hostile`), so they need no limit.
"""

from typing import TYPE_CHECKING

from vorlage.text.alone import import_alone

_destructive, _porter, _punkt, _redos, _tree = import_alone(
    ["nltk.tokenize.destructive", "nltk.stem.porter", "nltk.tokenize.punkt", "nltk.redos", "nltk.tree.tree"],
    packages=["nltk", "nltk.stem", "nltk.tokenize", "nltk.tree"],
)
_redos.__dict__["DEFAULT_TIMEOUT"] = None

if TYPE_CHECKING:  # also names NLTK to vorlage.fingerprint
    from nltk import Tree
    from nltk.stem import PorterStemmer
    from nltk.tokenize import NLTKWordTokenizer
    from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer
else:
    NLTKWordTokenizer = _destructive.NLTKWordTokenizer
    PorterStemmer = _porter.PorterStemmer
    PunktParameters = _punkt.PunktParameters
    PunktSentenceTokenizer = _punkt.PunktSentenceTokenizer
    Tree = _tree.Tree

__all__ = ["NLTKWordTokenizer", "PorterStemmer", "PunktParameters", "PunktSentenceTokenizer", "Tree"]
