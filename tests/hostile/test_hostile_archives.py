"""Archives of arrays that are truncated, changed, hold other things or would run code."""

import io
import pickle
import zipfile

import numpy as np
import pytest
from guarantees import tried
from hostile_runs import refused
from hostile_world import ENTRIES, OUT

INPUTS = [
    (name, option, value)
    for name, entry in ENTRIES.items()
    for option, value in entry.options.items()
    if value is not OUT and str(value).endswith(".npz")
]


class Bomb:
    """Runs code when it is unpickled."""

    def __reduce__(self):
        return exec, ("import pathlib; pathlib.Path('RAN').touch()",)


def npz(**arrays):
    """Return the bytes of an archive of arrays, which may hold Python objects."""
    out = io.BytesIO()
    np.savez_compressed(out, **arrays)
    return out.getvalue()


def npy(array):
    out = io.BytesIO()
    np.save(out, array)
    return out.getvalue()


def of_files(**files):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def header(text):
    """Return an array file with the header ``text``."""
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode()


HUGE = header("{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000000,)}" + " " * 20 + "\n")
OBJECT = np.array([Bomb()], dtype=object)
NO_ARCHIVES = {
    "empty": b"",
    "text": b"no archive",
    "pickle": pickle.dumps(Bomb()),
    "one array": npy(np.arange(3)),
    "array of objects": npy(OBJECT),
    "empty archive": of_files(),
    "other files": of_files(words="a b", format="1"),
    "pickle in the archive": of_files(**{"format.npy": pickle.dumps(Bomb())}),
    "size beyond memory": of_files(**{"format.npy": HUGE}),
    "header that is code": of_files(**{"format.npy": header("__import__('os').abort()\n")}),
    "deep header": of_files(**{"format.npy": header("(" * 9000 + "\n")}),
    "zip bomb": of_files(**{"format.npy": npy(np.zeros(10)) + bytes(50_000_000)}),
    "encrypted": of_files(format="1").replace(
        b"PK\x01\x02\x14\x03\x14\x00\x00", b"PK\x01\x02\x14\x03\x14\x00\x01"
    ),
}


@pytest.mark.guarantee("archives")
@pytest.mark.parametrize(("name", "option", "value"), INPUTS)
def test_files_that_are_not_archives_of_arrays_are_refused(
    world, tmp_path, capsys, monkeypatch, name, option, value
):
    monkeypatch.chdir(tmp_path)
    entry, path = ENTRIES[name], world / value
    for content in NO_ARCHIVES.values():
        path.write_bytes(content)
        refused(entry.main, entry.arguments(world, tmp_path / "out"), tmp_path, capsys, path)
        tried()


@pytest.mark.guarantee("archives")
@pytest.mark.parametrize(("name", "option", "value"), INPUTS)
def test_missing_arrays_and_arrays_of_objects_are_refused(
    world, tmp_path, capsys, monkeypatch, name, option, value
):
    monkeypatch.chdir(tmp_path)
    entry, path = ENTRIES[name], world / value
    with np.load(path) as file:
        whole = dict(file)
    for key in whole.keys() - {"format"}:
        for spoiled in (whole | {key: OBJECT}, {other: whole[other] for other in whole if other != key}):
            path.write_bytes(npz(**spoiled))
            refused(entry.main, entry.arguments(world, tmp_path / "out"), tmp_path, capsys, path)
            tried()


@pytest.mark.guarantee("archives")
@pytest.mark.parametrize(
    ("key", "change"),
    [
        ("start", lambda a: a - 5),
        ("end", lambda a: a + 1000),
        ("label", lambda a: a + 1000),
        ("label", lambda a: a - 1000),
        ("parent", lambda a: a + 10_000),
        ("start", lambda a: a.astype(float)),
        ("end", lambda a: a[:-1]),
        ("label", lambda a: a.reshape(1, -1)),
        ("offsets", lambda a: a + 1),
        ("offsets", lambda a: a[::-1]),
        ("offsets", lambda a: a[:0]),
        ("offsets", lambda a: a * 0),
        ("ids", lambda a: a[:-1]),
        ("ids", lambda a: np.arange(len(a))),
        ("labels", lambda a: np.arange(len(a))),
        ("parser", lambda a: np.array("[]")),
        ("parser", lambda a: np.array("[" * 100_000)),
    ],
)
def test_inconsistent_trees_are_refused(world, tmp_path, capsys, key, change):
    path = world / "parse/trees.npz"
    with np.load(path) as file:
        arrays = dict(file)
    path.write_bytes(npz(**arrays | {key: change(arrays[key])}))
    entry = ENTRIES["train on trees"]
    refused(entry.main, entry.arguments(world, tmp_path / "out"), tmp_path, capsys)
