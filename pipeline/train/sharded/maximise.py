"""The M-step over the expectations of all shards: ``python -m pipeline.train.sharded.maximise``."""

from collections.abc import Sequence
from dataclasses import replace

from pipeline.run.errors import command
from pipeline.run.options import CommandParser
from pipeline.run.progress import log
from pipeline.train import em
from pipeline.train.sharded.add import add, sizes
from pipeline.train.sharded.files import State, read_index
from pipeline.train.sharded.steps import add_file_options


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Take the M-step: estimate the parameters from the expectations of all shards."""
    parser = CommandParser(main)
    add_file_options(parser, "index", "state", "expectations", "output")
    options = parser.parse(arguments)
    state = State.load(options.state)
    if state.ended:
        log.info("EM has ended")
        state.save(options.output)
        return
    expected, began = add(options.expectations, *sizes(options.index))
    index = read_index(options.index)
    iteration, parameters = em.step(
        index, state.parameters, expected, state.settings, state.iterations, began
    )
    done = [*state.iterations, iteration]
    ended = em.has_ended(done, state.settings)
    replace(state, parameters=parameters, iterations=done, ended=ended).save(options.output)


if __name__ == "__main__":
    main()
