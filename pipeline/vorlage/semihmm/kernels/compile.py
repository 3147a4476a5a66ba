"""Compilation of the kernels, cached on disk across processes.

Numba's cache notices an edit to the file of a kernel but not to the files of the kernels it calls, so the
cache folder is named after the content of every file in this package.
"""

import hashlib
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba

HERE = Path(__file__).parent

Kernel = TypeVar("Kernel", bound=Callable[..., Any])


def _cache_folder() -> Path:
    """Return the folder for this state of the code.

    It is in NUMBA_CACHE_DIR if that is set, else beside the code or, if an administrator has installed that,
    among the caches of the user.
    """
    sources = b"".join(path.read_bytes() for path in sorted(HERE.glob("*.py")))
    beside = HERE / "__pycache__"
    if not os.access(beside if beside.exists() else HERE, os.W_OK):
        beside = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "vorlage"
    base = Path(os.environ.get("NUMBA_CACHE_DIR") or beside)
    return base / f"kernels-{hashlib.sha256(sources).hexdigest()[:12]}"


numba.config.CACHE_DIR = str(_cache_folder())


def is_compiled() -> bool:
    """Return whether kernels need no compilation, as far as their cache shows."""
    return bool(numba.config.DISABLE_JIT) or any(Path(numba.config.CACHE_DIR).rglob("*.nbc"))


def announce_compilation() -> None:
    """Say on standard error that kernels will be compiled, if they will be."""
    if not is_compiled():
        print("compiling for the first use, which takes about a minute", file=sys.stderr)


def kernel(function: Kernel) -> Kernel:
    """Compile `function` to run outside Python's lock, once for all processes.

    Contraction lets the compiler fuse multiplication and addition; it keeps infinities, NaNs and the order
    of sums.
    """
    compiled: Kernel = numba.njit(cache=True, nogil=True, fastmath={"contract"})(function)
    return compiled


def exact_kernel(function: Kernel) -> Kernel:
    """Compile `function` like `kernel`, but round after every operation: no contraction."""
    compiled: Kernel = numba.njit(cache=True, nogil=True)(function)
    return compiled
