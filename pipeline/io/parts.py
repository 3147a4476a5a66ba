"""Parts of a corpus that are worked on side by side: runs of whole lines of its JSON-lines files.

Part ``3-of-10`` of a file with P lines has the lines 2·P//10 … 3·P//10 − 1, counted from 0, so that the same
part of two files with a line a pair has the same pairs. Where the lines begin stands beside a file, in
``corpus.offsets.npy`` for ``corpus.jsonl``; without it the file is read through.
"""

import re
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

from pipeline.io.checksums import check
from pipeline.io.inputs import not_utf8, open_file
from pipeline.io.outputs import replacing
from pipeline.run.errors import InputError

BLOCK = 1 << 24  # bytes looked through at once


class Part(NamedTuple):
    """Part ``number``, counted from 1, ``of`` so many."""

    number: int
    of: int

    def __str__(self):
        return f"{self.number}-of-{self.of}"

    def span(self, count):
        """The half-open span that the part has of ``count`` things."""
        return (self.number - 1) * count // self.of, self.number * count // self.of


WHOLE = Part(1, 1)


def parse_part(text):
    """The :class:`Part` that ``3-of-10`` names; raises :class:`InputError` for other text."""
    found = re.fullmatch(r"(\d{1,9})-of-(\d{1,9})", text)
    part = Part(*map(int, found.groups())) if found else None
    if part is None or not 1 <= part.number <= part.of:
        raise InputError(f"{text!r} names no part; give one such as 3-of-10, counted from 1")
    return part


def add_part(parser):
    """Add the option ``--part`` to an ``ArgumentParser``; :func:`parse_part` reads it."""
    parser.add_argument("--part", default=str(WHOLE), help="part of the corpus, as 3-of-10 (default: all)")


def part_files(folder, count, ending=""):
    """The files or folders of all ``count`` parts in a folder, in order: ``folder/1-of-3.jsonl`` and so on.

    Raises :class:`InputError` where one is not there.
    """
    if count < 1:
        raise InputError(f"--of is {count}; give the number of parts, 1 or more")
    files = [Path(folder) / f"{Part(number, count)}{ending}" for number in range(1, count + 1)]
    for path in files:
        if not path.exists():
            raise InputError(f"{path}: is not there; make all {count} parts, or give their number (--of)")
    return files


def part_lines(path, part):
    """The lines of a part as :func:`pipeline.io.jsonl.read_jsonl` takes them: of the whole None, for all."""
    return None if part == WHOLE else read_part(path, part)


def read_part(path, part):
    """Yield ``(line number, line)`` of the lines of a part of a file, numbered from 1 as in the whole.

    Raises :class:`InputError` when the file is missing, unreadable or not UTF-8.
    """
    offsets = line_offsets(path)
    first, last = part.span(len(offsets) - 1)
    begins = offsets[first : last + 1].tolist()
    with open_file(path, "rb") as file:
        for number, (begin, end) in enumerate(pairwise(begins), start=first):
            line = _read_line(file, begin, end)
            if line is None:
                raise InputError(
                    f"{offsets_beside(path)}: does not say where the lines of {path} begin; remove it"
                )
            try:
                yield number + 1, line.decode("utf-8" if number else "utf-8-sig")
            except UnicodeDecodeError:
                raise not_utf8(path) from None


def _read_line(file, begin, end):
    """The bytes of a line of a file from ``begin`` to ``end``, None where these are not the ends of one."""
    if not 0 <= begin < end:
        return None
    file.seek(max(begin - 1, 0))
    before = file.read(1) if begin else b"\n"
    line = file.read(end - begin)
    whole = line.find(b"\n") == len(line) - 1 or (b"\n" not in line and not file.read(1))
    return line if before == b"\n" and len(line) == end - begin and whole else None


def line_offsets(path):
    """Where each line of a file begins, in bytes, and one more entry, its size: int64.

    What stands beside the file is taken if it ends where the file does: times of files say too little, and
    :func:`read_part` sees whether what it reads are lines.
    """
    with open_file(path, "rb") as file:
        size = file.seek(0, 2)
    offsets = _load_offsets(offsets_beside(path))
    return _find_offsets(path) if offsets is None or offsets[-1] != size else offsets


def write_offsets(path):
    """Write where the lines of the file ``path`` begin to a file beside it, see :func:`offsets_beside`.

    Who replaces the file calls :func:`remove_offsets` first, so that it never stands beside those of another.
    """
    with replacing(offsets_beside(path)) as temporary, open(temporary, "wb") as out:
        np.save(out, _find_offsets(path))


def offsets_beside(path):
    """The file that has the offsets of the lines of ``path``."""
    return Path(path).with_suffix(".offsets.npy")


def remove_offsets(path):
    """Remove what :func:`write_offsets` has written."""
    offsets_beside(path).unlink(missing_ok=True)


def _load_offsets(path):
    """What :func:`write_offsets` wrote to ``path``, or None where there is nothing of the kind."""
    if not path.exists():
        return None
    check(path)
    try:
        offsets = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError):
        return None
    return offsets if offsets.ndim == 1 and offsets.dtype == np.int64 and len(offsets) else None


def _find_offsets(path):
    found, at = [np.zeros(1, dtype=np.int64)], 0
    with open_file(path, "rb") as file:
        while block := file.read(BLOCK):
            found.append(at + 1 + np.flatnonzero(np.frombuffer(block, dtype=np.uint8) == ord("\n")))
            at += len(block)
    offsets = np.concatenate(found)
    return offsets if offsets[-1] == at else np.append(offsets, at)
