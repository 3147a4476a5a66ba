"""How a command begins and ends: options, log, errors on one line, signals, other systems than Linux."""

import logging
import os
import re
import signal
import subprocess
import sys

import pytest
from vorlage.command.errors import InputError, command
from vorlage.command.options import CommandParser
from vorlage.command.progress import Progress

WAITS = """
import time
from vorlage.command.errors import command
from vorlage.files.outputs import write_lines

def lines():
    yield "new"
    print("writing", flush=True)
    time.sleep(60)

@command
def main(arguments):
    write_lines("out", lines())

main([])
"""
# A callback of a library, such as the compiler of the kernels, swallows the exception of a signal; then the
# library goes on, or raises an exception of its own.
SWALLOWS = """
import ctypes, os, signal, sys, time
from vorlage.command.errors import command

@command
def main(arguments):
    ctypes.CFUNCTYPE(None)(lambda: os.kill(os.getpid(), signal.SIGTERM))()
    if sys.argv[1] == "raises":
        raise RuntimeError("no compiled object")
    time.sleep(60)

main([])
"""
# A system without some modules and SIGHUP, as Windows.
ELSEWHERE = """
import signal, sys
for name in ("fcntl", "grp", "pwd", "resource", "termios"):
    sys.modules[name] = None
del signal.SIGHUP
import vorlage
from vorlage.cli.main import main

main(["attribute", "document.txt", "summary.txt"])
"""


@command
def main(arguments=None):
    """Print the name of a thing."""
    parser = CommandParser("name", main)
    parser.add_argument("--the-name", default="nothing")
    print(parser.parse(arguments).the_name)
    with Progress("name", 1, "names") as progress:
        list(progress.count("a"))


@pytest.fixture
def handlers():
    """Restore the handlers of the log after the test."""
    log = logging.getLogger("vorlage")
    before = log.handlers[:]
    yield
    log.handlers[:] = before


def test_a_command_has_help_and_a_log(tmp_path, capsys, handlers):
    path = tmp_path / "logs" / "some.log"
    main(["--the-name", "a_b", "--log", str(path)])
    assert capsys.readouterr() == ("a_b\n", "")
    assert re.search(r" name: 100% 1/1 \[00:00<00:00, .* names/s\]\n", path.read_text())
    with pytest.raises(SystemExit):
        main(["--help"])
    text = capsys.readouterr().out
    assert text.startswith("usage: vorlage name ")
    assert "Print the name of a thing." in text and "--log LOG" in text


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (InputError("a file:\n\tis \x1b[31mwrong"), "a file: is \\x1b[31mwrong"),
        (FileNotFoundError(2, "No such file", "a"), "a: No such file; check the path, its permissions and"),
        (MemoryError(), "out of memory; give the job more memory"),
        (
            ModuleNotFoundError(name="benepar"),
            'benepar is not installed; install it with `pip install "vorlage[benepar]"`',
        ),
    ],
)
def test_an_error_that_a_user_can_fix_is_one_line(capsys, error, line):
    @command
    def failing(arguments):
        raise error

    with pytest.raises(SystemExit) as stop:
        failing([])
    message = capsys.readouterr().err
    assert stop.value.code == 1 and message.startswith(f"error: {line}") and message.count("\n") == 1


def test_other_errors_keep_their_traceback(capsys):
    @command
    def failing(arguments):
        raise OSError("a bug")

    with pytest.raises(OSError, match="a bug"):
        failing([])


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_a_command_after_its_output_is_removed(tmp_path, number):
    with subprocess.Popen(
        [sys.executable, "-c", WAITS], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout and process.stderr and process.stdout.readline() == "writing\n"
        assert len(os.listdir(tmp_path)) == 1
        process.send_signal(number)
        assert process.wait(60) == -number
        assert process.stderr.read() == f"stopped by {number.name}\n"
    assert not os.listdir(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("library", ["raises", "goes on"])
def test_a_signal_during_compilation_is_one_line(library):
    done = subprocess.run(
        [sys.executable, "-c", SWALLOWS, library], capture_output=True, text=True, timeout=30
    )
    assert done.returncode == -signal.SIGTERM and done.stderr == "stopped by SIGTERM\n"


def test_texts_are_attributed_where_modules_of_unix_are_missing(tmp_path):
    (tmp_path / "document.txt").write_text("Two boats left the harbour at dawn. Rain fell.\n")
    (tmp_path / "summary.txt").write_text("Boats left at dawn.\n")
    done = subprocess.run(
        [sys.executable, "-c", ELSEWHERE],
        cwd=tmp_path,
        env=os.environ | {"PYTHONIOENCODING": "ascii"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "boats left> the harbour" in done.stdout
