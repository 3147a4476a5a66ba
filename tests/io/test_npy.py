"""Array files and archives: what is read equals what NumPy reads, and all else is refused in one way."""

import io
import random
import zipfile

import numpy as np
import pytest
from guarantees import tried

from pipeline.io.arrays import Arrays, save_arrays
from pipeline.io.npy import Kind, check_kinds, read_array
from pipeline.io.npz import read_npz
from pipeline.run.errors import InputError


def npy(array):
    out = io.BytesIO()
    np.save(out, array)
    return out.getvalue()


def header(text, content=b""):
    """Return an array file with the header ``text``."""
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode() + content


def described(descr, shape=(2,), size=16):
    """Return an array file of some zeros with a header that NumPy would write."""
    return header(f"{{'descr': {descr!r}, 'fortran_order': False, 'shape': {shape}, }}\n", bytes(size))


READ = [
    *(np.arange(6).astype(t) for t in ("i1", "u1", "i2", "u2", "i4", "i8", "f2", "f4", "f8", "S3", "U4")),
    *(np.array([True, False]), np.array(3), np.array("text"), np.empty((0, 4)), np.array([], dtype="U1")),
    *(np.arange(24.0).reshape(2, 3, 4), np.asfortranarray(np.arange(6).reshape(2, 3))),
    np.arange(12).reshape(3, 4)[:, ::2],
]


@pytest.mark.parametrize("array", READ, ids=lambda array: f"{array.dtype}{array.shape}")
def test_arrays_are_read_as_numpy_reads_them(array):
    data = npy(array)
    expected = np.load(io.BytesIO(data))
    for size in (len(data), None):
        found = read_array(io.BytesIO(data), size)
        assert found.dtype == expected.dtype and found.shape == expected.shape
        assert found.tolist() == expected.tolist()
        assert found.flags.c_contiguous and found.flags.aligned and found.flags.writeable


WHOLE = npy(np.arange(2.0))
REFUSED = {
    "a set for a key": header("{[]: 1}\n"),
    "a call": header("__import__('os').abort()\n"),
    "deep": header("(" * 9000 + "\n"),
    "no header": b"\x93NUMPY\x01\x00",
    "empty": b"",
    "another version": b"\x93NUMPY\x02\x00" + WHOLE[8:],
    "big-endian": npy(np.arange(2, dtype=">f8")),
    "big-endian integers": npy(np.arange(2, dtype=">i8")),
    "long double": npy(np.arange(2, dtype=np.longdouble)),
    "complex": npy(np.arange(2).astype(complex)),
    "dates": npy(np.arange(2).astype("M8[s]")),
    "records": npy(np.zeros(2, dtype=[("a", "i4")])),
    "objects": described("|O"),
    "nothing": described("|V8"),
    "negative": described("<f8", "(-2,)"),
    "no tuple": described("<f8", "2"),
    "too large": described("<f8", "(1000000000000000,)"),
    "overflow": described("<f8", f"({2**32}, {2**32})"),
    "truncated": WHOLE[:-1],
    "longer": WHOLE + b"\0",
    "NaN": npy(np.array([1.0, np.nan])),
    "infinite": npy(np.array([np.inf], dtype="f2")),
    "no truth": described("|b1", "(2,)", 0) + b"\1\2",
    "no character": described("<U1", "(1,)", 0) + (0x110000).to_bytes(4, "little"),
    "half a surrogate pair": described("<U1", "(1,)", 0) + (0xD800).to_bytes(4, "little"),
}


@pytest.mark.guarantee("arrays")
@pytest.mark.parametrize("kind", REFUSED)
def test_other_arrays_are_refused(kind, tmp_path):
    data = REFUSED[kind]
    for size in (len(data), None):
        with pytest.raises(ValueError):
            read_array(io.BytesIO(data), size)
    (tmp_path / "a.npy").write_bytes(data)
    arrays = Arrays(tmp_path, "make it")
    reads = [lambda: arrays["a"]] if kind not in ("NaN", "infinite") else []  # of a training, which may be
    if kind not in ("NaN", "infinite", "no truth", "no character", "half a surrogate pair"):
        reads.append(lambda: arrays.mapped("a"))  # whose values are not read
    for read in reads:
        with pytest.raises(InputError, match="not an array"):
            read()
        tried()


def archive(path, *members, how=zipfile.ZIP_STORED):
    with zipfile.ZipFile(path, "w", how) as file:
        for name, content in members:
            file.writestr(name, content)
    return path


@pytest.mark.guarantee("arrays")
@pytest.mark.parametrize("how", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2], ids=["LZMA", "bzip2"])
def test_other_compressions_are_refused_sound_or_damaged(tmp_path, how):
    path = archive(tmp_path / "a.npz", ("a.npy", npy(np.arange(1000))), how=how)
    data = path.read_bytes()
    for at in (None, 40, 50, 60, 80, 120):
        changed = bytearray(data)
        if at is not None:
            changed[at] ^= 255
        path.write_bytes(changed)
        with pytest.raises(InputError, match="not a test, or damaged; make it again with `make it`"):
            read_npz(path, "a test", "make it")
        tried()


@pytest.mark.guarantee("arrays")
def test_members_of_one_name_and_members_that_are_no_arrays_are_refused(tmp_path):
    one = npy(np.arange(3))
    with pytest.warns(UserWarning):
        twice = archive(tmp_path / "twice.npz", ("a.npy", one), ("a.npy", one))
    for path in (twice, archive(tmp_path / "b.npz", ("a", one)), archive(tmp_path / "c.npz", ("a/", b""))):
        with pytest.raises(InputError, match="or damaged"):
            read_npz(path, "a test", "make it")
        tried()


@pytest.mark.guarantee("arrays")
@pytest.mark.parametrize("how", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED], ids=["stored", "deflated"])
def test_a_changed_byte_gives_the_same_arrays_or_an_error(tmp_path, how):
    whole = {"a": np.arange(20.0), "b": np.array("text")}
    path = archive(
        tmp_path / "a.npz", *((f"{name}.npy", npy(array)) for name, array in whole.items()), how=how
    )
    data, refused = path.read_bytes(), 0
    for at in range(len(data)):
        changed = bytearray(data)
        changed[at] ^= 1 << random.Random(at).randrange(8)
        path.write_bytes(changed)
        try:
            found = read_npz(path, "a test", "make it")
        except InputError:
            refused += 1
            continue
        # Dates, versions and names are not part of what the CRC covers.
        assert [array.tolist() for array in found.values()] == [array.tolist() for array in whole.values()]
        tried()
    assert refused > len(data) / 2


def test_only_the_arrays_that_are_named_are_read(tmp_path):
    path = archive(tmp_path / "a.npz", ("a.npy", npy(np.arange(3))), ("b.npy", b"damaged"))
    assert read_npz(path, "a test", "make it", only=["a"])["a"].tolist() == [0, 1, 2]
    for only in (["a", "b"], ["c"]):
        with pytest.raises(InputError):
            read_npz(path, "a test", "make it", only=only)


def test_kinds_name_the_array_that_differs():
    kinds = {"a": Kind("<i8", 1), "t": Kind("<U", 0)}
    check_kinds({"a": np.arange(2), "t": np.array("xyz")}, kinds)
    wrong = [{"a": np.arange(2.0)}, {"a": np.array(2)}, {"t": np.array(["x"])}, {"b": np.arange(2)}]
    for arrays in wrong:
        with pytest.raises(ValueError, match=f"the array {next(iter(arrays))} "):
            check_kinds(arrays, kinds)


def test_mapped_arrays_equal_those_in_memory(tmp_path):
    arrays = {
        "a": np.arange(5.0),
        "empty": np.empty((0, 3)),
        "f": np.asfortranarray(np.arange(6).reshape(2, 3)),
    }
    save_arrays(tmp_path / "x", arrays)
    folder = Arrays(tmp_path / "x", "make it")
    for name, array in arrays.items():
        assert folder.mapped(name).tolist() == folder[name].tolist() == array.tolist()
        assert folder.mapped(name).shape == array.shape
