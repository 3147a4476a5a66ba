"""Toeplitz products by a constant and a band against dense matrices."""

import numpy as np
import pytest
from vorlage.compiled import kernel
from vorlage.semihmm.kernels.forward_backward import KernelInputs, expect
from vorlage.semihmm.kernels.scaling import Scaled
from vorlage.semihmm.kernels.toeplitz import Factor, make_bands, make_toeplitz, multiply, transpose
from vorlage.semihmm.kernels.transitions import toeplitz_transitions


@kernel
def product(factor, rows, out):
    multiply(factor, rows, out)


def logarithms(n, first, last):
    """Return log J at distances −n … n+1, random from `first` to `last` and smaller elsewhere."""
    logs = np.full(2 * n + 2, -12.0)
    logs[n + first : n + last + 1] = np.random.default_rng(0).uniform(-12, 0, last - first + 1)
    return logs


@pytest.mark.parametrize("n", [600, 1100])
@pytest.mark.parametrize(("first", "last"), [(-100, 130), (-3, -1), (40, 41), (-1, 300), (0, 1)])
def test_banded_products_are_those_of_the_matrix(n, first, last):
    rng, logs = np.random.default_rng(1), logarithms(n, first, last)
    toeplitz = make_toeplitz(logs)
    band, transposed = make_bands(toeplitz)
    assert len(band.above) == max(last, 1) - min(first, 0) + 1
    jumps = np.exp(logs[n + np.arange(1, n + 2) - np.arange(n + 1)[:, None]])
    for _ in range(2):  # nothing of the first row is left
        for matrix, of_matrix, expected in (
            (toeplitz, band, jumps),
            (transpose(toeplitz), transposed, jumps.T),
        ):
            rows = 10.0 ** rng.uniform(-250, 0, (2, n + 1))
            found = Scaled(np.empty((2, n + 1)), np.zeros((2, 1), dtype=np.int64))
            product(Factor(matrix, of_matrix, np.empty((0, 0))), Scaled(rows, np.array([[-3], [-3]])), found)
            unit = 2.0 ** (256 * (found.scale + 3))
            np.testing.assert_allclose(found.values * unit, rows @ expected, rtol=1e-13)


@pytest.mark.parametrize(("n", "length"), [(500, 30), (1500, 40)])
def test_expectations_with_and_without_counts_are_the_same(n, length):
    rng = np.random.default_rng(4)
    document, summary = rng.integers(0, 300, n), rng.integers(0, 30, length)
    inputs = (
        (10.0 ** rng.uniform(-30, 0, (30, 300)))[summary][:, document],
        10.0 ** rng.uniform(-12, -2, length),
        np.array([(3, 2, 7, 2), (9, 1, 100, 2)], dtype=np.int32),
        np.array([0, 1], dtype=np.int32),
        np.array([1e-3, 1e-9]),
    )
    logs = logarithms(n, -50, 80)
    toeplitz = make_toeplitz(logs - np.logaddexp.reduce(logs))
    inputs = KernelInputs(*inputs, toeplitz_transitions(0.15, toeplitz))
    [found], [expected] = expect([inputs], counted=False), expect([inputs])
    assert found.log_likelihood == pytest.approx(expected.log_likelihood, rel=1e-13)
    for one, other in zip(found[1:4], expected[1:4], strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-13)
