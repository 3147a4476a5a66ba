"""The extract stage: chooses the sentences of each document that its summary is aligned to.

    vorlage extract --corpus corpus.jsonl --output extracts.jsonl

The methods are those of `vorlage.extract.methods`. With `enabled: false` the extract is the whole document.

The extracts of a part of the corpus (`--part`) need the stem counts of the whole corpus (`--weights`), which
`--count-stems` writes; the concatenated extracts of all parts are those of the whole.
"""

import json
from collections.abc import Iterator, Sequence

from vorlage.command.errors import InputError, command
from vorlage.command.options import CommandParser
from vorlage.command.progress import Progress
from vorlage.documents.pair import read_pairs
from vorlage.extract import cosine
from vorlage.extract.extracts import Extract, write_extracts
from vorlage.extract.methods import choose_extract
from vorlage.files.outputs import write_text
from vorlage.files.parts import WHOLE, Part, add_part_option, count_lines, parse_part
from vorlage.settings import Extraction
from vorlage.types import StrPath


def extract_corpus(
    corpus: StrPath, settings: Extraction, counts: cosine.StemCounts | None = None, part: Part = WHOLE
) -> Iterator[Extract]:
    """Yield the extract of each pair of a `corpus.jsonl`, or of a part of it, in order.

    `counts`: those of the whole corpus (default: read the file once more to count).
    """
    first, last = part.span(count_lines(corpus))
    weights = cosine.fit_weights(counts or cosine.count_stems(corpus))
    with Progress("extract", last - first) as progress:
        for pair in progress.count(read_pairs(corpus, part)):
            yield choose_extract(pair, weights, settings)


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Choose the sentences of each document that its summary is aligned to."""
    parser = CommandParser("extract", main)
    parser.add_argument("--corpus", required=True, help="corpus.jsonl of the corpus stage")
    parser.add_argument("--weights", help="weights.json of `--count-stems` (default: count stems)")
    add_part_option(parser)
    outputs = parser.add_mutually_exclusive_group(required=True)
    outputs.add_argument("--output", help="file to write, extracts.jsonl")
    outputs.add_argument("--count-stems", metavar="FILE", help="instead: weights.json to write")
    Extraction.add_options(parser)
    options = parser.parse(arguments, outputs=("count_stems",))
    part = parse_part(options.part)
    if options.count_stems:
        counted = cosine.count_stems(options.corpus)
        record = {"sentences": counted.sentences, "stems": dict(sorted(counted.stems.items()))}
        return write_text(options.count_stems, json.dumps(record) + "\n")
    counts = cosine.read_counts(options.weights) if options.weights else None
    if part != WHOLE and counts is None:
        raise InputError(
            "--part without --weights: the weights of stems depend on the whole corpus; "
            "make the file with --count-stems"
        )
    settings = Extraction.from_options(options)
    write_extracts(options.output, extract_corpus(options.corpus, settings, counts, part))
