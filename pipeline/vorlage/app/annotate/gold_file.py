"""A gold file that several annotators, tabs and processes write to, one line at a time.

A save replaces one line and keeps every other byte of the file. The file is written whole or not at all. A
revision, the digest of the line that the annotator began with, shows whether someone else has changed that
line since; such a save is refused, and the file stays as it is.
"""

import contextlib
import fcntl
import hashlib
import io
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from vorlage.app.annotate.annotation import Annotation, make_annotation
from vorlage.command.errors import InputError
from vorlage.corpus.gold import make_gold
from vorlage.files.inputs import open_file, utf8_error
from vorlage.files.jsonl import from_line, to_line
from vorlage.files.outputs import replacing
from vorlage.types import JsonObject, StrPath

NO_LINE = ""  # the revision of a line that does not exist
OWN_KEYS = ("finished", "null", "start")  # keys that a save may remove


class Stored(NamedTuple):
    """A line of token gold: its number from 0, the place for messages, its content, and its revision."""

    number: int
    where: str
    record: JsonObject
    annotation: Annotation
    revision: str


class Changed(Exception):
    """Another tab or process has changed the line since it was read; `stored`: what it is now."""

    def __init__(self, stored: Stored | None) -> None:
        super().__init__("the gold file has another version of this annotation")
        self.stored = stored


@dataclass(frozen=True)
class GoldFile:
    """The gold file `path`, which need not exist yet."""

    path: Path

    @classmethod
    def at(cls, path: StrPath) -> "GoldFile":
        """Return the gold file at `path`; a link is followed, so that a save replaces what it points to."""
        return cls(Path(path).resolve())

    def read(self) -> bytes:
        """Return the content of the file, empty if it does not exist."""
        if not os.path.lexists(self.path):
            return b""
        with open_file(self.path, "rb") as file:
            return file.read()

    def annotations(self, content: bytes | None = None) -> list[Stored]:
        """Return the token gold of the file, in its order; `content`: what `read` has returned.

        Raise `InputError` for a malformed line and for two lines by one annotator on one pair.
        """
        return list(self._parse(_lines(self.read() if content is None else content)))

    def save(self, annotation: Annotation, revision: str) -> str:
        """Write `annotation` in place of the line of its pair and annotator; return the new revision.

        A line that does not exist yet is added at the end. `revision`: that of the line that the annotator
        has worked from, or `NO_LINE`. Raise `Changed` if the file has another one now, unless that
        differs only in its time, as when the answer to an earlier save was lost.
        """
        with self._locked():
            lines = _lines(self.read())
            gold = annotation.gold
            stored = find(self._parse(lines), gold.id, gold.annotator)
            kept = {
                key: value for key, value in (stored.record if stored else {}).items() if key not in OWN_KEYS
            }
            line = to_line(kept | annotation.to_json()).encode()
            found = stored.revision if stored else NO_LINE
            if found == _revision(line):
                return found
            if found != revision and not (
                stored and _without_time(stored.annotation) == _without_time(annotation)
            ):
                raise Changed(stored)
            if stored:
                ending = lines[stored.number][len(lines[stored.number].rstrip(b"\r\n")) :]
                lines[stored.number] = line + ending
            else:
                if lines and not lines[-1].endswith(b"\n"):
                    lines[-1] += b"\n"
                lines.append(line + b"\n")
            with replacing(self.path) as temporary:
                temporary.write_bytes(b"".join(lines))
                if self.path.exists():
                    shutil.copymode(self.path, temporary)
            return _revision(line)

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        """Hold the lock of this file, a file beside it, so that saves of several processes take turns."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with open(self.path.with_name(f".{self.path.name}.lock"), "wb") as lock:
            with contextlib.suppress(OSError):  # a file system without locks
                fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _parse(self, lines: list[bytes]) -> Iterator[Stored]:
        seen: set[tuple[str, str]] = set()
        for number, line in enumerate(lines):
            where = f"{self.path}, line {number + 1}"
            try:
                text = line.decode("utf-8-sig" if number == 0 else "utf-8")
            except UnicodeDecodeError:
                raise utf8_error(self.path) from None
            if not text.strip():
                continue
            record = from_line(self.path, number + 1, text)
            gold = make_gold(record, where)
            if gold.unit != "token":
                continue
            if (gold.id, gold.annotator) in seen:
                raise InputError(
                    f"{where}: annotator {gold.annotator!r} has annotated pair {gold.id} before; "
                    "give each annotator one line for each pair"
                )
            seen.add((gold.id, gold.annotator))
            yield Stored(number, where, record, make_annotation(record, where), _revision(line))


def find(annotations: Iterator[Stored] | list[Stored], pair_id: str, annotator: str) -> Stored | None:
    """Return the annotation of a pair by an annotator, or None; reads all `annotations`."""
    found = [
        stored
        for stored in annotations
        if (stored.annotation.gold.id, stored.annotation.gold.annotator) == (pair_id, annotator)
    ]
    return found[0] if found else None


def _without_time(annotation: Annotation) -> Annotation:
    return replace(annotation, seconds=0)


def _lines(content: bytes) -> list[bytes]:
    return io.BytesIO(content).readlines()


def _revision(line: bytes) -> str:
    """Return the revision of a line: the beginning of the SHA-256 of its bytes without the line break."""
    return hashlib.sha256(line.rstrip(b"\r\n")).hexdigest()[:16]
