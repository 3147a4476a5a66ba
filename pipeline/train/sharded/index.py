"""The index of all shards: ``python -m pipeline.train.sharded.index``."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from pipeline.io.arrays import ArrayWriter, replacing_folder, write_arrays
from pipeline.io.parts import part_files
from pipeline.run.errors import command
from pipeline.run.options import CommandParser
from pipeline.run.progress import log
from pipeline.semihmm.phrases.wordnet_distance import WordNetDistances
from pipeline.settings import add_options, from_options, read_by
from pipeline.train.index import Index
from pipeline.train.merge import make_index
from pipeline.train.resources import add_resource_options, open_wordnet_distances
from pipeline.train.sharded.files import open_arrays
from pipeline.train.sharded.steps import add_file_options
from pipeline.types import JsonObject, StrPath


def write_index(
    folder: StrPath, shards: Sequence[Path], settings: JsonObject, wordnet: WordNetDistances | None
) -> Index:
    """Write the index of shards to a folder and, in subfolders with their names, the numbers of each shard.

    ``shards``: their folders, in order; the other arguments as for :func:`pipeline.train.merge.make_index`.
    Return the index.
    """
    tables = [open_arrays(shard, "collect") for shard in shards]
    sizes = [len(table.slices("kind")) for table in tables]
    dtype = np.min_scalar_type(-sum(sizes))
    with replacing_folder(folder) as temporary:
        entries = []
        for shard, size in zip(shards, sizes, strict=True):
            (temporary / shard.name).mkdir()
            entries.append(ArrayWriter(temporary / shard.name / "entries.npy", dtype, size))
        index, numbers = make_index(tables, settings, entries, wordnet)
        (temporary / "tables").mkdir()
        write_arrays(temporary / "tables", index.to_arrays())
        for shard, written, of_shard in zip(shards, entries, numbers, strict=True):
            written.check()
            names = ("rows", "row_chance", "row_histogram", "frequency", "spread", "share")
            write_arrays(temporary / shard.name, {name: getattr(of_shard, name) for name in names})
    return index


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Number the words, phrases and phrase pairs of all shards together."""
    parser = CommandParser(main)
    add_file_options(parser, "output")
    parser.add_argument("--shards", required=True, help="folder of the outputs of `collect`, such as 3-of-10")
    parser.add_argument("--of", required=True, type=int, help="number of shards")
    add_resource_options(parser, "wordnet-data")
    add_options(parser, "semihmm", read_by("index"))
    options = parser.parse(arguments)
    settings = from_options(options, "semihmm")
    wordnet = open_wordnet_distances(options.wordnet_data, settings)
    index = write_index(options.output, part_files(options.shards, options.of), settings, wordnet)
    log.info(index.summary())


if __name__ == "__main__":
    main()
