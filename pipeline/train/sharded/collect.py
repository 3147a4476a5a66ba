"""The pairs of a shard with their support: ``python -m pipeline.train.sharded.collect``."""

from pipeline.extract.extracts import read_extracted_pairs
from pipeline.io.arrays import save_arrays
from pipeline.io.parts import add_part, parse_part
from pipeline.run.errors import command
from pipeline.run.progress import log
from pipeline.semihmm.phrases.wordnet_distance import Senses
from pipeline.settings import add_options, from_options
from pipeline.train.__main__ import open_similarities, similarities_of
from pipeline.train.shard import collect
from pipeline.train.sharded import command as command_line
from pipeline.wordnet.reader import open_wordnet

SETTINGS = ("max_document_phrase", "max_summary_phrase", "wordnet", "sentence_similarity", "encoder")


@command
def main(arguments=None):
    """Collect the pairs of a shard of a corpus, and the phrase pairs that they hold."""
    parser = command_line.arguments("collect", main, "corpus", "extracts", "output")
    parser.add_argument("--wordnet-data", help="folder made by `python -m pipeline.wordnet`")
    parser.add_argument("--similarities", help="folder of the encode stage, where `encoder` is set")
    parser.add_argument("--reverse", action="store_true", help="with the sides swapped")
    add_part(parser)
    add_options(parser, "semihmm", SETTINGS)
    given = command_line.parse(parser, arguments)
    part, settings = parse_part(given.part), from_options(given, "semihmm")
    senses = Senses(open_wordnet(given.wordnet_data)) if settings["wordnet"] else None
    store = open_similarities(given.similarities, settings)
    measured = similarities_of(store) if store else None
    corpus = read_extracted_pairs(given.corpus, given.extracts, part)
    shard = collect(corpus, settings, senses, None, measured, given.reverse)
    save_arrays(given.output, shard.arrays())
    log.info(
        f"shard {part}, pairs {shard.instances[0].id} to {shard.instances[-1].id}: "
        f"{len(shard.instances)} pairs, {len(shard.words)} words, {len(shard.support.summary)} word pairs"
    )


if __name__ == "__main__":
    main()
