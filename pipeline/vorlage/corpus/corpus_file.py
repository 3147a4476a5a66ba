"""The file `corpus.jsonl`: one pair per line."""

from collections.abc import Iterable, Iterator

from vorlage.corpus.pair import Pair, make_pair
from vorlage.files.jsonl import read_jsonl, write_jsonl
from vorlage.files.parts import WHOLE, Part, read_part
from vorlage.types import StrPath


def write_pairs(path: StrPath, pairs: Iterable[Pair]) -> None:
    """Write pairs to a `corpus.jsonl`, in the order given."""
    write_jsonl(path, (pair.to_json() for pair in pairs))


def read_pairs(path: StrPath, part: Part = WHOLE) -> Iterator[Pair]:
    """Yield the pairs of a `corpus.jsonl`, or of a part of it, in order.

    Raise `InputError` if the file is not one.
    """
    for number, record in read_jsonl(path, read_part(path, part)):
        yield make_pair(path, number, record)
