"""Pipes, folders, other encodings and truncated content in place of every file that a command reads."""

import gzip
import os

import pytest
from guarantees import tried
from hostile_runs import done, refused
from hostile_world import ENTRIES, OUT

INPUTS = [
    (name, option, value)
    for name, entry in ENTRIES.items()
    for option, value in entry.options.items()
    if value is not OUT and "." in str(value)
]


def put_pipe(path):
    path.unlink()
    os.mkfifo(path)


def put_folder(path):
    path.unlink()
    path.mkdir()


def put_loop(path):
    path.unlink()
    path.symlink_to(path.name)


def put_link_to_nothing(path):
    path.unlink()
    path.symlink_to("nowhere")


def put_device(path):
    path.unlink()
    path.symlink_to("/dev/null")


# How a file is replaced → what the message says, besides its name.
NO_FILES = {
    put_pipe: "is a pipe, not a file",
    put_folder: "is a folder, not a file",
    put_loop: "Too many levels of symbolic links",
    put_link_to_nothing: "No such file or directory",
    put_device: "is a device, not a file",
}
ENCODED = {
    "gzip": (gzip.compress, "compressed by gzip; unpack it first"),
    "utf-16": (lambda data: data.decode().encode("utf-16"), "in UTF-16; convert it to UTF-8"),
    "utf-16 without mark": (lambda data: data.decode().encode("utf-16-le"), ""),
    "latin-1": (lambda data: b"caf\xe9 " + data, "line 1: not UTF-8 at byte 3"),
    "mixed": (lambda data: "café ".encode() + b"caf\xe9 " + data, "line 1: not UTF-8 at byte 9"),
    "overlong": (lambda data: b"\xc0\xaf" + data, "line 1: not UTF-8 at byte 0"),
    "surrogate": (lambda data: b"\xed\xa0\x80" + data, "line 1: not UTF-8 at byte 0"),
    "zip": (lambda data: b"PK\x03\x04\xff" + data, "a zip archive; unpack it first"),
}


def test_every_command_accepts_the_intact_files(world, tmp_path, capsys):
    for name, entry in ENTRIES.items():
        if name != "parse":
            done(entry.main, entry.arguments(world, tmp_path / f"{name}.png"), capsys)


@pytest.mark.guarantee("no file")
@pytest.mark.parametrize("put", NO_FILES, ids=lambda put: put.__name__)
@pytest.mark.parametrize(("name", "option", "value"), INPUTS)
def test_pipes_folders_links_and_devices_are_refused(world, tmp_path, capsys, name, option, value, put):
    put(world / value)
    entry = ENTRIES[name]
    refused(entry.main, entry.arguments(world, tmp_path / "out"), tmp_path, capsys, value, NO_FILES[put])


@pytest.mark.guarantee("encodings")
@pytest.mark.parametrize(
    ("name", "option", "value"), [case for case in INPUTS if not case[2].endswith((".npz", ".tsv"))]
)
def test_files_that_are_not_utf8_are_refused(world, tmp_path, capsys, name, option, value):
    entry, path = ENTRIES[name], world / value
    data = path.read_bytes()
    for encode, says in ENCODED.values():
        path.write_bytes(encode(data))
        refused(entry.main, entry.arguments(world, tmp_path / "out"), tmp_path, capsys, value, says)
        tried()


@pytest.mark.guarantee("cut off")
@pytest.mark.parametrize(
    ("name", "option", "value"), [case for case in INPUTS if case[2].endswith((".npz", ".jsonl", ".json"))]
)
def test_truncated_files_are_refused(world, tmp_path, capsys, name, option, value):
    entry, path = ENTRIES[name], world / value
    data = path.read_bytes()
    for part in (0.03, 0.3, 0.6, 0.9, 0.97):
        path.write_bytes(data[: int(len(data) * part)].rstrip(b"\n"))
        refused(entry.main, entry.arguments(world, tmp_path / "out"), tmp_path, capsys)
        tried()
