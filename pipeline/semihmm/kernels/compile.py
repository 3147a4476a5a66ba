"""Compilation of the kernels, kept on disk from one process to the next.

Kernels of one file call those of another. Numba's cache notices an edit to the file of a kernel and not to
those of the kernels it calls, so the folder of the cache is named after the content of all files here.
"""

import hashlib
import os
from pathlib import Path

import numba

HERE = Path(__file__).parent


def _cache():
    """A folder for this state of the code: in NUMBA_CACHE_DIR if that is set, or beside the code."""
    sources = b"".join(path.read_bytes() for path in sorted(HERE.glob("*.py")))
    base = Path(os.environ.get("NUMBA_CACHE_DIR") or HERE / "__pycache__")
    return base / f"kernels-{hashlib.sha256(sources).hexdigest()[:12]}"


numba.config.CACHE_DIR = str(_cache())


def kernel(function):
    """Compile ``function`` so that it runs outside Python's lock and is compiled once for all processes.

    Contraction lets the compiler fuse multiply and add; infinities, NaNs and the order of sums stay.
    """
    return numba.njit(cache=True, nogil=True, fastmath={"contract"})(function)
