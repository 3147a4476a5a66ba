"""The first reading of a corpus, before anything is tokenized."""

from dataclasses import dataclass
from typing import NamedTuple

from vorlage.command.errors import InputError
from vorlage.corpus.readers.registry import read
from vorlage.corpus.records import check_id, refuse_repeated
from vorlage.settings import Corpus


class Problem(NamedTuple):
    """Why a pair cannot be used; its number in the corpus, from 0; and its file and line."""

    number: int
    where: str
    reason: str


@dataclass(frozen=True)
class Survey:
    """The number of pairs in a corpus, and what there is to say about some of them.

    `problems`: the pairs that cannot be used, id → Problem, in order. `notes`: what the reader had to
    decide, note → the ids of the pairs.
    """

    count: int
    problems: dict[str, Problem]
    notes: dict[str, list[str]]


def survey(corpus: Corpus) -> Survey:
    """Return the `Survey` of the corpus that the section `corpus` of the settings names.

    Raise `InputError` for an id that is not text on one line, an id that comes twice, and an empty
    corpus. Memory: the ids and places of the pairs.
    """
    problems: dict[str, Problem] = {}
    notes: dict[str, list[str]] = {}

    count = 0
    for record in refuse_repeated(read(corpus)):
        check_id(record.id, record.where)
        if record.note:
            notes.setdefault(record.note, []).append(record.id)
        if record.problem:
            problems[record.id] = Problem(count, record.where, record.problem)
        count += 1
    if not count:
        raise InputError(f"{corpus.path}: no pairs in it; check `corpus.path` and `corpus.reader`")
    return Survey(count, problems, notes)
