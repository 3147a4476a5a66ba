"""Counts in how many sentences of the documents each stem occurs, over the corpus or a part of it.

    vorlage count-stems --corpus corpus.jsonl --part 3-of-10 --output counts/3-of-10.json
    vorlage count-stems --counts counts --of 10 --output weights.json

The first command counts a part of a corpus, the second adds the counts of all parts. The extracts of a part
need the counts of the whole corpus (`vorlage extract --weights weights.json`). Memory grows with
the number of different stems, about 150 bytes each.
"""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from vorlage.command.errors import InputError, command
from vorlage.command.options import CommandParser
from vorlage.command.progress import log
from vorlage.corpus.corpus_file import read_pairs
from vorlage.extract.stem_counts import StemCounts
from vorlage.files.jsonl import read_json
from vorlage.files.outputs import write_text
from vorlage.files.parts import WHOLE, Part, add_part_option, parse_part, part_files
from vorlage.types import StrPath

MAKER = "vorlage count-stems"


def write_counts(path: StrPath, counts: StemCounts) -> None:
    """Write counts to a file as a JSON object."""
    stems = dict(sorted(counts.stems.items()))
    write_text(path, json.dumps({"sentences": counts.sentences, "stems": stems}) + "\n")


def read_counts(path: StrPath) -> StemCounts:
    """Read the counts that `write_counts` wrote; raise `InputError` for another file."""
    record = read_json(path, "counts of stems", MAKER)
    stems = record.get("stems")
    if not isinstance(stems, dict) or not all(map(_is_count, [record.get("sentences"), *stems.values()])):
        raise InputError(f"{path}: not counts of stems; make the file with {MAKER}")
    return StemCounts(record["sentences"], Counter(stems))


def _is_count(value: Any) -> bool:
    return type(value) is int and value >= 0


def count_stems(corpus: StrPath, part: Part = WHOLE) -> StemCounts:
    """Return the counts of a `corpus.jsonl` or of a part of it."""
    counts = StemCounts()
    for pair in read_pairs(corpus, part):
        counts.add(pair.document)
    return counts


def add_files(files: Iterable[StrPath]) -> StemCounts:
    """Return the sum of the counts in `files`."""
    counts = StemCounts()
    for path in files:
        counts.add_counts(read_counts(path))
    return counts


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Count in how many sentences each stem occurs, or add such counts."""
    parser = CommandParser("count-stems", main)
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--corpus", help="corpus.jsonl of the corpus stage, to count")
    source.add_argument("--counts", help="folder with the counts of all parts, to add")
    parser.add_argument("--of", type=int, default=1, help="number of parts, with --counts (default: 1)")
    add_part_option(parser)
    parser.add_argument("--output", required=True, help="file to write, JSON")
    options = parser.parse(arguments)
    if options.counts:
        counts = add_files(part_files(options.counts, options.of, ".json"))
    else:
        counts = count_stems(options.corpus, parse_part(options.part))
    write_counts(options.output, counts)
    log.info(f"stems: {len(counts.stems)} in {counts.sentences} sentences")
