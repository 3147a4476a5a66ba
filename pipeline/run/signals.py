"""How a command ends by a signal: it removes what it was writing, and who waits for it sees the signal."""

import contextlib
import os
import select
import signal
import threading
import time

ENDING = (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)
RUN = "PALIMPSEST_RUN"  # the number of the process that a command is to end with, Snakemake's
TWICE = 1.0  # seconds within which a second signal is the same wish as the first


class Stopped(BaseException):
    """A signal wants the command to end."""

    def __init__(self, number):
        super().__init__(number)
        self.number = number


@contextlib.contextmanager
def stoppable():
    """Raise :class:`Stopped` where a signal comes that ends a process, except one that is ignored.

    So it does when the process that the environment names by ``PALIMPSEST_RUN`` ends: jobs of a Snakemake
    that was killed would write into the results of the next one.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    stop = _Stop()
    before = {number: signal.getsignal(number) for number in ENDING}
    before = {number: handler for number, handler in before.items() if handler != signal.SIG_IGN}
    for number in before:
        signal.signal(number, stop)
    if RUN in os.environ and hasattr(os, "pidfd_open"):
        threading.Thread(target=_end_with, args=(int(os.environ[RUN]),), daemon=True).start()
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def end_by(number):
    """End this process by a signal, as if nothing had been done about it."""
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


class _Stop:
    """The handler: raises :class:`Stopped`, but not again while the first one is being seen to."""

    def __init__(self):
        self._last = -TWICE

    def __call__(self, number, frame):
        if time.monotonic() - self._last >= TWICE:
            self._last = time.monotonic()
            raise Stopped(number)


def _end_with(number):
    """Wait for the end of a process, then ask this one to end."""
    try:
        process = os.pidfd_open(number)
    except OSError:
        return
    select.select([process], [], [])
    os.kill(os.getpid(), signal.SIGTERM)
