"""The command `vorlage align`."""

from collections.abc import Sequence

from vorlage.cli.answers import answer
from vorlage.cli.usage import parse_align
from vorlage.command.errors import command
from vorlage.semihmm.decode import stage


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Find the part of a document that each part of its summary comes from."""
    if arguments and "--corpus" in arguments:
        stage.main(arguments)
    else:
        answer(parse_align(arguments or []))
