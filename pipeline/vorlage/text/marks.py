"""Finds the parts of a pasted text that state nothing: citation marks, list numbers, headings, labels.

The forms are those of Markdown and of answers by language models.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

import regex

from vorlage.text.english import ENGLISH
from vorlage.types import Span

Names: TypeAlias = tuple[str, ...]  # of documents, which marks of citations may name

# Raised digits behind a word, a closing mark or a number; m² is a unit, 10⁶ a power, 1¹⁄₂ a fraction.
_DIGIT = "[\u00b9\u00b2\u00b3\u2070-\u2079]"
_BEFORE = r"(?:(?<=\p{L}{3}|[.,;:!?)\"”’\]%\p{Sc}])|(?<=\p{Nd})(?<!(?<![\d.,])10))"
RAISED_MARK = rf"(?={_DIGIT}){_BEFORE}{_DIGIT}++(?![⁄/])"
# What brackets name: a document by a word and a number, a file, a work by its authors and year; with a page.
_NUMBERED = r"(?i:source|doc|document|ref|passage|chunk|context)s?[ #]?(?P<label>\d{1,3})"
_IDENTIFIER = r"\^?\d{1,3}(?:\s?[-–]\s?\d{1,3})?|\p{L}{1,9}[-_#]?\d{1,3}|\^\w{1,12}"
_FILE = r"[^\[\]()<>;,:\n]{1,80}\.(?i:txt|md|pdf|docx|html?)"
_TIMES = "|".join([*ENGLISH.months, *ENGLISH.weekdays, *ENGLISH.before_months, "spring|summer|autumn|winter"])
_AUTHOR = r"(?:(?:\p{Lu}\.|de[lnr]?|di|la|le|van|von) ?)*\p{Lu}[\p{L}'’-]*\p{Ll}"
_OFFICE = r"\p{Lu}[\p{L}.'’-]*(?: (?:\p{Lu}[\p{L}.'’-]*|and|for|of|on|the))*+,"
_AUTHORS = rf"{_AUTHOR}(?:(?:,? (?:and|&|et|und|y) |, ){_AUTHOR})*(?:,? et al\.?)?,?"
_WORK = rf"(?!(?i:{_TIMES})\b)(?:{_AUTHORS}|{_OFFICE})(?:,? (?:1[5-9]|20)\d\d[a-z]?)+"
_PLACE = rf"\({_AUTHOR} \d{{4}}\)"  # as in *the treaty (Rome 1957)*, which is a statement
_PREFIX = r"(?i:(?:see|also|cf\.?|e\.g\.|sources?:|from),? )*"
_PAGE = r"(?:[,:] ?(?:(?:pp?\.|pages?|S\.|ch\.|sec\.) ?|(?<=: ?))\d{1,4}(?:[-–]\d{1,4})?)?"


def _citation(names: str, numbers: str) -> str:
    """Return the pattern of a mark; `names`, `numbers`: patterns of those of documents."""
    unnamed = rf"{_FILE}|{_WORK}|(?(any)(?:{_IDENTIFIER})|{numbers}(?=[^()]*\)\s*(?:[.,;:!?]|$)))"
    label = rf"(?:(?P<label>{names})|{_NUMBERED}|(?P<label>{unnamed})){_PAGE}"
    return (
        r"(?:\(?\[(?P<label>\d{1,3})\]|\[(?P<label>[^\]\n]{1,40})\](?=\(http))\(https?://[^)\s]*\)\)?"
        rf"|https?://\S+|(?:(?P<any>\[|<cite\b[^<>]*>|\((?i:sources?:? ))|(?!{_PLACE})\()"
        rf"(?:{_PREFIX}{label}(?:\s?[,;]\s?|,? and |(?=[\])<])))+(?:[\])]|</cite>)"
        r"|【(?:\d+:\d+†)?(?P<label>[^】†,;\n]{1,40})(?:[,;]\s?(?P<label>[^】†,;\n]{1,40}))*(?:†[^】\n]*)?】"
        rf"|(?P<label>{RAISED_MARK})"
    )


CITATION = _citation("(?!)", "(?!)")  # in a text whose documents have no names
CITING = re.compile(r"[(\[【<\0¹²³⁰-⁹]|http")  # what each mark has; its pattern is not looked for without it
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
_RULE = regex.compile(r"(?=.*\|)(?=.*-)[|: \r\n-]+$")  # below the heading of a table
_ROW = regex.compile(r"\s*\|.*\|\s*$")
_FENCE = regex.compile(r"\s*(?:```|~~~)")
_INSIDE = regex.compile(rf"{_PARENTHESIS}|{_NUMBER}|\*{{1,3}}|__|~~|`+|\|")


def find_marks(text: str, names: Names = ()) -> Iterator[Span]:
    """Yield the spans of the characters of a text that state nothing; `names`: of its documents."""
    start, lines = 0, text.replace("\f", " ").splitlines(keepends=True)
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        body = line.rstrip()
        above_rule = "|" in body and _RULE.match(following)
        if above_rule or FOOTNOTE.match(body) or _FENCE.match(body) or _HEADING.match(body):
            yield start, start + len(body)
        else:
            beginning = _BEGINNING.match(body).end()
            yield start, start + beginning
            inside = _pattern(names, False) if CITING.search(body) else _INSIDE
            for match in inside.finditer(body, beginning):
                yield start + match.start(), start + match.end()
        start += len(line)


def find_unread(text: str) -> Iterator[tuple[Span, str]]:
    """Yield the spans of a text that are not prose, and what each is: code, or a row of a table."""
    start, fenced = 0, False
    for line in text.splitlines(keepends=True):
        fence = _FENCE.match(line)
        if fenced or (_ROW.match(line) and not fence):
            yield (start, start + len(line)), "code" if fenced else "a row of a table"
        fenced ^= bool(fence)
        start += len(line)


def find_citation_marks(text: str, names: Names = ()) -> Iterator[regex.Match[str]]:
    """Yield the marks of citations in a text, those in a row as one; `names`: of the documents."""
    if CITING.search(text):
        yield from _pattern(names, True).finditer(text)


def cited_labels(marks: regex.Match[str]) -> list[str]:
    """Return what marks of citations name: `1`, `2` and `a.txt` for `[1, 2][a.txt]` and `【4:0†a.txt】`."""
    labels = list[str]()
    for label in marks.captures("label"):
        label = unicodedata.normalize("NFKC", label).lstrip("^")
        ends = regex.fullmatch(r"(\d+)\s?[-–]\s?(\d+)", label)
        labels += map(str, range(int(ends[1]), int(ends[2]) + 1)) if ends else [label]
    return labels


def is_document(label: str) -> bool:
    """Return whether a label may name a document, by its number or file, rather than a work."""
    return bool(regex.fullmatch(f"{_IDENTIFIER}|{_FILE}", label))


@lru_cache(maxsize=64)
def _pattern(names: Names, in_row: bool) -> regex.Pattern[str]:
    """Return the pattern of marks of citations in a row, or else of what states nothing inside a line."""
    numbers = () if any(map(str.isdigit, names)) else map(str, range(1, len(names) + 1))
    forms = {*names, *(Path(name).stem for name in names), *numbers, "\n"}  # the break is in no mark
    groups = {
        "names": [form for form in forms if not form.isdigit()],
        "numbers": [form for form in forms if form.isdigit() or form == "\n"],
    }
    citation = _citation(r"(?i:\L<names>)", r"\L<numbers>")
    row = rf"(?:(?(row)[ ,;]*)(?P<row>{citation}))+"
    return regex.compile(row if in_row else f"{citation}|{_INSIDE.pattern}", **groups)
