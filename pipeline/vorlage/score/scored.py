"""Select the pairs that scoring and the report page need: `vorlage select-scored`.

    vorlage select-scored --corpus corpus.jsonl --gold gold.jsonl --alignments cutpaste.jsonl \\
        --pairs 1000 --part 3-of-10 --output corpus/3-of-10.jsonl cutpaste/3-of-10.jsonl

Of a large corpus this takes the pairs with gold and as many of the first others as the page may show, with
their alignments: the unchanged lines of these files, in one pass over a part of each. The score stage and
the page produce the same results from them as from the whole corpus and all alignments. The alignments of a
system must have the pairs of the corpus in its order, and be of one system and fingerprint; this command
checks that line by line.
"""

import contextlib
from collections.abc import Iterator, Sequence, Set
from itertools import zip_longest

from vorlage.command.errors import InputError, command
from vorlage.command.options import CommandParser
from vorlage.command.progress import log
from vorlage.corpus.gold import read_gold
from vorlage.files.jsonl import from_line, read_jsonl
from vorlage.files.outputs import replacing
from vorlage.files.parts import Part, add_part_option, parse_part, read_part
from vorlage.score.command_line import add_alignments
from vorlage.types import JsonObject, StrPath


def choose(
    corpus: StrPath, alignments: Sequence[StrPath], annotated: Set[str], most: int, part: Part
) -> Iterator[tuple[str, ...]]:
    """Yield the lines to keep of a part: a tuple for each pair, of the corpus and of each alignment file.

    `annotated`: ids of the pairs with gold; `most`: how many of the others, counted from the first.
    Raise `InputError` where the files have different pairs, or lines of several systems or
    fingerprints.
    """
    paths = [corpus, *alignments]
    origins = [None, *map(_first_origin, alignments)]
    for lines in zip_longest(*(read_part(path, part) for path in paths)):
        key = None
        for path, line, origin in zip(paths, lines, origins, strict=True):
            if line is None:
                raise InputError(f"{path}: has fewer lines than another of the files; align the corpus again")
            number, text = line
            record = from_line(path, number, text)
            key = key or record.get("id")
            if record.get("id") != key or key is None:
                raise InputError(
                    f"{path}, line {number}: is pair {record.get('id')} where the corpus has {key}; "
                    "align the corpus again"
                )
            if origin and origin != _origin(record):
                raise InputError(
                    f"{path}, line {number}: pair {key}: is by another system, or was made with other "
                    "code, settings or model than the first line; align the whole corpus again"
                )
        # This many lines include `most` pairs without gold, wherever the pairs with gold are.
        if key in annotated or number <= most + len(annotated):
            yield tuple(text for _, text in lines)


def _first_origin(path: StrPath) -> tuple[object, object] | None:
    for _, record in read_jsonl(path):
        return _origin(record)
    return None


def _origin(record: JsonObject) -> tuple[object, object]:
    return record.get("system"), record.get("fingerprint")


@command
def main(arguments: list[str] | None = None) -> None:
    """Select the pairs and alignments that scoring and the report page need."""
    parser = CommandParser("select-scored", main)
    parser.add_argument("--corpus", required=True, help="corpus.jsonl of the corpus stage")
    parser.add_argument("--gold", required=True, help="gold.jsonl of the corpus stage")
    add_alignments(parser)
    parser.add_argument("--pairs", required=True, type=int, help="pairs without gold to take, for the page")
    add_part_option(parser)
    parser.add_argument(
        "--output",
        required=True,
        nargs="+",
        metavar="FILE",
        help="files to write: the pairs, then the alignments of each system",
    )
    options = parser.parse(arguments)
    if len(options.output) != 1 + len(options.alignments):
        raise InputError(
            f"--output names {len(options.output)} files; give {1 + len(options.alignments)}, one for the "
            "pairs and one for each of --alignments"
        )
    annotated = {gold.id for gold in read_gold(options.gold)}
    kept = 0
    with contextlib.ExitStack() as stack:
        files = [
            stack.enter_context(open(stack.enter_context(replacing(path)), "w", encoding="utf-8", newline=""))
            for path in options.output
        ]
        part = parse_part(options.part)
        for lines in choose(options.corpus, options.alignments, annotated, options.pairs, part):
            for out, line in zip(files, lines, strict=True):
                out.write(line)
            kept += 1
    log.info(f"scored: kept {kept} pairs")
