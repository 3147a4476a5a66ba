"""The report of many texts: how many pass, what fails and why, as a page and as JUnit XML."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import urlencode
from xml.etree import ElementTree

from vorlage.attribution.result import AttributionResult
from vorlage.views.console import printable
from vorlage.views.tables import by_gravity
from vorlage.views.viewer import VIEWER_SCRIPTS, Entry, make_entry, page_parts, render, viewer_parts
from vorlage.views.viewer_data import attribution_data

SHOWN_WORDS = 8  # of a statement that fails without a finding
# The kinds of what is wrong without a finding.
UNCLEAR, CITATION = "unclear", "citation"


class TextOutcome(NamedTuple):
    """How a text does.

    `supported`: the number of its `statements` that pass, by `AttributionResult.passing`; `passed`: whether
    these are enough. `failures`: the kind of each, and what is wrong, the gravest first. `entry`: what the
    page shows of it.
    """

    id: str
    supported: int
    statements: int
    passed: bool
    failures: list[tuple[str, str]]
    entry: Entry | None

    @property
    def share(self) -> float:
        """The share of the statements that are supported."""
        return self.supported / self.statements if self.statements else 1.0


def find_outcome(attribution: AttributionResult, threshold: float, on_page: bool) -> TextOutcome:
    """Return the outcome of a text, which passes as `AttributionResult.ok` says; `on_page`: with its data."""
    failures = list[tuple[str, str]]()
    numbered = list(enumerate(attribution.sentences, 1))
    for finding in by_gravity(attribution.unsupported):
        if finding.severity > 1:
            number = next(number for number, sentence in numbered if sentence.holds(finding.text))
            failures.append((finding.kind, f"{number}: {printable(finding.message)}"))
    for number, sentence in numbered:
        if sentence.reason:
            words = printable(attribution.text.raw[slice(*sentence.text)]).split()
            quote = " ".join(words[:SHOWN_WORDS]) + " …" * (len(words) > SHOWN_WORDS)
            failures.append((UNCLEAR, f"{number}: {printable(sentence.reason)}: “{quote}”"))
    for citation in attribution.citations:
        if citation.mark != "right":
            number = next(number for number, sentence in numbered if sentence.holds(citation.statement))
            marks = printable(attribution.text.raw[slice(*citation.text)])
            failures.append((CITATION, f"{number}: {marks}: {citation}"))
    counts = len(attribution.passing), len(attribution.statements)
    entry = make_entry(attribution_data(attribution)) if on_page else None
    return TextOutcome(attribution.id, *counts, attribution.ok(threshold), failures, entry)


def describe_totals(outcomes: Sequence[TextOutcome]) -> str:
    """Return a line that counts the texts that pass, and the statements that are supported."""
    passed = sum(outcome.passed for outcome in outcomes)
    supported = sum(outcome.supported for outcome in outcomes)
    statements = sum(outcome.statements for outcome in outcomes)
    return f"{passed} of {len(outcomes)} texts pass; {supported} of {statements} statements supported"


def texts_page(title: str, outcomes: Sequence[TextOutcome]) -> str:
    """Return a page with the totals, a row for each text, the worst first, and the viewer."""
    ordered = sorted(outcomes, key=lambda outcome: (outcome.passed, outcome.share, -len(outcome.failures)))
    kinds = Counter(kind for outcome in outcomes for kind, _ in outcome.failures).most_common()
    rows = [(outcome, "#" + urlencode({"pair": outcome.id})) for outcome in ordered]
    entries = [outcome.entry for outcome in ordered if outcome.entry]
    parts = page_parts([*VIEWER_SCRIPTS, "tables"]) | viewer_parts(entries, "attribution")
    return render("texts", title=title, totals=describe_totals(outcomes), kinds=kinds, rows=rows, **parts)


def make_junit(title: str, outcomes: Sequence[TextOutcome]) -> str:
    """Return JUnit XML with a case for each text, which fails if the text does not pass."""
    failed = sum(not outcome.passed for outcome in outcomes)
    counts = {"tests": str(len(outcomes)), "failures": str(failed), "errors": "0"}
    suite = ElementTree.Element("testsuite", {"name": title, **counts})
    for outcome in outcomes:
        case = ElementTree.SubElement(suite, "testcase", {"classname": title, "name": outcome.id})
        if not outcome.passed:
            message = f"{outcome.supported} of {outcome.statements} statements supported"
            ElementTree.SubElement(case, "failure", {"message": message}).text = "\n".join(
                failure for _, failure in outcome.failures
            )
    ElementTree.indent(suite)
    return ElementTree.tostring(suite, "unicode", xml_declaration=True) + "\n"
