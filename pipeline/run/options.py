"""The parser of a command's options, with the option ``--log`` that nearly all commands have."""

import argparse
import re
import sys
from collections.abc import Collection, Sequence
from pathlib import Path

from pipeline.run.door import announce_outputs
from pipeline.run.errors import Command
from pipeline.run.progress import start_log

# Options that name outputs, whatever the command.
OUTPUTS = ("output", "em", "html", "significance", "log")
# The names of commands that are called otherwise than ``python -m MODULE``: module → name.
NAMES: dict[str, str] = {}


class CommandParser(argparse.ArgumentParser):
    """Parses the options of one command.

    ``CommandParser(main)`` takes the name of the command, such as ``python -m pipeline.align``, from the
    module of ``main``, and the description from its docstring unless one is given. ``log`` adds ``--log``.
    ``writes``: options that name outputs besides ``OUTPUTS``.
    """

    def __init__(
        self,
        main: Command,
        *,
        description: str | None = None,
        epilog: str | None = None,
        log: bool = True,
        writes: Sequence[str] = (),
    ) -> None:
        module = _module_name(main)
        super().__init__(
            prog=NAMES.get(module, f"python -m {module}"),
            description=description or main.__doc__,
            epilog=epilog,
        )
        self._log, self._outputs = log, {*OUTPUTS, *writes}
        if log:
            self.add_argument("--log", help="file for the log (default: standard error)")

    def parse(self, arguments: Sequence[str] | None = None) -> argparse.Namespace:
        """Parse ``arguments``, or those of the process, and start the log of a command that has one.

        Raise :class:`pipeline.run.errors.InputError` for a file that is named as an input and as an output.
        """
        options = self.parse_args(arguments)
        announce(options, self._outputs)
        if self._log:
            start_log(options.log)
        return options

    def format_help(self) -> str:
        """Return the help, with commands under their names."""
        return re.sub(
            r"python\s+-m\s+(pipeline[.\w]*\w)",
            lambda found: NAMES.get(found[1], found[0]),
            super().format_help(),
        )


def announce(options: argparse.Namespace, outputs: Collection[str] = OUTPUTS) -> None:
    """Tell :mod:`pipeline.run.door` the inputs and the ``outputs`` that parsed options name."""
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


def _module_name(main: Command) -> str:
    """Return the name by which ``python -m`` runs the module of ``main``."""
    spec = sys.modules[main.__module__].__spec__
    return (spec.name if spec else main.__module__).removesuffix(".__main__")
