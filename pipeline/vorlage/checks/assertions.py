"""What the clauses of a text assert otherwise than the document: who does what, and whether it holds."""

from collections.abc import Iterator

from vorlage.attribution.reading import Finding
from vorlage.checks.exchanges import find_exchanges, find_swapped
from vorlage.checks.facts import StatementPair
from vorlage.checks.matching import Comparison
from vorlage.checks.orders import find_orders
from vorlage.checks.status import find_conditions, find_openings


def find_assertions(pair: StatementPair) -> Iterator[Finding]:
    """Yield what the clauses of the text assert otherwise than the document, and where they agree."""
    comparison = Comparison(pair)
    for number, clauses in enumerate(comparison.clauses):
        matches = [found for clause in clauses if (found := comparison.matches(number, clause))]
        for found in matches:
            equals = [match for match in found if match.alike >= 2 and match.shared >= found[0].shared]
            if found[0].alike >= 2:
                yield from find_conditions(comparison, clauses, equals)
                yield from find_openings(comparison, equals)
            yield from find_exchanges(comparison, found, equals)
        yield from find_swapped(comparison, [found[0] for found in matches])
        yield from find_orders(comparison, number)
