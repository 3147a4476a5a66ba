"""The encode stage: similarities of the words and of the sentences of each pair, by a pretrained encoder.

    vorlage encode --corpus corpus.jsonl --extracts extracts.jsonl --output encode/1-of-1

For each pair, the stage writes the cosines of contextual vectors, between summary words and words of the
extract and between summary sentences and sentences of the extract (`vorlage.encoder.similarities`).
Pairs are independent: the results of the parts of a corpus (`--part`), concatenated, are those of the whole
corpus. Memory holds one pair at a time, and the id and the shapes of every pair.
"""

from vorlage.command.errors import command
from vorlage.command.options import CommandParser
from vorlage.command.progress import Progress
from vorlage.encoder.similarities import Encoder, measure, write_similarities
from vorlage.encoder.transformer import open_encoder
from vorlage.extract.extracts import read_extracted_pairs
from vorlage.files.parts import WHOLE, Part, add_part_option, count_lines, parse_part
from vorlage.settings import Embed
from vorlage.types import StrPath


def encode(encoder: Encoder, corpus: StrPath, extracts: StrPath, folder: StrPath, part: Part = WHOLE) -> None:
    """Write the similarities of the pairs of a `corpus.jsonl` and its `extracts.jsonl`, or of a part."""
    first, last = part.span(count_lines(corpus))
    with Progress("encode", last - first) as progress:
        pairs = progress.count(read_extracted_pairs(corpus, extracts, part))
        similarities = ((pair.id, measure(encoder, pair, extract.sentences)) for pair, extract in pairs)
        write_similarities(folder, encoder.about, similarities)


@command
def main(arguments: list[str] | None = None) -> None:
    """Measure the similarities of the words and of the sentences of each pair."""
    parser = CommandParser("encode", main)
    parser.add_argument("--corpus", required=True, help="corpus.jsonl of the corpus stage")
    parser.add_argument("--extracts", required=True, help="extracts.jsonl of the extract stage")
    add_part_option(parser)
    parser.add_argument("--output", required=True, help="folder to write, named after the part: some/3-of-10")
    Embed.add_options(parser)
    options = parser.parse(arguments)
    part = parse_part(options.part)
    embed = Embed.from_options(options)
    encoder = open_encoder(embed.model, embed.layer, embed.device)
    encode(encoder, options.corpus, options.extracts, options.output, part)
