"""Progress of a long stage: a bar on a terminal, plain lines in a log.

What takes long within one unit of work says how far it is by `count_steps` and `describe_step`. They show
nothing where no `Progress` counts the units: in the app, from Python, in the other processes of a command.
"""

import logging
import os
import time
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import ClassVar, Self, TypeVar

from tqdm import tqdm

from vorlage.command.errors import InputError

Item = TypeVar("Item")

log = logging.getLogger("vorlage")

LOG_SECONDS = 10.0  # between two lines of the log
STEP_SECONDS = 0.5  # that the steps of one unit take before they have a bar
LONG = 1_000_000  # pairs of words for which it is said what is done


def start_log(path: str | os.PathLike[str] | None = None) -> None:
    """Write the log to the file `path`, or to standard error without one.

    With a file, standard error is left to the progress bars and to the line of an error. A command continues
    if its log cannot be written, for example on a full disk.
    """
    logging.raiseExceptions = False
    handler: logging.Handler = logging.StreamHandler()
    if path:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        handler = logging.FileHandler(path, mode="w", encoding="utf-8", errors="backslashreplace")
    handler.setFormatter(logging.Formatter("%(asctime)s %(message)s", "%H:%M:%S"))
    log.handlers[:] = [handler]
    log.setLevel(logging.INFO)
    log.propagate = False


@cache
def warn_once(line: str) -> None:
    """Log a line, the first time only."""
    log.warning(line)


class Progress:
    """Counts units of work that are done: as a bar on a terminal, and as a log line every few seconds.

    Use it as a context manager. The environment variable `TQDM_DISABLE` hides the bar, as in the workflow,
    whose jobs share a terminal.

    Args:
        what: the work, such as `align`.
        total: the number of units, None if nobody knows it before the end.
        unit: their name.
    """

    current: ClassVar["Progress | None"] = None

    def __init__(self, what: str, total: int | None = None, unit: str = "pairs") -> None:
        self.what, self.total, self.unit = what, total, unit
        self.done, self.note = 0, ""
        self.started = self.logged = time.monotonic()
        self.bar = tqdm(total=total, desc=what, unit=f" {unit}", leave=False, disable=_hidden())

    def describe(self, note: str) -> None:
        """Set the text beside the count, such as the iteration."""
        self.note = note
        self.bar.set_postfix_str(note)

    def advance(self, count: int = 1) -> None:
        """Count `count` more units as done."""
        self.done += count
        self.bar.update(count)
        now = time.monotonic()
        if now - self.logged >= LOG_SECONDS:
            self.logged = now
            self._log()

    def _log(self) -> None:
        """Log how many units are done, in which time, and how long the rest may take."""
        seconds, unit = time.monotonic() - self.started, f" {self.unit}"
        log.info(
            tqdm.format_meter(self.done, self.total or 0, seconds, 0, self.what, unit=unit, postfix=self.note)
        )

    def count(self, items: Iterable[Item]) -> Iterator[Item]:
        """Yield `items` and count each as done."""
        for item in items:
            yield item
            self.advance()

    def count_all(self, items: Iterable[Item]) -> Iterator[Item]:
        """Yield `items` as `count` does; raise `InputError` at their end unless all are done."""
        yield from self.count(items)
        if self.done != self.total:
            raise InputError(
                f"the input has changed while it was read: {self.total} {self.unit}, then {self.done}; "
                "do not change files during a run"
            )

    def __enter__(self) -> Self:
        Progress.current = self
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        Progress.current = None
        self.bar.close()
        if kind is None:
            self._log()


def count_steps(what: str, steps: Sequence[Item]) -> Iterable[Item]:
    """Return the steps of one unit of work; they have a bar of their own when they take long."""
    if Progress.current is None or len(steps) < 2:
        return steps
    bar: Iterable[Item] = tqdm(steps, what, leave=False, delay=STEP_SECONDS, disable=_hidden())
    return bar


def describe_step(what: str, size: int) -> None:
    """Show beside the bar of the units what is done within one of them, if it has many pairs of words."""
    if Progress.current and size > LONG:
        Progress.current.describe(what)


def _hidden() -> bool | None:
    """Return True to hide a bar, and None to hide it unless it is on a terminal."""
    return "TQDM_DISABLE" in os.environ or None
