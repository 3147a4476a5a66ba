"""Checksums: a reader notices bytes that have changed on the disk."""

import os
import random

import numpy as np
import pytest

from pipeline.io import checksums
from pipeline.io.arrays import Arrays, replacing_folder, save_arrays
from pipeline.io.inputs import read_lines
from pipeline.io.outputs import replacing, write_lines
from pipeline.io.parts import parse_part, read_part, write_offsets
from pipeline.run.errors import InputError

DAMAGED = "damaged: its bytes are not those that were written; remove "


@pytest.fixture
def summed(monkeypatch):
    """Enable checksums, with small blocks."""
    monkeypatch.setenv(checksums.VARIABLE, "1")
    monkeypatch.setattr(checksums, "BLOCK", 64)


def flip(path, at, bit=0):
    data = bytearray(path.read_bytes())
    data[at] ^= 1 << bit
    path.write_bytes(data)


def write(path, size):
    with replacing(path) as temporary:
        temporary.write_bytes(random.Random(size).randbytes(size))


@pytest.mark.guarantee("damage")
@pytest.mark.parametrize("size", [1, 63, 64, 65, 300])
def test_every_flipped_bit_and_every_truncation_is_noticed(tmp_path, summed, size):
    path = tmp_path / "file"
    write(path, size)
    whole = path.read_bytes()
    checksums.check(path)
    for at in range(size):
        for bit in range(8):
            flip(path, at, bit)
            with pytest.raises(InputError, match=DAMAGED):
                checksums.check(path)
            path.write_bytes(whole)
        path.write_bytes(whole[:at])
        with pytest.raises(InputError, match=DAMAGED):
            checksums.check(path)
        path.write_bytes(whole)
    checksums.check(path)


def test_bytes_are_read_as_they_were_written(tmp_path, summed):
    path = tmp_path / "file"
    write(path, 1000)
    data, rng = path.read_bytes(), random.Random(1)
    with checksums.open_checked(path) as file:
        for _ in range(300):
            at, length = rng.randrange(1100), rng.randrange(200)
            assert file.seek(at) == at
            assert file.read(length) == data[at : at + length]
        assert file.seek(-3, os.SEEK_END) == 997 and file.read() == data[-3:]
        assert file.seek(0) == 0 and file.read() == data


def test_only_the_part_that_is_read_is_checked(tmp_path, summed):
    path = tmp_path / "corpus.jsonl"
    write_lines(path, (f"{number:031}" for number in range(100)))
    write_offsets(path)
    flip(path, 3100)
    assert len(list(read_part(path, parse_part("1-of-4")))) == 25
    with pytest.raises(
        InputError, match=f"^{path}: {DAMAGED}{path} and run again .or remove {tmp_path}/.corp"
    ):
        list(read_part(path, parse_part("4-of-4")))
    with pytest.raises(InputError, match=DAMAGED):
        list(read_lines(path))


def test_checksums_are_off_without_the_variable_and_old_ones_are_removed(tmp_path, summed, monkeypatch):
    path = tmp_path / "file"
    write(path, 10)
    assert checksums.sums_path(path).exists()
    monkeypatch.delenv(checksums.VARIABLE)
    write(path, 20)
    save_arrays(tmp_path / "folder", {"one": np.arange(3)})
    assert {file.name for file in tmp_path.rglob("*")} == {"file", "folder", "one.npy"}
    flip(path, 3)
    checksums.check(path)


@pytest.mark.parametrize("name", ["one", "two"])
def test_damaged_array_of_a_folder_is_an_error(tmp_path, summed, name):
    folder = tmp_path / "folder"
    with replacing_folder(folder) as temporary:
        (temporary / "tables").mkdir()
        for array in ("one", "two"):
            np.save(temporary / "tables" / f"{array}.npy", np.arange(100))
    arrays = Arrays(folder / "tables", "make it")
    assert arrays[name][3] == arrays.mapped(name)[3] == arrays.slices(name)[3:4][0] == 3
    checksums.check_folder(folder)
    flip(folder / "tables" / f"{name}.npy", 400)
    for read in (lambda a: a[name], lambda a: a.mapped(name), lambda a: a.slices(name)[30:40]):
        with pytest.raises(InputError, match=f"{name}.npy: {DAMAGED}{folder} and run again"):
            read(Arrays(folder / "tables", "make it"))
    with pytest.raises(InputError, match=DAMAGED):
        checksums.check_folder(folder)
    (folder / "tables" / f"{name}.npy").unlink()
    with pytest.raises(InputError, match=f"{name}.npy: is missing; remove {folder} and run again"):
        checksums.check_folder(folder)


def test_damaged_checksums_are_an_error(tmp_path, summed):
    path = tmp_path / "file"
    write(path, 100)
    sums = checksums.sums_path(path)
    whole = sums.read_bytes()
    for at in range(len(whole) - 1):
        flip(sums, at)
        with pytest.raises(InputError, match="or damaged; move this file elsewhere"):
            checksums.check(path)
        sums.write_bytes(whole)


@pytest.mark.parametrize("stop", range(1, 4))
def test_kill_between_two_renames_is_not_reported_as_damage(tmp_path, summed, monkeypatch, stop):
    path = tmp_path / "file"
    write(path, 10)
    steps, made = [os.replace, os.replace], []

    def killed(*arguments):
        made.append(arguments)
        if len(made) == stop:
            raise KeyboardInterrupt
        return steps[len(made) - 1](*arguments)

    monkeypatch.setattr(os, "replace", killed)
    try:
        write(path, 20)
    except KeyboardInterrupt:
        assert stop < 3
    checksums.check(path)
    assert path.stat().st_size == (10 if stop == 1 else 20)
    assert {file.name for file in tmp_path.iterdir()} <= {"file", ".file.sum"}
