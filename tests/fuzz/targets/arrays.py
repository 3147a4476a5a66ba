"""Array files and archives of them: headers, sizes and values."""

import io
import zipfile

import numpy as np

from fuzz.mutators import damage, npz
from fuzz.target import Target, put
from pipeline.io.arrays import Arrays
from pipeline.io.npz import read_npz

WRITTEN = (
    *(np.arange(3.0), np.arange(6, dtype=np.int32).reshape(2, 3), np.array(7), np.array("text")),
    *(np.array(["a", "bc"]), np.array([True, False]), np.asfortranarray(np.eye(2)), np.empty((0, 2))),
)


def check_file(data):
    """Check that an accepted file has the array that NumPy reads from it."""
    found = Arrays(put("folder/a.npy", data).parent, "make it")["a"]
    expected = np.load(io.BytesIO(data), allow_pickle=False)
    assert found.dtype == expected.dtype and found.shape == expected.shape
    assert found.tobytes() == expected.tobytes() and found.flags.c_contiguous


def check_archive(data):
    """Check that an accepted archive has the arrays that NumPy reads from it."""
    arrays = read_npz(put("arrays.npz", data), "an archive", "make it")
    with np.load(io.BytesIO(data), allow_pickle=False) as expected:
        assert set(arrays) == set(expected.files)
        for name, array in arrays.items():
            assert array.tobytes() == expected[name].tobytes()


def mutate(data, random):
    """Change arrays of an archive, or bytes of it or of an array file: those of a header more often."""
    if data.startswith(b"PK"):
        return (npz if random.random() < 0.7 else damage)(data, random)
    if random.random() < 0.7:
        at = data.find(b"\n") + 1
        return damage(data[:at], random) + data[at:]
    return damage(data, random)


def seeds():
    """Return files of arrays of several types, and an archive of them, stored and deflated."""
    made = []
    for array in WRITTEN:
        out = io.BytesIO()
        np.save(out, array)
        made.append(out.getvalue())
    for how in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", how) as archive:
            for number, data in enumerate(made[: len(WRITTEN)]):
                archive.writestr(zipfile.ZipInfo(f"a{number}.npy"), data, how)  # without the time
        made.append(out.getvalue())
    return made


TARGET = Target((check_file, check_archive), seeds, mutate)
