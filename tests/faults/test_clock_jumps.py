"""A clock that jumps in the middle of a run changes no result, and repeats no finished job.

libfaketime sets the clock of all processes of a run, but not that of the disk. The times of the results that
exist at the jump are therefore moved the other way, so that later results are as much newer, or older.
"""

import contextlib
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from toy import OFFLINE, Outcome
from toyjobs import result_bytes

LIBRARY = next(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"), None)
HOUR = 3600
# libfaketime 0.9.10 breaks sleeping until a time, as time.sleep does; select waits for seconds.
CUSTOMIZE = f"""
import runpy, select, time
runpy.run_path({str(OFFLINE / "sitecustomize.py")!r})
time.sleep = lambda seconds: select.select([], [], [], seconds)
"""
CONFIG = {
    "corpus": {"name": "jumps"},
    "semihmm": {"jumps": ["relative"]},
    "systems": ["semihmm-relative", "cutpaste"],
}
TARGET = "results/jumps/score/scores.tsv"


@pytest.fixture(scope="module")
def whole(toy):
    """Return the results of a run without a jump, which are removed."""
    outcome = toy.snakemake("--cores", "2", TARGET, **CONFIG)
    assert outcome.status == 0, outcome.text
    return take_results(toy)


def take_results(toy):
    found = {name: content for name, content in result_bytes(toy).items() if name.startswith("jumps/")}
    shutil.rmtree(toy.folder / "results/jumps")
    return found


@contextlib.contextmanager
def running(toy, clock, *arguments):
    """Run Snakemake by the clock of the file ``clock``: the seconds that it is ahead."""
    (clock.parent / "sitecustomize.py").write_text(CUSTOMIZE)
    preloaded = {
        "LD_PRELOAD": str(LIBRARY),
        "FAKETIME_TIMESTAMP_FILE": str(clock),
        "FAKETIME_NO_CACHE": "1",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        "NUMBA_DISABLE_JIT": "1",
        "PYTHONPATH": str(clock.parent),
    }
    command = [sys.executable, "-m", "snakemake", "--cores", "2", "--nocolor", TARGET, *arguments]
    with open(toy.output, "wb") as output:
        process = subprocess.Popen(
            [*command, "--configfile", toy.write_config(**CONFIG)],
            cwd=toy.folder,
            env=os.environ | preloaded,
            stdout=output,
            stderr=output,
        )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def ended(toy, process):
    process.wait()
    return Outcome(process.returncode, toy.output.read_text())


def set_clock(path, seconds):
    new = path.with_suffix(".new")
    new.write_text(f"{seconds:+}\n")
    new.replace(path)  # at once: a process reads it at each look at the clock


def jump(toy, clock, seconds):
    """Let the clock jump by ``seconds`` between the results that exist and those that follow."""
    set_clock(clock, seconds)
    for path in (toy.folder / "results/jumps").rglob("*"):
        with contextlib.suppress(FileNotFoundError):  # temporary
            then = path.stat().st_mtime - seconds
            os.utime(path, (then, then))


@pytest.mark.guarantee("clock")
@pytest.mark.skipif(LIBRARY is None, reason="libfaketime is not installed")
@pytest.mark.parametrize("seconds", [-HOUR, 365 * 24 * HOUR], ids=["back", "forward"])
def test_a_jump_during_a_run_changes_no_result_and_repeats_no_finished_job(toy, whole, tmp_path, seconds):
    """A run whose clock is set back ends with the reason, and the same command continues."""
    clock = tmp_path / "clock"
    set_clock(clock, 0)
    with running(toy, clock) as process:
        while process.poll() is None and "rule train:" not in toy.output.read_text():
            time.sleep(0.02)
        assert process.poll() is None, toy.output.read_text()
        jump(toy, clock, seconds)
        first = ended(toy, process)
    assert first.status == 0 or (seconds < 0 and "older modification time" in first.text), first.text
    with running(toy, clock) as process:
        again = ended(toy, process)
    assert again.status == 0 and not again.jobs & {"corpus", "extract"}, again.text
    assert first.status or not again.jobs
    with running(toy, clock, "-n") as process:
        assert ended(toy, process).jobs == set()
    assert take_results(toy) == whole
