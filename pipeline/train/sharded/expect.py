"""The E-step over a shard: ``python -m pipeline.train.sharded.expect``.

One of many short jobs, so it imports little.
"""

import time
from pathlib import Path

import numpy as np

from pipeline.run.errors import command
from pipeline.run.progress import Progress, log
from pipeline.semihmm.phrases.rewrite import PARTS
from pipeline.train import em
from pipeline.train.pairs import Pairs, load_pairs
from pipeline.train.sharded import command as command_line
from pipeline.train.sharded.files import (
    Share,
    State,
    load_forests,
    open_arrays,
    read_kept,
    read_numbers,
)

NONE = np.empty(0, dtype=np.int64)


def open_pairs(shard, index, forests=None, temperature=None):
    """The :class:`Pairs` of the folder of a shard; ``index``, ``forests``: the folders of these.

    ``temperature``: that of the encoder's part.
    """
    instances, support = load_pairs(open_arrays(shard, "collect"), forests and load_forests(forests))
    numbers = read_numbers(index, Path(shard).name)
    words = len(support.word_rows) - 1
    fake = open_arrays(Path(index) / "tables", "index")["fake"]
    return Pairs(instances, support, words, numbers, fake, temperature)


def expect(state, pairs, kept, least, threads=1):
    """The :class:`Share` of the pairs of a shard; counts below ``least`` are left out.

    ``kept``: whether pruning has left each document sentence, None for all.
    """
    began = time.time()
    kept = pairs.whole() if kept is None else kept
    with Progress("expect", len(pairs.instances)) as progress:
        expected, left = em.expectation(
            pairs, state.parameters, kept, state.settings, threads, progress.advance
        )
    entries = pairs.numbers.entries
    counted = np.flatnonzero((expected.counts > 0) & (expected.counts >= least) & (entries >= 0))
    nulls = np.flatnonzero(expected.nulls)
    sparse = expected.sparse(counted, nulls)
    return Share(sparse, entries[counted], pairs.words[nulls], began, left)


def nothing(state):
    """The :class:`Share` of a shard after the end of EM: of the iterations planned, these do nothing."""
    parameters = state.parameters
    zeros = (
        np.zeros(0),
        np.zeros(0),
        parameters.jumps.zeros(),
        0.0,
        np.zeros(len(PARTS)),
        np.zeros_like(parameters.norms),
    )
    return Share(em.Expectations(*zeros, 0.0, 0.0), NONE, NONE, time.time(), np.empty(0, dtype=bool))


@command
def main(arguments=None):
    """Count what the parameters make one expect of the pairs of a shard."""
    parser = command_line.arguments("expect", main, "index", "state", "output")
    parser.add_argument("--shard", required=True, help="folder of `collect`")
    parser.add_argument("--forests", help="folder of `forests`, for a jump model that walks over trees")
    parser.add_argument("--previous", help="what this wrote an iteration before, where `prune` is set")
    parser.add_argument("--shards", type=int, default=1, help="how many shards there are (default: 1)")
    parser.add_argument("--threads", type=int, default=1, help="pairs worked on at once (default: 1)")
    given = command_line.parse(parser, arguments)
    state = State.load(given.state)
    if state.ended:
        log.info("EM has ended")
        nothing(state).save(given.output)
        return
    pairs = open_pairs(given.shard, given.index, given.forests, state.settings["encoder_temperature"])
    kept = read_kept(given.previous) if given.previous and state.settings["prune"] else None
    # What all shards leave out of a count is less than what the M-step would drop of it.
    least = state.settings["lexical_prune"] / given.shards
    share = expect(state, pairs, kept, least, given.threads)
    share.save(given.output)
    log.info(
        f"shard {Path(given.shard).name}, pairs {pairs.instances[0].id} to {pairs.instances[-1].id}: "
        f"log-likelihood {share.expected.log_likelihood:.8g}, {len(share.entries)} counts, "
        f"{Path(given.output).stat().st_size / 1e6:.1f} MB"
    )


if __name__ == "__main__":
    main()
