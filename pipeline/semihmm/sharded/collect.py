"""The pairs of a shard with their support: ``python -m pipeline.semihmm.sharded.collect``."""

from pipeline.arrays import save_arrays
from pipeline.errors import command
from pipeline.extract.extracts import read_extracted_pairs
from pipeline.parts import add_part, parse_part
from pipeline.progress import log
from pipeline.semihmm.senses import Senses
from pipeline.semihmm.shard import collect
from pipeline.semihmm.sharded import command as command_line
from pipeline.settings import add_options, from_options
from pipeline.wordnet.reader import open_wordnet

SETTINGS = ("max_document_phrase", "max_summary_phrase", "wordnet")


@command
def main(arguments=None):
    """Collect the pairs of a shard of a corpus, and the phrase pairs that they hold."""
    parser = command_line.arguments("collect", main, "corpus", "extracts", "output")
    parser.add_argument("--wordnet-data", help="folder made by `python -m pipeline.wordnet`")
    add_part(parser)
    add_options(parser, "semihmm", SETTINGS)
    given = command_line.parse(parser, arguments)
    part, settings = parse_part(given.part), from_options(given, "semihmm")
    senses = Senses(open_wordnet(given.wordnet_data)) if settings["wordnet"] else None
    shard = collect(read_extracted_pairs(given.corpus, given.extracts, part), settings, senses)
    save_arrays(given.output, shard.arrays())
    log.info(
        f"shard {part}, pairs {shard.instances[0].id} to {shard.instances[-1].id}: "
        f"{len(shard.instances)} pairs, {len(shard.words)} words, {len(shard.support.summary)} word pairs"
    )


if __name__ == "__main__":
    main()
