"""Parts of a corpus that separate jobs work on: runs of whole lines of its JSON-lines files.

Part `3-of-10` of a file with P lines has the lines 2·P//10 … 3·P//10 − 1, counted from 0. So the same part
of two files with one line for each pair has the same pairs. The offsets of the lines are in a file beside
it, `corpus.offsets.npy` for `corpus.jsonl`; without that file, the whole file is read to find them.
"""

import argparse
import re
from collections.abc import Iterator
from io import BufferedReader
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

from vorlage.command.errors import InputError
from vorlage.files.inputs import open_file, utf8_error
from vorlage.files.outputs import replacing
from vorlage.types import LongInts, StrPath

BLOCK = 1 << 24  # bytes that are searched at once


class Part(NamedTuple):
    """Part `number`, counted from 1, `of` this many."""

    number: int
    of: int

    def __str__(self) -> str:
        return f"{self.number}-of-{self.of}"

    def span(self, count: int) -> tuple[int, int]:
        """Return the half-open span of the part among `count` things."""
        return (self.number - 1) * count // self.of, self.number * count // self.of


WHOLE = Part(1, 1)


def parse_part(text: str) -> Part:
    """Return the `Part` with the name `3-of-10`; raise `InputError` for another text."""
    found = re.fullmatch(r"(\d{1,9})-of-(\d{1,9})", text)
    part = Part(*map(int, found.groups())) if found else None
    if part is None or not 1 <= part.number <= part.of:
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


def part_lines(path: StrPath, part: Part) -> Iterator[tuple[int, str]] | None:
    """Return the lines of a part as `vorlage.files.jsonl.read_jsonl` takes them: None for the whole."""
    return None if part == WHOLE else read_part(path, part)


def read_part(path: StrPath, part: Part) -> Iterator[tuple[int, str]]:
    """Yield `(line number, line)` for the lines of a part of a file, numbered from 1 as in the whole.

    Raise `InputError` for a file that is missing, unreadable or not UTF-8.
    """
    offsets = line_offsets(path)
    first, last = part.span(len(offsets) - 1)
    bounds = offsets[first : last + 1].tolist()
    with open_file(path, "rb") as file:
        for number, (begin, end) in enumerate(pairwise(bounds), start=first):
            line = _read_line(file, begin, end)
            if line is None:
                raise InputError(
                    f"{offsets_path(path)}: does not fit the lines of {path}; move it elsewhere and run again"
                )
            try:
                yield number + 1, line.decode("utf-8" if number else "utf-8-sig")
            except UnicodeDecodeError:
                raise utf8_error(path) from None


def _read_line(file: BufferedReader, begin: int, end: int) -> bytes | None:
    """Return the bytes from `begin` to `end` if they are exactly one line of the file, or None."""
    if not 0 <= begin < end:
        return None
    file.seek(max(begin - 1, 0))
    before = file.read(1) if begin else b"\n"
    line = file.read(end - begin)
    whole = line.find(b"\n") == len(line) - 1 or (b"\n" not in line and not file.read(1))
    return line if before == b"\n" and len(line) == end - begin and whole else None


def write_offsets(path: StrPath) -> None:
    """Write the offsets of the lines of the file `path` to the file beside it, see `offsets_path`.

    Call `remove_offsets` before replacing the file, so that it is never beside the offsets of another.
    """
    with replacing(offsets_path(path)) as temporary, open(temporary, "wb") as out:
        np.save(out, line_offsets(path))


def offsets_path(path: StrPath) -> Path:
    """Return the path of the offsets of the lines of `path`."""
    return Path(path).with_suffix(".offsets.npy")


def remove_offsets(path: StrPath) -> None:
    """Remove the file that `write_offsets` wrote, if it exists."""
    offsets_path(path).unlink(missing_ok=True)


def line_offsets(path: StrPath) -> LongInts:
    """Return the offset of each line of a file in bytes, and one more entry, the size of the file."""
    found, at = [np.zeros(1, dtype=np.int64)], 0
    with open_file(path, "rb") as file:
        while block := file.read(BLOCK):
            found.append(at + 1 + np.flatnonzero(np.frombuffer(block, dtype=np.uint8) == ord("\n")))
            at += len(block)
    offsets = np.concatenate(found)
    return offsets if offsets[-1] == at else np.append(offsets, at)
