"""A JSON-lines file whose records are read one at a time, by their ids."""

from dataclasses import dataclass
from pathlib import Path

from pipeline.corpus.readers.record import check_id
from pipeline.io.inputs import open_file, utf8_error
from pipeline.io.jsonl import from_line
from pipeline.run.errors import InputError, shorten
from pipeline.types import JsonObject


@dataclass(frozen=True)
class RecordFile:
    """A JSON-lines file, whose ids and places are held and whose records stay on the disk.

    ``first``: the record that the file begins with. ``places``: the number of the line of each id and the
    byte that it begins at, in the order of the file.
    """

    path: Path
    first: JsonObject
    places: dict[str, tuple[int, int]]

    @classmethod
    def open(cls, path: Path) -> "RecordFile":
        """Read a file once; raise :class:`InputError` for a line without an object that has its own id."""
        first: JsonObject = {}
        places: dict[str, tuple[int, int]] = {}
        start = 0
        with open_file(path, "rb") as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    record = _parse(path, number, line)
                    id, where = record.get("id"), f"{path}, line {number}"
                    if not isinstance(id, str):
                        raise InputError(f"{where}: `id` is {shorten(id)}; make it a string")
                    check_id(id, where)
                    if id in places:
                        raise InputError(f"{where}: id {id} comes twice; ids must be unique, so change one")
                    first = first or record
                    places[id] = number, start
                start += len(line)
        if not places:
            raise InputError(f"{path}: is empty; give a file with pairs or alignments, a JSON object a line")
        return cls(path, first, places)

    def read(self, id: str) -> JsonObject:
        """Return the record of an id; raise :class:`InputError` if the file has changed."""
        number, start = self.places[id]
        with open_file(self.path, "rb") as file:
            file.seek(start)
            record = _parse(self.path, number, file.readline())
        if record.get("id") != id:
            raise InputError(f"{self.path}: has changed since it was opened; start the app again")
        return record


def _parse(path: Path, number: int, line: bytes) -> JsonObject:
    try:
        text = line.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError:
        raise utf8_error(path) from None
    return from_line(path, number, text)
