"""Reads the text of the pages of a PDF, with what was typed into forms and written on a page as a note.

Text that is turned, such as a watermark, comes after the other text of a page, which it would cut.
"""

import cmath
import logging
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import BytesIO
from itertools import groupby
from typing import Any, TypeAlias

from pypdf import PageObject, PdfReader
from pypdf.generic import DictionaryObject, NameObject

from vorlage.corpus.isolated.raised import LOWERED, RAISED

Operation: TypeAlias = tuple[Any, bytes]  # operands and operator

TURN = 15  # degrees; text that is turned less is that of a scan
# Raised and lowered characters are smaller than a share of those beside them, and so much higher or lower.
SMALL, MIN_HEIGHT, MAX_HEIGHT = 0.9, 0.1, 0.8
HIDDEN = 1 << 1 | 1 << 5  # flags of what no screen shows, and of a field for a password
PASSWORD = 1 << 13
CONTENTS = NameObject("/Contents")
SENTENCE_END = re.compile(r"[.!?:。！？]\W*$")
TEXT_OPERATOR = re.compile(rb"T[jJ]|Do|['\"]")
STAY = [1.0, 0.0, 0.0, 1.0, 0.0, 0.0]  # a move of the page to where it is


@dataclass
class Run:
    """Characters of one size on a line, which begins at `origin`, x + iy, and runs `across`, of length 1."""

    text: str
    origin: complex
    across: complex
    size: float
    turn: int  # of the line, in steps

    def marks_beside(self, other: "Run | None") -> str:
        """Return the marks of a run that is raised or lowered beside another one, none for others."""
        if not other or self.size > SMALL * other.size:
            return ""
        height = ((self.origin - other.origin) / other.across).imag / other.size
        return (RAISED if height > 0 else LOWERED) if MIN_HEIGHT <= abs(height) <= MAX_HEIGHT else ""


def read_pages(content: bytes) -> Iterator[str]:
    """Yield the text of each page."""
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    seen: set[str] = set()
    for page in PdfReader(BytesIO(content)).pages:
        typed = list(typed_texts(page))
        runs = page_runs(page, any(box for _, box in typed))
        mark_heights(runs)
        notes = [text for text, box in typed if not (box and place(text, box, runs))]
        yield join_runs(runs, notes, seen)


def join_runs(runs: list[Run], notes: list[str], seen: set[str]) -> str:
    """Return the text of a page, in which notes and runs that are turned unlike most follow a sentence.

    `seen`: such texts of other pages, which come once; those of this page are added.
    """
    sizes: Counter[int] = Counter()
    for run in runs:
        sizes[run.turn] += len(run.text)
    lines: list[str] = []
    places: list[tuple[int, str]] = []  # of the texts that stand apart among the lines
    for turn, turned in groupby(runs, key=lambda run: run.turn):
        text = "".join(run.text for run in turned).strip()
        if sizes[turn] == max(sizes.values()):
            lines += text.splitlines()
        else:
            places.append((len(lines), text))
    ends = [at for at, line in enumerate(lines, 1) if SENTENCE_END.search(line)] or [len(lines)]
    for place, text in reversed([*places, *((len(lines), note) for note in notes)]):
        if text not in seen:
            lines.insert(next((end for end in ends if end >= place), ends[-1]), f"\n{text}\n")
            seen.add(text)
    return "\n".join(lines)


def page_runs(page: PageObject, has_form: bool) -> list[Run]:
    """Return the runs of a page in the order in which they are drawn, those of a form by their places."""
    runs: list[Run] = []

    def take(text: str, page_matrix: list[float], matrix: list[float], _: object, size: float) -> None:
        x, y = complex(*page_matrix[:2]), complex(*page_matrix[2:4])
        across, up, origin = (matrix[at] * x + matrix[at + 1] * y for at in (0, 2, 4))
        if text.strip():
            origin += complex(*page_matrix[4:])
            turn = round(math.degrees(cmath.phase(across)) / TURN) % (360 // TURN)
            runs.append(Run(text, origin, across / abs(across) if across else 1, size * abs(up), turn))
        elif runs:
            runs[-1].text += text

    stream = page.get_contents()
    if stream is not None and TEXT_OPERATOR.search(stream.get_data()):
        stream.forced_encoding = "bytes"  # as `extract_text` reads it
        stream.operations = list(separate(stream.operations, has_form))
        page[CONTENTS] = stream
        page.extract_text(visitor_text=take)
        del page[CONTENTS]  # which would fill the memory
    return runs


def separate(operations: Iterable[Operation], places: bool) -> Iterator[Operation]:
    """Yield the operations of a page so that pypdf tells apart what differs in size, height or `places`.

    pypdf starts a run wherever the page moves. So there is a move before characters have another size, and a
    text rise is a move.
    """
    matrix, rise = STAY, 0.0
    for operands, operator in operations:
        numbers = [float(value) for value in operands if isinstance(value, int | float)]
        if operator == b"Ts" and numbers:
            up, rise = numbers[0] - rise, numbers[0]
            yield [*STAY[:4], up * matrix[2], up * matrix[3]], b"cm"
        elif operator == b"Tm" and len(numbers) == len(STAY):
            if places or numbers[:4] != matrix[:4]:
                yield STAY, b"cm"
            matrix = numbers
        elif operator == b"BT":
            matrix = STAY
        elif operator == b"Q":
            rise = 0.0
        yield operands, operator


def mark_heights(runs: list[Run]) -> None:
    """Put marks around each run that is raised or lowered beside the text before or after it."""
    before = None
    for run, after in zip(runs, [*runs[1:], None], strict=False):
        ends = run.text[-1].isspace()
        before = None if run.text[0].isspace() else before
        after = None if ends or (after and after.text[0].isspace()) else after
        if marks := run.marks_beside(before) or run.marks_beside(after):
            run.text = run.text.join(marks)
        if ends or not marks:
            before = None if ends else run


def typed_texts(page: PageObject) -> Iterator[tuple[str, list[float]]]:
    """Yield the values of fields with their boxes, and the texts of notes without one."""
    for annotation in page.annotations or ():
        note = annotation.get_object()
        if not isinstance(note, DictionaryObject) or int(note.get_inherited("/F", 0)) & HIDDEN:
            continue
        box, value = [], None
        if note.get("/Subtype") == "/FreeText":
            value = note.get_inherited("/Contents")
        elif note.get_inherited("/FT") in ("/Tx", "/Ch") and not int(note.get_inherited("/Ff", 0)) & PASSWORD:
            box, value = [float(at) for at in note["/Rect"]], note.get_inherited("/V")
        options = [each for each in note.get_inherited("/Opt", []) if isinstance(each, list) and each]
        shown = {option[0]: option[-1] for option in options}
        values = [shown.get(each, each) for each in (value if isinstance(value, list) else [value])]
        if text := " ".join(", ".join(each for each in values if isinstance(each, str)).split()):
            yield text, box


def place(text: str, box: list[float], runs: list[Run]) -> bool:
    """Put the value of a field behind its label, if a page has one, and return whether it has.

    The label begins left of the field on its line, or else is nearest.
    """
    (left, _), (bottom, top) = sorted(box[::2]), sorted(box[1::2])

    def distance(run: Run) -> tuple[bool, float]:
        is_beside = run.origin.real <= left and bottom - run.size / 2 <= run.origin.imag <= top
        return not is_beside, abs(run.origin - complex(left, top))

    if label := min(runs, key=distance, default=None):
        start, space = label.text.rstrip(), "\n" if distance(label)[0] else " "
        label.text = f"{start}{space}{text}{label.text[len(start) :] or space}"
    return bool(label)
