"""The packages around the core, by name: the one place where the core knows of them, and works without them.

The core imports none of them. It looks up what each adds by a name in its `__init__.py`: `COMMANDS` and
`STEPS` are commands of `vorlage`, `SCHEMAS` types of JSON, and `check` tells what statements say differently.
"""

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

EXTENSIONS = ("checks", "app", "workflow")


def extension(name: str) -> ModuleType | None:
    """Return one of the packages, or None if it is not there."""
    return import_module(f"vorlage.{name}") if find_spec(f"vorlage.{name}") else None


def offers(name: str) -> list[Any]:
    """Return what the packages offer under a name, in their order."""
    packages = map(extension, EXTENSIONS)
    return [getattr(package, name) for package in packages if hasattr(package, name)]
