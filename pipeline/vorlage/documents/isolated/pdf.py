"""Reads the text of the pages of a PDF, with what was typed into forms and written on a page as a note.

Such texts, and those that are turned, as a watermark is, follow the last sentence of their page.
"""

import cmath
import logging
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from io import BytesIO
from itertools import groupby
from typing import NamedTuple

from pypdf import PageObject, PdfReader
from pypdf.generic import DictionaryObject, NameObject

from vorlage.documents.isolated.raised import LOWERED, RAISED

TURN = 15  # degrees; text that is turned less is that of a scan
# Raised and lowered characters are smaller than a share of those beside them, and so much higher or lower.
SMALL, MIN_HEIGHT, MAX_HEIGHT = 0.9, 0.1, 0.8
HIDDEN = 1 << 1 | 1 << 5  # flags of a note that no screen shows
SENTENCE_END = re.compile(r"[.!?:。！？]\W*$")


class Run(NamedTuple):
    """Spaces, or characters of one size on a line, which begins at `origin`, x + iy, and has an angle."""

    text: str
    origin: complex
    angle: float
    turn: int  # the angle in steps
    size: float  # infinite for spaces, so that nothing is raised beside them

    def marks_beside(self, other: "Run | None") -> str:
        """Return the marks of a run that is raised or lowered beside another one, none for others."""
        if not other or self.size >= SMALL * other.size:
            return ""
        height = ((self.origin - other.origin) * cmath.rect(1, -other.angle)).imag / other.size
        return (RAISED if height > 0 else LOWERED) if MIN_HEIGHT <= abs(height) <= MAX_HEIGHT else ""


def read_pages(content: bytes) -> Iterator[str]:
    """Yield the text of each page."""
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    for page in PdfReader(BytesIO(content)).pages:
        yield join_runs(list(mark_heights(page_runs(page))), typed_texts(page))


def page_runs(page: PageObject) -> list[Run]:
    """Return the runs of a page in the order in which they are drawn."""
    runs: list[Run] = []

    def take(text: str, page_matrix: list[float], matrix: list[float], _: object, size: float) -> None:
        x, y = complex(*page_matrix[:2]), complex(*page_matrix[2:4])
        across, up, origin = (matrix[at] * x + matrix[at + 1] * y for at in (0, 2, 4))
        angle = cmath.phase(across)
        turn = round(math.degrees(angle) / TURN) % (360 // TURN)
        for piece in re.findall(r"\s+|\S+(?:\s+\S+)*", text):
            if not piece.isspace():
                runs.append(Run(piece, origin + complex(*page_matrix[4:]), angle, turn, size * abs(up)))
            elif runs:  # pypdf gives spaces alone no place of their own
                runs.append(runs[-1]._replace(text=piece, size=math.inf))

    move_raised(page)
    page.extract_text(visitor_text=take)
    return runs


def move_raised(page: PageObject) -> None:
    """Write each rise of text on a page, which pypdf ignores, as a move, at which a run begins."""
    stream, rise, operations = page.get_contents(), 0.0, []
    if stream is None or b"Ts" not in stream.get_data():
        return
    for operands, operator in stream.operations:
        if operator == b"Ts":
            move, rise = float(operands[0]) - rise, float(operands[0])
            operations.append(([1.0, 0.0, 0.0, 1.0, 0.0, move], b"cm"))
        operations.append((operands, operator))
    stream.operations = operations
    page[NameObject("/Contents")] = stream


def mark_heights(runs: list[Run]) -> Iterator[Run]:
    """Yield runs, with marks around those that are raised or lowered beside the text before or after."""
    before = None
    for run, after in zip(runs, [*runs[1:], None], strict=False):
        if marks := run.marks_beside(before) or run.marks_beside(after):
            yield run._replace(text=run.text.join(marks))
        else:
            yield run
            before = run


def join_runs(runs: list[Run], notes: Iterable[str]) -> str:
    """Return the text of a page; notes, and runs that are turned unlike most, follow its last sentence."""
    lengths = Counter(run.turn for run in runs for _ in run.text)
    most = max(lengths, key=lengths.__getitem__, default=0)
    groups = groupby(runs, key=lambda run: run.turn)
    parts = [(turn, "".join(run.text for run in group).strip()) for turn, group in groups]
    lines = [line for turn, text in parts if turn == most for line in text.splitlines()]
    turned = [text for turn, text in parts if turn != most]
    end = max((at for at, line in enumerate(lines, 1) if SENTENCE_END.search(line)), default=len(lines))
    lines[end:end] = (f"\n{text}\n" for text in (*turned, *notes))
    return "\n".join(lines)


def typed_texts(page: PageObject) -> Iterator[str]:
    """Yield the values of the fields of forms, and the texts of notes, that a page shows."""
    for annotation in page.annotations or ():
        note = annotation.get_object()
        if not isinstance(note, DictionaryObject) or int(note.get("/F", 0)) & HIDDEN:
            continue
        is_field = note.get_inherited("/FT") in ("/Tx", "/Ch")
        text = note.get_inherited("/V") if is_field else note.get("/Contents")
        if isinstance(text, str) and (is_field or note.get("/Subtype") == "/FreeText"):
            yield " ".join(text.split())
