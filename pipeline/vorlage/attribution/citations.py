"""Checks the marks of citations: whether the document behind a mark bears out the statement before it.

The statement of marks goes back to the marks before them, or to the beginning of its sentence. A document
covers a statement by the content words that it holds, of which those count more that few documents hold.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

import numpy as np

from vorlage.attribution.result import Citation, Documents, Mark
from vorlage.text.marks import FOOTNOTE, Names, cited_labels, find_citation_marks, is_document
from vorlage.text.tokenized import Text, trim
from vorlage.types import Floats, Span

Footnotes: TypeAlias = Mapping[str, re.Match[str]]
# Both were chosen on 27 November 2026 on quotesum-dev and verifiability-dev, see docs/attribution.md.
BEARS_OUT = 0.65  # the least coverage of a source, as a share of that of the document that covers most
MIN_COVERAGE = 0.15  # of the document that covers most: below, none bears the statement out
SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def find_citations(
    text: Text,
    documents: Documents,
    content: Sequence[bool],
    likeness: Floats,
    wrong: Sequence[Span],
) -> Iterator[Citation]:
    """Yield the marks of a text that name documents, with the documents that bear out what is before them.

    Args:
        text: of T words.
        documents: those with the sources, by name, of S sentences together.
        content (T): the words that count.
        likeness (T, S): of each word to the likest word of each sentence, from 0 to 1.
        wrong: the characters of what is likely wrong in the text.
    """
    covered, names = np.maximum.reduceat(likeness, documents.sentences, axis=1), documents.names
    footnotes = {line[1]: line for line in FOOTNOTE.finditer(text.raw)}
    starts, previous = [text.tokens[first][0] for first, _ in text.sentences], 0
    for marks in find_citation_marks(text.raw, documents.given):
        labels = cited_labels(marks)
        found = {label: _find_name(label, documents.given, footnotes) for label in labels}
        cited = [name for label, name in found.items() if name or is_document(label)]
        is_footnote = any(line.start() <= marks.start() < line.end() for line in footnotes.values())
        if is_footnote or not cited:
            continue
        end = len(text.raw[: marks.start()].rstrip())
        start = max([previous, *(start for start in starts if start < end)])
        words = [t for t in text.tokens_in((start, end)) if content[t]] if start < end else []
        previous = marks.end()
        if not words:
            continue
        weights = np.log((len(names) + 1) / (covered[words].sum(axis=1) + 0.5)).clip(0.0)
        coverage = weights @ covered[words] / max(weights.sum(), 1e-9)
        least = max(MIN_COVERAGE, BEARS_OUT * coverage.max())
        sources = tuple(names[k] for k in np.argsort(-coverage, kind="stable") if coverage[k] >= least)
        differs = any(first < end and start < stop for first, stop in wrong)
        mark: Mark = "misattributed"
        if None in cited:
            mark = "unknown"
        elif not sources:
            mark = "unsupported"
        elif not set(sources).isdisjoint(cited):
            mark = "unsupported" if differs else "right"
        statement = trim(text.raw, (start, end))
        yield Citation(marks.span(), statement, tuple(filter(None, cited)), mark, sources)


def correct_marks(text: str, names: Names, citations: Iterable[Citation]) -> str:
    """Return a text with the marks that are misattributed replaced by those of the best sources."""
    footnotes = {line[1]: line for line in FOOTNOTE.finditer(text)}
    parts, last = list[str](), 0
    wrong = {mark.text: mark.sources[0] for mark in citations if mark.mark == "misattributed"}
    for marks in find_citation_marks(text, names):
        if source := wrong.get(marks.span()):
            mark = _mark(marks[0], cited_labels(marks)[0], source, names, footnotes)
            parts += text[last : marks.start()], mark
            last = marks.end()
    return "".join([*parts, text[last:]])


def _mark(marks: str, first: str, name: str, names: Names, footnotes: Footnotes) -> str:
    """Return a mark in the form of others, the first of which names `first`, for the document of a name."""
    forms = [(str(number), Path(form).stem, form) for number, form in enumerate(names, 1)]
    old, new = forms[names.index(_find_name(first, names, footnotes) or name)], forms[names.index(name)]
    labels = [
        label for label in footnotes if first in footnotes and _find_name(label, names, footnotes) == name
    ]
    label = [*labels, new[old.index(first) if first in old else 0]][0]
    if first not in marks:
        return label.translate(SUPERSCRIPTS)
    start = marks.index(first, marks.find(">") + 1 if marks.startswith("<") else 0)
    closing = re.search(r"†[^】]*】|[\]】)]|</cite>", marks[start + len(first) :])
    return marks[:start] + label + (closing[0] if closing else "")


def _find_name(label: str, names: Names, footnotes: Footnotes) -> str | None:
    """Return the name of the document that a label means: by its footnote, its name or its number."""
    line = footnotes.get(label)
    found = [name for name in names if line and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", line[2])]
    found += [name for name in names if label.casefold() in (name.casefold(), Path(name).stem.casefold())]
    if label.isdigit() and label != "0" and not any(map(str.isdigit, names)):
        found += names[int(label) - 1 : int(label)]
    return next(iter(found), None)
