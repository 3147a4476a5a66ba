"""What scoring and the report page need of a large corpus: ``python -m pipeline.score.scored``.

    python -m pipeline.score.scored --corpus corpus.jsonl --gold gold.jsonl --alignments cutpaste.jsonl \\
        --pairs 1000 --part 3-of-10 --output corpus/3-of-10.jsonl cutpaste/3-of-10.jsonl

The pairs with gold and as many of the first others as the page may show, with their alignments: the lines of
these files as they stand, in one pass over a part of each. The score stage and the page make the same of them
as of the whole corpus and all alignments. The alignments of a system must have the pairs of the corpus in its
order, and be of one system and fingerprint; that is checked here, line by line.
"""

import argparse
import contextlib
from itertools import zip_longest

from pipeline.corpus.gold import read_gold
from pipeline.io.jsonl import from_line, read_jsonl
from pipeline.io.outputs import replacing
from pipeline.io.parts import add_part, parse_part, read_part
from pipeline.run.errors import InputError, command
from pipeline.run.progress import log, start_log

KINDS = ("system", "fingerprint")


def choose(corpus, alignments, annotated, most, part):
    """Yield the lines to keep of a part: of the corpus and of each file of ``alignments``, a tuple a pair.

    ``annotated``: ids of the pairs with gold; ``most``: how many of the others, counted from the first.
    Raises :class:`InputError` where the files have other pairs, or lines of several systems or fingerprints.
    """
    paths = [corpus, *alignments]
    first = [None, *map(_first_kind, alignments)]
    for lines in zip_longest(*(read_part(path, part) for path in paths)):
        wanted = None
        for path, line, kind in zip(paths, lines, first, strict=True):
            if line is None:
                raise InputError(f"{path}: has fewer lines than another of the files; align the corpus again")
            number, text = line
            record = from_line(path, number, text)
            wanted = wanted or record.get("id")
            if record.get("id") != wanted or wanted is None:
                raise InputError(
                    f"{path}, line {number}: is pair {record.get('id')} where the corpus has {wanted}; "
                    "align the corpus again"
                )
            if kind and kind != _kind(record):
                raise InputError(
                    f"{path}, line {number}: pair {wanted}: is by another system, or was made with other "
                    "code, settings or model than the first line; align the whole corpus again"
                )
        # So many lines hold `most` pairs without gold, wherever those with gold are.
        if wanted in annotated or number <= most + len(annotated):
            yield tuple(text for _, text in lines)


def _first_kind(path):
    for _, record in read_jsonl(path):
        return _kind(record)
    return None


def _kind(record):
    return [record.get(key) for key in KINDS]


@command
def main(arguments=None):
    """Take the pairs and alignments that scoring and the report page need."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.score.scored", description=main.__doc__)
    parser.add_argument("--corpus", required=True, help="corpus.jsonl of the corpus stage")
    parser.add_argument("--gold", required=True, help="gold.jsonl of the corpus stage")
    parser.add_argument(
        "--alignments", required=True, nargs="+", metavar="FILE", help="alignments.jsonl, one file a system"
    )
    parser.add_argument("--pairs", required=True, type=int, help="pairs without gold to take, for the page")
    add_part(parser)
    parser.add_argument(
        "--output", required=True, nargs="+", metavar="FILE", help="files to write: pairs, then each system's"
    )
    parser.add_argument("--log", help="log file (default: standard error)")
    given = parser.parse_args(arguments)
    start_log(given.log)
    if len(given.output) != 1 + len(given.alignments):
        raise InputError(
            f"--output names {len(given.output)} files; give {1 + len(given.alignments)}, one for the pairs "
            "and one for each of --alignments"
        )
    annotated = {gold.id for _, gold in read_gold(given.gold)}
    taken = 0
    with contextlib.ExitStack() as stack:
        files = [
            stack.enter_context(open(stack.enter_context(replacing(path)), "w", encoding="utf-8", newline=""))
            for path in given.output
        ]
        part = parse_part(given.part)
        for lines in choose(given.corpus, given.alignments, annotated, given.pairs, part):
            for out, line in zip(files, lines, strict=True):
                out.write(line)
            taken += 1
    log.info(f"scored: {taken} pairs taken")


if __name__ == "__main__":
    main()
