"""Draws an attribution in a terminal: the verdict and the findings of each sentence, with its sources."""

from collections import defaultdict
from collections.abc import Iterator

from rich.console import Console, RenderableType
from rich.text import Text

from vorlage.attribution.reading import CHECK
from vorlage.attribution.result import AttributedSentence, AttributionResult
from vorlage.views.console import FAINT, Drawing, note_rows, quoted, sentence_name, shown_probability

FINDING = "red"
# The sign of each verdict, and its style.
SIGNS = {"supported": "✓", "unclear": "?", "unsupported": "✗", "no statement": "·"}
STYLES = {"supported": "green", "unclear": "yellow", "unsupported": "bold red", "no statement": FAINT}


def draw_attribution(attribution: AttributionResult, console: Console) -> Iterator[RenderableType]:
    """Yield the verdicts, each sentence with its sources, then what the marks mean."""
    sources = [sentence.sources for sentence in attribution.sentences]
    drawing = Drawing(attribution.text.raw, attribution.documents.texts, sources, console)
    yield Text(headline(attribution), "bold")
    yield from (Text(f"note: {note}", FAINT) for note in attribution.notes)
    yield Text()
    for sentence in attribution.sentences:
        yield _draw_sentence(attribution, sentence, drawing)
        yield Text()
    yield Text("✓ supported, ? unclear, ✗ differs or has no source", FAINT)
    yield drawing.legend()


def _draw_sentence(
    attribution: AttributionResult, sentence: AttributedSentence, drawing: Drawing
) -> RenderableType:
    """Return a sentence with its verdict, its sources and what is found in it."""
    raw, notes = attribution.text.raw, defaultdict[str, list[Text]](list, {"differs": [], "no source": []})
    spans = [span for span in attribution.spans if span.sources and sentence.holds(span.text)]
    findings = [finding for finding in attribution.unsupported if sentence.holds(finding.text)]
    grave = [finding for finding in findings if finding.severity > CHECK]
    for finding in sorted(findings, key=lambda finding: -finding.severity):
        if finding.severity == CHECK:
            notes["words to check"].append(Text(quoted(raw, finding.text), FAINT))
        elif finding.document:
            notes["differs"].append(Text(finding.message, FINDING))
        else:
            notes["no source"].append(drawing.without_source(finding.text, finding.null))
    for word in attribution.words:
        if word.is_aside and sentence.holds(word.text):
            place = "" if word.sentence is None else f" ({sentence_name(word.name, word.sentence)})"
            notes[word.state].append(Text(quoted(raw, word.text) + place))
    wrong = [finding.text for finding in grave if finding.document]
    notes["reworded"] += drawing.rewordings(spans, wrong)
    contradicted = [(finding.name, finding.document) for finding in grave if finding.document]
    rows = list(drawing.source_rows(sentence.sources, spans, contradicted))
    if sentence.judged is not None:
        judgement = Text("supported, according to the judge", FAINT)
        rows.append((Text(), shown_probability(sentence.judged), judgement))
    support = f"supported {sentence.supported:.2f}; words with a source {sentence.linked:.0%}"
    if sentence.reason:
        rows.append((Text(), Text("?"), Text(sentence.reason)))
    rows += [(Text(), Text(), Text(support, FAINT)), *note_rows(notes)]
    for citation in attribution.citations:
        if sentence.holds(citation.statement):
            style = FAINT if citation.mark == "right" else FINDING
            rows.append((Text(), Text(), Text(f"{raw[slice(*citation.text)]} {citation}", style)))
    verdict = Text(f"{SIGNS[sentence.verdict]} ", STYLES[sentence.verdict])
    marked = drawing.marked_sentence(sentence.text, spans, [finding.text for finding in grave])
    text = Text.assemble(verdict, marked)
    return drawing.beside(text, rows if sentence.verdict != "no statement" else [])


def headline(attribution: AttributionResult) -> str:
    """Return a line that counts the statements that pass."""
    supported, total = len(attribution.passing), len(attribution.statements)
    if not total:
        return "nothing to check"
    line = f"{supported} of {total} {'statement' if total == 1 else 'statements'} supported"
    return f"{line}; {total - supported} to check" if supported < total else line
