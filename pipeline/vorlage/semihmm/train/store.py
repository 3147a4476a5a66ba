"""Arrays by name, in memory or in the files of a folder."""

from pathlib import Path

import numpy as np
from numpy.typing import DTypeLike

from vorlage.types import AnyArray


class ArrayStore:
    """Arrays by name: in memory, or mapped from the files of a `folder`, so that they use no memory."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder
        self._arrays: dict[str, AnyArray] = {}
        if folder:
            folder.mkdir(parents=True, exist_ok=True)

    def __contains__(self, name: str) -> bool:
        return self._path(name).exists() if self.folder else name in self._arrays

    def __getitem__(self, name: str) -> AnyArray:
        """Return an array; changes of one that is mapped are not stored."""
        if not self.folder:
            return self._arrays[name]
        # Writable, because kernels are compiled again for arrays that are not.
        return np.asarray(np.load(self._path(name), mmap_mode="c", allow_pickle=False))

    def __setitem__(self, name: str, array: AnyArray) -> None:
        if self.folder:
            np.save(self._path(name), array, allow_pickle=False)
        else:
            self._arrays[name] = array

    def allocate(self, name: str, size: int, dtype: DTypeLike) -> AnyArray:
        """Return a new array of zeros, whose changes are stored."""
        if not self.folder:
            self._arrays[name] = np.zeros(size, dtype)
            return self._arrays[name]
        self._path(name).unlink(missing_ok=True)  # an array that is still in use stays as it is
        shape = (max(size, 1),)  # a file of no bytes cannot be mapped
        return np.asarray(np.lib.format.open_memmap(self._path(name), "w+", np.dtype(dtype), shape))[:size]

    def _path(self, name: str) -> Path:
        return Path(self.folder or "") / f"{name}.npy"
