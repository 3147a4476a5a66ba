"""Folders that are expensive to make, made once for all workers of a run."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest


def build_once(factory: pytest.TempPathFactory, name: str, build: Callable[[Path], None]) -> Path:
    """Return a folder that `build` fills once for all workers of a run; no test may change it."""
    base = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        base = base.parent
    folder, complete, failed = (base / f"{name}-{state}" for state in ("for-all", "complete", "failed"))
    try:
        folder.mkdir()
    except FileExistsError:  # another worker makes it, or has made it
        while not complete.exists():
            assert not failed.exists(), f"another worker could not make {folder}"
            time.sleep(0.1)
        return folder
    try:
        build(folder)
    except BaseException:
        failed.touch()
        raise
    complete.touch()
    return folder
