"""The parser of a command's options, with the option `--log` that nearly all commands have."""

import argparse
from collections.abc import Sequence
from typing import NoReturn

from vorlage.command.errors import Command, did_you_mean
from vorlage.command.progress import start_log


def parse_options(
    parser: argparse.ArgumentParser, arguments: Sequence[str] | None = None
) -> argparse.Namespace:
    """Parse arguments as `parser.parse_args` does; the message for an unknown option names a similar one."""
    options, unknown = parser.parse_known_args(arguments)
    if unknown:
        known = [option for action in parser._actions for option in action.option_strings]
        parser.error(f"unrecognized arguments: {' '.join(unknown)}{did_you_mean(unknown[0], known)}")
    return options


class CommandParser(argparse.ArgumentParser):
    """Parses the options of one command.

    `CommandParser("train", main)` is for the command `vorlage train`; its description is the docstring of
    `main` unless one is given. `log` adds `--log`.
    """

    def __init__(
        self,
        name: str,
        main: Command,
        *,
        description: str | None = None,
        epilog: str | None = None,
        log: bool = True,
    ) -> None:
        super().__init__(prog=f"vorlage {name}", description=description or main.__doc__, epilog=epilog)
        self._log = log
        if log:
            self.add_argument("--log", help="file for the log (default: standard error)")

    def error(self, message: str) -> NoReturn:
        """End the command with one line; the usage of a stage has many."""
        self.exit(2, f"error: {message} (`{self.prog} --help` lists the options)\n")

    def parse(self, arguments: Sequence[str] | None = None) -> argparse.Namespace:
        """Parse `arguments`, or those of the process, and start the log of a command that has one."""
        options = parse_options(self, arguments)
        if self._log:
            start_log(options.log)
        return options
