"""Run commands in this process on hostile input, and check what they leave unchanged."""

import contextlib
import re
import signal
import stat

import pytest

SECONDS = 60  # a case that takes longer hangs
LOGGED = re.compile(r"\d\d:\d\d:\d\d ")


class Hangs(BaseException):
    """A command did not end in time."""


@contextlib.contextmanager
def in_time(seconds=SECONDS):
    """Raise :class:`Hangs` if the block takes longer."""

    def stop(*_):
        raise Hangs(f"still at work after {seconds} seconds")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def snapshot(folder):
    """Return the files in a folder: path → content, target of a link, or kind of file.

    Folders do not count: a command may make the folder of its output before it fails.
    """
    found = {}
    for path in sorted(folder.rglob("*")):
        mode = path.lstat().st_mode
        if stat.S_ISREG(mode):
            found[path] = path.read_bytes()
        elif not stat.S_ISDIR(mode):
            found[path] = path.readlink() if stat.S_ISLNK(mode) else stat.S_IFMT(mode)
    return found


def refused(main, arguments, folder, capsys, *says):
    """Run a command that must end with status 1 and one line with each of ``says``; return the line.

    The command must change nothing in ``folder``, which has its input and its output.
    """
    before = snapshot(folder)
    capsys.readouterr()
    with in_time(), pytest.raises(SystemExit) as stop:
        main([str(argument) for argument in arguments])
    said = capsys.readouterr()
    lines = [line for line in said.err.splitlines() if not LOGGED.match(line)]
    assert stop.value.code == 1, said.err
    assert len(lines) == 1 and lines[0].startswith("error: ") and len(lines[0]) < 2100, said.err
    assert "Traceback" not in said.err
    for text in says:
        assert str(text) in lines[0]
    assert re.search(r"[;,] .+", lines[0]), "does not say how to fix it"
    assert snapshot(folder) == before
    return lines[0]


def done(main, arguments, capsys):
    """Run a command that must succeed, in time."""
    capsys.readouterr()
    with in_time():
        main([str(argument) for argument in arguments])
    said = capsys.readouterr()
    assert "error" not in said.err and "Traceback" not in said.err, said.err
