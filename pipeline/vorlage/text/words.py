"""Stop words, closed classes and stems, with one meaning for all stages.

A language is its two-letter code (ISO 639-1). English has the stop words and the stemmer of the papers.
"""

from collections.abc import Callable, Iterable
from functools import cache, lru_cache

import numpy as np

from vorlage.text.english import ENGLISH
from vorlage.text.nltk import PorterStemmer
from vorlage.types import Ints

STOP_WORDS, CLOSED_CLASS, AUXILIARIES = ENGLISH.stop_words, ENGLISH.closed_class, ENGLISH.auxiliaries

# The languages that Snowball (Porter 2001) has stems for, by NLTK's names.
SNOWBALL = dict(
    name.split(":")
    for name in """ar:arabic da:danish de:german es:spanish fi:finnish fr:french hu:hungarian it:italian
    nl:dutch no:norwegian pt:portuguese ro:romanian ru:russian sv:swedish""".split()
)


# The cache is bounded because the vocabulary of a stream of new texts is not.
@lru_cache(maxsize=1 << 16)
def stem(word: str, language: str = "en") -> str:
    """Return the stem of a token, which is lower-cased first.

    It is the Porter stem (Porter 1980, with NLTK's extensions) in English, the Snowball stem in the languages
    of `SNOWBALL`, and the word itself in any other. That of a number is itself.
    """
    return word if word.isascii() and word.isdecimal() else _stemmer(language)(word.lower())


@cache
def _stemmer(language: str) -> Callable[[str], str]:
    if language == "en":
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
    from stopwordsiso import has_lang, stopwords  # which reads those of all languages

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


def number_stems(words: Iterable[str], language: str, stem: Callable[[str, str], str | None]) -> Ints:
    """Return a number for the stem of each word, −1 for none; `stem`: `stem` or `content_stem`."""
    numbers: dict[str | None, int] = {None: -1}
    stems = [numbers.setdefault(stem(word, language), len(numbers) - 1) for word in words]
    return np.array(stems, dtype=np.int32)


@lru_cache(maxsize=1 << 16)
def is_punctuation(word: str) -> bool:
    """Return whether a token has neither letters nor digits."""
    return not (word.isalnum() or any(character.isalnum() for character in word))
