"""Outputs that are inputs, pipes, devices or folders, and hostile files where checksums are expected."""

import json
import os
import shutil
import zlib

import pytest
from guarantees import tried
from hostile_runs import done, refused
from hostile_world import ENTRIES, OUT
from test_hostile_files import INPUTS, put_device, put_folder, put_pipe

from pipeline.corpus import __main__ as corpus
from pipeline.io.arrays import save_arrays
from pipeline.io.checksums import sums_path

FOLDERS = ("corpus", "gather", "parse", "analysis")  # commands that write a folder
WRITTEN = [case for case in INPUTS if OUT in ENTRIES[case[0]].options.values()]


def put_link(path, target):
    path.symlink_to(target)


@pytest.mark.guarantee("no output over input")
@pytest.mark.parametrize(("name", "option", "value"), WRITTEN)
def test_no_output_replaces_an_input(world, tmp_path, capsys, name, option, value):
    entry, path = ENTRIES[name], world / value
    for put in (None, put_link, os.link):
        out = path if put is None else tmp_path / put.__name__
        if put:
            (put(out, path) if put is put_link else put(path, out))
        refused(entry.main, entry.arguments(world, out), tmp_path, capsys, out)
        tried()


@pytest.mark.guarantee("no output over input")
def test_no_log_replaces_an_input_or_waits_for_a_pipe(world, tmp_path, capsys):
    entry = ENTRIES["cutpaste"]
    arguments = entry.arguments(world, tmp_path / "out")
    refused(entry.main, [*arguments, "--log", world / "extracts.jsonl"], tmp_path, capsys, "and its output")
    os.mkfifo(tmp_path / "pipe")
    refused(entry.main, [*arguments, "--log", tmp_path / "pipe"], tmp_path, capsys, "is a pipe")


@pytest.mark.guarantee("no output over input")
@pytest.mark.parametrize("says", ["a pipe", "a folder", "a device"])
@pytest.mark.parametrize(
    "name", [name for name, entry in ENTRIES.items() if OUT in entry.options.values() and name not in FOLDERS]
)
def test_outputs_replace_files_only(world, tmp_path, capsys, name, says):
    out = tmp_path / "out.png"
    out.touch()
    {"a pipe": put_pipe, "a folder": put_folder, "a device": put_device}[says](out)
    entry = ENTRIES[name]
    refused(entry.main, entry.arguments(world, out), tmp_path, capsys, out, f"is {says}, which no output")


@pytest.mark.guarantee("no output over input")
def test_the_corpus_stage_replaces_no_input_in_the_folder_it_writes(world, tmp_path, capsys):
    shutil.copy(world / "pairs.jsonl", world / "corpus/corpus.jsonl")
    arguments = ["--reader", "jsonl", "--path", world / "corpus/corpus.jsonl", "--output", world / "corpus"]
    refused(corpus.main, arguments, tmp_path, capsys, "is an input of this command and its output")
    done(corpus.main, [*arguments[:-1], tmp_path / "other"], capsys)


@pytest.mark.guarantee("no output over input")
def test_a_folder_with_other_files_is_not_replaced(tmp_path):
    import numpy as np

    from pipeline.run.errors import InputError

    save_arrays(tmp_path / "mine", {"one": np.arange(3)})
    save_arrays(tmp_path / "mine", {"one": np.arange(4)})
    (tmp_path / "mine" / "thesis.txt").touch()
    with pytest.raises(InputError, match="has other files, such as thesis.txt; name a new folder"):
        save_arrays(tmp_path / "mine", {"one": np.arange(3)})
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="is a file, which no folder replaces"):
        save_arrays(tmp_path / "file", {"one": np.arange(3)})
    assert {path.name for path in tmp_path.rglob("*")} == {"mine", "one.npy", "thesis.txt", "file"}


def summed(content):
    """Return a file of checksums with any content, which fits its own checksum."""
    text = json.dumps(content)
    return f"{zlib.crc32(text.encode()):08x} {text}\n".encode()


def put_zeros(path):
    path.symlink_to("/dev/zero")


# What is in the place of checksums.
NO_SUMS = {
    "a pipe": os.mkfifo,
    "a folder": os.mkdir,
    "a link to a device": put_zeros,
    "another file": lambda path: path.write_text("d41d8cd98f00b204e9800998ecf8427e  c.jsonl\n"),
    "not UTF-8": lambda path: path.write_bytes(b"\xff\xfe\x00"),
    "a list": lambda path: path.write_bytes(summed([1])),
    "a number": lambda path: path.write_bytes(summed({"x": 5})),
    "no blocks": lambda path: path.write_bytes(summed({"x": [5, []]})),
    "negative": lambda path: path.write_bytes(summed({"x": [-1, [1]]})),
    "texts": lambda path: path.write_bytes(summed({"x": ["5", ["a"]]})),
    "deep": lambda path: path.write_bytes(
        b"%08x " % zlib.crc32(b"[" * 100_000) + b"[" * 100_000
    ),
}  # fmt: skip


@pytest.mark.guarantee("no sums")
@pytest.mark.parametrize("kind", NO_SUMS)
@pytest.mark.parametrize("name", ["corpus", "extract", "align", "score", "train on trees"])
def test_what_is_not_checksums_is_refused_and_stays(world, tmp_path, capsys, name, kind):
    entry = ENTRIES[name]
    files = [
        value
        for option, value in entry.options.items()
        if value is not OUT and (world / str(value)).is_file()
    ]
    for value in files:
        for sums in (sums_path(world / value), (world / value).parent / ".sum"):
            NO_SUMS[kind](sums)
            says = f"{sums}: not the checksums of", "move this file elsewhere"
            line = refused(entry.main, entry.arguments(world, tmp_path / "out"), tmp_path, capsys, *says)
            assert "remove" not in line
            sums.rmdir() if sums.is_dir() else sums.unlink()
            tried()
