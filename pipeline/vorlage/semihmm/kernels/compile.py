"""How the kernels are compiled."""

from collections.abc import Callable
from typing import Any, TypeVar

from vorlage.compiled import compiled

Kernel = TypeVar("Kernel", bound=Callable[..., Any])


def kernel(function: Kernel) -> Kernel:
    """Compile `function` to run outside Python's lock, once for all processes.

    Contraction lets the compiler fuse multiplication and addition; it keeps infinities, NaNs and the order
    of sums.
    """
    return compiled(function, fastmath={"contract"})


def exact_kernel(function: Kernel) -> Kernel:
    """Compile `function` like `kernel`, but round after every operation: no contraction."""
    return compiled(function)


def inner_kernel(function: Kernel) -> Kernel:
    """Compile `function` like `kernel`, a third faster, to be called by other kernels only."""
    return compiled(function, fastmath={"contract"}, no_cpython_wrapper=True)
