"""Toeplitz products: by a constant and a band against dense matrices, by spectra against term by term."""

import numpy as np
import pytest
from vorlage.compiled import kernel
from vorlage.semihmm.kernels import toeplitz_fft
from vorlage.semihmm.kernels.forward_backward import KernelInputs, expect
from vorlage.semihmm.kernels.scaling import Scaled
from vorlage.semihmm.kernels.toeplitz import (
    banded_product,
    make_bands,
    make_toeplitz,
    toeplitz_product,
    transpose,
)
from vorlage.semihmm.kernels.toeplitz_fft import ERROR, SHORTEST, WIDTH, make_spectra
from vorlage.semihmm.kernels.transitions import toeplitz_transitions


@kernel
def multiply_by_band(band, row, out):
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
        multiply_by_band(band, alpha, forward)
        multiply_by_band(transposed, start, backward)
        unit = 2.0 ** (256 * toeplitz.scales[0])
        np.testing.assert_allclose(forward * unit, alpha @ jumps, rtol=1e-13)
        np.testing.assert_allclose(backward * unit, jumps @ start, rtol=1e-13)


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
    found, expected = expect(inputs, counted=False), expect(inputs)
    assert found.log_likelihood == pytest.approx(expected.log_likelihood, rel=1e-13)
    for one, other in zip(found[1:4], expected[1:4], strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-13)


# Around multiples of the width.
SIZES = [SHORTEST, SHORTEST + 1, 9 * WIDTH - 1, 9 * WIDTH, 16 * WIDTH + 7]


@kernel
def multiply(toeplitz, spectra, row, out):
    toeplitz_product(toeplitz, None, spectra, row, out)


def inverse_square(n):
    return -2 * np.log1p(np.abs(np.arange(-n, n + 2) - 1.0))


def uniform(n):
    return np.zeros(2 * n + 2)


def noisy(n):
    """A table like a trained one: some distances were seen now and then, others never."""
    rng = np.random.default_rng(1)
    return inverse_square(n) / 2 + np.log(rng.choice([0.01, 1, 2, 5], 2 * n + 2))


def rough(n):
    """A table that spans too much for any tile."""
    return np.log(10) * np.random.default_rng(2).uniform(-12, 0, 2 * n + 2)


def rows(n):
    """Return rows for which a sum that is right for its largest terms alone is wrong."""
    rng = np.random.default_rng(3)
    first, parts = np.zeros(n), np.zeros(n)
    first[0] = 1e-200
    parts[300:310], parts[-1] = 1.0, 1e-250
    return [np.ones(n), first, parts, 10.0 ** rng.uniform(-250, 0, n)]


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("make", [inverse_square, uniform, noisy, rough])
def test_every_sum_is_right_to_its_last_digits(make, n):
    toeplitz = make_toeplitz(make(n))
    forward, backward = make_spectra(toeplitz.tables, toeplitz.start, n)
    for matrix, spectra in ((toeplitz, forward), (transpose(toeplitz), backward)):
        for row in rows(matrix.rows[-1]):
            given, size = Scaled(row, np.array([-3])), matrix.columns[-1]
            found, expected = (Scaled(np.empty(size), np.zeros(1, dtype=np.int64)) for _ in range(2))
            multiply(matrix, spectra, given, found)
            multiply(matrix, None, given, expected)
            assert found.scale[0] == expected.scale[0] == -3
            assert np.all(expected.values > 0)
            assert np.abs(found.values / expected.values - 1).max() < ERROR


@pytest.mark.parametrize("make", [inverse_square, noisy])
@pytest.mark.parametrize(("n", "length"), [(SHORTEST, 2), (2500, 40)])
def test_expectations_by_spectra_are_the_same(make, n, length, monkeypatch):
    rng = np.random.default_rng(4)
    document, summary = rng.integers(0, 300, n), rng.integers(0, 30, length)
    inputs = (
        (10.0 ** rng.uniform(-30, 0, (30, 300)))[summary][:, document],
        10.0 ** rng.uniform(-12, -2, length),
        np.empty((0, 4), dtype=np.int32),
        np.empty(0, dtype=np.int32),
        np.empty(0),
    )
    logs = make(n)
    transitions = toeplitz_transitions(0.15, make_toeplitz(logs - np.logaddexp.reduce(logs)))
    found = expect(KernelInputs(*inputs, transitions))
    monkeypatch.setattr(toeplitz_fft, "SHORTEST", n + 1)
    expected = expect(KernelInputs(*inputs, transitions))
    assert found.log_likelihood == pytest.approx(expected.log_likelihood, rel=1e-13)
    for one, other in zip(found[1:], expected[1:], strict=True):
        assert np.all(one >= 0)
        assert one == pytest.approx(other, rel=1e-9, abs=1e-11)
