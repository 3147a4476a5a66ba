"""The parse stage: a constituency tree for each sentence of the extracts.

    vorlage parse --sentences sentences/0-of-4.jsonl --store results/parses
        --output shards/0-of-4.jsonl

The command parses one shard of the sentences that `vorlage.trees.sentences` lists;
`vorlage.trees.gather` merges the shards. Parses that the same parser made before are taken from the store.
Memory holds a shard, about 900 bytes for a sentence of 22 words, and its trees.
"""

from pathlib import Path

from vorlage.command.errors import command
from vorlage.command.options import CommandParser
from vorlage.command.progress import Progress, log
from vorlage.files.jsonl import write_jsonl
from vorlage.fingerprint import digest, fingerprint
from vorlage.settings import Parse, add_options, from_options
from vorlage.trees.parse_store import ParseStore
from vorlage.trees.parser import open_parser
from vorlage.trees.sentences import read_sentences
from vorlage.types import JsonObject


def store_name(backend: str, version: str) -> str:
    """Return the folder of a parser in the store: its name, and a digest of its code and `version`."""
    return f"{backend}-{digest((fingerprint(f'vorlage.trees.{backend}'), version))}"


@command
def main(arguments: list[str] | None = None) -> None:
    """Parse a shard of sentences."""
    arg_parser = CommandParser("parse", main)
    arg_parser.add_argument("--sentences", required=True, help="shard of `vorlage sentences`")
    arg_parser.add_argument("--store", required=True, help="folder where parses are kept for later runs")
    arg_parser.add_argument("--output", required=True, help="file to write, the parses of the shard")
    add_options(arg_parser, Parse)
    options = arg_parser.parse(arguments)
    settings = from_options(options, Parse)
    sentences = list(read_sentences(options.sentences))
    parser = open_parser(settings)
    store = ParseStore(Path(options.store) / store_name(settings.backend, parser.version))
    records: dict[int, JsonObject] = {}
    parsed, cut = 0, 0
    with Progress("parse", len(sentences), "sentences") as progress:
        for sentence, record, new in store.records(sentences, parser.parse):
            records[sentence.number] = {"number": sentence.number} | record
            parsed += new
            cut += "pieces" in record
            if "refused" in record:
                where = f"pair {sentence.pair}, sentence {sentence.index}"
                log.warning(f"refused {record['id']} ({where}): {record['refused']}")
            progress.advance()
    write_jsonl(options.output, (records[number] for number in sorted(records)))
    log.info(
        f"{parsed} sentences parsed, {len(sentences) - parsed} taken from {store.folder}; "
        f"cut into pieces: {cut}"
    )
