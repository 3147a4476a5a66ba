"""The parameters that a sharded training starts from: ``python -m pipeline.train.sharded.start``."""

from pipeline.parse.tree_arrays import Trees
from pipeline.run.errors import InputError, command
from pipeline.semihmm.jumps.base import Shape, jump_model
from pipeline.semihmm.phrases.rewrite import Mixture
from pipeline.settings import add_options
from pipeline.train import em
from pipeline.train.__main__ import TRAINING, check_direction, reversed_null, training_settings
from pipeline.train.sharded import command as command_line
from pipeline.train.sharded.files import State, read_index


@command
def main(arguments=None):
    """Write the parameters that EM starts from."""
    parser = command_line.arguments("start", main, "index", "output")
    parser.add_argument("--jump", required=True, help="jump model to train, such as relative")
    parser.add_argument("--trees", help="trees.npz of the parse stage, for a jump model that walks over them")
    parser.add_argument("--reverse", action="store_true", help="of the other direction")
    add_options(parser, "semihmm", TRAINING)
    given = command_line.parse(parser, arguments)
    check_direction(given)
    settings = training_settings(given)
    labels, parser = (), {}
    if jump_model(given.jump).TREES:
        if not given.trees:
            raise InputError(
                f"--trees is missing; the jump model {given.jump} wants the trees of the documents"
            )
        trees = Trees.load(given.trees)
        labels, parser = trees.labels, trees.parser
    index = read_index(given.index)
    if given.reverse:
        settings["null_start"] = reversed_null(settings["null_start"], index)
    jumps = jump_model(given.jump).start(Shape(index.longest, labels), settings)
    parameters = em.start(index, jumps, Mixture.start(settings["wordnet"], settings["encoder"]))
    State(given.jump, settings, parser, parameters, [], False).save(given.output)


if __name__ == "__main__":
    main()
