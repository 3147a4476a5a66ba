"""The parser of a command's options, with the option `--log` that nearly all commands have."""

import argparse
from collections.abc import Collection, Sequence
from pathlib import Path

from vorlage.command.errors import Command
from vorlage.command.progress import start_log
from vorlage.files.door import announce_outputs

# Options that name outputs, whatever the command.
OUTPUTS = ("output", "em", "html", "significance", "log")


class CommandParser(argparse.ArgumentParser):
    """Parses the options of one command.

    `CommandParser("train", main)` is for the command `vorlage train`; its description is the docstring of
    `main` unless one is given. `log` adds `--log`.
    `writes`: options that name outputs besides `OUTPUTS`.
    """

    def __init__(
        self,
        name: str,
        main: Command,
        *,
        description: str | None = None,
        epilog: str | None = None,
        log: bool = True,
        writes: Sequence[str] = (),
    ) -> None:
        super().__init__(prog=f"vorlage {name}", description=description or main.__doc__, epilog=epilog)
        self._log, self._outputs = log, {*OUTPUTS, *writes}
        if log:
            self.add_argument("--log", help="file for the log (default: standard error)")

    def parse(self, arguments: Sequence[str] | None = None) -> argparse.Namespace:
        """Parse `arguments`, or those of the process, and start the log of a command that has one.

        Raise `vorlage.command.errors.InputError` for a file that is named as an input and as an output.
        """
        options = self.parse_args(arguments)
        announce(options, self._outputs)
        if self._log:
            start_log(options.log)
        return options


def announce(options: argparse.Namespace, outputs: Collection[str] = OUTPUTS) -> None:
    """Tell `vorlage.files.door` the inputs and the `outputs` that parsed options name."""
    given = vars(options)
    announce_outputs(
        [path for name, value in given.items() if name in outputs for path in _paths(value)],
        [path for name, value in given.items() if name not in outputs for path in _paths(value)],
    )


def _paths(value: object) -> list[str | Path]:
    """Return what may be a path in the value of an option, which may be a list."""
    values = value if isinstance(value, list) else [value]
    return [
        path
        for part in values
        for path in (_paths(part) if isinstance(part, list) else [part])
        if isinstance(path, str | Path)
    ]
