"""Stop words, closed classes and stems, with one meaning for all stages."""

from functools import lru_cache

from pipeline.text.nltk import nltk

# The ignore list of the 2005 paper has 58 function words and punctuation marks but is not printed
# there; this one has as many. Score, extract and Cut & Paste all use it.
STOP_WORDS = frozenset(
    """a an the of in into on at by for to from with as and or but that which who this these it its he
    his they their is are was were be been has have had will would not 's i we you
    . , ; : ? ! ' " `` '' ( ) - --""".split()
)

# Determiners, pronouns, prepositions, conjunctions and modal verbs. WordNet has some of them as other words:
# *at* is also a currency and a chemical element.
CLOSED_CLASS = frozenset(
    """a an the this that these those some any no every each either neither both all another such
    i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself
    she her hers herself it its itself they them their theirs themselves who whom whose which what
    whoever whatever whichever something anything nothing everything someone anyone everyone somebody
    anybody everybody nobody none other others there here
    of in on at by for to from with as into onto upon about above across after against along amid among
    around before behind below beneath beside besides between beyond despite down during except inside
    like near off out outside over past per since than through throughout toward towards under until till
    up via within without
    and or nor but so yet if because although though while whereas unless whether when where why how
    will would wo shall should can could ca may might must ought not n't 's 'll 're 've 'd 'm""".split()
)
# The other auxiliaries, which are main verbs too.
AUXILIARIES = frozenset("be am is are was were been being have has had having do does did done doing".split())

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


def is_punctuation(word: str) -> bool:
    """Return whether a token has neither letters nor digits."""
    return not any(character.isalnum() for character in word)
