"""What a target of fuzzing is, and what refusing its input may look like."""

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
    *("gold", "extracts", "alignments", "config", "trees", "model"),
)
# Seconds of the processor that an input of some kilobytes may take; compiling a kernel is among them.
LONGEST = 60


@dataclass(frozen=True)
class Target:
    """A reader under test.

    ``checks``: functions that read bytes and raise AssertionError for a result that is not right; what they
    refuse they refuse by :class:`InputError`, whose message begins with the file or with one of ``places``.
    ``seeds``: makes inputs that they take, a list of bytes. ``mutate``: makes another input of one and a
    ``random.Random``, near the format.
    """

    checks: tuple
    seeds: Callable
    mutate: Callable
    places: tuple = ()

    def accepts(self, data):
        """Whether one of the checks takes ``data``; raises whatever is a finding."""
        with within(LONGEST):
            return any([self._taken(check, data) for check in self.checks])

    def _taken(self, check, data):
        try:
            check(data)
        except InputError as error:
            assert str(error).startswith((str(FOLDER), *self.places)), f"names no place: {error}"
            return False
        return True


@contextlib.contextmanager
def within(seconds):
    """Raises TimeoutError in a block that takes more seconds of the processor."""

    def end(*_):
        raise TimeoutError(f"not done in {seconds} seconds of the processor")

    before = signal.signal(signal.SIGVTALRM, end)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def load(name):
    """The :class:`Target` of that name."""
    return import_module(f"fuzz.targets.{name}").TARGET


# What targets write goes here.
FOLDER = Path(tempfile.mkdtemp(prefix="fuzz."))
atexit.register(shutil.rmtree, FOLDER, ignore_errors=True)


def put(name, data):
    """Write ``data`` to the file ``name`` of the folder of targets; returns its path."""
    path = FOLDER / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)  # to cut a file short makes some file systems wait for the disk
    path.write_bytes(data)
    return path
