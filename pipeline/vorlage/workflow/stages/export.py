"""Convert alignments to the formats of other programs: `vorlage export`.

    vorlage export --alignments alignments.jsonl --format pharaoh --output links.txt

pharaoh  a line for each pair: links i-j of document token i and summary token j, counted from 0
tsv      a row for each phrase pair, with character offsets and text
jsonl    a line for each pair: both texts, and spans in characters
html     the viewer with one pair, as a standalone page

All formats but pharaoh need --corpus, the corpus.jsonl of the corpus stage.
"""

import argparse
from collections.abc import Iterable, Iterator
from itertools import chain, starmap

from vorlage.alignments.alignment import Alignment, check_tokens, read_alignments
from vorlage.command.errors import InputError, command
from vorlage.command.options import CommandParser
from vorlage.documents.pair import Pair, read_pairs
from vorlage.files.jsonl import to_line
from vorlage.files.outputs import write_lines, write_text
from vorlage.types import JsonObject, StrPath
from vorlage.views.alignment import COLUMNS, phrase_rows
from vorlage.views.viewer import pair_data, viewer_page
from vorlage.workflow.tables import write_table

FORMATS = ("pharaoh", "tsv", "jsonl", "html")


def in_characters(alignment: Alignment, pair: Pair) -> JsonObject:
    """Return both texts and the links with spans in characters, in the format of gold in characters."""
    return {
        "id": pair.id,
        "system": alignment.system,
        "unit": "char",
        "document": pair.document.raw,
        "summary": pair.summary.raw,
        "alignments": [
            {
                "summary": pair.summary.characters(link.summary),
                "document": link.document and pair.document.characters(link.document),
                "posterior": link.posterior,
            }
            for link in alignment.links
        ],
    }


def read_aligned_pairs(alignments: StrPath, corpus: StrPath) -> Iterator[tuple[Alignment, Pair]]:
    """Yield each alignment of a file with its pair; the file may lack pairs of the corpus.

    Raise `InputError` for an alignment of a pair that is unknown, out of order or of other tokens.
    """
    pairs = read_pairs(corpus)
    for alignment in read_alignments(alignments):
        pair = next((pair for pair in pairs if pair.id == alignment.id), None)
        if pair is None:
            raise InputError(
                f"{alignments}: pair {alignment.id} is not in {corpus}, or not in this order; give the "
                "corpus that was aligned, and keep its order"
            )
        check_tokens(alignment, pair, alignments)
        yield alignment, pair


def _write_page(options: argparse.Namespace, pairs: Iterable[tuple[Alignment, Pair]]) -> None:
    if not options.id:
        raise InputError("--format html: name the pair to show with --id")
    for alignment, pair in pairs:
        if pair.id == options.id:
            write_text(options.output, viewer_page(pair.id, [pair_data(pair, None, [alignment])]))
            return
    raise InputError(f"{options.alignments}: has no pair with the id {options.id}; check --id")


@command
def main(arguments: list[str] | None = None) -> None:
    """Convert alignments to the formats of other programs."""
    parser = CommandParser("export", main, description=__doc__, log=False)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--alignments", required=True, help="alignments.jsonl of any system")
    parser.add_argument("--corpus", help="corpus.jsonl of the corpus stage")
    parser.add_argument("--format", required=True, choices=FORMATS, help="format to write")
    parser.add_argument("--id", help="html: id of the pair")
    parser.add_argument("--output", required=True, help="file to write")
    options = parser.parse(arguments)
    if options.format == "pharaoh":
        alignments = read_alignments(options.alignments)
        write_lines(options.output, (alignment.to_pharaoh() for alignment in alignments))
        return
    if not options.corpus:
        raise InputError(f"--format {options.format} needs --corpus, the corpus.jsonl that was aligned")
    pairs = read_aligned_pairs(options.alignments, options.corpus)
    if options.format == "tsv":
        write_table(options.output, COLUMNS, chain.from_iterable(starmap(phrase_rows, pairs)))
    elif options.format == "html":
        _write_page(options, pairs)
    else:
        write_lines(options.output, map(to_line, starmap(in_characters, pairs)))
