"""The lexical counts of a part of the rows: ``python -m pipeline.train.sharded.add``."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from pipeline.io.arrays import replacing_folder, write_arrays
from pipeline.io.parts import parse_part, part_files
from pipeline.run.errors import command
from pipeline.run.options import CommandParser
from pipeline.run.progress import log
from pipeline.train import em
from pipeline.train.sharded.files import State, open_arrays, read_counts, read_index
from pipeline.train.sharded.rows_of_shards import read_rows, write_looked_up
from pipeline.train.sharded.steps import add_file_options, add_part_option
from pipeline.types import Floats, StrPath


def add(paths: Iterable[StrPath], part: int, entries: int) -> Floats:
    """Return the expected counts of the ``entries`` of a part of the rows, added over files in order.

    Memory: 8 bytes for each entry, and those of one file.
    """
    sums = np.zeros(entries)
    for path in paths:
        numbers, counts = read_counts(path, part)
        sums[numbers] += counts
    return sums


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Add the expected counts of all shards in a part of the rows, and take their M-step."""
    parser = CommandParser(main)
    add_file_options(parser, "index", "entries", "state", "expectations", "of", "output")
    parser.add_argument("--previous", help="output of the iteration before, which is kept after EM has ended")
    add_part_option(parser)
    options = parser.parse(arguments)
    state = State.load(options.state)
    with replacing_folder(options.output) as temporary:
        if state.ended:
            previous = open_arrays(options.previous, "add")
            write_arrays(temporary, {name: previous[name] for name in previous.names()})
            log.info("EM has ended")
            return
        part, index = open_arrays(Path(options.entries) / options.part, "entries"), read_index(options.index)
        rows = read_rows(part)
        counts = add(
            part_files(options.expectations, options.of, ".npz"),
            parse_part(options.part).number - 1,
            len(rows.kind),
        )
        table = em.maximise_lexical(index, rows, counts, state.settings)
        write_arrays(temporary, {"counts": table.counts, "log_prior": np.asarray(table.log_prior)})
        write_looked_up(temporary, "own_totals", table.totals, part, "own_rows")
        for block in ("word", "phrase"):
            write_looked_up(temporary, f"{block}_counts", table.counts, part, f"{block}_entries")
    log.info(f"{options.of} shards, {np.count_nonzero(counts)} counts together")


if __name__ == "__main__":
    main()
