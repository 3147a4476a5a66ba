"""Progress of a long stage: a bar on a terminal, plain lines in a log."""

import logging
import os
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from tqdm import tqdm

from vorlage.command import signals

Item = TypeVar("Item")

log = logging.getLogger("pipeline")


def start_log(path: str | os.PathLike[str] | None = None) -> None:
    """Write the log of the pipeline to the file `path`, or to standard error without one.

    With a file, standard error is left to the progress bars and to the line of an error. A command continues
    if its log cannot be written, for example on a full disk.
    """
    logging.raiseExceptions = False
    handler: logging.Handler
    if path:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        handler = logging.FileHandler(path, mode="w", encoding="utf-8")
    else:
        handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(message)s", "%H:%M:%S"))
    log.handlers[:] = [handler]
    log.setLevel(logging.INFO)
    log.propagate = False


class Progress:
    """Counts the units of work that are done: as a bar on a terminal, and as a log line every few seconds.

    Jobs of a workflow draw no bar, because several share the terminal.

    `total` is a number of `unit`; `describe(text)` sets the text beside the count, such as the
    iteration or the log-posterior. Use it as a context manager.
    """

    def __init__(self, what: str, total: int, unit: str = "pairs", every: float = 10.0) -> None:
        self.what, self.total, self.unit, self.every = what, total, unit, every
        self.done = 0
        self.note = ""
        self.started = self.logged = time.monotonic()
        self.bar = tqdm(
            total=total,
            desc=what,
            unit=f" {unit}",
            leave=False,
            file=sys.stderr,
            disable=signals.RUN in os.environ or not sys.stderr.isatty(),
        )

    def describe(self, note: str) -> None:
        """Set the text beside the count."""
        self.note = note
        self.bar.set_postfix_str(note)

    def advance(self, count: int = 1) -> None:
        """Count `count` more units as done."""
        self.done += count
        self.bar.update(count)
        now = time.monotonic()
        if now - self.logged >= self.every:
            self.logged = now
            self._log_line(now)

    def count(self, items: Iterable[Item]) -> Iterator[Item]:
        """Yield `items` and count each as done."""
        for item in items:
            yield item
            self.advance()

    def _log_line(self, now: float) -> None:
        rate = self.done / (now - self.started)
        left = (self.total - self.done) / rate if self.done else float("nan")
        note = f", {self.note}" if self.note else ""
        log.info(
            f"{self.what}: {self.done}/{self.total} {self.unit}{note}, {rate:.4g} per second, "
            f"about {left:.0f} s left"
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.bar.close()
        if kind is None:
            seconds = time.monotonic() - self.started
            log.info(f"{self.what}: {self.done}/{self.total} {self.unit} in {seconds:.1f} s")
