"""Checks of the numbers in a model file; each check raises ValueError."""

from collections.abc import Sequence

import numpy as np

from vorlage.types import AnyArray, Floats

ROUNDING = 1e-9  # of a sum of probabilities


def check_distribution(what: str, probabilities: Floats, others: float = 0.0) -> None:
    """Raise ValueError unless no probability is below 0 and, with `others`, they sum to 1."""
    check_counts(what, probabilities)
    total = float(np.sum(probabilities)) + others
    if abs(total - 1.0) > ROUNDING:
        raise ValueError(f"{what} sum to {total!r} and not to 1")


def check_counts(what: str, values: Floats | Sequence[float]) -> None:
    """Raise ValueError unless `values` are finite floating-point numbers of at least 0."""
    numbers = np.asarray(values)
    if numbers.dtype.kind != "f" or not np.all(np.isfinite(numbers)) or np.any(numbers < 0):
        raise ValueError(f"{what} are not all finite numbers of at least 0")


def check_shape(what: str, array: AnyArray, shape: tuple[int | None, ...]) -> None:
    """Raise ValueError unless `array` has the `shape`, in which None is any size."""
    if array.ndim != len(shape) or any(
        expected not in (None, size) for size, expected in zip(array.shape, shape, strict=True)
    ):
        raise ValueError(f"{what} have the shape {array.shape}")


def check_integers(what: str, numbers: AnyArray, least: int, end: int) -> None:
    """Raise ValueError unless the `numbers` are integers from `least` to below `end`."""
    if numbers.dtype.kind not in "iu":
        raise ValueError(f"{what} are not integers")
    if numbers.size and not least <= numbers.min() <= numbers.max() < end:
        raise ValueError(
            f"{what} go from {numbers.min()} to {numbers.max()}; they must be from {least} to {end - 1}"
        )
