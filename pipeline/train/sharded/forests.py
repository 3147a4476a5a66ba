"""The trees of the documents of a shard: ``python -m pipeline.train.sharded.forests``."""

from collections.abc import Sequence

from pipeline.extract.extracts import read_extracted_pairs
from pipeline.io.arrays import concatenate_ragged, save_arrays
from pipeline.io.parts import add_part_option, parse_part
from pipeline.parse.tree_arrays import Trees
from pipeline.run.errors import command
from pipeline.run.options import CommandParser
from pipeline.semihmm.jumps.forest import forests_of
from pipeline.semihmm.kernels.tree_walks import Forest
from pipeline.train.sharded.steps import add_file_options


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Collect the trees of the documents of a shard of a corpus."""
    parser = CommandParser(main)
    add_file_options(parser, "corpus", "extracts", "output")
    parser.add_argument("--trees", required=True, help="trees.npz of the parse stage")
    add_part_option(parser)
    options = parser.parse(arguments)
    make_forest = forests_of(Trees.load(options.trees))
    corpus = read_extracted_pairs(options.corpus, options.extracts, parse_part(options.part))
    forests = [make_forest(pair, extract) for pair, extract in corpus]
    arrays = {}
    for name in Forest._fields:
        arrays[name], arrays[f"{name}_at"] = concatenate_ragged([getattr(f, name) for f in forests])
    save_arrays(options.output, arrays)


if __name__ == "__main__":
    main()
