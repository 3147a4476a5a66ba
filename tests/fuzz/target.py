"""Fuzz targets, and how they may refuse an input."""

import atexit
import contextlib
import shutil
import signal
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from pipeline.run.errors import InputError

TARGETS = (
    *("jsonl", "text", "scisummnet", "ziffdavis", "cnndm"),
    *("gold", "annotations", "extracts", "alignments", "config", "trees", "model", "arrays", "layouts"),
)
# Processor seconds for an input of some kilobytes, including compilation of a kernel.
LONGEST = 60


@dataclass(frozen=True)
class Target:
    """A reader under test.

    ``checks``: functions that read bytes and raise AssertionError for a wrong result. They refuse an input
    with :class:`InputError`, whose message begins with the file or with one of ``places``. ``seeds``: returns
    a list of inputs that they accept. ``mutate``: returns a changed input near the format, from an input and
    a ``random.Random``.
    """

    checks: tuple
    seeds: Callable
    mutate: Callable
    places: tuple = ()

    def accepts(self, data):
        """Return whether one of the checks accepts ``data``; any exception is a finding."""
        with within(LONGEST):
            return any([self._accepted(check, data) for check in self.checks])

    def _accepted(self, check, data):
        try:
            check(data)
        except InputError as error:
            assert str(error).startswith((str(FOLDER), *self.places)), f"does not name a place: {error}"
            return False
        return True


@contextlib.contextmanager
def within(seconds):
    """Raise TimeoutError in a block that takes more processor seconds."""

    def end(*_):
        raise TimeoutError(f"takes more than {seconds} processor seconds")

    before = signal.signal(signal.SIGVTALRM, end)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def load(name):
    """Return the :class:`Target` of that name."""
    return import_module(f"fuzz.targets.{name}").TARGET


# Targets write their files here.
FOLDER = Path(tempfile.mkdtemp(prefix="fuzz."))
atexit.register(shutil.rmtree, FOLDER, ignore_errors=True)


def put(name, data):
    """Write ``data`` to the file ``name`` of the folder of targets and return its path."""
    path = FOLDER / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)  # truncating a file makes some file systems wait for the disk
    path.write_bytes(data)
    return path
