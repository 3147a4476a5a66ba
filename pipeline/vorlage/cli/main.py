"""The console command `vorlage`: every stage, and every step of a stage, is one of its commands."""

import gc
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Sequence
from functools import reduce
from importlib import import_module
from importlib.metadata import version
from operator import or_

from vorlage.command.errors import command, did_you_mean
from vorlage.extensions import offers

# Name, module below `vorlage`, and what the command does; the packages around the core offer others.
COMMANDS = {
    "align": ("cli.align", "find the part of a document that each part of its summary comes from"),
    "attribute": (
        "cli.attribute",
        "find the sources of each sentence of a text in one or more documents, or that it has none",
    ),
    "train": ("cli.train", "train a model on a corpus"),
    "describe": ("cli.describe", "print the parameters of a model"),
    "fetch": ("cli.fetch", "download an encoder, a judge or a parser"),
    "schema": ("cli.schema", "print the JSON Schema of an output"),
    "warm-up": ("cli.warm_up", "compile the kernels before they are needed"),
}


def commands() -> dict[str, tuple[str, str]]:
    """Return the commands of the core and of the packages around it."""
    return reduce(or_, offers("COMMANDS"), COMMANDS)


def steps() -> dict[str, tuple[str, str]]:
    """Return the commands that the rules of the workflow call, besides those for people."""
    return reduce(or_, offers("STEPS"), {})


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Find the part of a document that each part of a text comes from."""
    gc.set_threshold(50_000)  # few objects are freed at the start, and looking for them takes 0.2 s
    name, *options = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    if module := (commands() | steps()).get(name):
        import_module(f"vorlage.{module[0]}").main(options)
    else:
        parser = _make_parser()
        unknown = parser.parse_args([name]).command
        similar = did_you_mean(unknown, commands() | steps())
        parser.error(f"there is no command {unknown}; `vorlage --help` lists them{similar}")


def _make_parser() -> ArgumentParser:
    """Return the parser for anything but a command: it prints help, the version or an error."""
    width = max(map(len, commands() | steps()))

    def listed(entries: dict[str, tuple[str, str]]) -> str:
        return "".join(f"  {name:{width}}  {task}\n" for name, (_, task) in entries.items())

    parser = ArgumentParser(
        prog="vorlage",
        description=main.__doc__,
        epilog=f"commands:\n{listed(commands())}\nsteps of the workflow:\n{listed(steps())}\n"
        "`vorlage COMMAND --help` lists the options of a command.",
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"vorlage {version('vorlage')}")
    parser.add_argument("command", metavar="COMMAND", help="one of the commands below")
    return parser
