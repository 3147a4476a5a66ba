"""Notes on what attribution cannot check in the languages of a text and its document."""

from collections.abc import Iterator

from vorlage.attribution.facts import scales
from vorlage.text.detect import find_languages, language_name
from vorlage.text.tokenized import Text


def language_notes(text: Text, document: Text, many: bool) -> Iterator[str]:
    """Yield a sentence on what is not checked in the languages of a text and its document, if anything.

    Args:
        text: the text.
        document: its document.
        many: whether the encoder knows languages other than English.
    """
    languages = text.language, document.language
    if not many and languages == ("en", "en"):  # as which a model for English reads texts in any language
        detected = find_languages(text.raw, document.raw)
        languages = detected[0] or "en", detected[1] or "en"
    if languages == ("en", "en"):
        return
    names = language_name(languages[0]), language_name(languages[1])
    if languages[0] == languages[1]:
        sides = f"The text and its document are {names[0]}"
    else:
        sides = f"The text is {names[0]} and its document {names[1]}"
    if not many:
        yield f"{sides}, but the encoder is for English: unlike words may seem to have no source."
        return
    if all(map(scales, languages)):
        checks = "numbers, months and weekdays are compared; "
    else:
        checks = "numbers in digits are compared; number words, months, "
    yield f"{sides}: sources are found, and {checks}negation, opposites, names, units and roles are not."
