"""The alignments of systems, checked against the corpus, and the options of commands that read them."""

import argparse
from collections.abc import Container, Iterator, Mapping, Sequence

from vorlage.alignments.alignment import Alignment, check_tokens, read_alignments
from vorlage.command.errors import Command, InputError
from vorlage.command.options import CommandParser
from vorlage.documents.pair import Pair, read_pairs
from vorlage.types import StrPath

ANNOTATOR = "annotator-"  # before the name of an annotator who is scored as a system
GOLD = "gold"  # the name of the gold in tables, where it has a row beside the systems


def read_one_system(path: StrPath) -> Iterator[Alignment]:
    """Yield the alignments of a file, which one system made.

    Raise `InputError` for a file without alignments and for one that mixes systems or fingerprints.
    """
    first = None
    for alignment in read_alignments(path):
        where = f"{path}: pair {alignment.id}"
        first = first or alignment
        if alignment.system == GOLD:
            raise InputError(
                f"{where}: the system is called {GOLD!r}, which is the name of the gold in tables; rename it"
            )
        if alignment.system != first.system:
            raise InputError(
                f"{where}: is by system {alignment.system!r}, but pair {first.id} is by {first.system!r}; "
                "write each system to a file of its own"
            )
        if alignment.fingerprint != first.fingerprint:
            raise InputError(
                f"{where}: was made with other code, settings or model than pair {first.id}; "
                "align the whole corpus again"
            )
        yield alignment
    if first is None:
        raise InputError(f"{path}: contains no alignments; align the corpus first")


def read_systems(
    paths: Sequence[StrPath], annotated: Mapping[str, tuple[Pair, object]], ids: Container[str]
) -> Iterator[tuple[str, dict[str, Alignment]]]:
    """Yield the name of the system of each file, and its alignments of the annotated pairs by pair id.

    `annotated` and `ids` come from `vorlage.workflow.score.reference.read_annotated`. Raise `InputError` as
    `read_one_system` does, for a file that lacks an annotated pair or has one that is not in the corpus, for
    tokens that differ from those of the corpus, and for a system twice.
    """
    systems: list[str] = []
    for path in paths:
        alignments: dict[str, Alignment] = {}
        for alignment in read_one_system(path):
            where, system = f"{path}: pair {alignment.id}", alignment.system
            if alignment.id not in ids:
                raise InputError(f"{where}: is not in the corpus; align the corpus that you score")
            if alignment.id in annotated:
                check_tokens(alignment, annotated[alignment.id][0], path)
                alignments[alignment.id] = alignment
        for key in annotated:
            if key not in alignments:
                raise InputError(
                    f"{path}: no alignment for pair {key}, which has gold; align the whole corpus"
                )
        systems.append(system)
        _refuse_repeated(systems, paths)
        yield system, alignments


def read_side_by_side(
    corpus: StrPath, paths: Sequence[StrPath], ids: Container[str] | None = None
) -> Iterator[tuple[Pair, list[Alignment]]]:
    """Yield each pair of a corpus with its alignments, in the order of the files `paths`.

    Pairs come in the order of the corpus, and one is held at a time. `ids`: the pairs to take (default: all).
    Raise `InputError` as `read_one_system` does, for a system twice, and for a file that lacks a pair or
    whose order or tokens differ from those of the corpus.
    """
    files = [read_one_system(path) for path in paths]
    for pair in read_pairs(corpus):
        if ids is not None and pair.id not in ids:
            continue
        alignments = []
        for file, path in zip(files, paths, strict=True):
            alignment = next((made for made in file if made.id == pair.id), None)
            if alignment is None:
                raise InputError(
                    f"{path}: pair {pair.id} is missing, or not in the order of the corpus; "
                    "align the corpus again"
                )
            check_tokens(alignment, pair, path)
            alignments.append(alignment)
        _refuse_repeated([alignment.system for alignment in alignments], paths)
        yield pair, alignments


def _refuse_repeated(systems: Sequence[str], paths: Sequence[StrPath]) -> None:
    """Raise `InputError` if two of the systems, each of its own path, are the same."""
    for number, system in enumerate(systems):
        first = systems.index(system)
        if first != number:
            raise InputError(
                f"{paths[number]}: system {system!r} is in {paths[first]} too; give each system once"
            )


def make_parser(
    name: str,
    main: Command,
    description: str,
    output: str,
    gold_required: bool = True,
    epilog: str | None = None,
) -> CommandParser:
    """Return the parser of a command; `output` is the help text of `--output`."""
    parser = CommandParser(name, main, description=description, epilog=epilog)
    parser.add_argument("--corpus", required=True, help="pairs: of the corpus stage, or in input form")
    parser.add_argument(
        "--gold",
        required=gold_required,
        help="gold file" + ("" if gold_required else " (default: no gold)"),
    )
    add_alignments(parser)
    parser.add_argument("--seed", type=seed, default=1, help="seed of the random choices (default: 1)")
    parser.add_argument("--output", required=True, help=output)
    return parser


def add_alignments(parser: argparse.ArgumentParser) -> None:
    """Add the option `--alignments`, which takes a file for each system."""
    parser.add_argument(
        "--alignments", required=True, nargs="+", metavar="FILE", help="alignments.jsonl of each system"
    )


def seed(text: str) -> int:
    """Return the seed that an option gives."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError("give a whole number from 0")
    return int(text)
