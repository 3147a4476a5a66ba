"""Joins the lines of the pages of a PDF to paragraphs."""

import re
from collections import Counter
from itertools import pairwise

from vorlage.text.lines import ITEM
from vorlage.text.wordnet import open_wordnet

# A line of a PDF ends a paragraph if it is shorter than a share of the longest of its page, or of so many
# characters: before a capital, and before a small letter.
SHORT, MIN_LENGTH = (0.75, 0.5), 30
_LIGATURES = dict(zip(range(0xFB00, 0xFB07), ("ff", "fi", "fl", "ffi", "ffl", "st", "st"), strict=True))
_WORD = re.compile(r"\w+(?:-\w+)*")
_CUT_WORD = re.compile(r"(\w[\w-]{0,60}(?<=\w))([-\u00ad\u2010])\n(?!(?:and|or|und|oder)\b)(\w+)")


def join_lines(*pages: str) -> str:
    """Return the text of pages with the lines of a paragraph joined, and the words that they cut.

    Running heads and feet, which may have the number of the page, come once, at the beginning. A form feed
    precedes the first line or word of each page but the first.
    """
    split = [page.translate(_LIGATURES).strip().splitlines() for page in pages]
    running: dict[str, str] = {}
    for edge in slice(2), slice(-2, None):
        forms = [
            {line: _forms(line.strip(), page) for line in lines[edge]} for page, lines in enumerate(split)
        ]
        counts = Counter(form for page in forms for form in set().union(*page.values()))
        for lines, page in zip(split, forms, strict=True):
            repeated = {
                line: form for line, found in page.items() for form in found if form and counts[form] > 1
            }
            running |= {form: line for line, form in repeated.items() if form not in running}
            lines[edge] = [line for line in lines[edge] if line not in repeated]
    joined = "".join(f"{line.strip()}\n" for line in running.values())
    lengths = [max(MIN_LENGTH, *map(len, lines), 0) for lines in split]
    placed = [(line.strip(), number) for number, lines in enumerate(split) for line in lines]
    words = {word for line, _ in placed for word in _WORD.findall(line.lower())}
    joined += "\f" * (placed[0][1] if placed else 0)
    for (line, number), (following, next_number) in pairwise([*placed, ("", 0)]):
        feeds, short = "\f" * (next_number - number), SHORT[following[:1].islower()] * lengths[number]
        if cut := _CUT_WORD.search(f"{line}\n{following}"):
            line = line if _keeps_hyphen(words, *cut.groups()) else line[:-1]
            before, space, word = line.rpartition(" ")
            joined += f"{before}{feeds or space}{word}"
        elif following and len(line) >= short and not ITEM.match(following):
            joined += f"{line}{feeds or ' '}"
        else:
            joined += f"{line}\n{feeds}"
    return joined


def _forms(line: str, page: int) -> list[str]:
    """Return a line, and its forms with one of the numbers at its beginning counted from that of the page."""
    numbers = re.finditer(r"\d{1,4}", line[:200])
    return [line, *(f"{line[: n.start()]}{int(n[0]) - page}{line[n.end() :]}" for n in numbers)]


def _keeps_hyphen(words: set[str], left: str, hyphen: str, right: str) -> bool:
    """Return whether a word that is cut at a hyphen has it: *self-made*, *1990-1995*, but not *main-tain*.

    Other words of the text decide first, then those of WordNet, in which *left* may be several words.
    """
    first, last = left.lower(), right.lower()
    if hyphen == "\xad" or not right[0].islower():
        return hyphen != "\xad"
    joined, compound = first + last, f"{first}-{last}"
    if (joined in words) != (compound in words):
        return compound in words
    knows, end = open_wordnet().knows, first.rpartition("-")[2]
    return knows(compound) or (knows(end) and knows(last) and not knows(end + last))
