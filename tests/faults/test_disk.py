"""On a full or read-only disk each job ends with one line and leaves nothing behind.

The disk is a small one in memory, which only root can mount; for others a limit on the size of files replaces
it.
"""

import os
import re
import resource
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest
from guarantees import tried
from toyjobs import in_toy, jobs, run

from pipeline.baselines import translation
from pipeline.fingerprint import file_digest

# The options of commands that name their outputs.
OUTPUTS = ("--output", "--text", "--significance", "--em", "--log")
FULL = re.compile(
    r"error: \S+: (No space left on device|\d+ requested and \d+ written|File too large"
    r"|the translation model was not written completely); .*\n"
)
PAGE = 4096
READ_ONLY = re.compile(r"error: \S+: Read-only file system; .*\n")


class Case(NamedTuple):
    """The outcome of a job: its status, its message, and the files that it left beside its log."""

    rule: str
    status: int
    said: str
    left: list


def redirected(job, disk):
    """Return the command of a job with all outputs on another disk."""
    command, at = [], None
    for word in job.command:
        if word.startswith("--"):
            at = word
        elif at in OUTPUTS or (at == "--model" and job.rule in ("train", "finish")):
            word = str(disk / Path(word).relative_to("results"))
        command.append(word)
    return command


def mounted(disk, options):
    """Mount the small disk, or mount it again with other options."""
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", disk], check=True, capture_output=True)


def try_all(found, disk):
    """Return the cases of a full disk, one with a free page, the same enlarged, and a read-only one."""
    full, nearly, roomy, read_only = [], [], [], []
    for job in found:
        command = redirected(job, disk)
        for pages, cases in ((0, full), (1, nearly)):
            mounted(disk, f"size={(1 + pages) * PAGE}")
            (disk / "filling").write_bytes(b"x" * PAGE)
            cases.append(case(job, command, disk))
            if pages:
                mounted(disk, "remount,size=64m")
                roomy.append(changed(case(job, command, disk), disk))
            subprocess.run(["umount", "--lazy", disk], check=True)
        mounted(disk, "size=64m,ro")
        read_only.append(case(job, command, disk))
        subprocess.run(["umount", "--lazy", disk], check=True)
    return full, nearly, roomy, read_only


def changed(case, disk):
    """Return a case with only those files that differ from the results of the workflow."""
    return case._replace(left=[name for name in case.left if not same(disk / name, Path("results", name))])


def limited(found, disk):
    """Return the cases of a limit that stands in for a full disk: no file may have a byte."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))
    return [case(job, redirected(job, disk), disk) for job in found]


def case(job, command, disk):
    status, said = run(command)
    left = (path.relative_to(disk) for path in disk.rglob("*") if path.is_file())
    return Case(
        job.rule, status, said, sorted(str(p) for p in left if p.suffix != ".log" and p.name != "filling")
    )


def same(made, meant):
    """Return whether a job wrote the same as before, except times."""
    if made.name in ("em.tsv", ".em.tsv.sum"):
        return meant.exists()
    return made.read_bytes() == meant.read_bytes()


@pytest.fixture
def disk(tmp_path):
    folder = tmp_path / "disk"
    folder.mkdir()
    yield folder
    subprocess.run(["umount", "--lazy", folder], capture_output=True)


@pytest.mark.guarantee("full disk")
@pytest.mark.guarantee("read-only")
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a disk")
def test_full_and_read_only_disks_end_jobs_with_one_line(toy, disk):
    full, nearly, roomy, read_only = in_toy(toy, try_all, jobs(toy), disk)
    assert [one for one in full if not (one.status == 1 and FULL.fullmatch(one.said))] == []
    # Outputs of less than a page can be written.
    assert [one for one in nearly if one.status and not FULL.fullmatch(one.said)] == []
    assert [one for one in full + nearly if one.status and one.left] == []
    assert [one for one in roomy if one.status or one.left] == []
    assert [one for one in read_only if not (one.status == 1 and READ_ONLY.fullmatch(one.said))] == []
    tried(len(full))


@pytest.mark.guarantee("full disk")
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a disk")
def test_translation_model_is_written_whole_or_not_at_all(tmp_path, disk):
    words = [f"word{number}" for number in range(60)]

    def save(folder):  # a new model each time: saving fails only after it has lost its sentences
        translation.save(translation.train("ibm1", [(words, words)], "doc", 1, 1), folder)

    save(tmp_path / "whole")
    whole, outcomes = file_digest(tmp_path / "whole"), set()
    for room in range(1, 40):
        mounted(disk, f"size={room * 4 * PAGE}")
        try:
            save(disk / "model")
        except OSError:
            assert list(disk.iterdir()) == []
            outcomes.add("none")
        else:
            assert file_digest(disk / "model") == whole
            outcomes.add("whole")
        subprocess.run(["umount", "--lazy", disk], check=True)
        tried()
    assert outcomes == {"none", "whole"}


@pytest.mark.guarantee("full disk")
@pytest.mark.skipif(os.geteuid() == 0, reason="root tests a real disk")
def test_limit_on_the_size_of_files_ends_jobs_with_one_line(toy, disk):
    full = in_toy(toy, limited, jobs(toy), disk)
    assert [one for one in full if not (one.status == 1 and FULL.fullmatch(one.said) and not one.left)] == []
    tried(len(full))
