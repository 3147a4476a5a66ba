"""Pairs that come straight from a user, without the corpus stage.

A source of pairs has three functions. ``check()`` reads all of it, raises :class:`InputError` for the first
thing wrong and returns how many pairs there are: nothing is found out after hours of work. ``records()``
yields a record a pair, tuples of numbers and strings as they stand in the files, cheap to make and to send to
another process. ``read(record)`` makes ``(pair, extract)`` of one, ``extract`` None for the whole document.
A source pickles, and holds no more than a record at a time; ``check`` eight bytes a pair.
"""

import hashlib
from array import array
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest

import numpy as np

from pipeline.corpus.pair import Pair, make_pair
from pipeline.corpus.readers.jsonl import make_record
from pipeline.corpus.readers.record import Record, check_id, flaw
from pipeline.corpus.tokenize import make_text
from pipeline.io.jsonl import from_line, read_jsonl, read_lines
from pipeline.io.parts import WHOLE, Part, part_lines
from pipeline.run.errors import InputError


def tokenize(record, tokenized=False):
    """The :class:`Pair` of a :class:`~pipeline.corpus.readers.record.Record` that has no problem.

    ``tokenized``: tokens are separated by spaces and list entries or lines are sentences.
    """
    return Pair(record.id, make_text(record.document, tokenized), make_text(record.summary, tokenized))


@dataclass(frozen=True)
class JsonLines:
    """A file in input form (strings or lists of sentences), or a ``corpus.jsonl`` of the corpus stage.

    ``tokenized``: as in :func:`tokenize`; a ``corpus.jsonl`` is read as it is. ``part``: the lines to take,
    among which ids must be unique.
    """

    path: str
    tokenized: bool = False
    part: Part = WHOLE

    @cached_property
    def prepared(self):
        """Whether it is a ``corpus.jsonl``, by its first line."""
        _, first = next(read_jsonl(self.path), (0, {}))
        return isinstance(first.get("document"), dict)

    def check(self):
        """How many pairs there are; raises :class:`InputError` for a side or id that cannot be used."""
        return count_distinct(self._prepared_ids if self.prepared else self._ids)

    def records(self):
        """Yield ``(line number, line)`` for each pair."""
        lines = part_lines(self.path, self.part) or read_lines(self.path)
        return ((number, line) for number, line in lines if line.strip())

    def read(self, record):
        """``(pair, None)`` of a record."""
        number, line = record
        made = from_line(self.path, number, line)
        if self.prepared:
            return make_pair(self.path, number, made), None
        return tokenize(Record(made["id"], "", made["document"], made["summary"]), self.tokenized), None

    def _ids(self):
        for number, line in read_jsonl(self.path, part_lines(self.path, self.part)):
            record = make_record(line, f"{self.path}, line {number}")
            check_id(record.id, record.where)
            if record.problem:
                raise InputError(
                    f"{record.where}: pair {record.id}: {record.problem}; add it or remove the pair"
                )
            yield record.where, record.id

    def _prepared_ids(self):
        for number, record in read_jsonl(self.path, part_lines(self.path, self.part)):
            where, pair = f"{self.path}, line {number}", make_pair(self.path, number, record)
            check_id(pair.id, where)
            yield where, pair.id


@dataclass(frozen=True)
class TextFiles:
    """Two text files, a text a line, line k with line k; the id of a pair is its line number, from 1.

    ``tokenized``: tokens are separated by spaces, and a line is one sentence.
    """

    documents: str
    summaries: str
    tokenized: bool = False

    def check(self):
        """How many pairs there are; raises :class:`InputError` for an empty line and unequal counts."""
        count = 0
        for document, summary in zip_longest(*self._lines()):
            for path, line in ((self.documents, document), (self.summaries, summary)):
                if line is None:
                    raise InputError(
                        f"{path}, line {count + 1}: missing; {self._other(path)} has one, and line k of one "
                        "goes with line k of the other"
                    )
                number, text = line
                if found := flaw(text):
                    raise InputError(
                        f"{path}, line {number}: {found} text; mend it or remove the line in both files"
                    )
            count += 1
        return count

    def records(self):
        """Yield ``(line number, document, summary)`` for each pair."""
        for (number, document), (_, summary) in zip(*self._lines(), strict=True):
            yield number, document, summary

    def read(self, record):
        """``(pair, None)`` of a record."""
        number, document, summary = record
        return tokenize(Record(str(number), "", document, summary), self.tokenized), None

    def _lines(self):
        # Line feeds alone end a line, so that editors and programs agree on the number of a line.
        for path in (self.documents, self.summaries):
            lines = read_lines(path, newline="\n")
            yield ((number, line.rstrip("\r\n")) for number, line in lines)

    def _other(self, path):
        return self.summaries if path == self.documents else self.documents


def count_distinct(ids):
    """How many ids there are; raises :class:`InputError` for one that comes twice.

    ``ids``: a function that yields ``(where, id)``. Eight bytes of a hash are kept of each (and as many again
    to sort them); where two are equal the ids are read again, to compare them.
    """
    hashes = array("Q", (_hash(where, name) for where, name in ids()))
    ordered = np.sort(np.frombuffer(hashes, dtype=np.uint64))
    twice = set(ordered[1:][ordered[1:] == ordered[:-1]].tolist())
    seen = {}
    for where, name in ids() if twice else ():
        if name in seen:
            raise InputError(
                f"{where}: id {name} comes twice, first at {seen[name]}; ids must be unique, change one"
            )
        if _hash(where, name) in twice:
            seen[name] = where
    return len(hashes)


def _hash(where, name):
    try:
        return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest(), "little")
    except (AttributeError, UnicodeEncodeError):
        raise InputError(
            f"{where}: the id {name!r} is no text; make it a string of whole characters"
        ) from None
