"""Leftovers of killed processes are removed, and never used as results."""

import os

import numpy as np
import pytest
from guarantees import tried

from pipeline.housekeeping.leftovers import remove_leftovers
from pipeline.io import checksums
from pipeline.io.outputs import replacing, scratch_folder, temporary_name
from pipeline.io.parts import line_offsets, offsets_path, parse_part, read_part, write_offsets
from pipeline.run.errors import InputError

DEAD = 2**22 + 1  # above the highest number of a process, 2²²


def test_leftovers_are_removed(tmp_path, monkeypatch):
    monkeypatch.setenv(checksums.VARIABLE, "1")
    for name in ("kept/file", "gone/file"):
        with replacing(tmp_path / name) as temporary:
            temporary.write_text("whole")
    (tmp_path / "gone" / "file").unlink()
    dead = [
        tmp_path / "kept" / name.format(DEAD) for name in (".a.{}.part", "..a.sum.{}.part", ".b.{}.x7_.part")
    ]
    dead[0].write_text("half")
    dead[1].write_text("half")
    dead[2].mkdir()
    (dead[2] / "half").write_text("half")
    mine = temporary_name(tmp_path / "kept" / "c")
    mine.write_text("half")
    (tmp_path / "kept" / ".hidden").write_text("somebody's")
    remove_leftovers(tmp_path)
    names = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*")}
    assert names == {"kept", "kept/file", "kept/.file.sum", f"kept/{mine.name}", "kept/.hidden"}


def test_scratch_folder_of_a_killed_process_is_a_leftover(tmp_path):
    with scratch_folder(tmp_path / "corpus") as folder:
        other = folder.rename(folder.with_name(folder.name.replace(str(os.getpid()), str(DEAD))))
        remove_leftovers(tmp_path)
        assert not other.exists()


@pytest.mark.guarantee("kills")
def test_a_run_without_jobs_removes_checksums_of_files_that_are_gone(toy):
    """A run that was killed after its last job, before its end, leaves them."""
    corpus = toy.folder / "results/toy/corpus/corpus.jsonl"
    left = checksums.sums_path(corpus.parent / "gone" / "1-of-2.npz")
    left.parent.mkdir()
    left.write_bytes(checksums.sums_path(corpus).read_bytes())
    outcome = toy.snakemake("--cores", "1")
    assert outcome.status == 0 and outcome.counts == {}, outcome.text
    assert not left.parent.exists() and checksums.sums_path(corpus).exists()


@pytest.mark.guarantee("stale offsets")
@pytest.mark.parametrize("newer", [False, True])
def test_offsets_of_another_file_are_never_taken(tmp_path, newer):
    """Files of one size with line breaks at all places: the lines are right, or an error says why."""
    path = tmp_path / "corpus.jsonl"
    ends = [{first, second, 5} for first in range(5) for second in range(5)]
    texts = [b"".join(b"\n" if at in places else b"x" for at in range(6)) for places in ends]
    for old in texts:
        path.write_bytes(old)
        write_offsets(path)
        for new in texts:
            path.write_bytes(new)
            then = path.stat().st_mtime + (60 if newer else -60)
            os.utime(offsets_path(path), (then, then))
            try:
                found = [line for part in ("1-of-2", "2-of-2") for line in read_part(path, parse_part(part))]
            except InputError as error:
                says = f"does not fit the lines of {path}; move it elsewhere and run again"
                assert str(error) == f"{offsets_path(path)}: {says}"
                assert old != new
            else:
                assert "".join(line for _, line in found).encode() == new
                assert [line for _, line in found] == new.decode().splitlines(keepends=True)
            tried()


def test_invalid_offsets_are_ignored(tmp_path):
    path = tmp_path / "corpus.jsonl"
    path.write_text("one\ntwo\n")
    for wrong in (b"", b"\x93NUMPY", np.arange(3.0).tobytes()):
        offsets_path(path).write_bytes(wrong)
        assert line_offsets(path).tolist() == [0, 4, 8]
    np.save(offsets_path(path), np.array([0.0, 4.0, 8.0]))
    assert line_offsets(path).dtype == np.int64
