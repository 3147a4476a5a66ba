"""Says in which language a text seems to be, by its stop words, to note what cannot be checked."""

from collections.abc import Iterator

from vorlage.text.tokenized import Text
from vorlage.text.words import stop_words

NAMES = {
    **{"da": "Danish", "de": "German", "en": "English", "es": "Spanish", "fi": "Finnish", "fr": "French"},
    **{"hu": "Hungarian", "it": "Italian", "nl": "Dutch", "no": "Norwegian", "pt": "Portuguese"},
    **{"ro": "Romanian", "ru": "Russian", "sv": "Swedish"},
}
# The words that are looked at, the fewest from which a language is told, and how much more of them must be
# stop words of it than of English.
WORDS, ENOUGH, MARGIN = 500, 12, 0.1


def find_language(text: Text) -> str:
    """Return the code of the language of which most words are stop words; that of the text in doubt."""
    words = [word.lower() for word in text.words[:WORDS] if word.isalpha()]
    if len(words) < ENOUGH:
        return text.language
    shares = {code: sum(word in stop_words(code) for word in words) / len(words) for code in NAMES}
    likeliest = max(shares, key=lambda code: shares[code])
    return likeliest if shares[likeliest] > shares.get(text.language, 0.0) + MARGIN else text.language


def language_notes(text: Text, document: Text) -> Iterator[str]:
    """Yield what is not checked because of the languages of a text and its document, a sentence each."""
    here, there = find_language(text), find_language(document)
    names = [NAMES.get(code, code) for code in (here, there)]
    if here != there:
        yield (
            f"The text looks {names[0]} and the document {names[1]}: only names and numbers can be linked, "
            "so most words seem to have no source."
        )
    elif here != "en":
        yield (
            f"The text looks {names[0]}: negation, opposites, names, units and roles are not compared "
            "reliably, numbers in digits are."
        )
