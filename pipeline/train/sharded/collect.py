"""The pairs of a shard with their support: ``python -m pipeline.train.sharded.collect``."""

from collections.abc import Sequence

from pipeline.extract.extracts import read_extracted_pairs
from pipeline.io.arrays import save_arrays
from pipeline.io.parts import add_part_option, parse_part
from pipeline.run.errors import command
from pipeline.run.options import CommandParser
from pipeline.run.progress import log
from pipeline.settings import add_options, from_options, read_by
from pipeline.train.resources import (
    add_resource_options,
    open_similarities,
    open_wordnet_distances,
    similarities_of,
)
from pipeline.train.shard import collect
from pipeline.train.sharded.steps import add_file_options


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Collect the pairs of a shard of a corpus and the phrase pairs in them."""
    parser = CommandParser(main)
    add_file_options(parser, "corpus", "extracts", "output")
    add_resource_options(parser, "wordnet-data", "similarities")
    parser.add_argument("--reverse", action="store_true", help="swap the sides: extracts from summaries")
    add_part_option(parser)
    add_options(parser, "semihmm", read_by("collect"))
    options = parser.parse(arguments)
    part = parse_part(options.part)
    settings = from_options(options, "semihmm", encoder=bool(options.similarities))
    store = open_similarities(options.similarities, settings)
    shard = collect(
        read_extracted_pairs(options.corpus, options.extracts, part),
        settings,
        open_wordnet_distances(options.wordnet_data, settings),
        similarities=similarities_of(store) if store else None,
        reverse=options.reverse,
    )
    save_arrays(options.output, shard.arrays())
    instances, word_pairs = shard.instances, len(shard.support.table.partners)
    log.info(
        f"shard {part}, pairs {instances[0].id} to {instances[-1].id}: "
        f"{len(instances)} pairs, {len(shard.words)} words, {word_pairs} word pairs"
    )


if __name__ == "__main__":
    main()
