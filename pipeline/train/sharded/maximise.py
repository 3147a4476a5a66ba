"""The M-step over the expectations of all shards: ``python -m pipeline.train.sharded.maximise``."""

from dataclasses import replace

from pipeline.run.errors import command
from pipeline.run.progress import log
from pipeline.train import em
from pipeline.train.sharded import command as command_line
from pipeline.train.sharded.add import add, sizes
from pipeline.train.sharded.files import State, read_index


@command
def main(arguments=None):
    """Estimate the parameters anew from what was expected of all shards."""
    parser = command_line.arguments("maximise", main, "index", "state", "expectations", "output")
    given = command_line.parse(parser, arguments)
    state = State.load(given.state)
    if state.ended:
        log.info("EM has ended")
        state.save(given.output)
        return
    expected, began = add(given.expectations, *sizes(given.index))
    index = read_index(given.index)
    iteration, parameters = em.step(
        index, state.parameters, expected, state.settings, state.iterations, began
    )
    done = [*state.iterations, iteration]
    ended = em.has_ended(done, state.settings)
    replace(state, parameters=parameters, iterations=done, ended=ended).save(given.output)


if __name__ == "__main__":
    main()
