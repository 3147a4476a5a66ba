"""The model of a sharded training: ``python -m pipeline.train.sharded.finish``."""

from collections.abc import Sequence

from pipeline.run.errors import InputError, command
from pipeline.run.options import CommandParser
from pipeline.train.resources import add_resource_options, load_reverse, open_similarities, origin_of
from pipeline.train.results import make_lexicon, make_model, write_results
from pipeline.train.sharded.files import State, read_index
from pipeline.train.sharded.rows_of_shards import open_parts, read_rows
from pipeline.train.sharded.steps import COMMAND, COMMANDS, add_file_options


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Write the model of the last parameters, and the table of the iterations."""
    parser = CommandParser(main, writes=["model"])
    add_file_options(parser, "corpus", "extracts", "index", "entries", "state", "counts")
    add_resource_options(parser)
    parser.add_argument("--model", required=True, help="file to write, model.npz")
    parser.add_argument("--em", required=True, help="table to write, em.tsv: one row per iteration")
    options = parser.parse(arguments)
    state = State.load(options.state)
    if not state.iterations:
        raise InputError(
            f"{options.state}: no iteration has finished; give the folder of `{COMMAND.format('maximise')}`"
        )
    jump, settings = state.jump, state.settings
    similarities = open_similarities(options.similarities, settings)
    encoder = similarities.about if similarities else {}
    other = load_reverse(options.reverse_model, settings, encoder)
    origin = origin_of(options, COMMANDS, jump, settings, encoder, state.reverse, other)
    index = read_index(options.index)
    rows, counts = (
        open_parts(options.entries, options.index, "entries"),
        open_parts(options.counts, options.index, "add"),
    )
    parts = ((read_rows(part), of_part["counts"]) for part, of_part in zip(rows, counts, strict=True))
    lexicon = make_lexicon(index, parts, settings["lexical_threshold"])
    model = make_model(jump, index, state.parameters, lexicon, settings, origin, state.parser, encoder, other)
    write_results(model, state.iterations, options.model, options.em)


if __name__ == "__main__":
    main()
