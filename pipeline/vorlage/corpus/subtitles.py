"""Reads what is said in subtitles, files whose names end in `.srt` or `.vtt`."""

import re
from html import unescape
from itertools import groupby

_BLANK = re.compile(r"\n[^\S\n]*\n")  # between cues, notes and styles
_TAG = re.compile(r"</?[a-zA-Z][^<>\n]*>|<[\d:.]+>|\{\\[^{}\n]*\}")
_END = re.compile(r"[.!?…。！？]\W*$", re.MULTILINE)  # of a sentence


def spoken_text(text: str) -> str:
    """Return the text of all cues, without numbers, times, notes, styles and tags.

    A line that is shown again, as subtitles that roll do, comes once. Without the marks that end sentences,
    each line of a cue remains one.
    """
    blocks = _BLANK.split("\n".join(text.splitlines()))
    cues = (block.partition("-->")[2].partition("\n")[2] for block in blocks)
    lines = (unescape(_TAG.sub("", line)).strip() for cue in cues for line in cue.splitlines())
    shown = [line for line, _ in groupby(filter(None, lines))]
    space = " " if any(map(_END.search, shown)) else "\n"
    return "".join(("\n" if line.startswith("-") else space) + line for line in shown).strip()
