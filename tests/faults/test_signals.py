"""A command that a signal ends removes its unfinished output, and its parent sees the signal."""

import os
import signal
import subprocess
import sys
import time

import pytest

from pipeline.run import signals

# Writes a file and two folders, and starts processes, until it is stopped.
COMMAND = """
import sys, time
from pathlib import Path
from pipeline.io.arrays import replacing_folder
from pipeline.run.errors import command
from pipeline.io.outputs import replacing, scratch_folder
from pipeline.run.processes import map_in_processes

def opener():
    return slow

def slow(item):
    time.sleep(item)

@command
def main(arguments):
    folder = Path(arguments[0])
    with (
        replacing(folder / "file") as one,
        replacing_folder(folder / "folder") as two,
        scratch_folder(folder / "scratch") as three,
    ):
        for path in (one, two / "half", three / "half"):
            path.write_text("half")
        for _ in map_in_processes(opener, [0, 600], 2):
            print("ready", flush=True)

if __name__ == "__main__":
    main(sys.argv[1:])
"""


@pytest.fixture
def started(tmp_path):
    """Return a function that starts the command and waits until it works."""
    script, folder = tmp_path / "script.py", tmp_path / "results"
    script.write_text(COMMAND)
    folder.mkdir()
    processes = []

    def start(**environment):
        process = subprocess.Popen(
            [sys.executable, script, folder],
            env=os.environ | environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        processes.append(process)
        assert process.stdout.readline() == "ready\n"
        assert len(list(folder.glob(".*.part"))) == 3
        return process, folder

    yield start
    for process in processes:
        process.kill()
        process.communicate()


@pytest.mark.guarantee("signals")
@pytest.mark.parametrize("number", signals.ENDING, ids=lambda number: number.name)
def test_unfinished_output_is_removed(started, number):
    process, folder = started()
    process.send_signal(number)
    said = process.communicate(timeout=60)[1]
    assert said == f"stopped by {number.name}\n"
    assert process.returncode == -number
    assert list(folder.iterdir()) == []


@pytest.mark.guarantee("signals")
def test_command_ends_with_the_process_that_started_it(started):
    with subprocess.Popen(["sleep", "600"]) as other:
        process, folder = started(**{signals.RUN: str(other.pid)})
        assert process.poll() is None
        other.kill()
        assert process.communicate(timeout=60)[1] == "stopped by SIGTERM\n"
    assert process.returncode == -signal.SIGTERM
    assert list(folder.iterdir()) == []


def test_ignored_signal_stays_ignored(monkeypatch):
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with signals.stoppable():
            os.kill(os.getpid(), signal.SIGHUP)
            time.sleep(0.01)
    finally:
        signal.signal(signal.SIGHUP, before)


def test_second_signal_does_not_interrupt_the_end():
    stop = signals._Stop()
    with pytest.raises(signals.Stopped):
        stop(signal.SIGINT, None)
    stop(signal.SIGTERM, None)
