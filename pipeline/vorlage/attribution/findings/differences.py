"""Finds what a text says differently from its document, by rules at linked places.

A word differs if the words around it are linked to the words around a word of the document of the same kind,
and the two disagree. The rules are for English; in other languages, only numbers, months, weekdays and the
characters of names are compared, and notes say what cannot be checked.
"""

from collections.abc import Iterator

from vorlage.attribution.findings import negation, roles, speakers, values, wording
from vorlage.attribution.findings.reading import Difference, Linked
from vorlage.text.detect import UNKNOWN, name_languages
from vorlage.text.number_words import number_words
from vorlage.text.tokenized import Text

# In the order in which they are believed where they overlap.
RULES = (
    values.find_values,
    values.find_exchanged,
    values.find_names,
    values.find_acronyms,
    negation.find_negations,
    wording.find_opposites,
    wording.find_quantities,
    wording.find_frequencies,
    roles.find_roles,
    roles.find_compared,
    roles.find_merged,
    speakers.find_speakers,
    wording.find_replaced,
    values.find_absent,
    wording.find_added,
)
# The rules that read other languages too.
COMMON_RULES = (values.find_values, values.find_absent)


def find_differences(pair: Linked) -> list[Difference]:
    """Return what the text says differently, in order; where two overlap, the graver one."""
    rules = RULES if pair.language == "en" else COMMON_RULES
    candidates = [difference for rule in rules for difference in rule(pair)]
    differences, taken = list[Difference](), set[int]()
    for difference in sorted(candidates, key=lambda difference: -difference.severity):
        words = set(range(*difference.text))
        if taken.isdisjoint(words):
            differences.append(difference)
            taken |= words
    return sorted(differences)


def are_read(text: Text, document: Text, many: bool) -> bool:
    """Return whether a sentence may be called supported; the arguments are those of `language_notes`."""
    languages = {text.language, document.language}
    return languages == {"en"} or (many and UNKNOWN not in languages)


def language_notes(text: Text, document: Text, many: bool) -> Iterator[str]:
    """Yield a sentence on what is not checked in the languages of a text and its document, if anything.

    Args:
        text: the text.
        document: its document.
        many: whether the encoder knows languages other than English.
    """
    languages = text.language, document.language
    if languages == ("en", "en"):
        return
    sides = f"The {name_languages(*languages)}"
    if not are_read(text, document, many):
        name_it = "; name the language if it is English" if UNKNOWN in languages else ""
        yield (
            f"{sides}, but the model is for English: only numbers and names are compared, as characters, and "
            f"no sentence is called supported{name_it}."
        )
        return
    if all(language == "en" or number_words(language).scales for language in languages):
        checks = "numbers, months and weekdays are compared; "
    else:
        checks = "numbers in digits are compared; number words, months, "
    yield f"{sides}: sources are found, and {checks}negation, opposites, units and roles are not."
