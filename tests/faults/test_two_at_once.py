"""While two processes write the same output, it is at any time a whole file of one of them."""

import copy
import multiprocessing
import os
import time

import numpy as np
import pytest
from guarantees import tried
from toyjobs import result_bytes

from pipeline.io import checksums
from pipeline.io.arrays import Arrays, save_arrays
from pipeline.io.outputs import write_lines

ROUNDS, LINES = 100, 3000


def write(path, word):
    os.environ[checksums.VARIABLE] = "1"
    for number in range(ROUNDS):
        write_lines(path, (f"{word} {number}" for _ in range(LINES)))


def write_folder(path, number):
    os.environ[checksums.VARIABLE] = "1"
    for _ in range(ROUNDS):
        save_arrays(path, {"one": np.full(1000, number), "two": np.full(1000, number)})


def writing(target, path, *values):
    """Start the writers, and yield while they write."""
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=target, args=(path, value)) for value in values]
    for process in processes:
        process.start()
    while not path.exists():
        time.sleep(0.01)
    while any(process.is_alive() for process in processes):
        yield
    for process in processes:
        process.join()
        assert process.exitcode == 0


@pytest.mark.guarantee("two at once")
def test_file_with_two_writers_is_always_whole(tmp_path):
    path = tmp_path / "lines"
    for _ in writing(write, path, "one", "two"):
        with checksums.open_checked(path) as file:
            lines = file.read().splitlines()
        assert len(lines) == LINES and len(set(lines)) == 1
        tried()
    checksums.check(path)
    assert {file.name for file in tmp_path.iterdir()} == {"lines", ".lines.sum"}


@pytest.mark.guarantee("two at once")
def test_folder_with_two_writers_is_whole(tmp_path):
    path = tmp_path / "arrays"
    for _ in writing(write_folder, path, 1, 2):
        tried()
        time.sleep(0.05)
    arrays = Arrays(path, "save_arrays")
    assert set(arrays["one"]) == set(arrays["two"])
    assert {file.name for file in tmp_path.iterdir()} == {"arrays"}


@pytest.mark.guarantee("two at once")
def test_second_run_in_the_same_folder_is_refused(toy):
    first = toy.start("--cores", "1", "--forcerun", "score", "--configfile", toy.write_config())
    second = copy.copy(toy)
    second.output = toy.folder / "second.txt"
    try:
        locks = toy.folder / ".snakemake" / "locks"
        while first.is_alive() and not any(locks.glob("*")):
            time.sleep(0.05)
        refused = second.bare("--cores", "1", "--configfile", "toy.yaml")
    finally:
        outcome = toy.wait(first)
    assert refused.status == 1 and "Directory cannot be locked" in refused.text
    assert outcome.status == 0
    assert toy.planned() == set()


@pytest.mark.guarantee("two at once")
def test_two_runs_that_start_together_give_the_results_of_one(toy):
    """Snakemake refuses the second, or both work: it looks for locks and sets its own a moment later."""
    whole, config = result_bytes(toy), toy.write_config()
    second = copy.copy(toy)
    second.output = toy.folder / "second.txt"
    arguments = "--cores", "1", "--forcerun", "score", "--configfile", config
    started = [(run, run.start(*arguments)) for run in (toy, second)]
    outcomes = [run.wait(process) for run, process in started]
    assert 0 in [outcome.status for outcome in outcomes], outcomes
    for outcome in outcomes:
        assert outcome.status == 0 or outcome.text.count("Directory cannot be locked") == 1, outcome.text
    assert toy.snakemake("--cores", "1").status == 0
    assert result_bytes(toy) == whole
