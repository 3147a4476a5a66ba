"""All checks of a text, and what they do not read.

A check is a function from what both sides state to findings; a new one is a module here, and its function in
`CHECKS`. The rules are for English; in other languages, only numbers, months, weekdays and the characters of
names are compared.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from vorlage.attribution.reading import SILENT, Finding, Reading
from vorlage.checks.assertions import find_assertions
from vorlage.checks.counterparts import find_absent, find_exchanged, find_values
from vorlage.checks.facts import StatementPair, read_statements
from vorlage.checks.negation import find_negations
from vorlage.checks.number_words import number_words
from vorlage.checks.substitution import find_absent_names, find_substituted
from vorlage.checks.tables import find_exchanged_cells
from vorlage.checks.wording import find_frames, find_frequencies, find_quantities
from vorlage.text.detect import UNKNOWN, name_languages

Check: TypeAlias = Callable[[StatementPair], Iterable[Finding]]

# In the order in which they are believed where they overlap with one severity.
CHECKS: tuple[Check, ...] = (
    find_values,
    find_exchanged,
    find_substituted,
    find_negations,
    find_assertions,
    find_exchanged_cells,
    find_quantities,
    find_frequencies,
    find_absent_names,
    find_absent,
    find_frames,
)
# Those that read other languages too.
COMMON_CHECKS: tuple[Check, ...] = (find_values, find_substituted, find_absent_names, find_absent)


def check(reading: Reading) -> list[Finding]:
    """Return the findings of all checks, in order: where two overlap, the graver one.

    A finding with a word that a check calls silent, or in which it sees that both sides agree, is left out,
    and so is one of words of marks alone.
    """
    pair = read_statements(reading)
    checks = CHECKS if pair.language == "en" else COMMON_CHECKS
    candidates = [finding for find in checks for finding in find(pair)]
    findings = [finding for finding in candidates if finding.severity == SILENT]
    right = (finding for finding in candidates if finding.severity <= SILENT)
    silent, taken = {t for finding in right for t in range(*finding.text)}, set[int]()
    for finding in sorted(candidates, key=lambda finding: -finding.severity):
        words = set(range(*finding.text))
        if finding.severity > SILENT and taken.isdisjoint(words):
            taken |= words
            if (words := words - pair.text.marks) and words.isdisjoint(silent):
                findings.append(finding)
    return sorted(findings)


def note_languages(reading: Reading) -> Iterator[str]:
    """Yield a sentence on what is not checked in the languages of a text and its document, if anything."""
    languages = reading.text.tokenized.language, reading.document.tokenized.language
    if languages == ("en", "en"):
        return
    sides = f"The {name_languages(*languages)}"
    if not reading.is_read:
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
