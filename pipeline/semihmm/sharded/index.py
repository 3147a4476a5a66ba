"""The index of all shards: ``python -m pipeline.semihmm.sharded.index``."""

from pathlib import Path

from pipeline.errors import InputError, command
from pipeline.progress import log
from pipeline.semihmm.merge import make_index
from pipeline.semihmm.senses import Senses
from pipeline.semihmm.sharded import command as command_line
from pipeline.semihmm.sharded.files import open_arrays, save_index
from pipeline.settings import add_options, from_options
from pipeline.wordnet.reader import open_wordnet

SETTINGS = (
    "fake_counts.word",
    "fake_counts.identical",
    "fake_counts.stem",
    "lexical_cooccurrence",
    "wordnet",
)


@command
def main(arguments=None):
    """Number the words, phrases and phrase pairs of all shards together."""
    parser = command_line.arguments("index", main, "output")
    parser.add_argument(
        "--shards", required=True, nargs="+", type=Path, help="folders of `collect`, in order"
    )
    parser.add_argument("--wordnet-data", help="folder made by `python -m pipeline.wordnet`")
    add_options(parser, "semihmm", SETTINGS)
    given = command_line.parse(parser, arguments)
    settings = from_options(given, "semihmm")
    senses = Senses(open_wordnet(given.wordnet_data)) if settings["wordnet"] else None
    names = [folder.name for folder in given.shards]
    if len(set(names)) < len(names):
        raise InputError("--shards has a shard twice; give each once")
    index, numbers = make_index([open_arrays(f, "collect") for f in given.shards], settings, senses)
    save_index(given.output, index, dict(zip(names, numbers, strict=True)))
    log.info(index.summary())


if __name__ == "__main__":
    main()
