"""The sum of the expectations of several shards: ``python -m pipeline.train.sharded.add``."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from pipeline.run.errors import command
from pipeline.run.options import CommandParser
from pipeline.run.progress import log
from pipeline.train.expectation import Expectations, Sums
from pipeline.train.sharded.files import Share, open_arrays
from pipeline.train.sharded.steps import add_file_options
from pipeline.types import StrPath


def add(paths: Iterable[StrPath], entries: int, words: int) -> tuple[Expectations, float]:
    """Return the sum of the expectations in files, added in order, and the earliest start of their jobs.

    ``entries``, ``words``: the sizes of the index. Memory: 8 bytes for each entry, and one file.
    """
    sums, began = Sums(entries, words), np.inf
    for path in paths:
        share = Share.load(path)
        sums.add(share.expected, share.entries.astype(np.int64), share.words.astype(np.int64))
        began = min(began, share.began)
    return sums.total(), began


def sizes(index: StrPath) -> tuple[int, int]:
    """Return the numbers of entries and of words of the index in a folder."""
    arrays = open_arrays(Path(index) / "tables", "index")
    return len(arrays.mapped("kind")), len(arrays.mapped("unlisted"))


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Add the expectations of several shards."""
    parser = CommandParser(main)
    add_file_options(parser, "index", "expectations", "output")
    options = parser.parse(arguments)
    expected, began = add(options.expectations, *sizes(options.index))
    entries, words = np.flatnonzero(expected.counts), np.flatnonzero(expected.nulls)
    sparse = expected.sparse(entries, words)
    Share(sparse, entries, words, began, np.empty(0, dtype=bool)).save(options.output)
    log.info(f"{len(options.expectations)} files, {len(entries)} counts together")


if __name__ == "__main__":
    main()
