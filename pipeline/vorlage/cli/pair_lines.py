"""Pairs as JSON lines, from a file or from standard input."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from vorlage.command.errors import InputError
from vorlage.corpus.records import STANDARD_INPUT, Record, Side, read_records


class PairLines:
    """The pairs of a file in input form (`id`, `document`, `summary`), or of standard input for `-`.

    A file is read once to check it and once more to use it, so that memory does not grow with it; standard
    input is held.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._name = "standard input" if path == STANDARD_INPUT else path
        self._held = list(read_records(path)) if path == STANDARD_INPUT else None

    @property
    def title(self) -> str:
        """The name of the file, or `standard input`."""
        return Path(self._name).name

    def check(self) -> int:
        """Return the number of pairs; raise `InputError` for one that cannot be used."""
        count = sum(1 for _ in self._records())
        if not count:
            raise InputError(
                f"{self._name}: no pairs; write a JSON object with `id`, `document` and `summary` a line"
            )
        return count

    def pairs(self) -> Iterator[tuple[str, Side, Side]]:
        """Yield the id, the document and the summary of each pair, in order."""
        for record in self._records():
            if isinstance(record.document, str | list) and isinstance(record.summary, str | list):
                yield record.id, record.document, record.summary

    def _records(self) -> Iterable[Record]:
        return read_records(self._path) if self._held is None else self._held
