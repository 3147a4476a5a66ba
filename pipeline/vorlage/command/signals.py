"""How a command ends by a signal: its unfinished output is removed, and its parent sees the signal."""

import contextlib
import os
import re
import select
import signal
import sys
import threading
import time
from collections.abc import Iterator
from types import FrameType

ENDING = (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)
RUN = "VORLAGE_RUN"  # environment variable: number of the process that a command ends with, Snakemake's
REPEAT = 1.0  # seconds within which a second signal counts as a repetition of the first


class Stopped(BaseException):
    """Raised where a signal asks the command to end."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@contextlib.contextmanager
def stoppable() -> Iterator[None]:
    """Raise `Stopped` in the block when a signal that ends a process arrives, unless it is ignored.

    The same happens when the process that the environment variable `VORLAGE_RUN` names ends: otherwise
    jobs of a Snakemake that was killed would write into the results of the next one.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    stop = _Stop()
    handlers = {number: signal.getsignal(number) for number in ENDING}
    handlers = {number: handler for number, handler in handlers.items() if handler != signal.SIG_IGN}
    for number in handlers:
        signal.signal(number, stop)
    if (name := os.environ.get(RUN)) is not None and hasattr(os, "pidfd_open"):
        if not re.fullmatch("[0-9]{1,9}", name):
            sys.exit(f"error: {RUN} is {name!r:.50}; unset it, or set it to the number of a process")
        threading.Thread(target=_end_with, args=(int(name),), daemon=True).start()
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)


def end_by_signal(number: int) -> None:
    """End this process by a signal, as if it had no handler."""
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


class _Stop:
    """Signal handler that raises `Stopped`, but not again while the first one is handled."""

    def __init__(self) -> None:
        self._last = -REPEAT

    def __call__(self, number: int, frame: FrameType | None) -> None:
        if time.monotonic() - self._last >= REPEAT:
            self._last = time.monotonic()
            raise Stopped(number)


def _end_with(number: int) -> None:
    """Wait for the end of a process, then ask this one to end."""
    try:
        process = os.pidfd_open(number)
    except OSError:
        return
    select.select([process], [], [])
    os.kill(os.getpid(), signal.SIGTERM)
