"""What the package finds by name and does not import: packages around the core, and the classes of a folder.

The core imports none of the packages around it, and works without them. It looks up what each adds by a name
in its `__init__.py`, which imports nothing: `COMMANDS` and `STEPS` are commands of `vorlage`, `SCHEMAS` types
of JSON, `CHECKER` the module that tells what statements say differently, `LINK_SCORER` that of a decoder. A
class that is added to a folder changes no other file and no fingerprint.
"""

import pkgutil
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from vorlage.command.errors import did_you_mean

PACKAGE = Path(__file__).parent
EXTENSIONS = ("vorlage.checks", "vorlage.app", "vorlage.workflow")


def offers(name: str) -> list[Any]:
    """Return what the packages that are there offer under a name, in their order."""
    packages = [import_module(package) for package in EXTENSIONS if find_spec(package)]
    return [getattr(package, name) for package in packages if hasattr(package, name)]


class Registry:
    """The classes or records of a folder of the package, by the `name` that each has.

    That of the file is the same: `syntax-counts` is in `syntax_counts.py`. `added`: others by name, without a
    file there.
    """

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self.added: dict[str, Any] = {}

    def names(self) -> tuple[str, ...]:
        """Return the names of all classes, sorted."""
        files = (file.name.replace("_", "-") for file in pkgutil.iter_modules([str(PACKAGE / self._folder)]))
        return tuple(sorted({*files, *self.added}))

    def check(self, name: str) -> str:
        """Return the name of a class; raise `ValueError` for another name."""
        if name not in self.names():
            names = ", ".join(self.names())
            raise ValueError(f"it must be one of: {names}{did_you_mean(str(name), self.names())}")
        return name

    def module(self, name: str) -> str:
        """Return the module of a class of the folder."""
        return f"{PACKAGE.name}.{self._folder.replace('/', '.')}.{name.replace('-', '_')}"

    def load(self, name: str) -> Any:
        """Return the class of one of the `names`."""
        if name in self.added:
            return self.added[name]
        members = vars(import_module(self.module(name))).values()
        return next(member for member in members if getattr(member, "name", None) == name)


JUMPS = Registry("semihmm/jumps")
