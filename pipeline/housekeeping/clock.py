"""Corrects the times of results after the clock was set back.

Snakemake reruns a job whose result is older than its input. A result with a time in the future would rerun
everything after it in each run, and a new input would look older than the outdated results of the old one,
which would then be kept.
"""

import contextlib
import os
import time
from pathlib import Path

from pipeline.run.progress import log

TOLERANCE = 60  # seconds by which the clocks of two machines may differ


def correct_future_times(folder: str) -> None:
    """Move the times of all files below a folder back by as much as the last is ahead of the clock.

    Their order stays. Nothing changes if none is ahead by more than ``TOLERANCE``.
    """
    times = {}
    for path in (Path(below, name) for below, _, names in os.walk(folder) for name in names):
        with contextlib.suppress(FileNotFoundError):  # of a process that removes it just now
            if path.is_file() and not path.is_symlink():
                times[path] = path.stat().st_mtime_ns
    ahead = max(times.values(), default=0) - time.time_ns()
    if ahead < TOLERANCE * 10**9:
        return
    log.warning(
        f"{folder}: its files are up to {ahead / 1e9:.0f} s ahead of the clock; moving all times back by that"
    )
    for path, modified in times.items():
        with contextlib.suppress(FileNotFoundError):
            os.utime(path, ns=(path.stat().st_atime_ns, modified - ahead))
