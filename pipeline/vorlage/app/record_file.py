"""A JSON-lines file whose records are read one at a time, by their ids."""

from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, NamedTuple

from vorlage.command.errors import InputError, shorten
from vorlage.corpus.records import check_id
from vorlage.files.inputs import open_file, utf8_error
from vorlage.files.jsonl import from_line
from vorlage.types import JsonObject


class Given(NamedTuple):
    """A file to open: its `path` and, if it is not on the disk but was sent, its `content`.

    The path of a file that was sent is its name for messages and is never opened.
    """

    path: Path
    content: bytes | None = None

    def open(self) -> BinaryIO:
        """Return the file, opened to read bytes; raise `InputError` if that fails."""
        return open_file(self.path, "rb") if self.content is None else BytesIO(self.content)

    def decode(self, number: int, line: bytes) -> str:
        """Return the text of line `number`; raise `InputError` if it is not UTF-8."""
        try:
            return line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError:
            raise utf8_error(self.path, self.content) from None

    def lines(self) -> Iterator[tuple[int, int, str]]:
        """Yield the number of each line that is not blank, the byte that it begins at, and its text."""
        start = 0
        with self.open() as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    yield number, start, self.decode(number, line)
                start += len(line)

    def first(self) -> JsonObject:
        """Return the first record; raise `InputError` for a file without one."""
        for number, _, line in self.lines():
            return from_line(self.path, number, line)
        raise InputError(f"{self.path}: is empty; give a file with pairs or alignments, a JSON object a line")


@dataclass(frozen=True)
class RecordFile:
    """A JSON-lines file, whose ids and places are held and whose records stay where they are.

    `first`: the record that the file begins with. `places`: the number of the line of each id and the
    byte that it begins at, in the order of the file.
    """

    given: Given
    first: JsonObject
    places: dict[str, tuple[int, int]]

    @property
    def path(self) -> Path:
        """The path of the file, or the name of one that was sent."""
        return self.given.path

    @classmethod
    def open(cls, given: Given) -> "RecordFile":
        """Read a file once; raise `InputError` for a line without an object that has its own id."""
        places: dict[str, tuple[int, int]] = {}
        first = given.first()
        for number, start, line in given.lines():
            id, where = from_line(given.path, number, line).get("id"), f"{given.path}, line {number}"
            if not isinstance(id, str):
                raise InputError(f"{where}: `id` is {shorten(id)}; make it a string")
            check_id(id, where)
            if id in places:
                raise InputError(f"{where}: id {id} comes twice; ids must be unique, so change one")
            places[id] = number, start
        return cls(given, first, places)

    def read(self, id: str) -> JsonObject:
        """Return the record of an id; raise `InputError` if the file has changed."""
        number, start = self.places[id]
        with self.given.open() as file:
            file.seek(start)
            record = from_line(self.path, number, self.given.decode(number, file.readline()))
        if record.get("id") != id:
            raise InputError(f"{self.path}: has changed since it was opened; start the app again")
        return record
