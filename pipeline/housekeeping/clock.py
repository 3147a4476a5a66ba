"""Results from the future, which a clock that has gone back since has left: Snakemake misjudges their age.

It takes a result for stale that is older than what it was made from. So what comes from the future would make
everything after it run again, each time, and what is made now would look older than what it replaces.
"""

import os
import time
from pathlib import Path

from pipeline.run.progress import log

TOLERANCE = 60  # seconds by which the clocks of two machines may differ


def settle(folder):
    """Put the times of all files below a folder back by as much as the last is ahead of the clock.

    Their order stays. Nothing is done where none is ahead by more than ``TOLERANCE``.
    """
    files = [path for path in Path(folder).rglob("*") if path.is_file() and not path.is_symlink()]
    times = {path: path.stat().st_mtime_ns for path in files}
    ahead = max(times.values(), default=0) - time.time_ns()
    if ahead < TOLERANCE * 10**9:
        return
    log.warning(
        f"{folder}: its files are up to {ahead / 1e9:.0f} s ahead of the clock; setting all back by that"
    )
    for path, modified in times.items():
        os.utime(path, ns=(path.stat().st_atime_ns, modified - ahead))
