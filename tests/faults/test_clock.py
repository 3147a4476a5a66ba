"""After the clock is set back, no outdated result is used, and no rerun repeats for ever."""

import os
import shutil
import threading
import time

import pytest

from pipeline.housekeeping.clock import correct_future_times

DAY = 86400
CORPUS = {"name": "clock"}
CORPUS_FILE, EXTRACTS = "results/clock/corpus/corpus.jsonl", "results/clock/extract/extracts.jsonl"


def set_back(path, seconds):
    then = time.time() - seconds
    os.utime(path, (then, then))


@pytest.mark.guarantee("clock")
@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("toy.jsonl", "Visitors pay nothing", "Visitors pay 2 euros."[:20]),
        ("toy-gold.jsonl", '"annotator": "A"', '"annotator": "B"'),
    ],
)
def test_new_input_with_an_older_time_is_noticed(toy, path, old, new):
    assert len(old) == len(new)
    assert toy.planned() == set()
    with toy.edited(path, old, new):
        set_back(toy.folder / path, 300 * DAY)
        assert toy.planned() >= {"corpus", "extract", "train", "align", "score", "page"}


def test_input_that_is_only_touched_reruns_nothing(toy):
    path = toy.folder / "toy.jsonl"
    before = path.stat()
    path.touch()
    try:
        assert toy.planned() == set()
    finally:
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


@pytest.fixture(scope="module")
def clock(toy):
    """The toy with a corpus of its own, run up to its extracts."""
    outcome = toy.snakemake("--cores", "1", EXTRACTS, corpus=CORPUS)
    assert outcome.status == 0, outcome.text
    return toy


def run(toy, target):
    outcome = toy.snakemake("--cores", "1", target, "--max-checksum-file-size", "0", corpus=CORPUS)
    assert outcome.status == 0, outcome.text
    return outcome.jobs


@pytest.mark.guarantee("clock")
def test_result_from_the_future_reruns_later_jobs_only_once(clock):
    set_back(clock.folder / CORPUS_FILE, -DAY)
    assert run(clock, EXTRACTS) == {"extract"}
    assert run(clock, EXTRACTS) == set()


@pytest.mark.guarantee("clock")
def test_results_from_the_future_are_older_than_new_ones(clock):
    for path in (clock.folder / "results").rglob("*"):
        if path.is_file():
            os.utime(path, (path.stat().st_atime, path.stat().st_mtime + DAY))
    with clock.edited("toy.jsonl", "Visitors pay nothing", "Visitors pay little"):
        assert run(clock, CORPUS_FILE) == {"corpus"}
        assert run(clock, EXTRACTS) == {"extract"}


@pytest.mark.guarantee("clock")
def test_result_older_than_its_input_is_made_again_once(clock):
    assert run(clock, EXTRACTS) <= {"corpus", "extract"}
    set_back(clock.folder / EXTRACTS, DAY)
    assert run(clock, EXTRACTS) == {"extract"}
    assert run(clock, EXTRACTS) == set()


@pytest.mark.guarantee("two at once")
def test_files_may_vanish_while_times_are_read(tmp_path):
    """Another process makes a folder and removes it."""
    stop = threading.Event()

    def write():
        while not stop.is_set():
            folder = tmp_path / "results" / "new"
            folder.mkdir(parents=True)
            for number in range(50):
                (folder / str(number)).touch()
            shutil.rmtree(folder)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for _ in range(300):
            correct_future_times(str(tmp_path))
    finally:
        stop.set()
        writer.join()
