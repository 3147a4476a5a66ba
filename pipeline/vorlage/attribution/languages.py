"""Says what attribution cannot check because of the languages of a text and its document."""

from collections.abc import Iterator

from vorlage.attribution.facts import scales
from vorlage.text.detect import find_languages, language_name
from vorlage.text.tokenized import Text


def language_notes(text: Text, document: Text, many: bool) -> Iterator[str]:
    """Yield what is not checked because of the languages of a text and its document, a sentence each.

    Args:
        text: the text.
        document: its document.
        many: whether the encoder knows languages other than English.
    """
    languages = text.language, document.language
    if not many and languages == ("en", "en"):  # as which a model for English reads texts in any language
        found = find_languages(text.raw, document.raw)
        languages = found[0] or "en", found[1] or "en"
    if languages == ("en", "en"):
        return
    here, there = map(language_name, languages)
    if languages[0] == languages[1]:
        said = f"The text and its document are {here}"
    else:
        said = f"The text is {here} and its document {there}"
    if not many:
        yield f"{said}, but the encoder is for English: unlike words may seem to have no source."
        return
    if all(map(scales, languages)):
        checks = "numbers, months and weekdays are compared; "
    else:
        checks = "numbers in digits are compared; number words, months, "
    yield f"{said}: sources are found, and {checks}negation, opposites, names, units and roles are not."
