"""Toeplitz products over long documents by spectra, against the same products term by term."""

import numpy as np
import pytest
from vorlage.semihmm.kernels import toeplitz_fft
from vorlage.semihmm.kernels.arguments import KernelInputs
from vorlage.semihmm.kernels.compile import kernel
from vorlage.semihmm.kernels.scaling import Scaled
from vorlage.semihmm.kernels.toeplitz import make_toeplitz, transpose
from vorlage.semihmm.kernels.toeplitz_fft import ERROR, SHORTEST, WIDTH, make_spectra
from vorlage.semihmm.kernels.toeplitz_products import toeplitz_product
from vorlage.semihmm.kernels.transitions import toeplitz_transitions

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
    forward, backward = make_spectra(toeplitz)
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
        document.astype(np.int32),
        summary.astype(np.int32),
        10.0 ** rng.uniform(-30, 0, (30, 300)),
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
