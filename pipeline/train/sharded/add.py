"""Expectations of several shards added up: ``python -m pipeline.train.sharded.add``."""

from pathlib import Path

import numpy as np

from pipeline.run.errors import command
from pipeline.run.progress import log
from pipeline.train.em import Sums
from pipeline.train.sharded import command as command_line
from pipeline.train.sharded.files import Share, open_arrays


def add(paths, entries, words):
    """``(Expectations, began)`` of the files ``paths``, added one after another, and the first beginning.

    ``entries``, ``words``: how many the index has. In memory are 8 bytes an entry and one file.
    """
    sums, began = Sums(entries, words), np.inf
    for path in paths:
        share = Share.load(path)
        sums.add(share.expected, share.entries.astype(np.int64), share.words.astype(np.int64))
        began = min(began, share.began)
    return sums.total(), began


def sizes(index):
    """``(entries, words)`` of the index in a folder."""
    arrays = open_arrays(Path(index) / "tables", "index")
    return len(arrays.mapped("kind")), len(arrays.mapped("unlisted"))


@command
def main(arguments=None):
    """Add up what is expected of several shards."""
    parser = command_line.arguments("add", main, "index", "expectations", "output")
    given = command_line.parse(parser, arguments)
    expected, began = add(given.expectations, *sizes(given.index))
    entries, words = np.flatnonzero(expected.counts), np.flatnonzero(expected.nulls)
    sparse = expected.sparse(entries, words)
    Share(sparse, entries, words, began, np.empty(0, dtype=bool)).save(given.output)
    log.info(f"{len(given.expectations)} files, {len(entries)} counts together")


if __name__ == "__main__":
    main()
