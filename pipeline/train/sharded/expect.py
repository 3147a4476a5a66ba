"""The E-step over a shard: ``python -m pipeline.train.sharded.expect``.

It is one of many short jobs, so it imports little.
"""

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from pipeline.run.errors import InputError, command
from pipeline.run.options import CommandParser
from pipeline.run.progress import Progress, log
from pipeline.semihmm.jumps.pruning import leaves_out
from pipeline.semihmm.phrases.rewrite import PARTS
from pipeline.train import model1
from pipeline.train.expectation import Expectations, expectation
from pipeline.train.model1 import is_by_model1
from pipeline.train.pairs import Numbers, ShardPairs, load_pairs
from pipeline.train.sharded.files import (
    Share,
    State,
    load_forests,
    open_arrays,
    read_kept,
)
from pipeline.train.sharded.rows_of_shards import OwnEntries, open_parts, read_numbers, read_parameters
from pipeline.train.sharded.steps import COMMAND, add_file_options
from pipeline.types import Bools, JsonObject, StrPath

NONE = np.empty(0, dtype=np.int64)


def open_pairs(
    shard: StrPath, index: StrPath, numbers: Numbers, settings: JsonObject, forests: StrPath | None = None
) -> ShardPairs:
    """Return the pairs of the folder of a shard.

    ``index``, ``forests``: the folders of these; ``numbers``: of the shard; ``settings``: those of the
    encoder's part.
    """
    instances, entries = load_pairs(open_arrays(shard, "collect"), load_forests(forests) if forests else None)
    fake = open_arrays(Path(index) / "tables", "index")["fake"]
    return ShardPairs(instances, entries, numbers, fake, settings)


def expect(
    state: State, pairs: ShardPairs, own: OwnEntries, kept: Bools | None, least: float, threads: int = 1
) -> Share:
    """Return the :class:`Share` of the pairs of a shard, without counts below ``least``.

    ``state``: with the parameters of the shard, see :func:`read_parameters`; ``own``: the entries of the
    shard; ``kept``: the document sentences that pruning has kept, None for all.
    """
    began = time.time()
    kept = pairs.all_sentences() if kept is None else kept
    if is_by_model1(state.iterations, state.settings):
        expected, kept_later = model1.expectation(pairs, state.parameters), kept
    else:
        with Progress("expect", len(pairs.instances)) as progress:
            expected, kept_later = expectation(
                pairs, state.parameters, kept, state.settings, threads, progress.advance
            )
    entries = pairs.numbers.entries
    assert entries is not None
    counted = np.flatnonzero((expected.counts > 0) & (expected.counts >= least) & (entries >= 0))
    nulls = np.flatnonzero(expected.nulls)
    by_part = own.by_part(entries[counted], expected.counts[counted])
    sparse = expected.sparse(NONE, nulls)
    return Share(sparse, by_part, pairs.words[nulls], began, kept_later)


def empty_share(state: State) -> Share:
    """Return the :class:`Share` of a shard after EM has ended, in an iteration that does nothing."""
    parameters = state.parameters
    zeros = (
        np.zeros(0),
        np.zeros(0),
        parameters.jumps.zeros(),
        0.0,
        np.zeros(len(PARTS)),
        np.zeros_like(parameters.norms),
    )
    return Share(Expectations(*zeros, 0.0, 0.0), [], NONE, time.time(), np.empty(0, dtype=bool))


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Take the E-step over the pairs of a shard."""
    parser = CommandParser(main)
    add_file_options(parser, "index", "entries", "state", "output")
    parser.add_argument("--shard", required=True, help="folder of `collect`")
    parser.add_argument("--forests", help="folder of `forests`, for a jump model over trees")
    parser.add_argument("--counts", help="folder of the outputs of `add` in the iteration before")
    parser.add_argument("--previous", help="output of the iteration before, where sentences are left out")
    parser.add_argument("--shards", type=int, default=1, help="number of shards (default: 1)")
    parser.add_argument("--threads", type=int, default=1, help="pairs computed at once (default: 1)")
    options = parser.parse(arguments)
    state = State.load(options.state)
    if state.ended:
        log.info("EM has ended")
        empty_share(state).save(options.output)
        return
    if state.parameters.jumps.TREES and not options.forests:
        raise InputError(
            f"--forests is missing; the jump model {state.jump} needs the trees of the documents, "
            f"which `{COMMAND.format('forests')}` collects"
        )
    name = Path(options.shard).name
    rows = open_parts(options.entries, options.index, "entries")
    counts = open_parts(options.counts, options.index, "add") if options.counts else None
    numbers, own = read_numbers(options.index, rows, name)
    state = replace(state, parameters=read_parameters(state.parameters, rows, counts, name, numbers))
    pairs = open_pairs(options.shard, options.index, numbers, state.settings, options.forests)
    kept = read_kept(options.previous) if options.previous and leaves_out(state.settings) else None
    # Together, the shards leave out less of a count than the M-step would drop.
    least = state.settings["lexical_prune"] / options.shards
    share = expect(state, pairs, own, kept, least, options.threads)
    share.save(options.output)
    log.info(
        f"shard {name}, pairs {pairs.instances[0].id} to {pairs.instances[-1].id}: "
        f"log-likelihood {share.expected.log_likelihood:.8g}, {sum(len(c) for _, c in share.counts)} counts, "
        f"{Path(options.output).stat().st_size / 1e6:.1f} MB"
    )


if __name__ == "__main__":
    main()
