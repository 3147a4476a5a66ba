"""What the commands of the score stage share: their options, and the check of them."""

import argparse

from pipeline.run.errors import InputError
from pipeline.run.progress import start_log


def arguments(module, description, output, gold=True, epilog=None):
    """The parser of a command; ``output``: what it writes; ``gold``: whether it wants gold."""
    parser = argparse.ArgumentParser(prog=f"python -m {module}", description=description, epilog=epilog)
    parser.add_argument("--corpus", required=True, help="corpus.jsonl of the corpus stage")
    parser.add_argument(
        "--gold", required=gold, help="gold.jsonl of the corpus stage" + ("" if gold else " (default: none)")
    )
    parser.add_argument(
        "--alignments", required=True, nargs="+", metavar="FILE", help="alignments.jsonl, one file a system"
    )
    parser.add_argument("--seed", type=int, default=1, help="seed of everything random (default: 1)")
    parser.add_argument("--output", required=True, help=output)
    parser.add_argument("--log", help="log file (default: standard error)")
    return parser


def parse(parser, given=None):
    """The options, with the log started; raises :class:`InputError` for a seed that is none."""
    options = parser.parse_args(given)
    start_log(options.log)
    if options.seed < 0:
        raise InputError(f"--seed is {options.seed}; give a whole number from 0")
    return options
