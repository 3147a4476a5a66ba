"""Finds the lines of paragraphs that were wrapped at a width, as in e-mails, minutes and by `fold`.

In such a text, the first word of a line had no room on the line before. The width is the one that explains
most line breaks inside sentences. A paragraph ends at a blank line, before an item of a list, at a heading or
a row of a table in Markdown, and where the marks `>` of a quoted e-mail change; what is quoted has a width of
its own.
"""

from collections import Counter

import regex

# A character of a script without spaces between words.
UNSPACED = r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]"
# With the limits that follow, all strings of the corpora at hand kept their sentences (2026-11-26).
WIDTHS = range(40, 133)  # of wrapped lines; a character of a script without spaces counts twice
RAGGED = 0.1  # of its length may be free at the end of a line, beside the room for the next word
MIN_SHARE = 0.25  # of the line breaks that the width explains and that must be inside a sentence
MAX_DEPTH = 3  # of quotations that are told apart
# What begins a paragraph: items of lists, and headings and rows of tables in Markdown, which end it, too.
ITEM = regex.compile(r"\s*(?:[-*+•·▪◦‣–—]\s|\(?(?:\d{1,3}[.)]|\p{L}\))\s|(#+\s|\|))")
_QUOTED = regex.compile(r"(?:[ \t]*>)*")
_FIRST_WORD = regex.compile(rf"\p{{P}}*({UNSPACED})|\S+")
# Where a sentence goes on: before a small letter, or one of a script that has none, and after these words.
_SMALL = regex.compile(r"\W*[\p{L}--\p{Lu}]", regex.V1)
_OPEN = regex.compile(r"\b(?:an?|and|as|at|by|for|from|in|of|or|that|the|to|with)$")
_FULL_STOP = regex.compile(r"[.!?…:。！？｡।॥۔؟։።]\p{P}*$")


def unwrap(text: str) -> str:
    """Return a text with spaces for the line breaks in paragraphs that were wrapped, and for their marks `>`.

    The characters correspond one for one. A text without capitals, which would show where a sentence begins,
    is returned as it is.
    """
    lines = text.splitlines(keepends=True)
    marks = [_QUOTED.match(line).end() for line in lines]
    bodies = [line[mark:].rstrip() for line, mark in zip(lines, marks, strict=True)]
    depths = [min(line.count(">", 0, mark), MAX_DEPTH) for line, mark in zip(lines, marks, strict=True)]
    for depth in set() if text.islower() else set(depths):
        numbers = [number for number, line_depth in enumerate(depths) if line_depth == depth]
        wrapped = _find_wrapped({number: bodies[number] for number in numbers})
        for number in numbers if wrapped else ():
            line = lines[number][marks[number] :].rjust(len(lines[number]))
            lines[number] = line.rstrip().ljust(len(line)) if number in wrapped else line
    return "".join(lines)


def _find_wrapped(lines: dict[int, str]) -> set[int]:
    """Return the numbers of the lines that were wrapped: the next line goes on with their paragraph."""
    widths: dict[int, range] = {}  # at which a line was wrapped
    unfinished, continued = set(), set()
    for number, line in lines.items():
        following = lines.get(number + 1)
        if not (line and following) or ITEM.match(following) or ((item := ITEM.match(line)) and item[1]):
            continue
        if _SMALL.match(following) or _OPEN.search(line[-9:]):
            continued.add(number)
        if number in continued or not _FULL_STOP.search(line[-9:]):
            unfinished.add(number)
        word = _FIRST_WORD.search(following)
        size = 2 if word[1] else 1
        length = size * len(line)
        room = size * len(word[0]) + 1 + RAGGED * length * (number in continued)
        widths[number] = range(length, round(length + min(room, length / 2)) + 1)
    votes = Counter(width for number in unfinished for width in widths[number] if width in WIDTHS)
    width = max(votes, key=lambda width: (votes[width], width), default=0)
    explained = sum(width in widths[number] for number in continued)
    against = len(continued) - explained + sum(len(line) > width and " " in line for line in lines.values())
    if explained < MIN_SHARE * votes[width] or explained <= against:
        return set()
    return {number for number in widths if width in widths[number]}
