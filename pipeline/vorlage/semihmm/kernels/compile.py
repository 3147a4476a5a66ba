"""How the kernels are compiled.

Those that every command needs sum in loops: a kernel that calls `sum` or `cumsum` imports Numba's and SciPy's
linear algebra when it is read from its file, which takes a tenth of a second.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from vorlage.kernel_cache import compile_kernel

Kernel = TypeVar("Kernel", bound=Callable[..., Any])


def kernel(function: Kernel) -> Kernel:
    """Compile `function` to run outside Python's lock, once for all processes.

    Contraction lets the compiler fuse multiplication and addition; it keeps infinities, NaNs and the order
    of sums.
    """
    return compile_kernel(function, fastmath={"contract"})


def exact_kernel(function: Kernel) -> Kernel:
    """Compile `function` like `kernel`, but round after every operation: no contraction."""
    return compile_kernel(function)


def inner_kernel(function: Kernel) -> Kernel:
    """Compile `function` like `kernel`, a third faster, to be called by other kernels only."""
    return compile_kernel(function, fastmath={"contract"}, no_cpython_wrapper=True)
