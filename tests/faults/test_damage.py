"""A job of the toy workflow that reads a result damaged on the disk reports it in one line.

Damage is one flipped bit, or a truncated file, with the times of the file unchanged. One job of each rule
runs by its own command: once undamaged, to find out which files it opens, and then with damage to each of
them. The two kinds of damage alternate, unless the environment has ``DAMAGE=all`` to try both.
"""

import contextlib
import os
import re
from pathlib import Path
from typing import NamedTuple

import pytest
from guarantees import tried
from toy import Toy
from toyjobs import Opened, in_toy, jobs, run

BOTH = os.environ.get("DAMAGE") == "all"
UNREAD = {".png"}  # pictures for the user
IN_PARTS = ("--set-scatter", "pairs=2")


class Case(NamedTuple):
    """A damaged file, and the outcome of a job that reads it."""

    rule: str
    file: str
    status: int
    said: str

    @property
    def noticed(self):
        """Return whether the job ended with the one line that names the file."""
        line = rf"error: \S*{re.escape(self.file)}: damaged: its bytes are not those that were written; .*\n"
        return self.status == 1 and bool(re.fullmatch(line, self.said))


def damage_all(found):
    """Return the :class:`Case` of each damage to the files that the jobs read."""
    cases, opened = [], Opened()
    for job in found:
        opened.files.clear()
        status, said = run(job.command)
        assert status == 0, f"{job.rule}: {said}"
        for number, name in enumerate(sorted(opened.files)):
            if not set(job.outputs) & {name, *map(str, Path(name).parents)}:
                for change in (flip, cut) if BOTH else (flip, cut)[number % 2 : number % 2 + 1]:
                    with damaged(Path(name), change):
                        cases.append(Case(job.rule, name, *run(job.command)))
    return cases


def flip(data):
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 4]) + data[middle + 1 :] if data else b"\4"


def cut(data):
    return data[:-1] if data else b"\n"


@contextlib.contextmanager
def damaged(file, change):
    """Change the bytes of a file during the block, but not its times."""
    data, times = file.read_bytes(), file.stat()

    def write(content):
        file.write_bytes(content)
        os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))

    write(change(data))
    try:
        yield
    finally:
        write(data)


@pytest.fixture(scope="module")
def in_parts(tmp_path_factory):
    """A toy project in parts and shards, without gold, with all intermediate files kept."""
    toy = Toy(tmp_path_factory.mktemp("damage"))
    toy.config["semihmm"] |= {"jumps": ["syntax"], "shards": 2, "iterations": 2}
    toy.config["corpus"]["gold"] = None
    toy.config |= {"parse": {"shards": 1}, "systems": ["semihmm-syntax", "hmm-doc", "identity"]}
    outcome = toy.snakemake("--cores", "2", "--notemp", *IN_PARTS)
    assert outcome.status == 0, outcome.text
    return toy


@pytest.mark.guarantee("damage")
@pytest.mark.parametrize(("name", "arguments"), [("toy", ()), ("in_parts", IN_PARTS)])
def test_job_notices_damage_to_its_inputs(request, name, arguments):
    toy = request.getfixturevalue(name)
    found = jobs(toy, *arguments)
    assert len(found) > 15
    cases = in_toy(toy, damage_all, found)
    assert [case for case in cases if not case.noticed] == []
    inputs = {file for job in found for name in job.inputs for file in files_in(toy.folder, name)}
    read = {any_part(case.file) for case in cases}
    assert {any_part(file) for file in inputs if Path(file).suffix not in UNREAD} <= read
    tried(len(cases))


def files_in(root, name):
    """Return the file, or those in a folder except hidden ones."""
    paths = (root / name).rglob("[!.]*") if (root / name).is_dir() else [root / name]
    return [path.relative_to(root).as_posix() for path in paths if path.is_file()]


def any_part(name):
    """Return the name of a file with one part, iteration and jump model in place of any other."""
    for pattern, one in (
        (r"\b\d-of-2\b", "1-of-2"),
        (r"/em/\d/", "/em/1/"),
        (r"/train/\w+/", "/train/syntax/"),
    ):
        name = re.sub(pattern, one, name)
    return name
