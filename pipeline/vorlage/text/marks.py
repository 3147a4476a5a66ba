"""Finds the parts of a pasted text that state nothing: citation marks, list numbers, headings, labels.

The forms are those of Markdown and of answers by language models.
"""

import unicodedata
from collections.abc import Iterator

import regex

from vorlage.types import Span

# [1], [1, 2], [^1], 【3†source】, [a.txt], superscripts behind a word; m² is a unit.
_SOURCE = r"(?i:source|doc|document|ref|passage|chunk|context)s?[ #]?(?=\d)"
_RAISED = "[\u00b9\u00b2\u00b3\u2070-\u2079]+"
CITATION = (
    r"(?:\(?\[\d{1,3}\]|\[[^\]\n]{1,40}\](?=\(http))\(https?://[^)\s]*\)\)?|https?://\S+"
    rf"|\[{_SOURCE}\d{{1,3}}\]|\[[^\[\]\n]{{1,80}}\.(?i:txt|md|pdf|docx|html?)\]"
    r"|\[\^?\d{1,3}(?:\s?[,;\-–]\s?\d{1,3})*\]|【[^】\n]{1,40}】|\[\^\w{1,12}\]"
    rf"|(?:(?<=\p{{L}}{{3}})|(?<=[.,;:!?)\"”’\]])){_RAISED}"
)
# Marks of citations in a row, and the line that says what a footnote is.
CITATIONS = regex.compile(rf"(?:{CITATION})(?:[ ,;]*(?:{CITATION}))*")
FOOTNOTE = regex.compile(r"^[ \t]*\[\^?(\w{1,12})\]:[ \t]*(.+)$", regex.MULTILINE)
# At the end of a sentence, behind a small letter: *Ben (9) won* has an age.
_PARENTHESIS = r"(?<=\p{Ll}[.]?\s?)\(\d{1,2}\)(?=\s*[.!?]|$)"
# The number of an item inside a line.
_NUMBER = r"(?<=[.!?]\s)\d{1,2}[.)](?=\s\p{Lu})"
# The beginning of a line: a bullet, the number of an item or of a step, an opening emphasis.
ITEM = (
    r"[>\s]*(?:[-*+•·▪◦‣–—]\s+)?(?:\(?(?:\d{1,3}|[a-z]|[ivx]{1,4})[.)](?=\s|$)|\(\d{1,2}\)|\d\ufe0f?\u20e3)?"
)
_STEP = r"(?i:(?:step|part|point|item|section|question|answer)\s+\d{1,2}\s*[:.)-])?"
# A label, in bold or one of those that language models write; what follows it is the statement.
_NAMES = (
    r"answer|question|summary|response|key (?:points?|takeaways?|findings?)|main points?|conclusion|overview"
    r"|note|tl;dr|a|q|user|assistant|human|ai|bot|system"
)
_LABEL = rf"(?:(\*\*|__)[^*_\n]{{1,60}}(?::\1|\1:)|(?i:{_NAMES}):)?"
_BEGINNING = regex.compile(rf"{ITEM}\s*{_STEP}\s*{_LABEL}")
# A line that is a heading, a line below one, a rule of a table.
_HEADING = regex.compile(r"\s*(?:#{1,6}\s.*|(\*\*|__)[^*_\n]{0,79}[^*_\n.!?]\1:?\s*|[-=_*\s|:+]+)$")
_FENCE = regex.compile(r"\s*(?:```|~~~)")
_INSIDE = regex.compile(rf"{CITATION}|{_PARENTHESIS}|{_NUMBER}|\*{{1,3}}|__|~~|`+|\|")


def find_marks(text: str) -> Iterator[Span]:
    """Yield the spans of the characters of a text that state nothing, in order of their lines."""
    start, lines = 0, text.replace("\f", " ").splitlines(keepends=True)
    for number, line in enumerate(lines):
        body = line.rstrip()
        following = lines[number + 1] if number + 1 < len(lines) else ""
        above_rule = (
            "|" in body and set(following.strip()) >= {"|", "-"} and not set(following) - set("|-: \n\r")
        )
        if above_rule or FOOTNOTE.match(body) or _FENCE.match(body) or _HEADING.match(body):
            yield start, start + len(body)
        else:
            beginning = _BEGINNING.match(body).end()
            yield start, start + beginning
            for match in _INSIDE.finditer(body, beginning):
                yield start + match.start(), start + match.end()
        start += len(line)


def cited_labels(marks: str) -> list[str]:
    """Return what marks of citations name: `1`, `2` and `a.txt` for `[1, 2][a.txt]` and `【4:0†a.txt】`."""
    labels = list[str]()
    for mark in regex.findall(rf"{CITATION}|{_RAISED}", marks):
        inner = regex.sub(r"^\d+:\d+†", "", mark.lstrip("([【^"))
        for part in regex.split(r"\s?[,;]\s?", regex.split(r"[\]】†]", inner)[0]):
            label = regex.sub(_SOURCE, "", unicodedata.normalize("NFKC", part))
            ends = regex.fullmatch(r"(\d+)\s?[-–]\s?(\d+)", label)
            labels += map(str, range(int(ends[1]), int(ends[2]) + 1)) if ends else [label]
    return labels
