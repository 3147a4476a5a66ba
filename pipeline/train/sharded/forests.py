"""The trees of the documents of a shard: ``python -m pipeline.train.sharded.forests``."""

from pipeline.extract.extracts import read_extracted_pairs
from pipeline.io.arrays import ragged, save_arrays
from pipeline.io.parts import add_part, parse_part
from pipeline.parse.tree_arrays import Trees
from pipeline.run.errors import command
from pipeline.semihmm.jumps.forest import forests_of
from pipeline.semihmm.kernels.tree_walks import Forest
from pipeline.train.sharded import command as command_line


@command
def main(arguments=None):
    """Collect the trees of the documents of a shard of a corpus."""
    parser = command_line.arguments("forests", main, "corpus", "extracts", "output")
    parser.add_argument("--trees", required=True, help="trees.npz of the parse stage")
    add_part(parser)
    given = command_line.parse(parser, arguments)
    make = forests_of(Trees.load(given.trees))
    corpus = read_extracted_pairs(given.corpus, given.extracts, parse_part(given.part))
    found = [make(pair, extract) for pair, extract in corpus]
    arrays = {}
    for name in Forest._fields:
        arrays[name], arrays[f"{name}_at"] = ragged([getattr(forest, name) for forest in found])
    save_arrays(given.output, arrays)


if __name__ == "__main__":
    main()
