"""A training that is killed repeatedly ends as if it had never been killed."""

import contextlib
import os
import random
import signal
import subprocess
import sys
import time

import pytest
from vorlage.corpus.corpus_file import write_pairs
from vorlage.corpus.pair import Pair
from vorlage.extract.extracts import Extract, write_extracts
from vorlage.semihmm.train.checkpoint import Checkpoint
from vorlage.text.tokenize import join_sentences

KILLS = 10
ITERATIONS = 60


@pytest.fixture
def command(tmp_path):
    """Return a function from the name of a model to the command that trains it on a small corpus."""
    rng = random.Random(1)
    vocabulary = [f"w{i}" for i in range(40)]
    pairs, extracts = [], []
    for number in range(12):
        document = [" ".join(rng.choices(vocabulary, k=12)) for _ in range(6)]
        summary = [" ".join(rng.choices(document, k=1)[0].split()[:8]) for _ in range(2)]
        texts = (join_sentences(side, tokenized=True) for side in (document, summary))
        pairs.append(Pair(str(number), *texts))
        extracts.append(Extract(str(number), tuple(range(6)), ((0,), (1,))))
    write_pairs(tmp_path / "corpus.jsonl", pairs)
    write_extracts(tmp_path / "extracts.jsonl", extracts)

    def made(name):
        files = {"corpus": "corpus.jsonl", "extracts": "extracts.jsonl", "model": name, "em": f"{name}.tsv"}
        options = [part for key, file in files.items() for part in (f"--{key}", str(tmp_path / file))]
        settings = ["--jump", "relative", "--wordnet", "false", "--iterations", str(ITERATIONS)]
        return [sys.executable, "-m", "vorlage.semihmm.train", *options, *settings]

    return made


def iterations_of(path):
    return [line.split("\t")[:-1] for line in path.read_text().splitlines()]


def wait_at_most(process, seconds):
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(seconds)


def wait_for_iteration(process, folder):
    """Wait until the process has written a checkpoint or ended."""

    def written():
        return [path.stat().st_mtime_ns for path in folder.glob("killed.checkpoint.npz") if path.exists()]

    before = written()
    while process.poll() is None and written() in (before, []):
        time.sleep(0.002)


def test_training_killed_ten_times_ends_with_the_same_bytes(command, tmp_path):
    subprocess.run(command("first.npz"), check=True, capture_output=True)  # compiles the kernels if need be
    began = time.monotonic()
    done = subprocess.run(command("whole.npz"), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    whole = time.monotonic() - began
    rng = random.Random(2)
    resumed = 0
    for number in range(KILLS):
        process = subprocess.Popen(command("killed.npz"), stderr=subprocess.PIPE, text=True)
        if number % 2:
            wait_at_most(process, rng.uniform(0.4, 0.95) * whole)
        else:  # after an iteration, however busy the machine is
            wait_for_iteration(process, tmp_path)
            wait_at_most(process, rng.uniform(0, 0.05))
        process.send_signal(signal.SIGKILL)
        resumed += "continuing after iteration" in process.communicate()[1]
        if (
            tmp_path / "killed.npz"
        ).exists():  # it was written in time, so the next run starts from the beginning
            assert (tmp_path / "killed.npz").read_bytes() == (tmp_path / "whole.npz").read_bytes()
            (tmp_path / "killed.npz").unlink()
    done = subprocess.run(command("killed.npz"), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    resumed += "continuing after iteration" in done.stderr
    assert resumed > 0
    assert (tmp_path / "killed.npz").read_bytes() == (tmp_path / "whole.npz").read_bytes()
    assert iterations_of(tmp_path / "killed.npz.tsv") == iterations_of(tmp_path / "whole.npz.tsv")
    assert not list(tmp_path.glob("*checkpoint*"))


def test_leftovers_of_a_killed_process_are_removed_with_the_checkpoint(tmp_path):
    checkpoint = Checkpoint(tmp_path / "a[1].npz", "key")
    mine, dead = f".a[1].npz.{os.getpid()}.part", f".a[1].npz.{2**22 + 1}.part"
    for name in (mine, dead, "a[1].npz", f".a1.npz.{2**22 + 1}.part"):
        (tmp_path / name).touch()
    checkpoint.remove()
    assert {path.name for path in tmp_path.iterdir()} == {mine, f".a1.npz.{2**22 + 1}.part"}
