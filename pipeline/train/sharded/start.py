"""The parameters that a sharded training starts from: ``python -m pipeline.train.sharded.start``."""

from collections.abc import Sequence

import numpy as np

from pipeline.run.errors import command
from pipeline.run.options import CommandParser
from pipeline.settings import add_options, read_by
from pipeline.train.em import Lexical
from pipeline.train.resources import add_resource_options, check_direction, open_trees, training_settings
from pipeline.train.sharded.files import State, read_index
from pipeline.train.sharded.steps import add_file_options
from pipeline.train.training import initial_parameters, reversed_null


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Write the parameters that EM starts from."""
    parser = CommandParser(main)
    add_file_options(parser, "index", "output")
    parser.add_argument("--jump", required=True, help="jump model to train, such as relative")
    add_resource_options(parser, "trees")
    parser.add_argument("--reverse", action="store_true", help="train the other direction")
    add_options(parser, "semihmm", read_by("train"))
    options = parser.parse(arguments)
    check_direction(options.jump, options.reverse)
    settings = training_settings(options)
    trees = open_trees(options.trees, options.jump)
    index = read_index(options.index)
    if options.reverse:
        settings["null_start"] = reversed_null(settings["null_start"], index)
    table = Lexical(np.empty(0), np.empty(0), 0.0)
    parameters = initial_parameters(index, table, options.jump, settings, trees, settings["wordnet"])
    about_trees = trees.parser if trees else {}
    State(options.jump, options.reverse, settings, about_trees, parameters, [], False).save(options.output)


if __name__ == "__main__":
    main()
