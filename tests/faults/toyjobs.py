"""The jobs of a finished toy workflow, and a way to run their commands one by one in another process."""

import contextlib
import importlib
import io
import multiprocessing
import os
import re
import shlex
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

from pipeline.io import checksums
from pipeline.run.progress import log

# Results that contain times: logs, benchmarks and the last column of em.tsv.
TIMES = ("logs", "benchmarks")


class Job(NamedTuple):
    """A job: its rule, the results it reads and writes, and its command."""

    rule: str
    inputs: list
    outputs: list
    command: list


def jobs(toy, *arguments):
    """Return the jobs of a finished workflow: of each rule, the last with each number of inputs.

    The first iteration of EM has fewer inputs than the others.
    """
    text = toy.snakemake("-n", "-p", "--forceall", *arguments).text
    found = {}
    for block in text.split("\n\n"):
        rule, command = (
            re.search(pattern, block, re.MULTILINE)
            for pattern in (r"^(?:local)?rule (\w+):$", r"^Shell command: (python .*)$")
        )
        if rule and command:
            inputs, outputs = (_results(block, name) for name in ("input", "output"))
            found[rule[1], len(inputs)] = Job(rule[1], inputs, outputs, shlex.split(command[1]))
    return list(found.values())


def _results(block, name):
    """Return the results among the inputs or outputs that Snakemake prints for a job."""
    files = re.search(rf"^    {name}: (.*)$", block, re.MULTILINE)
    return [file for file in files[1].split(", ") if file.startswith("results/")] if files else []


def run(command):
    """Return the exit status of a command and its standard error."""
    said, status = io.StringIO(), 0
    assert command[:2] == ["python", "-m"]
    module = importlib.import_module(command[2])
    if hasattr(module, "__path__"):
        module = importlib.import_module(f"{command[2]}.__main__")
    with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()):
        try:
            module.main(command[3:])
        except SystemExit as end:
            status = end.code
        except Exception as error:
            status = repr(error)
    for handler in log.handlers[:]:
        log.removeHandler(handler)
        with contextlib.suppress(OSError):  # of a full disk, as tests intend
            handler.close()
    return status, said.getvalue()


def result_bytes(toy):
    """Return path → bytes of all results of a toy, including hidden files but without times."""
    root, found = toy.folder / "results", {}
    for path in root.rglob("*"):
        name = path.relative_to(root).as_posix()
        if path.is_file() and path.name != ".em.tsv.sum" and not set(TIMES) & set(path.parts):
            found[name] = path.read_bytes()
            if path.name == "em.tsv":
                found[name] = re.sub(rb"\t[^\t\n]*$", b"", found[name], flags=re.MULTILINE)
    return found


class Opened:
    """Records the results that are opened to be read, except hidden files."""

    def __init__(self):
        self.files, self._root = set(), Path("results").absolute()
        sys.addaudithook(self._open)

    def _open(self, event, arguments):
        if event != "open" or not isinstance(arguments[0], str | Path) or arguments[2] & os.O_ACCMODE:
            return
        path = Path(arguments[0]).absolute()
        if path.is_relative_to(self._root) and path.is_file():
            name = path.relative_to(self._root.parent)
            if not any(part.startswith(".") for part in name.parts):
                self.files.add(name.as_posix())


def in_toy(toy, work, *arguments):
    """Return ``work(*arguments)``, called in a process in the folder of a toy, as its jobs are."""
    before = os.environ.copy()
    os.environ.update({"NUMBA_DISABLE_JIT": "1", checksums.VARIABLE: "1"})
    try:
        with ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), os.chdir, (toy.folder,)) as pool:
            return pool.submit(work, *arguments).result()
    finally:
        os.environ.clear()
        os.environ.update(before)
