"""What counts as a stop word, and stems: one meaning for every stage."""

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


# Bounded: a million new texts bring new words without end.
@lru_cache(maxsize=1 << 16)
def stem(word):
    """The Porter stem (Porter 1980, with NLTK's extensions) of a token, which is lower-cased first."""
    return _porter.stem(word.lower())


def is_stop_word(word):
    """Whether a token is on the ignore list, in any case."""
    return word.lower() in STOP_WORDS
