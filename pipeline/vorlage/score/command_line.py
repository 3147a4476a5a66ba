"""The options that several commands of the score stage share."""

import argparse

from vorlage.command.errors import Command
from vorlage.command.options import CommandParser


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
