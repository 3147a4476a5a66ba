"""Fingerprints of code: what Snakemake cannot see by itself, edits inside the package.

The fingerprint of a module is a hash over the syntax trees, docstrings stripped, of the module and of
everything it imports from ``pipeline``, transitively, together with the versions of the libraries
that can change a result. An edit to a comment or a docstring leaves it as it is. A module that is
imported by a name computed at run time is not seen: its importer's fingerprint is asked for together
with it.
"""

import ast
import hashlib
import os
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from pipeline.io.checksums import open_checked

PACKAGE = Path(__file__).parent
# Libraries whose version can change a result; the others only move bytes.
DECISIVE = frozenset({"nltk", "scipy", "sklearn", "numba", "numpy", "thot", "textblob", "benepar"})
DISTRIBUTIONS = {"sklearn": "scikit-learn", "thot": "sil-thot"}


def fingerprint(*modules):
    """The fingerprint of modules run as commands (``"pipeline.extract"``): a dict that names its parts.

    Returns module or library name → 12 hex digits or version, over everything the modules import.
    A package named here stands for the command ``python -m`` runs, its ``__main__``; one that is
    imported stands for its ``__init__``. Raises ``ModuleNotFoundError`` for a module that is not there.
    """
    found, libraries = {}, set()
    pending = [_command(module) for module in modules]
    while pending:
        module = pending.pop()
        if module in found:
            continue
        found[module], imports, external = _inspect(module, _source(module))
        libraries |= external & DECISIVE
        pending.extend(_parents(module) | {name for name in imports if _source(name)})
    parts = {name: found[name] for name in sorted(found) if found[name] != EMPTY}
    parts.update((name, _version(name)) for name in sorted(libraries))
    return parts


def digest(value):
    """Twelve hex digits over the text of any value, for stamping outputs."""
    return hashlib.sha256(repr(value).encode()).hexdigest()[:12]


def file_digest(path):
    """Twelve hex digits over the content of a file, or over the files under a folder and their names.

    Hidden files of a folder do not count: they are checksums, or Snakemake's.
    """
    path, found = Path(path), hashlib.sha256()
    for file in sorted(path.rglob("[!.]*")) if path.is_dir() else [path]:
        if file.is_file():
            found.update(f"{file.relative_to(path)}\n".encode() if path.is_dir() else b"")
            with open_checked(file) as content:
                found.update(hashlib.file_digest(content, "sha256").digest())
    return found.hexdigest()[:12]


def folder_digest(folder):
    """Twelve hex digits over the names, sizes and modification times of all files under ``folder``.

    It reads no file, so a folder of 300,000 takes seconds; links inside are not followed.
    """
    return digest(sorted((name, status.st_size, status.st_mtime_ns) for name, status in _files(folder)))


def folder_size(folder):
    """How many bytes the files under ``folder`` have, counted as by :func:`folder_digest`."""
    return sum(status.st_size for _, status in _files(folder))


def _files(folder):
    """Yield the name below ``folder`` and the status of each file under it."""
    folder = str(folder)
    pending = [folder]
    while pending:
        with os.scandir(pending.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    pending.append(entry.path)
                else:
                    yield entry.path[len(folder) :].lstrip(os.sep), entry.stat(follow_symlinks=False)


def _version(name):
    try:
        return version(DISTRIBUTIONS.get(name, name))
    except PackageNotFoundError:
        return "absent"


def _command(module):
    """The module that ``python -m`` runs for ``module``."""
    for name in (f"{module}.__main__", module):
        if _source(name):
            return name
    raise ModuleNotFoundError(f"no module {module} under {PACKAGE}")


def _source(module):
    """The file of a module of the package, or None where there is none."""
    path = PACKAGE.joinpath(*module.split(".")[1:])
    for candidate in (path / "__init__.py", path.with_suffix(".py")):
        if candidate.is_file():
            return candidate
    return None


def _parents(module):
    """The packages around a module, whose ``__init__`` an import of the module runs."""
    parts = module.split(".")
    return {".".join(parts[:length]) for length in range(1, len(parts))}


@cache
def _inspect(module, path):
    """The hash of a module, the names it imports from the package, and the libraries it imports."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    imports, external = set(), set()
    for name in _imported(tree, package):
        (imports if name.split(".")[0] == PACKAGE.name else external).add(name)
    _strip_docstrings(tree)
    return digest(ast.dump(tree)), frozenset(imports), frozenset(name.split(".")[0] for name in external)


def _imported(tree, package):
    """Every name that import statements anywhere in ``tree`` may bind; ``package`` resolves relative ones."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package.rsplit(".", node.level - 1)[0] if node.level else ""
            origin = ".".join(filter(None, [base, node.module]))
            yield origin
            yield from (f"{origin}.{alias.name}" for alias in node.names)


def _strip_docstrings(tree):
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
            and ast.get_docstring(node, clean=False) is not None
        ):
            node.body = node.body[1:]


EMPTY = digest(ast.dump(ast.parse("")))
