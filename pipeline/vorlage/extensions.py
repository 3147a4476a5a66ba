"""The packages around the core, by name: the one place where the core knows of them.

The core imports none of them. Each is looked up where it may add something, by a name in its `__init__.py`:
`COMMANDS` and `STEPS` are commands of `vorlage`, `SCHEMAS` types of JSON, and `check` tells what statements
say differently.
"""

from importlib import import_module
from importlib.util import find_spec
from typing import Any

EXTENSIONS = ("checks", "app", "workflow")


def offers(name: str) -> list[Any]:
    """Return what the packages that are installed offer under a name, in their order."""
    packages = [
        import_module(f"vorlage.{package}") for package in EXTENSIONS if find_spec(f"vorlage.{package}")
    ]
    return [getattr(package, name) for package in packages if hasattr(package, name)]
