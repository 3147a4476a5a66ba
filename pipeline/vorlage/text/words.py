"""Stop words, closed classes and stems, with one meaning for all stages.

A language is its two-letter code (ISO 639-1). English has the stop words and the stemmer of the papers.
"""

from collections.abc import Callable
from functools import cache, lru_cache

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

# The languages that Snowball (Porter 2001) has stems for, by NLTK's names.
SNOWBALL = {
    "ar": "arabic",
    "da": "danish",
    "de": "german",
    "es": "spanish",
    "fi": "finnish",
    "fr": "french",
    "hu": "hungarian",
    "it": "italian",
    "nl": "dutch",
    "no": "norwegian",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sv": "swedish",
}


# The cache is bounded because the vocabulary of a stream of new texts is not.
@lru_cache(maxsize=1 << 16)
def stem(word: str, language: str = "en") -> str:
    """Return the stem of a token, which is lower-cased first.

    It is the Porter stem (Porter 1980, with NLTK's extensions) in English, the Snowball stem in the languages
    of `SNOWBALL`, and the word itself in any other.
    """
    return _stemmer(language)(word.lower())


@cache
def _stemmer(language: str) -> Callable[[str], str]:
    if language == "en":
        from vorlage.text.nltk import PorterStemmer

        stem: Callable[[str], str] = PorterStemmer().stem
        return stem
    if language in SNOWBALL:
        from nltk.stem import SnowballStemmer

        return SnowballStemmer(SNOWBALL[language]).stem
    return str


@cache
def stop_words(language: str = "en") -> frozenset[str]:
    """Return the ignore list of a language: for English that of the papers, else that of `stopwordsiso`.

    It is empty for a language that `stopwordsiso` does not have.
    """
    if language == "en":
        return STOP_WORDS
    from stopwordsiso import has_lang, stopwords

    return frozenset(stopwords(language) if has_lang(language) else ())


def is_stop_word(word: str, language: str = "en") -> bool:
    """Return whether a token is on the ignore list of its language, in any case, or is punctuation.

    The English list has the punctuation marks that count.
    """
    return word.lower() in stop_words(language) or (language != "en" and is_punctuation(word))


# The cache is bounded as that of `stem` is.
@lru_cache(maxsize=1 << 16)
def content_stem(word: str, language: str = "en") -> str | None:
    """Return the stem of a token, None if `is_stop_word`."""
    return None if is_stop_word(word, language) else stem(word.lower(), language)


def is_punctuation(word: str) -> bool:
    """Return whether a token has neither letters nor digits."""
    return not (word.isalnum() or any(character.isalnum() for character in word))
