"""The packages around the core, which it finds by name and works without."""

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

# What each adds to the core, which never imports it.
EXTENSIONS = {"checks": "what a text says differently from its document"}


def extension(name: str) -> ModuleType | None:
    """Return the package `vorlage.<name>`, one of `EXTENSIONS`, or None if it is not there."""
    package = f"vorlage.{name}"
    return import_module(package) if name in EXTENSIONS and find_spec(package) else None
