"""Products in bytes against integers of NumPy, alone and among other rows, and by other instructions."""

import os
import subprocess
import sys
from hashlib import sha256

import numpy as np
import pytest
from vorlage.encoder.kernels import ByteMatrix, multiply


def draw(rows, size, columns, seed=0):
    """Return a matrix of floats (rows, size), and a transposed one (columns, size) with columns far apart."""
    numbers = np.random.default_rng(seed)
    left, right = (numbers.normal(size=(k, size)).astype(np.float32) for k in (rows, columns))
    return left * 10.0 ** numbers.integers(-3, 3, (rows, 1)).astype(np.float32), right


@pytest.mark.parametrize(("rows", "size", "columns"), [(1, 4, 64), (7, 33, 130), (13, 384, 96), (2, 1536, 5)])
def test_products_are_those_of_rounded_rows_and_columns(rows, size, columns):
    left, right = draw(rows, size, columns)
    found = multiply(left, *ByteMatrix.from_floats(right))
    assert found.shape == (rows, columns)
    scales = [np.abs(side).max(axis=1, keepdims=True) / np.float32(127) for side in (left, right)]
    ours = np.floor(left * (np.float32(1) / scales[0]) + np.float32(0.5)).astype(np.int64)
    theirs = np.rint(right / scales[1]).astype(np.int64)
    np.testing.assert_allclose(found, (ours @ theirs.T) * scales[0] * scales[1].T, rtol=1e-6)
    # Half a step on either side of each of the products.
    error = scales[0] / 2 * np.abs(right).sum(axis=1) + np.abs(left).sum(axis=1)[:, None] * scales[1].T / 2
    assert (np.abs(found - left.astype(float) @ right.T) <= 1.01 * error).all()


def test_a_row_has_the_same_bytes_among_any_others():
    left, right = draw(300, 384, 192)
    matrix, numbers = ByteMatrix.from_floats(right), np.random.default_rng(1)
    together = multiply(left, *matrix)
    for count in (1, 2, 5, 6, 7, 64, 123, 299):
        rows = numbers.permutation(300)[:count]
        np.testing.assert_array_equal(multiply(left[rows], *matrix), together[rows])


def test_rows_of_zeros_have_products_of_zero():
    _, right = draw(1, 8, 3)
    assert not multiply(np.zeros((3, 8), np.float32), *ByteMatrix.from_floats(right)).any()
    assert not multiply(np.ones((3, 8), np.float32), *ByteMatrix.from_floats(right * 0)).any()


@pytest.mark.parametrize("features", ["", "+avx2,+fma,+avx"])
def test_other_instructions_give_the_same_bytes(features, tmp_path):
    code = (
        "from test_byte_products import *; left, right = draw(50, 70, 90); "
        "print(sha256(multiply(left, *ByteMatrix.from_floats(right))).hexdigest())"
    )
    environment = os.environ | {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": features}
    environment |= {"PYTHONPATH": os.pathsep.join(sys.path), "NUMBA_CACHE_DIR": str(tmp_path)}
    found = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    left, right = draw(50, 70, 90)
    assert found.stdout.strip() == sha256(multiply(left, *ByteMatrix.from_floats(right))).hexdigest()
