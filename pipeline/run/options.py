"""The parser of a command's options, with the option ``--log`` that nearly all commands have."""

import argparse
import re
import sys
from collections.abc import Sequence

from pipeline.run.errors import Command
from pipeline.run.progress import start_log

# The names of commands that are called otherwise than ``python -m MODULE``: module → name.
NAMES: dict[str, str] = {}


class CommandParser(argparse.ArgumentParser):
    """Parses the options of one command.

    ``CommandParser(main)`` takes the name of the command, such as ``python -m pipeline.align``, from the
    module of ``main``, and the description from its docstring unless one is given. ``log`` adds ``--log``.
    """

    def __init__(
        self,
        main: Command,
        *,
        description: str | None = None,
        epilog: str | None = None,
        log: bool = True,
    ) -> None:
        module = _module_name(main)
        super().__init__(
            prog=NAMES.get(module, f"python -m {module}"),
            description=description or main.__doc__,
            epilog=epilog,
        )
        self._log = log
        if log:
            self.add_argument("--log", help="file for the log (default: standard error)")

    def parse(self, arguments: Sequence[str] | None = None) -> argparse.Namespace:
        """Parse ``arguments``, or those of the process, and start the log of a command that has one."""
        options = self.parse_args(arguments)
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


def _module_name(main: Command) -> str:
    """Return the name by which ``python -m`` runs the module of ``main``."""
    spec = sys.modules[main.__module__].__spec__
    return (spec.name if spec else main.__module__).removesuffix(".__main__")
