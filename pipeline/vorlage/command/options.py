"""The parser of a command's options, with the option `--log` that nearly all commands have."""

import argparse
import os
from collections.abc import Collection, Iterable, Sequence
from typing import NoReturn, TypeGuard

from vorlage.command.errors import Command, InputError, did_you_mean
from vorlage.command.progress import start_log

# Options that name files to write, and options whose values are not paths.
OUTPUTS = frozenset("html junit log output report".split())
NAMES = frozenset("annotator document_language encoder id language name parser system".split())


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
        usage: str | None = None,
        description: str | None = None,
        epilog: str | None = None,
        log: bool = True,
    ) -> None:
        super().__init__(f"vorlage {name}", usage, description or main.__doc__, epilog)
        self._log = log
        if log:
            self.add_argument("--log", help="file for the log (default: standard error)")

    def error(self, message: str) -> NoReturn:
        """End the command with one line; the usage of a stage has many."""
        self.exit(2, f"error: {message} (`{self.prog} --help` lists the options)\n")

    def parse(
        self, arguments: Sequence[str] | None = None, outputs: Collection[str] = ()
    ) -> argparse.Namespace:
        """Parse the options, and start the log of a command that has one.

        The message for an unknown option names a similar one.

        Args:
            arguments: None for those of the process.
            outputs: the options that name what the command writes, besides `OUTPUTS`.

        Raises:
            InputError: an output is an input, too.
        """
        options, unknown = self.parse_known_args(arguments)
        if unknown:
            known = [option for action in self._actions for option in action.option_strings]
            self.error(f"unrecognized arguments: {' '.join(unknown)}{did_you_mean(unknown[0], known)}")
        written = OUTPUTS.union(outputs)
        not_read = written | NAMES | {action.dest for action in self._actions if action.choices}
        values = vars(options).items()  # those of settings have a `/` in their keys
        read = [value for key, value in values if key not in not_read and "/" not in key]
        refuse_inputs((value for key, value in values if key in written), read)
        if self._log:
            start_log(options.log)
        return options


def refuse_inputs(outputs: Iterable[object], inputs: Iterable[object]) -> None:
    """Raise `InputError` for an output that is one of the inputs, perhaps by a link.

    Inputs may be lists. A value that names no file or folder on the disk, such as a number, is ignored.
    """
    read = [path for value in inputs for path in (value if isinstance(value, list) else [value])]
    for path in filter(_is_on_disk, outputs):
        if any(os.path.samefile(path, source) for source in filter(_is_on_disk, read)):
            raise InputError(f"{path}: is an input of this command, too; name another output")


def _is_on_disk(value: object) -> TypeGuard["str | os.PathLike[str]"]:
    return isinstance(value, str | os.PathLike) and (os.path.isfile(value) or os.path.isdir(value))
