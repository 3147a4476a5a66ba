"""Toeplitz products by a constant and a band, against dense matrices."""

import numpy as np
import pytest
from vorlage.semihmm.kernels.arguments import KernelInputs
from vorlage.semihmm.kernels.compile import kernel
from vorlage.semihmm.kernels.forward_backward import expect
from vorlage.semihmm.kernels.toeplitz import make_toeplitz
from vorlage.semihmm.kernels.toeplitz_band import banded_product, make_bands
from vorlage.semihmm.kernels.transitions import toeplitz_transitions


@kernel
def multiply(band, row, out):
    banded_product(band, row, out)


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
    jumps = np.exp(logs[n + np.arange(1, n + 1) - np.arange(n + 1)[:, None]])
    for _ in range(2):  # nothing of the first row is left
        alpha, start = 10.0 ** rng.uniform(-250, 0, n + 1), 10.0 ** rng.uniform(-250, 0, n)
        forward, backward = np.empty(n), np.empty(n + 1)
        multiply(band, alpha, forward)
        multiply(transposed, start, backward)
        unit = 2.0 ** (256 * toeplitz.scales[0])
        np.testing.assert_allclose(forward * unit, alpha @ jumps, rtol=1e-13)
        np.testing.assert_allclose(backward * unit, jumps @ start, rtol=1e-13)


@pytest.mark.parametrize(("n", "length"), [(500, 30), (1500, 40)])
def test_expectations_with_and_without_counts_are_the_same(n, length):
    rng = np.random.default_rng(4)
    inputs = (
        rng.integers(0, 300, n, dtype=np.int32),
        rng.integers(0, 30, length, dtype=np.int32),
        10.0 ** rng.uniform(-30, 0, (30, 300)),
        10.0 ** rng.uniform(-12, -2, length),
        np.array([(3, 2, 7, 2), (9, 1, 100, 2)], dtype=np.int32),
        np.array([0, 1], dtype=np.int32),
        np.array([1e-3, 1e-9]),
    )
    logs = logarithms(n, -50, 80)
    toeplitz = make_toeplitz(logs - np.logaddexp.reduce(logs))
    inputs = KernelInputs(*inputs, toeplitz_transitions(0.15, toeplitz))
    links, expected_links = np.empty((2, length, n))
    found = expect(inputs, 1.0, links, counted=False)
    expected = expect(inputs, 1.0, expected_links, counted=True)
    assert found.log_likelihood == pytest.approx(expected.log_likelihood, rel=1e-13)
    np.testing.assert_allclose(links, expected_links, rtol=1e-9, atol=1e-13)
    for one, other in zip(found[1:4], expected[1:4], strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-13)
