"""The index of all shards: ``python -m pipeline.train.sharded.index``."""

import numpy as np

from pipeline.io.arrays import Written, replacing_folder, write_arrays
from pipeline.io.parts import part_files
from pipeline.run.errors import command
from pipeline.run.progress import log
from pipeline.semihmm.phrases.wordnet_distance import Senses
from pipeline.settings import add_options, from_options
from pipeline.train.merge import make_index
from pipeline.train.sharded import command as command_line
from pipeline.train.sharded.files import open_arrays
from pipeline.wordnet.reader import open_wordnet

SETTINGS = (
    "fake_counts.word",
    "fake_counts.identical",
    "fake_counts.stem",
    "fake_counts.unigram",
    "lexical_cooccurrence",
    "wordnet",
)


def write_index(folder, shards, settings, senses):
    """Write the index of shards to a folder and, in folders of their names, the numbers of each.

    ``shards``: their folders, in order; the other arguments as for
    :func:`pipeline.train.merge.make_index`. Returns the index.
    """
    tables = [open_arrays(shard, "collect") for shard in shards]
    sizes = [len(table.slices("kind")) for table in tables]
    dtype = np.min_scalar_type(-sum(sizes))
    with replacing_folder(folder) as temporary:
        entries = []
        for shard, size in zip(shards, sizes, strict=True):
            (temporary / shard.name).mkdir()
            entries.append(Written(temporary / shard.name / "entries.npy", dtype, size))
        index, numbers = make_index(tables, settings, entries, senses)
        (temporary / "tables").mkdir()
        write_arrays(temporary / "tables", index.arrays())
        for shard, written, found in zip(shards, entries, numbers, strict=True):
            written.check()
            names = ("rows", "row_chance", "row_histogram", "spread", "share")
            write_arrays(temporary / shard.name, {name: getattr(found, name) for name in names})
    return index


@command
def main(arguments=None):
    """Number the words, phrases and phrase pairs of all shards together."""
    parser = command_line.arguments("index", main, "output")
    parser.add_argument("--shards", required=True, help="folder of those of `collect`, named as 3-of-10")
    parser.add_argument("--of", required=True, type=int, help="how many shards there are")
    parser.add_argument("--wordnet-data", help="folder made by `python -m pipeline.wordnet`")
    add_options(parser, "semihmm", SETTINGS)
    given = command_line.parse(parser, arguments)
    settings = from_options(given, "semihmm")
    senses = Senses(open_wordnet(given.wordnet_data)) if settings["wordnet"] else None
    index = write_index(given.output, part_files(given.shards, given.of), settings, senses)
    log.info(index.summary())


if __name__ == "__main__":
    main()
