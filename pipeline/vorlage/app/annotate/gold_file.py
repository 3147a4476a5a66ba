"""A gold file that several annotators and tabs write to, one line at a time.

    {"id": "a1", "annotator": "A", "unit": "token", "alignments": [{"summary": [3, 5], "document": [17, 20],
     "sure": true}], "seconds": 95, "start": "semihmm-syntax", "finished": false, "null": [5, 8]}

A line is the work of one annotator on one pair. `seconds`: the time that the annotator has worked on it.
`start`: the links that the annotator started from, if there were any. A line with `finished: false` is left
out by everything that reads gold (`vorlage.workflow.gold.read_gold`); its `null` lists the summary words that
the annotator has said to have no source. In a finished line, those are the words without a link.

A save replaces one line and keeps every other line of the file, which is written whole or not at all. The
line that the annotator began with, its *revision*, shows whether someone else has changed it since; such a
save is refused, and the file stays as it is.
"""

import shutil
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Annotated, NamedTuple

from pydantic import Field, StrictInt

from vorlage.command.errors import InputError, shorten
from vorlage.documents.pair import Pair
from vorlage.files.inputs import read_lines
from vorlage.files.jsonl import from_line, parse_form, to_line
from vorlage.files.outputs import replacing
from vorlage.types import JsonObject, StrPath
from vorlage.workflow.gold import Gold, check_gold, make_gold

NO_LINE = ""  # the revision of a line that does not exist
OWN_KEYS = ("finished", "null", "start")  # keys that a save may remove
MAX_NAME = 80  # characters


@dataclass(frozen=True)
class Work:
    """What the page adds to a line of gold."""

    seconds: Annotated[StrictInt, Field(ge=0)] = 0
    start: str = ""
    null: tuple[StrictInt, ...] = ()


class Annotation(NamedTuple):
    """A line of token gold: its number from 1, its record, the gold in it, and its revision."""

    number: int
    record: JsonObject
    gold: Gold
    revision: str


class ChangedError(Exception):
    """Another tab or process has changed the line since it was read; `current` is what it is now."""

    def __init__(self, current: Annotation | None) -> None:
        super().__init__("the gold file has another version of this annotation")
        self.current = current


class GoldFile:
    """The gold file at `path`, which need not exist yet; a link is followed, so that it stays one."""

    def __init__(self, path: StrPath) -> None:
        self.path = Path(path).resolve()
        self._lock = Lock()  # for the threads of an app

    def lines(self) -> list[str]:
        """Return the lines of the file, none if it does not exist."""
        return [line for _, line in read_lines(self.path, newline="\n")] if self.path.exists() else []

    def annotations(self) -> list[Annotation]:
        """Return the token gold of the file, in its order; raise `InputError` for a malformed line."""
        annotations = []
        for number, line in enumerate(self.lines(), start=1):
            if line.strip():
                record = from_line(self.path, number, line)
                gold, _ = read_annotation(record, f"{self.path}, line {number}")
                if gold.unit == "token":
                    annotations.append(Annotation(number, record | gold.to_json(), gold, line.strip()))
        return annotations

    def find(self, pair_id: str, annotator: str) -> Annotation | None:
        """Return the annotation of a pair by an annotator, or None."""
        key = (pair_id, annotator)
        return next((a for a in self.annotations() if (a.gold.id, a.gold.annotator) == key), None)

    def save(self, record: JsonObject, revision: str) -> str:
        """Write a line in place of that of its pair and annotator, or at the end; return its revision.

        Args:
            record: the line, which `check_annotation` has checked.
            revision: of the line that the annotator began with, or `NO_LINE`.

        Raises:
            ChangedError: the file has another line now, unless that differs only in its time, as when the
                answer to an earlier save was lost.
        """
        with self._lock:
            current = self.find(record["id"], record["annotator"])
            before = current.record if current else {}
            new = to_line({key: value for key, value in before.items() if key not in OWN_KEYS} | record)
            if current and current.revision == new:
                return new
            if revision != (current.revision if current else NO_LINE) and not (
                current and before | {"seconds": 0} == record | {"seconds": 0}
            ):
                raise ChangedError(current)
            lines = self.lines()
            if current:
                lines[current.number - 1] = new + "\n"
            else:
                lines = [line if line.endswith("\n") else line + "\n" for line in lines] + [new + "\n"]
            with replacing(self.path) as temporary:
                temporary.write_text("".join(lines), encoding="utf-8", newline="")
                if self.path.exists():
                    shutil.copymode(self.path, temporary)
            return new


def read_annotation(record: JsonObject, where: str) -> tuple[Gold, Work]:
    """Return the gold of a line and what the page has added; raise `InputError` if it is malformed."""
    return make_gold(record, where), parse_form(Work, record, where)


def check_annotation(record: JsonObject, pair: Pair, where: str) -> None:
    """Raise `InputError` unless the annotation of a line fits `pair` and names its annotator."""
    gold, work = read_annotation(record, where)
    name = gold.annotator
    if not name.strip() or not name.isprintable() or len(name) > MAX_NAME:
        must = f"must be visible text of at most {MAX_NAME} characters"
        raise InputError(f"{where}: annotator {shorten(name)} {must}")
    if gold.unit != "token":
        raise InputError(f"{where}: unit is {gold.unit!r}; annotations are in tokens")
    check_gold(gold, pair)
    for word in work.null:
        if not 0 <= word < len(pair.summary.tokens):
            raise InputError(f"{where}: null has {word}; the summary has {len(pair.summary.tokens)} tokens")
