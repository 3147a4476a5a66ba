"""Fuzzing by atheris: what is kept of a finding, and the command that runs it."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("atheris", reason="wants atheris, which `make fuzz` installs")

from fuzz.drive import Driver
from fuzz.target import Target

ROOT = Path(__file__).parents[2]


def fails_in_two_places(data):
    if data.startswith(b"a"):
        raise KeyError(data)
    assert data != b"b"


def test_of_each_place_that_raises_the_first_input_is_kept(tmp_path):
    (tmp_path / "found").mkdir()
    driver = Driver(Target((fails_in_two_places,), list, None), tmp_path)
    for data in (b"a1", b"a2", b"b", b"c"):
        driver(data)
    kept = {path.read_bytes(): path for path in (tmp_path / "found").iterdir() if path.suffix != ".txt"}
    assert set(kept) == {b"a1", b"b"}
    assert "KeyError: b'a1'" in kept[b"a1"].with_suffix(".txt").read_text()
    assert driver.accepted == 1


def test_the_command_fuzzes_and_prints_a_table(tmp_path):
    command = [sys.executable, "-m", "fuzz", "--seconds", "1", "--folder", str(tmp_path), "gold"]
    environment = os.environ | {"PYTHONPATH": f"{ROOT / 'tests'}{os.pathsep}{ROOT}"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    header, row = done.stdout.splitlines()
    assert header.split()[0] == "target"
    name, _, executions, *_, findings = row.split()
    assert name == "gold" and int(executions) > 0 and findings == "0"
    assert re.search(r"\d", (tmp_path / "gold" / "accepted.txt").read_text())
    assert list((tmp_path / "gold" / "corpus").iterdir())
