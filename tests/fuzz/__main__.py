"""Fuzz targets by atheris for so many seconds each: ``python -m fuzz --seconds 60 gold config``.

Inputs that reached new code and findings stay in ``--folder``, where the next run goes on from. Exit status 1
with a finding.
"""

import argparse
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from fuzz.target import TARGETS

# An input that takes longer, in seconds, or more memory, in megabytes, is a finding.
LIMITS = ("-timeout=20", "-rss_limit_mb=2500", "-malloc_limit_mb=1500")
OPTIONS = ("-max_len=8192", "-print_final_stats=1", "-verbosity=1")
_PROGRESS = re.compile(r"#(\d+).*cov: (\d+) ft: (\d+) corp: (\d+)")


class Result(NamedTuple):
    """What fuzzing a target came to; ``features`` are libFuzzer's, of coverage."""

    target: str
    seconds: int
    executions: int
    accepted: int
    features: int
    inputs: int
    findings: int

    def row(self):
        """The row of the table."""
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


def fuzz(name, seconds, folder):
    """Fuzz a target; what ends its process, such as a lack of memory, is a finding: it is started again."""
    folder.mkdir(parents=True, exist_ok=True)
    began, executions, accepted, features, inputs = time.monotonic(), 0, 0, 0, 0
    while (left := seconds - (time.monotonic() - began)) >= 1:
        status, text = _run(name, int(left), folder)
        progress = [tuple(map(int, found)) for found in _PROGRESS.findall(text)]
        if not progress:
            raise SystemExit(f"{name} did not start:\n{text}")
        executions += progress[-1][0]
        _, _, features, inputs = progress[-1]
        accepted += int((folder / "accepted.txt").read_text())
        if status == 0:
            break
    found = [path for path in (folder / "found").iterdir() if path.suffix != ".txt"]
    return Result(name, round(time.monotonic() - began), executions, accepted, features, inputs, len(found))


def _run(name, seconds, folder):
    """The status and the output of one process; compiled kernels could not be seen into."""
    command = [sys.executable, "-m", "fuzz.drive", name, str(folder), f"-max_total_time={seconds}"]
    with open(folder / "log.txt", "w+", encoding="utf-8", errors="replace") as log:
        done = subprocess.run(
            [*command, *OPTIONS, *LIMITS],
            env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
            stdout=log,
            stderr=subprocess.STDOUT,
            check=False,
        )
        log.seek(0)
        return done.returncode, log.read()


def main(arguments=None):
    """Fuzz, print the table, and say where findings are."""
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__.splitlines()[0])
    parser.add_argument(
        "targets", nargs="*", metavar="TARGET", help=f"of {', '.join(TARGETS)} (default: all)"
    )
    parser.add_argument("--seconds", type=int, default=60, help="for each target (default: 60)")
    parser.add_argument("--at-once", type=int, default=2, help="targets side by side (default: 2)")
    parser.add_argument(
        "--folder", type=Path, default=Path("fuzzing"), help="what to keep (default: fuzzing)"
    )
    given = parser.parse_args(arguments)
    if unknown := set(given.targets) - set(TARGETS):
        parser.error(f"no targets: {', '.join(sorted(unknown))}; there are {', '.join(TARGETS)}")
    print(HEADER, flush=True)
    results = []
    with ThreadPoolExecutor(given.at_once) as pool:
        names = given.targets or TARGETS
        for result in pool.map(lambda name: fuzz(name, given.seconds, given.folder / name), names):
            print(result.row(), flush=True)
            results.append(result)
    if any(result.findings for result in results):
        sys.exit(f"error: there are findings, in {given.folder}/TARGET/found, each with its traceback")


if __name__ == "__main__":
    main()
