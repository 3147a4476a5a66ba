"""Adds a line to the file `JOB_COSTS` when a command of the pipeline ends: what it has cost.

Python imports this module as it starts, from a folder of PYTHONPATH. Snakemake's own figures leave out up to
half a minute of a job, since it looks at a job every 30 seconds after the first 15.
"""

import atexit
import os
import resource
import sys
import time

BEGAN = time.perf_counter()


def add_line() -> None:
    """Add the command, its seconds and processor seconds, and the highest `ru_maxrss` of its processes."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    cpu = sum(usage.ru_utime + usage.ru_stime for usage in used)
    peak = max(usage.ru_maxrss for usage in used)
    with open(os.environ["JOB_COSTS"], "a", encoding="utf-8") as file:
        file.write(f"{sys.orig_argv[2]}\t{time.perf_counter() - BEGAN:.3f}\t{cpu:.3f}\t{peak}\n")


if sys.orig_argv[1:2] == ["-m"] and sys.orig_argv[2].startswith("pipeline."):
    atexit.register(add_line)
