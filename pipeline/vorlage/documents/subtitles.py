"""Reads what is said in subtitles, files whose names end in `.srt` or `.vtt`."""

import re
from html import unescape
from itertools import groupby

_CUE = re.compile(r"-->.*\n((?:.*\S.*(?:\n|$))*)")  # its lines below the times, up to a blank one
_TAG = re.compile(r"</?[a-zA-Z][^<>\n]*>|<[\d:.]+>|\{\\[^{}\n]*\}")
_END = re.compile(r"[.!?…。！？]\W*$", re.MULTILINE)  # of a sentence


def spoken_text(text: str) -> str:
    """Return the text of all cues, without numbers, times, notes, styles and tags.

    A line that is shown again, as subtitles that roll do, comes once. Without the marks that end sentences,
    each line of a cue remains one.
    """
    cues = _CUE.findall(text)
    lines = (unescape(_TAG.sub("", line)).strip() for cue in cues for line in cue.splitlines())
    shown = [line for line, _ in groupby(filter(None, lines))]
    space = " " if any(map(_END.search, shown)) else "\n"
    return "".join(("\n" if line.startswith("-") else space) + line for line in shown).strip()
