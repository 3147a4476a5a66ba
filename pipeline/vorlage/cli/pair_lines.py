"""Pairs as JSON lines, from a file or from standard input."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from vorlage.command.errors import InputError
from vorlage.corpus.new import count_distinct
from vorlage.corpus.readers.jsonl import make_record
from vorlage.corpus.readers.record import Record, Side, check_id
from vorlage.documents import STANDARD_INPUT, read_text
from vorlage.files.inputs import read_lines
from vorlage.files.jsonl import from_line


class PairLines:
    """The pairs of a file in input form (`id`, `document`, `summary`), or of standard input for `-`.

    A file is read once to check it and once more to use it, so that memory does not grow with it; standard
    input is held.
    """

    def __init__(self, path: str) -> None:
        self._held: list[str] | None = None
        self._name = path
        if path == STANDARD_INPUT:
            self._held, self._name = read_text(path).split("\n"), "standard input"

    @property
    def title(self) -> str:
        """The name of the file, or `standard input`."""
        return Path(self._name).name

    def check(self) -> int:
        """Return the number of pairs; raise `InputError` for one that cannot be used."""
        count = count_distinct(lambda: ((record.where, record.id) for record in self._records()))
        if not count:
            raise InputError(
                f"{self._name}: no pairs; write a JSON object with `id`, `document` and `summary` a line"
            )
        return count

    def pairs(self) -> Iterator[tuple[str, Side, Side]]:
        """Yield the id, the document and the summary of each pair, in order."""
        for record in self._records():
            if record.document is not None and record.summary is not None:
                yield record.id, record.document, record.summary

    def _records(self) -> Iterator[Record]:
        lines: Iterable[tuple[int, str]] = (
            read_lines(self._name) if self._held is None else enumerate(self._held, 1)
        )
        for number, line in lines:
            if not line.strip():
                continue
            record = make_record(from_line(self._name, number, line), f"{self._name}, line {number}")
            check_id(record.id, record.where)
            if record.problem:
                raise InputError(
                    f"{record.where}: pair {record.id}: {record.problem}; add it or remove the pair"
                )
            yield record
