"""Compiled kernels, kept on disk across processes where that is possible, and compiled again where it is not.

Numba's own cache raises an error where a folder cannot be written or a file is damaged, and does not notice
edits to the files of the kernels that a kernel calls. Here, a compiled kernel is one file, named after all
that decides how it is compiled. The file is a pickle, which could run any code, so it is never read from a
folder that others have made in the temporary folder of the machine.
"""

import contextlib
import hashlib
import multiprocessing
import os
import pickle
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba.core.caching import _Cache
from numba.core.runtime import rtsys
from numba.core.serialize import dumps

Kernel = TypeVar("Kernel", bound=Callable[..., Any])

CHECKSUM_BYTES = 4
PRIVATE = "vorlage-"  # begins the name of a folder of one user in the temporary folder of the machine


def compile_kernel(function: Kernel, **options: Any) -> Kernel:
    """Compile `function` at its first call, to run outside Python's lock; `options` are those of `njit`."""
    kernel: Any = numba.njit(nogil=True, no_cfunc_wrapper=True, **options)(function)
    if not numba.config.DISABLE_JIT:
        kernel._cache = _KernelCache(function, options)
    return kernel


class _KernelCache(_Cache):
    """The files of one kernel, one for each signature and processor."""

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        self._function, self._options = function, options

    def load_overload(self, signature: Any, context: Any) -> Any:
        """Return the compiled kernel for a signature, or None, whatever is wrong with its file."""
        rtsys.initialize(context)  # not `context.refresh()`, which loads what only a compilation needs
        name = self._name(signature, context.codegen())
        for folder in _folders(read=True):
            try:
                content = (folder / name).read_bytes()
                data = content[CHECKSUM_BYTES:]
                if _checksum(data) == content[:CHECKSUM_BYTES]:
                    return numba.core.compiler.CompileResult._rebuild(context, *pickle.loads(data))
            except Exception:  # the file is missing, unreadable or of another version of a library
                continue
        _say("compiling for the first use, which can take a minute")
        return None

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Write a compiled kernel to the first folder that accepts it."""
        if compiled.library.has_dynamic_globals:
            return
        data = dumps(compiled._reduce())
        name, reason = self._name(signature, compiled.library.codegen), "no folder"
        for folder in _folders():
            temporary = folder / f".{name}.{os.getpid()}"
            try:
                folder.mkdir(0o700 if folder.name.startswith(PRIVATE) else 0o777, True, True)
                temporary.write_bytes(_checksum(data) + data)
                temporary.replace(folder / name)
                return
            except OSError as error:
                reason = f"{folder}: {error.strerror}"
            finally:
                with contextlib.suppress(OSError):
                    temporary.unlink()
        _say(f"compiled kernels are not kept ({reason}); set NUMBA_CACHE_DIR to a folder of yours")

    def _name(self, signature: Any, codegen: Any) -> str:
        """Return the name of the file for a signature on this processor."""
        code, cells = self._function.__code__, self._function.__closure__ or ()
        closure = dumps(tuple(cell.cell_contents for cell in cells))
        path = Path(code.co_filename)
        place = (path.name, code.co_firstlineno, str(signature), str(self._options), closure)
        key = repr((*place, codegen.magic_tuple()))
        return f"{code.co_name}-{_digest(path.parent)}-{hashlib.sha256(key.encode()).hexdigest()[:16]}.kernel"

    @property
    def cache_path(self) -> str:
        """The folder of the first choice, for Numba's statistics."""
        return str(next(_folders()))

    def enable(self) -> None:
        """Do nothing: the cache is always on."""

    disable = flush = enable


def _checksum(data: bytes) -> bytes:
    return zlib.crc32(data).to_bytes(CHECKSUM_BYTES)


@cache
def _digest(folder: Path) -> str:
    """Return a digest of the modules in a folder and of the versions of Python and Numba."""
    digest = hashlib.sha256(f"{numba.__version__} {sys.implementation.cache_tag}".encode())
    for path in sorted(folder.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _folders(read: bool = False) -> Iterator[Path]:
    """Yield the folders of compiled kernels, the first choice first: all are read, one is written.

    They are NUMBA_CACHE_DIR, beside the package, the caches of the user, and a temporary folder of the user,
    which is `read` only if it is there: another user could make it at that moment.
    """
    if chosen := os.environ.get("NUMBA_CACHE_DIR"):
        yield Path(chosen, "vorlage")
    yield Path(__file__).parent / "__pycache__" / "kernels"
    caches = Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"))
    if caches.is_absolute():  # there may be no home
        yield caches / "vorlage"
    user = getattr(os, "getuid", int)()
    with contextlib.suppress(OSError):  # there may be no temporary folder
        private = Path(tempfile.gettempdir(), f"{PRIVATE}{user}")
        state = private.lstat() if private.exists() else None
        is_own = state and (sys.platform == "win32" or (state.st_uid, state.st_mode) == (user, 0o40700))
        if is_own or not (state or read):
            yield private


@cache
def _say(line: str) -> None:
    """Print a line once, by the first of several processes."""
    if multiprocessing.current_process().name in ("MainProcess", "SpawnProcess-1"):
        print(line, file=sys.stderr)
