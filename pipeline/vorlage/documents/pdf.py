"""Text of PDF files, by pypdf."""

import logging
import re
from io import BytesIO

import pypdf

from vorlage.command.errors import InputError

SHORT = 0.75  # A line that is shorter than this share of the page's longest ends a paragraph.
_LIGATURES = {
    0xFB00: "ff",
    0xFB01: "fi",
    0xFB02: "fl",
    0xFB03: "ffi",
    0xFB04: "ffl",
    0xFB05: "st",
    0xFB06: "st",
}
_CUT_WORD = re.compile(r"(?<=\w)[-\u00ad\u2010]$")


def extract_pdf(name: str, content: bytes) -> str:
    """Return the text of a PDF, a paragraph on each line; raise `InputError` if it has none."""
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    try:
        pages = [page.extract_text() for page in pypdf.PdfReader(BytesIO(content)).pages]
    except Exception as error:  # pypdf raises what it meets in a damaged file, not only errors of its own
        raise InputError(
            f"{name}: cannot be read as PDF ({type(error).__name__}: {error}); convert it to text"
        ) from None
    text = "\n".join(map(join_lines, pages))
    if not text.strip():
        raise InputError(f"{name}: no text in this PDF, only images; recognize its text (OCR) first")
    return text


def join_lines(page: str) -> str:
    """Return the text of a page with the lines of a paragraph joined, and the words that they cut."""
    lines = [line.strip() for line in page.translate(_LIGATURES).splitlines()]
    long = SHORT * max(map(len, lines), default=0)
    joined = ""
    for line, following in zip(lines, [*lines[1:], ""], strict=False):
        if following[:1].islower() and _CUT_WORD.search(line):
            joined += line[:-1]
        else:
            joined += line + (" " if len(line) >= long and following else "\n")
    return joined
