"""Fuzz targets with atheris, each for some seconds: ``python -m fuzz --seconds 60 gold config``.

Inputs that reached new code and findings stay in ``--folder``, and the next run continues from them. The exit
status is 1 if there is a finding.
"""

import argparse
import math
import os
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from fuzz.target import TARGETS

# Megabytes that a target may use, and seconds for an input that the target itself cannot stop: many, because
# a busy machine must cause no finding.
LIMITS = ("-rss_limit_mb=2500", "-malloc_limit_mb=1500", "-timeout=180", "-report_slow_units=180")
# With the seed and the same number of runs, the inputs are the same, so CI finds what a run before it found.
OPTIONS = ("-max_len=8192", "-print_final_stats=1", "-verbosity=1", "-seed=1")
# A folder in memory, if the system has one: a target writes its input thousands of times a second.
MEMORY = Path("/dev/shm")
MOST_RUNS = 2**31 - 1  # that libFuzzer can count
LONGEST_SHOWN = 2000  # bytes of an input
_DONE = re.compile(r"Done \d+ runs in (\d+) second")
_PROGRESS = re.compile(r"#(\d+).*cov: (\d+) ft: (\d+) corp: (\d+)")


class Result(NamedTuple):
    """The result of fuzzing a target; ``features`` are libFuzzer's measure of coverage."""

    target: str
    seconds: int
    executions: int
    accepted: int
    features: int
    inputs: int
    findings: int

    def row(self):
        """Return the row of the table."""
        rate = self.executions / max(self.seconds, 1)
        share = self.accepted / max(self.executions, 1)
        return (
            f"{self.target:<12}{self.seconds:>8}{self.executions:>12}{rate:>8.0f}{share:>10.0%}"
            f"{self.features:>10}{self.inputs:>8}{self.findings:>10}"
        )


HEADER = (
    f"{'target':<12}{'seconds':>8}{'executions':>12}{'a second':>8}{'accepted':>10}"
    f"{'features':>10}{'inputs':>8}{'findings':>10}"
)


def fuzz(name, seconds, runs, folder):
    """Fuzz a target, and start it again after a finding that ends its process, such as a lack of memory."""
    folder.mkdir(parents=True, exist_ok=True)
    spent, executions, accepted, features, inputs = 0, 0, 0, 0, 0
    while spent < seconds and executions < runs:
        began = time.monotonic()
        status, text = _run(name, seconds - spent, runs - executions, folder)
        progress = [tuple(map(int, found)) for found in _PROGRESS.findall(text)]
        if not progress:
            raise SystemExit(f"{name} did not start:\n{text}")
        done = _DONE.search(text)
        spent += int(done[1]) if done else math.ceil(time.monotonic() - began)
        count, _, features, inputs = progress[-1]
        executions += count
        accepted += int((folder / "accepted.txt").read_text())
        if status == 0:
            break
    return Result(name, spent, executions, accepted, features, inputs, len(_found(folder)))


def _run(name, seconds, runs, folder):
    """Return the status and the output of one process."""
    limits = (f"-max_total_time={seconds}", f"-runs={runs}")
    command = [sys.executable, "-m", "fuzz.drive", name, str(folder), *limits]
    with (
        tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as scratch,
        open(folder / "log.txt", "w+", encoding="utf-8", errors="replace") as log,
    ):
        # Coverage cannot look into compiled kernels.
        environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONHASHSEED": "0", "TMPDIR": scratch}
        done = subprocess.run(
            [*command, *OPTIONS, *LIMITS],
            env=environment,
            stdout=log,
            stderr=subprocess.STDOUT,
            check=False,
        )
        log.seek(0)
        return done.returncode, log.read()


def _found(folder):
    """Return the files of findings, without their tracebacks."""
    return sorted(path for path in (folder / "found").iterdir() if path.suffix != ".txt")


def _show(path):
    """Print a finding, with its traceback if there is one."""
    told = path.with_suffix(".txt")
    print(f"\n{path}: {path.read_bytes()[:LONGEST_SHOWN]!r}")
    print(told.read_text(encoding="utf-8") if told.exists() else "it took too much time or memory")


def main(arguments=None):
    """Fuzz, print the table, and print where the findings are."""
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__.splitlines()[0])
    parser.add_argument(
        "targets", nargs="*", metavar="TARGET", help=f"of {', '.join(TARGETS)} (default: all)"
    )
    parser.add_argument("--seconds", type=int, default=60, help="for each target (default: 60)")
    parser.add_argument(
        "--runs", type=int, default=MOST_RUNS, help="inputs for each target (default: as many as time allows)"
    )
    parser.add_argument("--at-once", type=int, default=2, help="targets side by side (default: 2)")
    parser.add_argument(
        "--folder", type=Path, default=Path("fuzzing"), help="what to keep (default: fuzzing)"
    )
    given = parser.parse_args(arguments)
    if unknown := set(given.targets) - set(TARGETS):
        parser.error(f"no targets: {', '.join(sorted(unknown))}; there are {', '.join(TARGETS)}")
    names = given.targets or TARGETS
    print(HEADER, flush=True)
    with ThreadPoolExecutor(given.at_once) as pool:
        for result in pool.map(lambda name: fuzz(name, given.seconds, given.runs, given.folder / name), names):
            print(result.row(), flush=True)
    found = [path for name in names for path in _found(given.folder / name)]
    for path in found:
        _show(path)
    if found:
        sys.exit(
            f"error: {len(found)} findings, in {given.folder}; CONTRIBUTING.md says what to do with them"
        )


if __name__ == "__main__":
    main()
