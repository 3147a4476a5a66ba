"""Errors that a user can fix, and the wrapper that prints each of them as one line."""

import errno
import functools
import io
import logging
import re
import reprlib
import signal
import sys
from collections.abc import Callable, Sequence
from typing import NoReturn, Protocol

from vorlage.command.extras import find_missing
from vorlage.command.signals import Stopped, end_by_signal, stoppable

LONGEST = 2000  # characters of a message
# Errors that concern the disk and not one file.
DISK = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EIO)
USAGE = 2  # exit status of a command with a wrong option, as argparse has it
_UNDERSCORED = re.compile(r"(--[A-Za-z][\w.-]*_[\w.-]*)(=.*)?", re.DOTALL)


class InputError(Exception):
    """An error in the input; the message says what is wrong, where, and how to fix it."""


class Command(Protocol):
    """A `main` function: runs a command with the given arguments, or with those of the process."""

    def __call__(self, arguments: Sequence[str] | None = None) -> None:
        """Run the command."""


def shorten(value: object) -> str:
    """Return a value of the input as a message shows it: shortened where it is long or deep."""
    return _SHORT.repr(value)


_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = 100


def command(main: Callable[[list[str] | None], None]) -> Command:
    """Run `main` as a command: an `InputError` ends it with one line and exit status 1.

    An `OSError` about a file or a full disk ends it the same way, as does a missing package of an optional
    group (`vorlage.command.extras`), and an option that is spelled with an underscore ends it with one line
    and exit status 2. The line is printed to standard error, and written to the log file if
    `vorlage.command.progress.start_log` has opened one. A signal ends the command after its unfinished
    output is removed. Other exceptions are our bugs: they keep their traceback, which is
    logged too.
    """

    @functools.wraps(main)
    def run(arguments: Sequence[str] | None = None) -> None:
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):  # a character that the locale lacks is escaped
                stream.reconfigure(errors="backslashreplace")
        _refuse_underscores(sys.argv[1:] if arguments is None else arguments)
        try:
            with stoppable():
                main(None if arguments is None else list(arguments))
        except InputError as error:
            _fail(str(error))
        except MemoryError:
            _fail("out of memory; give the job more memory, or a smaller part of the corpus (--part)")
        except Stopped as stopped:
            _print_and_log(f"stopped by {signal.Signals(stopped.number).name}")
            end_by_signal(stopped.number)
        except BrokenPipeError:
            sys.exit(1)
        except OSError as error:
            if error.filename is None and error.errno not in DISK:
                raise
            where = f"{error.filename}: " if error.filename else ""
            reason = error.strerror or error.args[0]
            _fail(f"{where}{reason}; check the path, its permissions and the free space of the disk")
        except Exception as error:
            if isinstance(error, ModuleNotFoundError) and (missing := find_missing(error)):
                _fail(missing)
            logging.getLogger("pipeline").exception("unexpected failure")
            raise

    return run


def one_line(message: str) -> str:
    """Return a message on one line of at most `LONGEST` characters, without control characters."""
    line = "".join(c if c.isprintable() else repr(c)[1:-1] for c in " ".join(message.split()))
    return line if len(line) <= LONGEST else f"{line[: LONGEST // 2]} … {line[-LONGEST // 2 :]}"


def _refuse_underscores(arguments: Sequence[str]) -> None:
    """Exit with status 2 for an option that is spelled with an underscore: all options have hyphens."""
    for argument in arguments:
        if argument == "--":
            return
        if match := _UNDERSCORED.fullmatch(str(argument)):
            option = match[1]
            _fail(f"{option}: options are spelled with hyphens; write {option.replace('_', '-')}", USAGE)


def _fail(message: str, status: int = 1) -> NoReturn:
    """Print the error and exit."""
    _print_and_log(f"error: {one_line(message)}")
    sys.exit(status)


def _print_and_log(line: str) -> None:
    """Print a line to standard error, and write it to the log file if there is one."""
    log = logging.getLogger("pipeline")
    if any(isinstance(handler, logging.FileHandler) for handler in log.handlers):
        log.error(line)
    print(line, file=sys.stderr)
