"""Parts of a corpus that separate jobs work on: runs of whole lines of its JSON-lines files.

Part `3-of-10` of a file with P lines has the lines 2·P//10 … 3·P//10 − 1, counted from 0. So the same part
of two files with one line for each pair has the same pairs.
"""

import argparse
import re
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple, TypeVar

from vorlage.command.errors import InputError
from vorlage.files.inputs import read_lines, refuse_special
from vorlage.types import StrPath

Item = TypeVar("Item")


class Part(NamedTuple):
    """One of `total` parts; `number`: counted from 1."""

    number: int
    total: int

    def __str__(self) -> str:
        return f"{self.number}-of-{self.total}"

    def span(self, count: int) -> tuple[int, int]:
        """Return the half-open span of the part among `count` things."""
        return (self.number - 1) * count // self.total, self.number * count // self.total


WHOLE = Part(1, 1)


def parse_part(text: str) -> Part:
    """Return the `Part` with the name `3-of-10`; raise `InputError` for another text."""
    match = re.fullmatch(r"(\d{1,9})-of-(\d{1,9})", text)
    part = Part(*map(int, match.groups())) if match else None
    if part is None or not 1 <= part.number <= part.total:
        raise InputError(f"{text!r} does not name a part; write it as 3-of-10, counted from 1")
    return part


def add_part_option(parser: argparse.ArgumentParser) -> None:
    """Add the option `--part` to a parser; `parse_part` reads its value."""
    parser.add_argument("--part", default=str(WHOLE), help="part of the corpus, as 3-of-10 (default: all)")


def part_files(folder: StrPath, count: int, ending: str = "") -> list[Path]:
    """Return the files or folders of all `count` parts in a folder: `folder/1-of-3.jsonl` and so on.

    Raise `InputError` if one is missing.
    """
    if count < 1:
        raise InputError(f"--of is {count}; give the number of parts, 1 or more")
    files = [Path(folder) / f"{Part(number, count)}{ending}" for number in range(1, count + 1)]
    for path in files:
        if not path.exists():
            raise InputError(f"{path}: does not exist; make all {count} parts, or correct --of")
    return files


def take_part(read: Callable[[StrPath], Iterator[Item]], path: StrPath, part: Part) -> Iterator[Item]:
    """Return the items of a part of those that `read` yields of a file."""
    if part == WHOLE:
        return read(path)
    refuse_special(path)
    return islice(read(path), *part.span(sum(1 for _ in read(path))))


def count_lines(path: StrPath) -> int:
    """Return the number of lines of a file, which is to be read again; errors are those of `read_part`."""
    refuse_special(path)
    return sum(1 for _ in read_lines(path))
