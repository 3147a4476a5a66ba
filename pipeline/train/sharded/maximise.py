"""The M-step over the expectations of all shards: ``python -m pipeline.train.sharded.maximise``."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from pipeline.io.parts import part_files
from pipeline.run.errors import command
from pipeline.run.options import CommandParser
from pipeline.run.progress import log
from pipeline.train import em
from pipeline.train.expectation import Sums
from pipeline.train.sharded.files import Share, State, read_index
from pipeline.train.sharded.rows_of_shards import open_parts
from pipeline.train.sharded.steps import add_file_options


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Take the rest of the M-step: estimate the parameters from the expectations of all shards."""
    parser = CommandParser(main)
    add_file_options(parser, "index", "state", "counts", "expectations", "of", "output")
    options = parser.parse(arguments)
    state = State.load(options.state)
    if state.ended:
        log.info("EM has ended")
        state.save(options.output)
        return
    index = read_index(options.index)
    sums, began = Sums(0, len(index.words)), np.inf
    for path in part_files(options.expectations, options.of, ".npz"):
        share = Share.load(path)
        sums.add(share.expected, np.empty(0, dtype=np.int64), share.words.astype(np.int64))
        began = min(began, share.began)
    parts = open_parts(options.counts, options.index, "add")
    table = em.Lexical(np.empty(0), np.empty(0), sum(float(part["log_prior"]) for part in parts))
    iteration, parameters = em.step(
        index, state.parameters, sums.total(), table, state.settings, state.iterations, began
    )
    done = [*state.iterations, iteration]
    ended = em.has_ended(done, state.settings)
    replace(state, parameters=parameters, iterations=done, ended=ended).save(options.output)


if __name__ == "__main__":
    main()
