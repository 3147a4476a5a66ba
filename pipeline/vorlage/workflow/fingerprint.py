"""Fingerprints of code, by which Snakemake sees edits inside the package.

The fingerprint of a module is a hash of the syntax trees, without docstrings, of the module and of all that
it imports from `vorlage`, transitively, with the TOML files of the same names and the versions of the
libraries that can change a result. So an edit to a comment or a docstring changes no fingerprint. A module
that is imported by a name computed at run time is not covered: name it too.
"""

import ast
import hashlib
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

from vorlage.types import StrPath

if TYPE_CHECKING:
    import grimp

PACKAGE = Path(__file__).parent
# Libraries whose version can change a result; the others only read and write.
DECISIVE = {"nltk", "scipy", "numba", "numpy", "thot", "textblob", "benepar", "tokenizers"}
DECISIVE |= {"ot", "simalign"}
DISTRIBUTIONS = {"ot": "POT", "thot": "sil-thot"}  # of libraries that are imported by another name
SETTINGS = "vorlage.settings"  # decides nothing: rules pass all settings as options


def fingerprint(*modules: str) -> dict[str, str]:
    """Return each module that `modules` import with 12 hex digits, and each library with its version.

    Args:
        modules: such as `vorlage.workflow.stages.extract`.

    Raises:
        ModuleNotFoundError: for a module that does not exist.
    """
    graph = _imports()
    names = set(modules)
    for module in modules:
        if module not in graph.modules:
            raise ModuleNotFoundError(f"no module {module} in {PACKAGE}")
        names |= graph.find_upstream_modules(module)
    names -= {SETTINGS}
    parts = {name: _code(name) for name in sorted(names) if name.split(".")[0] == PACKAGE.name}
    return parts | {name: _version(name) for name in sorted(names & DECISIVE)}


def digest(value: object) -> str:
    """Return twelve hex digits over the `repr` of a value."""
    return hashlib.sha256(repr(value).encode()).hexdigest()[:12]


def file_digest(path: StrPath) -> str:
    """Return twelve hex digits over the content of a file, or of the files under a folder and their names."""
    path, total = Path(path), hashlib.sha256()
    for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
        if file.is_file():
            total.update(f"{file.relative_to(path)}\n".encode() if path.is_dir() else b"")
            with open(file, "rb") as content:
                total.update(hashlib.file_digest(content, "sha256").digest())
    return total.hexdigest()[:12]


@cache
def package_fingerprint() -> str:
    """Return twelve hex digits over all modules of the package and their data files."""
    return digest([path.read_bytes() for path in sorted([*PACKAGE.rglob("*.py"), *PACKAGE.rglob("*.toml")])])


@cache
def _imports() -> "grimp.ImportGraph":
    """Return the graph of the imports of the package, with the libraries that it imports."""
    import grimp

    return grimp.build_graph(
        PACKAGE.name,
        include_external_packages=True,
        exclude_type_checking_imports=True,
        cache_dir=None,
    )


@cache
def _code(module: str) -> str:
    """Return twelve hex digits over the syntax tree of a module without docstrings, and its data file."""
    path = PACKAGE.parent.joinpath(*module.split("."))
    # A folder of the name may be left of a package that is a module now.
    source = path.with_suffix(".py") if path.with_suffix(".py").exists() else path / "__init__.py"
    tree = ast.parse(source.read_bytes())
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(
            node, clean=False
        ):
            node.body = node.body[1:]
    data = source.with_suffix(".toml")
    return digest((ast.dump(tree), data.read_bytes()) if data.is_file() else ast.dump(tree))


def _version(library: str) -> str:
    """Return the installed version of a library, by the name of its module."""
    try:
        return version(DISTRIBUTIONS.get(library, library))
    except PackageNotFoundError:
        return "absent"
