"""The command `vorlage attribute`."""

from collections.abc import Sequence

from vorlage.cli.answers import answer
from vorlage.cli.usage import parse_attribute
from vorlage.command.errors import command


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Find the sources of each sentence of a text in one or more documents, or that it has none."""
    answer(parse_attribute(arguments or []))
