"""Seconds and memory of processes, and tables of them."""

import contextlib
import os
import platform
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import pandas as pd
import psutil

Row = Mapping[str, object]

# A process counts the memory of the one that it was forked from, so a small process stands in between.
LAUNCHER = """
import resource, subprocess, sys, time
began = time.perf_counter()
subprocess.run(sys.argv[1:], check=True, stderr=subprocess.DEVNULL)
print(time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


class Cost(NamedTuple):
    """Wall seconds and peak resident megabytes of a process."""

    seconds: float
    megabytes: int


def run_command(*command: object) -> Cost:
    """Run `python -m` with these arguments and return its cost."""
    done = subprocess.run(
        [sys.executable, "-c", LAUNCHER, sys.executable, "-m", *map(str, command)],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    seconds, peak = done.stdout.split()[-2:]
    return Cost(float(seconds), round(megabytes(int(peak))))


def megabytes(maxrss: int) -> float:
    """Return `ru_maxrss` in megabytes; it is in bytes on macOS and in kilobytes elsewhere."""
    return maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def processors() -> int:
    """Return the number of processors."""
    return os.cpu_count() or 1


def children_of(process: psutil.Process) -> list[psutil.Process]:
    """Return the running descendants of a process."""
    with contextlib.suppress(psutil.NoSuchProcess):
        return process.children(recursive=True)
    return []


def print_machine() -> None:
    """Print what the figures are measured on."""
    machine = platform.processor() or platform.machine()
    print(f"{machine}, {processors()} processors, Python {platform.python_version()}", flush=True)


def print_table(title: str, rows: Sequence[Row] | pd.DataFrame) -> None:
    """Print a table under its title, with three significant digits."""
    text = pd.DataFrame(rows).to_string(
        index=False, float_format=lambda x: f"{x:,.0f}" if abs(x) >= 100 else f"{x:.3g}", na_rep=""
    )
    print(f"\n{title}\n\n{text}", flush=True)
