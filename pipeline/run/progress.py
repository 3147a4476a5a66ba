"""Progress of a long stage: a bar on a terminal, plain lines in a log."""

import logging
import sys
import time
from pathlib import Path

from tqdm import tqdm

log = logging.getLogger("pipeline")


def start_log(path=None):
    """Send the pipeline's log to the file ``path``, or to standard error where none is given.

    With a file, standard error is left to the progress bars and to the one line of an error. A log that
    cannot be written, on a full disk say, is no reason to end.
    """
    logging.raiseExceptions = False
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
    """Counts units of work done: a bar on a terminal, a log line every few seconds elsewhere.

    ``total`` is in ``unit``; ``describe(text)`` sets what stands behind the bar (the iteration, the
    log-posterior). Use as a context manager.
    """

    def __init__(self, what, total, unit="pairs", every=10.0):
        self.what, self.total, self.unit, self.every = what, total, unit, every
        self.done, self.note = 0, ""
        self.started = self.logged = time.monotonic()
        self.bar = tqdm(
            total=total,
            desc=what,
            unit=f" {unit}",
            leave=False,
            file=sys.stderr,
            disable=not sys.stderr.isatty(),
        )

    def describe(self, note):
        """Set the text that stands beside the count."""
        self.note = note
        self.bar.set_postfix_str(note)

    def advance(self, count=1):
        """Count ``count`` more units as done."""
        self.done += count
        self.bar.update(count)
        now = time.monotonic()
        if now - self.logged >= self.every:
            self.logged = now
            self._line(now)

    def count(self, items):
        """Yield ``items``, counting each as done."""
        for item in items:
            yield item
            self.advance()

    def _line(self, now):
        rate = self.done / (now - self.started)
        left = (self.total - self.done) / rate if self.done else float("nan")
        note = f", {self.note}" if self.note else ""
        log.info(
            f"{self.what}: {self.done}/{self.total} {self.unit}{note}, {rate:.4g} a second, "
            f"about {left:.0f} s left"
        )

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.bar.close()
        if error[0] is None:
            seconds = time.monotonic() - self.started
            log.info(f"{self.what}: {self.done}/{self.total} {self.unit} in {seconds:.1f} s")
