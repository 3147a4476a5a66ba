"""Finds what a text says differently from its document, by rules at linked places.

A word differs if the words around it are linked to the words around a word of the document of the same kind,
and the two disagree. The rules are for English; in other languages, only numbers, months and weekdays are
compared.
"""

from vorlage.attribution.rules.linked import Difference, Linked
from vorlage.attribution.rules.negation import find_hedges, find_negations
from vorlage.attribution.rules.roles import find_roles
from vorlage.attribution.rules.values import find_absent, find_exchanged, find_names, find_units, find_values
from vorlage.attribution.rules.wording import find_added, find_opposites, find_quantities, find_replaced

# In the order in which they are believed where they overlap.
RULES = (
    find_values,
    find_exchanged,
    find_units,
    find_names,
    find_negations,
    find_opposites,
    find_quantities,
    find_roles,
    find_hedges,
    find_replaced,
    find_absent,
    find_added,
)


def find_differences(pair: Linked) -> list[Difference]:
    """Return what the text says differently, in order; where two overlap, the graver one."""
    rules = RULES if pair.language == "en" else (find_values, find_absent)
    differences: list[Difference] = []
    taken: set[int] = set()
    candidates = [difference for rule in rules for difference in rule(pair)]
    for difference in sorted(candidates, key=lambda difference: -difference.severity):
        words = set(range(*difference.text))
        if taken.isdisjoint(words):
            differences.append(difference)
            taken |= words
    return sorted(differences)
