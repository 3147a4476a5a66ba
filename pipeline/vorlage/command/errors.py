"""Errors that a user can fix, and the wrapper that prints each of them as one line."""

import contextlib
import errno
import functools
import io
import logging
import os
import reprlib
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import get_close_matches
from types import FrameType
from typing import NoReturn, TypeAlias

LONGEST = 2000  # characters of a message
SIMILAR = 0.75  # ratio of two names of which one may be mistyped, as in difflib
SIGNALS = ("SIGHUP", "SIGINT", "SIGTERM")  # Windows has no SIGHUP
# The modules of each group of optional packages in pyproject.toml.
EXTRAS = {
    "benepar": ("benepar",),
    "documents": ("resiliparse",),
    "gold": ("lightgbm",),
    "judge": ("onnxruntime",),
    "mcp": ("mcp",),
    "mpi": ("mpi4py",),
    "report": ("matplotlib", "pandas"),
    "serve": ("anyio", "python_multipart", "starlette", "uvicorn"),
    "torch": ("bert_score", "ot", "rank_bm25", "rouge_score", "simalign", "torch", "transformers"),
    "workflow": ("defusedxml", "grimp", "huggingface_hub", "pandas", "pyarrow", "thot"),
}

# Runs a command with the given arguments, or with those of the process.
Command: TypeAlias = Callable[[Sequence[str] | None], None]
_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = 100


class InputError(Exception):
    """An error in the input; the message says what is wrong, where, and how to fix it."""


class Stopped(BaseException):
    """Raised where a signal asks the command to end."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def shorten(value: object) -> str:
    """Return a value of the input as a message shows it: shortened where it is long or deep."""
    return _SHORT.repr(value)


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """Return the end of a message that names the most similar of some names, empty if none is similar."""
    similar = get_close_matches(name, names, n=1, cutoff=SIMILAR)
    return f"; did you mean {similar[0]}?" if similar else ""


def command(main: Callable[[list[str] | None], None]) -> Command:
    """Run `main` as a command: an `InputError` ends it with one line and exit status 1.

    So does an `OSError` about a file or a full disk, and a missing package of an optional group. The line is
    printed to standard error and written to the log file, if `vorlage.command.progress.start_log` has opened
    one. A signal ends the command after its unfinished output is removed. Other exceptions are our bugs: they
    keep their traceback, which is logged too.
    """

    @functools.wraps(main)
    def run(arguments: Sequence[str] | None = None) -> None:
        _replace_closed_streams()
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):  # what its encoding lacks is escaped
                stream.reconfigure(errors="backslashreplace")
        try:
            with _stoppable():
                main(None if arguments is None else list(arguments))
        except InputError as error:
            _fail(str(error))
        except MemoryError:
            _fail("out of memory; give the job more memory, or a smaller part of the corpus (--part)")
        except Stopped as stopped:
            _end_by_signal(stopped.number)
        except BrokenPipeError:
            sys.exit(1)
        except OSError as error:
            if error.filename is None and error.errno != errno.ENOSPC:
                raise
            where = f"{error.filename}: " if error.filename else ""
            reason = error.strerror or error.args[0]
            _fail(f"{where}{reason}; check the path, its permissions and the free space of the disk")
        except Exception as error:
            if isinstance(error, ModuleNotFoundError) and (missing := find_missing(error)):
                _fail(missing)
            logging.getLogger("vorlage").exception("unexpected failure")
            raise

    return run


def find_missing(error: ModuleNotFoundError) -> str | None:
    """Return how to install the package of a module, or None if no group of `EXTRAS` has it."""
    module = (error.name or "").partition(".")[0]
    group = next((group for group, modules in EXTRAS.items() if module in modules), None)
    return group and f'{module} is not installed; install it with `pip install "vorlage[{group}]"`'


def one_line(message: str) -> str:
    """Return a message on one line of at most `LONGEST` characters, without control characters."""
    line = "".join(c if c.isprintable() else repr(c)[1:-1] for c in " ".join(message.split()))
    return line if len(line) <= LONGEST else f"{line[: LONGEST // 2]} … {line[-LONGEST // 2 :]}"


def _replace_closed_streams() -> None:
    """Open the null device in place of each standard stream that is closed, as by `>&-`."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115 - for the rest of the process


@contextlib.contextmanager
def _stoppable() -> Iterator[None]:
    """Raise `Stopped` in the block when a signal that ends a process arrives, unless it is ignored.

    A callback of the compiler of the kernels swallows the exception; then the process ends at once.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    numbers = [getattr(signal, name) for name in SIGNALS if hasattr(signal, name)]
    handlers = {number: signal.getsignal(number) for number in numbers}
    handlers = {number: handler for number, handler in handlers.items() if handler != signal.SIG_IGN}

    def stop(number: int, frame: FrameType | None) -> None:
        for handled in handlers:  # a second signal does not interrupt the removal of the output
            signal.signal(handled, signal.SIG_IGN)
        raise Stopped(number)

    def stop_at_once(swallowed: "sys.UnraisableHookArgs") -> None:
        if isinstance(swallowed.exc_value, Stopped):
            _end_by_signal(swallowed.exc_value.number)
        sys.__unraisablehook__(swallowed)

    for number in handlers:
        signal.signal(number, stop)
    sys.unraisablehook = stop_at_once
    try:
        yield
    finally:
        sys.unraisablehook = sys.__unraisablehook__
        for number, handler in handlers.items():
            signal.signal(number, handler)


def _end_by_signal(number: int) -> None:
    """End the process as the signal does that asked for it."""
    _print_and_log(f"stopped by {signal.Signals(number).name}")
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


def _fail(message: str) -> NoReturn:
    """Print the error and exit."""
    _print_and_log(f"error: {one_line(message)}")
    sys.exit(1)


def _print_and_log(line: str) -> None:
    """Print a line to standard error, and write it to the log file if there is one."""
    log = logging.getLogger("vorlage")
    if any(isinstance(handler, logging.FileHandler) for handler in log.handlers):
        log.error(line)
    print(line, file=sys.stderr)
