"""Imports modules of a library without the rest of it."""

import importlib
import sys
from collections.abc import Sequence
from importlib.machinery import PathFinder
from importlib.util import module_from_spec
from types import ModuleType


def import_alone(names: Sequence[str], packages: Sequence[str]) -> list[ModuleType]:
    """Import the modules `names` of a library without running the code of its `packages`; return them.

    `packages`: the library and those of its packages whose `__init__` is left out, outer ones first. The
    modules are copies of their own: a program that imports the library gets all of it, and what it has
    imported already stays as it is.
    """
    library = packages[0]
    kept = _take_out(library)
    try:
        for package in packages:
            outer = sys.modules.get(package.rpartition(".")[0])
            spec = PathFinder.find_spec(package, list(outer.__path__) if outer else None)
            if spec is None:
                raise ModuleNotFoundError(f"No module named {package!r}", name=package)
            sys.modules[package] = module_from_spec(spec)  # empty: its code is not run
        return [importlib.import_module(name) for name in names]
    finally:
        _take_out(library)
        sys.modules.update(kept)


def _take_out(library: str) -> dict[str, ModuleType]:
    """Remove the modules of a library from those that are imported, and return them by name."""
    found = [name for name in sys.modules if name.partition(".")[0] == library]
    return {name: sys.modules.pop(name) for name in found}
