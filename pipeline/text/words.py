"""Stop words and stems, with one meaning for all stages."""

from functools import lru_cache

from pipeline.text.nltk import nltk

# The ignore list of the 2005 paper has 58 function words and punctuation marks but is not printed
# there; this one has as many. Score, extract and Cut & Paste all use it.
STOP_WORDS = frozenset(
    """a an the of in into on at by for to from with as and or but that which who this these it its he
    his they their is are was were be been has have had will would not 's i we you
    . , ; : ? ! ' " `` '' ( ) - --""".split()
)

_porter = nltk.stem.porter.PorterStemmer()


# The cache is bounded because the vocabulary of a stream of new texts is not.
@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """Return the Porter stem (Porter 1980, with NLTK's extensions) of a token, which is lower-cased first."""
    found: str = _porter.stem(word.lower())
    return found


def is_stop_word(word: str) -> bool:
    """Return whether a token is on the ignore list, in any case."""
    return word.lower() in STOP_WORDS
