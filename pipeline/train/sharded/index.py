"""The index of all shards: ``python -m pipeline.train.sharded.index``."""

from collections.abc import Sequence
from pathlib import Path

from pipeline.io.arrays import replacing_folder, write_arrays
from pipeline.io.parts import part_files
from pipeline.run.errors import InputError, command
from pipeline.run.options import CommandParser
from pipeline.run.progress import log
from pipeline.semihmm.phrases.wordnet_distance import WordNetDistances
from pipeline.settings import add_options, from_options, read_by
from pipeline.train.index import Index
from pipeline.train.merge import make_index, row_bounds
from pipeline.train.resources import add_resource_options, open_wordnet_distances
from pipeline.train.sharded.files import open_arrays
from pipeline.train.sharded.rows_of_shards import OF_SHARD
from pipeline.train.sharded.steps import add_file_options
from pipeline.types import JsonObject, StrPath


def write_index(
    folder: StrPath,
    shards: Sequence[Path],
    parts: int,
    settings: JsonObject,
    wordnet: WordNetDistances | None,
) -> Index:
    """Write the index of shards to a folder and, in subfolders with their names, the numbers of each shard.

    ``shards``: their folders, in order; ``parts``: of the rows, whose bounds are written too; the other
    arguments as for :func:`pipeline.train.merge.make_index`. Return the index.
    """
    tables = [open_arrays(shard, "collect") for shard in shards]
    index, numbers = make_index(tables, settings, wordnet)
    count = len(index.words) + len(index.longer)
    bounds = row_bounds(tables, [of_shard.rows for of_shard in numbers], count, parts)
    with replacing_folder(folder) as temporary:
        written = {"tables": index.to_arrays() | {"bounds": bounds}}
        for shard, of_shard in zip(shards, numbers, strict=True):
            written[shard.name] = {name: getattr(of_shard, name) for name in OF_SHARD}
        for name, arrays in written.items():
            (temporary / name).mkdir()
            write_arrays(temporary / name, arrays)
    return index


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Number the words and longer phrases of all shards together."""
    parser = CommandParser(main)
    add_file_options(parser, "shards", "of", "output")
    parser.add_argument("--parts", type=int, default=1, help="number of parts of the rows (default: 1)")
    add_resource_options(parser, "wordnet-data")
    add_options(parser, "semihmm", read_by("index"))
    options = parser.parse(arguments)
    if options.parts < 1:
        raise InputError(f"--parts is {options.parts}; give 1 or more")
    settings = from_options(options, "semihmm")
    wordnet = open_wordnet_distances(options.wordnet_data, settings)
    shards = part_files(options.shards, options.of)
    log.info(write_index(options.output, shards, options.parts, settings, wordnet).summary())


if __name__ == "__main__":
    main()
