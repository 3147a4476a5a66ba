"""Pairs that come straight from a user, without the corpus stage.

`JsonLines` and `TextFiles` are sources of pairs, see
`vorlage.extract.source.PairSource`.
"""

import hashlib
from array import array
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import zip_longest

import numpy as np

from vorlage.command.errors import InputError
from vorlage.corpus.pair import Pair, make_pair
from vorlage.corpus.readers.jsonl import make_record
from vorlage.corpus.readers.record import Record, check_id, find_flaw
from vorlage.files.inputs import read_lines
from vorlage.files.jsonl import from_line, read_jsonl
from vorlage.files.parts import WHOLE, Part, part_lines
from vorlage.types import StrPath


def tokenize(record: Record, tokenized: bool = False, language: str = "en") -> Pair:
    """Return the `Pair` of a record; raise ValueError if the record lacks a side.

    `tokenized`: spaces separate tokens, and list entries or lines are sentences. `language`: of both
    texts, a two-letter code.
    """
    document, summary = record.document, record.summary
    if document is None or summary is None:
        raise ValueError(f"record {record.id} has {record.problem}")
    # Imported here because many commands read only a corpus.jsonl, whose texts are tokenized.
    from vorlage.text.tokenize import make_text

    first, second = (make_text(side, tokenized, language) for side in (document, summary))
    return Pair(record.id, replace(first, sections=record.sections), second)


@dataclass(frozen=True)
class JsonLines:
    """A file in input form (strings or lists of sentences), or a `corpus.jsonl` of the corpus stage.

    `tokenized`, `language`: as in `tokenize`; they do not apply to a `corpus.jsonl`. `part`:
    the lines to take, among which ids must be unique.
    """

    path: StrPath
    tokenized: bool = False
    part: Part = WHOLE
    language: str = "en"

    @cached_property
    def prepared(self) -> bool:
        """Whether the file is a `corpus.jsonl`, by its first line."""
        _, first = next(read_jsonl(self.path), (0, {}))
        return isinstance(first.get("document"), dict)

    def check(self) -> int:
        """Return the number of pairs; raise `InputError` for a side or id that cannot be used."""
        return count_distinct(self._prepared_ids if self.prepared else self._ids)

    def records(self) -> Iterator[tuple[int, str]]:
        """Yield `(line number, line)` for each pair."""
        lines = part_lines(self.path, self.part) or read_lines(self.path)
        return ((number, line) for number, line in lines if line.strip())

    def read(self, record: tuple[int, str]) -> tuple[Pair, None]:
        """Return `(pair, None)` for a line."""
        number, line = record
        fields = from_line(self.path, number, line)
        if self.prepared:
            return make_pair(self.path, number, fields), None
        text = Record(fields["id"], "", fields["document"], fields["summary"])
        return tokenize(text, self.tokenized, self.language), None

    def _ids(self) -> Iterator[tuple[str, str]]:
        for number, line in read_jsonl(self.path, part_lines(self.path, self.part)):
            record = make_record(line, f"{self.path}, line {number}")
            check_id(record.id, record.where)
            if record.problem:
                raise InputError(
                    f"{record.where}: pair {record.id}: {record.problem}; add it or remove the pair"
                )
            yield record.where, record.id

    def _prepared_ids(self) -> Iterator[tuple[str, str]]:
        for number, record in read_jsonl(self.path, part_lines(self.path, self.part)):
            where, pair = f"{self.path}, line {number}", make_pair(self.path, number, record)
            check_id(pair.id, where)
            yield where, pair.id


@dataclass(frozen=True)
class TextFiles:
    """Two text files with one text per line: line k of one goes with line k of the other.

    The id of a pair is its line number, from 1. `tokenized`: spaces separate tokens, and a line is one
    sentence. `language`: as in `tokenize`.
    """

    documents: StrPath
    summaries: StrPath
    tokenized: bool = False
    language: str = "en"

    def check(self) -> int:
        """Return the number of pairs; raise `InputError` for an empty line or unequal line counts."""
        count = 0
        for document, summary in zip_longest(*self._lines()):
            for path, line in ((self.documents, document), (self.summaries, summary)):
                if line is None:
                    other = self.summaries if path == self.documents else self.documents
                    raise InputError(
                        f"{path}, line {count + 1}: missing; {other} has one, and line k of one "
                        "goes with line k of the other"
                    )
                number, text = line
                if flaw := find_flaw(text):
                    raise InputError(
                        f"{path}, line {number}: {flaw} text; fix it or remove the line in both files"
                    )
            count += 1
        return count

    def records(self) -> Iterator[tuple[int, str, str]]:
        """Yield `(line number, document, summary)` for each pair."""
        for (number, document), (_, summary) in zip(*self._lines(), strict=True):
            yield number, document, summary

    def read(self, record: tuple[int, str, str]) -> tuple[Pair, None]:
        """Return `(pair, None)` for a pair of lines."""
        number, document, summary = record
        return tokenize(Record(str(number), "", document, summary), self.tokenized, self.language), None

    def _lines(self) -> Iterator[Iterator[tuple[int, str]]]:
        # Only a line feed ends a line, so editors and programs agree on line numbers.
        for path in (self.documents, self.summaries):
            lines = read_lines(path, newline="\n")
            yield ((number, line.rstrip("\r\n")) for number, line in lines)


def count_distinct(ids: Callable[[], Iterable[tuple[object, str]]]) -> int:
    """Return the number of ids; raise `InputError` for an id that comes twice.

    `ids`: a function that yields `(where, id)`. A hash of eight bytes is kept of each id (and as many
    bytes again to sort them); if two hashes are equal, the ids are read again and compared.
    """
    hashes = array("Q", (_hash(where, name) for where, name in ids()))
    ordered = np.sort(np.frombuffer(hashes, dtype=np.uint64))
    repeated = set(ordered[1:][ordered[1:] == ordered[:-1]].tolist())
    seen: dict[str, object] = {}
    for where, name in ids() if repeated else ():
        if name in seen:
            raise InputError(
                f"{where}: id {name} comes twice, first at {seen[name]}; ids must be unique, so change one"
            )
        if _hash(where, name) in repeated:
            seen[name] = where
    return len(hashes)


def _hash(where: object, name: str) -> int:
    try:
        return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest(), "little")
    except (AttributeError, UnicodeEncodeError):
        raise InputError(
            f"{where}: the id {name!r} is not text; make it a string of whole characters"
        ) from None
