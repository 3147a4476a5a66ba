"""Compiles functions by Numba at their first call, and keeps what was compiled on disk.

Numba sees an edit of the file of a kernel, but not of the kernels that it calls. So the folder of its cache
is named after all files of kernels. Without a folder that can be written, each process compiles anew.
"""

import multiprocessing
import os
import sys
import warnings
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba.core import event
from platformdirs import user_cache_path

Kernel = TypeVar("Kernel", bound=Callable[..., Any])

PACKAGE = Path(__file__).parent
# Kernels that call NumPy hold the lock meanwhile.
warnings.filterwarnings("ignore", ".*object mode won't allow parallel execution", numba.NumbaWarning)
CONTRACT = {"contract"}  # of Numba's option `fastmath`, see `kernel`


def compiled(function: Kernel, **options: Any) -> Kernel:
    """Compile `function` at its first call, to run outside Python's lock; `options` are those of `njit`."""
    folder, before = cache_folder(), numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder or "")
    try:
        kernel: Kernel = numba.njit(nogil=True, cache=folder is not None, **options)(function)
    finally:
        numba.config.CACHE_DIR = before  # of other packages
    return kernel


def kernel(function: Kernel) -> Kernel:
    """Compile `function` to run outside Python's lock, once for all processes.

    Contraction lets the compiler fuse multiplication and addition; it keeps infinities, NaNs and the order
    of sums.
    """
    return compiled(function, fastmath=CONTRACT)


def exact_kernel(function: Kernel) -> Kernel:
    """Compile `function` like `kernel`, but round after every operation: no contraction."""
    return compiled(function)


def inner_kernel(function: Kernel) -> Kernel:
    """Compile `function` like `kernel`, a third faster, to be called by other kernels only."""
    return compiled(function, fastmath=CONTRACT, no_cpython_wrapper=True)


def inlined(function: Kernel) -> Kernel:
    """Make `function` a part of the kernels that call it, each once: it is not compiled by itself."""
    return compiled(function, inline="always")


def any_order_kernel(function: Kernel) -> Kernel:
    """Compile `function` like `inner_kernel`, with its sums in any order, which is the same at each call."""
    return compiled(function, fastmath=CONTRACT | {"reassoc"}, no_cpython_wrapper=True)


@cache
def cache_folder() -> Path | None:
    """Return the folder of these kernels: in NUMBA_CACHE_DIR, the user's caches or beside the package."""
    digest = sha256()
    for path in sorted([*PACKAGE.glob("semihmm/**/*.py"), *PACKAGE.glob("encoder/*.py")]):
        content = path.read_bytes()
        if b"from vorlage.compiled import" in content:
            digest.update(content)
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    for parent in (Path(chosen) if chosen else None, user_cache_path("vorlage"), PACKAGE / "__pycache__"):
        if parent is None:
            continue
        folder = parent / f"kernels-{digest.hexdigest()[:16]}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(folder, os.W_OK):
            return folder
    return None


class _Note(event.Listener):
    """Says once that kernels are compiled."""

    said = False

    def on_start(self, event: event.Event) -> None:
        """Print the line before the first kernel of this package."""
        if not self.said and event.data["dispatcher"].py_func.__module__.startswith("vorlage."):
            again = "" if cache_folder() else " and at each start, until NUMBA_CACHE_DIR is a folder of yours"
            print(f"compiling for the first use{again}, which takes about half a minute", file=sys.stderr)
            self.said = True

    def on_end(self, event: event.Event) -> None:
        """Say nothing."""


if multiprocessing.current_process().name in ("MainProcess", "SpawnProcess-1"):
    event.register("numba:compile", _Note())
