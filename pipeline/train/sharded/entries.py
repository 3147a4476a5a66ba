"""The phrase pairs in a part of the rows of the index: ``python -m pipeline.train.sharded.entries``."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from pipeline.io.arrays import ArrayWriter, concatenate_ragged, replacing_folder, write_arrays
from pipeline.io.parts import Part, parse_part, part_files
from pipeline.run.errors import InputError, command
from pipeline.run.options import CommandParser
from pipeline.run.progress import log
from pipeline.settings import add_options, from_options, read_by
from pipeline.train.index import Index, Rows
from pipeline.train.merge import merge_rows
from pipeline.train.sharded.files import open_arrays, read_index
from pipeline.train.sharded.rows_of_shards import read_bounds, write_looked_up
from pipeline.train.sharded.steps import add_file_options, add_part_option
from pipeline.types import Ints, Span, StrPath


def write_rows(
    folder: StrPath, shards: Sequence[Path], rows: Sequence[Ints], index: Index, span: Span, least: int
) -> Rows:
    """Write the rows of an index in a ``span`` to a folder, with the numbers that their entries have in each
    shard; return the rows.

    ``shards``: their folders, in order; the other arguments as for :func:`pipeline.train.merge.merge_rows`.
    """
    tables = [open_arrays(shard, "collect") for shard in shards]
    words = np.clip(span, 0, len(index.words))
    own, sizes = [], []
    for table, numbers in zip(tables, rows, strict=True):
        low, high = np.searchsorted(numbers, span)
        own.append(numbers[low:high] - span[0])
        low, high = np.searchsorted(numbers, words)
        bounds = table.slices("word_rows")
        sizes.append(int(bounds[high : high + 1][0] - bounds[low : low + 1][0]))
    with replacing_folder(folder) as temporary:
        dtype = np.min_scalar_type(-max(sum(sizes), 1))
        entries = ArrayWriter(temporary / "word_entries.npy", dtype, *sizes)
        merged, phrases = merge_rows(tables, rows, index, span, least, entries.append)
        entries.check()
        arrays = merged._asdict() | {"word_entries_at": np.cumsum([0, *sizes])}
        arrays["own_rows"], arrays["own_rows_at"] = concatenate_ragged(own)
        flat, arrays["phrase_entries_at"] = concatenate_ragged(phrases, np.int64)
        write_arrays(temporary, arrays | {"phrase_entries": flat})
        totals = index.totals(merged, np.zeros(len(merged.kind)))
        part = open_arrays(temporary, "entries")
        write_looked_up(temporary, "own_totals", totals, part, "own_rows")
    return merged


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """List and number the phrase pairs in a part of the rows of the index."""
    parser = CommandParser(main)
    add_file_options(parser, "shards", "of", "index", "output")
    add_part_option(parser)
    add_options(parser, "semihmm", read_by("entries"))
    options = parser.parse(arguments)
    shards = part_files(options.shards, options.of)
    part, bounds = parse_part(options.part), read_bounds(options.index)
    span = span_of(part, bounds.tolist())
    rows = [open_arrays(Path(options.index) / shard.name, "index")["rows"] for shard in shards]
    least = from_options(options, "semihmm")["lexical_cooccurrence"]
    merged = write_rows(options.output, shards, rows, read_index(options.index), span, least)
    log.info(f"rows {span[0]} to {span[1] - 1}: {merged.summary()}")


def span_of(part: Part, bounds: Sequence[int]) -> Span:
    """Return the span of a part of the rows; raise :class:`InputError` if there are more or fewer parts."""
    if part.of != len(bounds) - 1:
        raise InputError(f"--part is {part}, but the index has {len(bounds) - 1} parts of rows; see --parts")
    return bounds[part.number - 1], bounds[part.number]


if __name__ == "__main__":
    main()
