"""The encode stage: similarities of the words and of the sentences of each pair, by a pretrained encoder.

    vorlage encode --corpus corpus.jsonl --extracts extracts.jsonl --output encode/1-of-1

For each pair, the stage writes the cosines of contextual vectors, between summary words and words of the
extract and between summary sentences and sentences of the extract (`vorlage.encoder.similarities`).
Pairs are independent: the results of the parts of a corpus (`--part`), concatenated, are those of the whole
corpus. Memory holds one pair at a time, and the id and 16 bytes of every pair.
"""

from array import array
from functools import partial

from vorlage import settings
from vorlage.command.errors import InputError, command
from vorlage.command.options import CommandParser
from vorlage.command.progress import Progress, log
from vorlage.corpus.records import check_id
from vorlage.encoder.encoder import Encoder
from vorlage.encoder.kept import KeptSimilarities
from vorlage.encoder.similarities import measure, shape_of, write_similarities
from vorlage.encoder.transformer import open_encoder
from vorlage.extract.extracts import read_extracted_pairs
from vorlage.files.parts import WHOLE, Part, add_part_option, parse_part
from vorlage.types import StrPath


def encode(
    encoder: Encoder,
    corpus: StrPath,
    extracts: StrPath,
    folder: StrPath,
    part: Part = WHOLE,
    store: StrPath | None = None,
) -> None:
    """Write the similarities of the pairs of a `corpus.jsonl` and its `extracts.jsonl`, or of a part.

    `store`: a folder where those of earlier runs are kept, and these too. The files are read twice, the
    first time for the shapes. Raise `InputError`, before anything is encoded, if they do not belong
    together.
    """
    ids: list[str] = []
    shapes = array("i")
    for pair, extract in read_extracted_pairs(corpus, extracts, part):
        check_id(pair.id, str(corpus))
        ids.append(pair.id)
        shapes.extend(shape_of(pair, extract.sentences))
    with Progress("encode", len(ids)) as progress:
        pairs = read_extracted_pairs(corpus, extracts, part)
        kept = KeptSimilarities(store, encoder) if store else None
        measured = kept.measure if kept else partial(measure, encoder)
        similarities = (measured(pair, extract.sentences) for pair, extract in pairs)
        write_similarities(folder, encoder.about, ids, shapes, progress.count(similarities))
    if kept:
        log.info(f"{len(ids) - kept.taken} pairs encoded, {kept.taken} taken from {kept.folder}")


@command
def main(arguments: list[str] | None = None) -> None:
    """Measure the similarities of the words and of the sentences of each pair."""
    parser = CommandParser("encode", main)
    parser.add_argument("--corpus", required=True, help="corpus.jsonl of the corpus stage")
    parser.add_argument("--extracts", required=True, help="extracts.jsonl of the extract stage")
    add_part_option(parser)
    parser.add_argument("--store", help="folder where similarities are kept for later runs (default: none)")
    parser.add_argument("--threads", type=int, default=1, help="batches encoded at once (default: 1)")
    parser.add_argument("--output", required=True, help="folder to write, named after the part: some/3-of-10")
    settings.add_options(parser, settings.Embed)
    options = parser.parse(arguments)
    part = parse_part(options.part)
    if options.threads < 1:
        raise InputError(f"--threads is {options.threads}; give a whole number of at least 1")
    embed = settings.from_options(options, settings.Embed)
    encoder = open_encoder(embed.model, embed.layer, embed.device, threads=options.threads)
    encode(encoder, options.corpus, options.extracts, options.output, part, options.store)
