"""Huge texts, in a process with little memory: read in time, or refused."""

import json
import os
import resource
import subprocess
import sys

import pytest
from guarantees import tried
from hostile_world import lines

MEMORY = 4 << 30  # bytes of address space; the libraries take half of it
LITTLE_MEMORY = 5 << 29
SECONDS = 300  # processor seconds, for the slowest command on a busy machine
# The share of five megabytes or 200,000 words that a test takes.
SHARE = float(os.environ.get("HOSTILE_SHARE", "0.02"))


def times(count):
    return max(1, int(count * SHARE))


def sentence(words):
    return " ".join(f"word{number % 997}" for number in range(words))


MEGABYTES = 5_000_000
# Name → document; the summary is one sentence.
DOCUMENTS = {
    "a line of sentences": lambda: "The mill grinds wheat. " * times(MEGABYTES / 23),
    "no space": lambda: "m" * times(MEGABYTES),
    "no space but full stops": lambda: "m." * times(MEGABYTES / 2),
    "spaces": lambda: "The" + " " * times(MEGABYTES) + "mill.",
    "brackets": lambda: "(" * times(MEGABYTES / 5),
    "quotes": lambda: "''\"``" * times(MEGABYTES / 25),
    "exclamation marks": lambda: "! " * times(MEGABYTES / 20),
    "a word a line": lambda: "mill\n" * times(200_000),
    "200,000 words": lambda: ". ".join(sentence(20) for _ in range(times(10_000))),
    "sentences of 3,000 words": lambda: f"{sentence(3000)}. The mill. {sentence(3000)}.",
}


def limit(memory):
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


def run(folder, module, *options, memory=MEMORY):
    """Run a command with little memory and return the finished process."""
    made = subprocess.run(
        [sys.executable, "-m", module, *options],
        cwd=folder,
        capture_output=True,
        text=True,
        preexec_fn=lambda: limit(memory),
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert "Traceback" not in made.stderr, made.stderr
    return made


@pytest.mark.guarantee("sizes")
def test_large_texts_are_read_extracted_and_parsed(tmp_path):
    documents = {name: make() for name, make in DOCUMENTS.items()}
    summary = "The mill grinds wheat."
    pairs = [{"id": name, "document": text, "summary": summary} for name, text in documents.items()]
    (tmp_path / "pairs.jsonl").write_text(lines(pairs))
    both = "--corpus", "corpus/corpus.jsonl", "--extracts", "extracts.jsonl"
    for module, *options in (
        ("pipeline.corpus", "--reader", "jsonl", "--path", "pairs.jsonl", "--output", "corpus"),
        ("pipeline.extract", *both[:2], "--output", "extracts.jsonl"),
        ("pipeline.parse.sentences", *both, "--output", "shard.jsonl", "--text", "sentences.txt"),
        ("pipeline.parse", "--sentences", "shard.jsonl", "--store", "store", "--output", "parses.jsonl"),
        ("pipeline.baselines.cutpaste", *both, "--output", "cut.jsonl"),
    ):
        assert run(tmp_path, module, *options).returncode == 0
    with open(tmp_path / "corpus/corpus.jsonl", encoding="utf-8") as file:
        for line, document in zip(file, documents.values(), strict=True):
            text = json.loads(line)["document"]
            assert text["text"] == document
            tokens = "".join(document[first:last] for first, last in text["tokens"])
            assert tokens == "".join(document.split())
            tried()


@pytest.mark.guarantee("sizes")
def test_running_out_of_memory_is_reported_in_one_line(tmp_path):
    with open(tmp_path / "pairs.jsonl", "wb") as file:
        file.write(b'{"id": "')
        file.truncate(LITTLE_MEMORY)  # a hole, without a line break
    options = "--reader", "jsonl", "--path", "pairs.jsonl", "--output", "out"
    made = run(tmp_path, "pipeline.corpus", *options, memory=LITTLE_MEMORY)
    assert made.returncode == 1 and len(made.stderr.splitlines()) == 1
    assert "out of memory" in made.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["pairs.jsonl"]
