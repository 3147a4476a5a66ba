"""Fingerprints of code, by which Snakemake sees edits inside the package.

The fingerprint of a module is a hash over the syntax trees, without docstrings, of the module and of
everything it imports from ``pipeline``, transitively, together with the versions of the libraries that can
change a result. An edit to a comment or a docstring does not change it. It does not cover a module that is
imported by a name computed at run time: name that module too when you call :func:`fingerprint`.
"""

import ast
import contextlib
import hashlib
import json
import os
import sys
from collections.abc import Iterator
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from operator import itemgetter
from pathlib import Path
from stat import S_IFMT, S_ISLNK, S_ISREG

from pipeline.io.checksums import open_checked
from pipeline.run.door import open_regular
from pipeline.types import StrPath

PACKAGE = Path(__file__).parent
# Libraries whose version can change a result; the others only read and write.
DECISIVE = frozenset(
    {
        *("nltk", "scipy", "sklearn", "numba", "numpy", "thot", "textblob", "benepar", "tokenizers"),
        *("bert_score", "ot", "rank_bm25", "rouge_score", "simalign"),
    }
)
DISTRIBUTIONS = {
    "bert_score": "bert-score",
    "ot": "POT",
    "rank_bm25": "rank-bm25",
    "rouge_score": "rouge-score",
    "sklearn": "scikit-learn",
    "thot": "sil-thot",
}


def fingerprint(*modules: str) -> dict[str, str]:
    """Return the fingerprint of modules that run as commands, such as ``"pipeline.extract"``.

    It maps each module that they import to 12 hex digits, and each library to its version. A package given
    here means its ``__main__``, which ``python -m`` runs; an imported package means its ``__init__``. Raises
    ``ModuleNotFoundError`` for a module that does not exist.
    """
    found: dict[str, str] = {}
    libraries: set[str] = set()
    pending = [_command(module) for module in modules]
    while pending:
        module = pending.pop()
        if module in found:
            continue
        path = _source(module)
        assert path is not None
        found[module], imports, external = _inspect(module, path)
        libraries |= external & DECISIVE
        pending.extend(_parents(module) | {name for name in imports if _source(name)})
    parts = {name: found[name] for name in sorted(found) if found[name] != EMPTY}
    parts.update((name, _version(name)) for name in sorted(libraries))
    return parts


def digest(value: object) -> str:
    """Return twelve hex digits over the ``repr`` of a value, to mark outputs with."""
    return hashlib.sha256(repr(value).encode()).hexdigest()[:12]


def file_digest(path: StrPath) -> str:
    """Return twelve hex digits over the content of a file, or over the files under a folder and their names.

    Hidden files of a folder do not count: they are checksums, or belong to Snakemake.
    """
    path, total = Path(path), hashlib.sha256()
    for file in sorted(path.rglob("[!.]*")) if path.is_dir() else [path]:
        if file.is_file():
            total.update(f"{file.relative_to(path)}\n".encode() if path.is_dir() else b"")
            with open_checked(file) as content:
                total.update(hashlib.file_digest(content, "sha256").digest())
    return total.hexdigest()[:12]


def folder_digest(folder: StrPath) -> str:
    """Return twelve hex digits over the names and the content of all files under ``folder``.

    A time decides nothing. Links inside are not followed: their targets count, and of a pipe or device its
    name.
    """
    total = hashlib.sha256()
    for name, status in sorted(_files(folder), key=itemgetter(0)):
        path = os.path.join(folder, name)
        content = os.readlink(path).encode("utf-8", "surrogateescape") if S_ISLNK(status.st_mode) else b""
        if S_ISREG(status.st_mode):
            with open_regular(path, links=False) as file:
                content = hashlib.file_digest(file, "sha256").digest()
        total.update(repr((name, S_IFMT(status.st_mode), content)).encode("utf-8", "surrogateescape"))
    return total.hexdigest()[:12]


def folder_size(folder: StrPath) -> int:
    """Return the total size in bytes of the files that :func:`folder_digest` covers."""
    return sum(status.st_size for _, status in _files(folder))


def _files(folder: StrPath) -> Iterator[tuple[str, os.stat_result]]:
    """Yield the name below ``folder`` and the status of each file under it."""
    root = str(folder)
    pending = [root]
    while pending:
        with os.scandir(pending.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    pending.append(entry.path)
                else:
                    yield entry.path[len(root) :].lstrip(os.sep), entry.stat(follow_symlinks=False)


@cache
def _version(name: str) -> str:
    """Return the installed version of a library by the name of its package."""
    try:
        return version(DISTRIBUTIONS.get(name, name))
    except PackageNotFoundError:
        return "absent"


def _command(module: str) -> str:
    """Return the module that ``python -m`` runs for ``module``."""
    for name in (f"{module}.__main__", module):
        if _source(name):
            return name
    raise ModuleNotFoundError(f"no module {module} under {PACKAGE}")


@cache
def _source(module: str) -> Path | None:
    """Return the file of a module of the package, or None if it does not exist."""
    path = PACKAGE.joinpath(*module.split(".")[1:])
    for candidate in (path / "__init__.py", path.with_suffix(".py")):
        if candidate.is_file():
            return candidate
    return None


def _parents(module: str) -> set[str]:
    """Return the packages around a module: importing it runs their ``__init__``."""
    parts = module.split(".")
    return {".".join(parts[:length]) for length in range(1, len(parts))}


@cache
def _inspect(module: str, path: Path) -> tuple[str, frozenset[str], frozenset[str]]:
    """Return the hash of a module, the names it imports from the package, and the libraries it imports.

    They are kept beside the bytecode of the module, because parsing a hundred modules takes 0.2 s, and twice
    that for all of them. The kept values count if they were made from this text, by this code and Python.
    """
    text = path.read_bytes()
    made_from = f"{_HERE} {module} {path.name} {hashlib.sha256(text).hexdigest()}\n"
    kept = path.parent / "__pycache__" / f"{path.stem}.fingerprint"
    mark, found = "", ""
    with contextlib.suppress(OSError, UnicodeDecodeError):
        mark, _, found = kept.read_text(encoding="utf-8").partition("\n")
    if mark != digest(made_from + found):
        found = json.dumps(_parse(module, path, text))
        _keep(kept, f"{digest(made_from + found)}\n{found}")
    code, imports, libraries = json.loads(found)
    return code, frozenset(imports), frozenset(libraries)


def _keep(path: Path, text: str) -> None:
    """Write a file whole or not at all; where the package cannot be changed, not at all."""
    part = path.with_name(f".{path.name}.{os.getpid()}")
    with contextlib.suppress(OSError):
        path.parent.mkdir(exist_ok=True)
        part.write_text(text, encoding="utf-8")
        part.replace(path)


def _parse(module: str, path: Path, text: bytes) -> tuple[str, list[str], list[str]]:
    """Return the hash of a module, the names it imports from the package, and the libraries it imports."""
    tree = ast.parse(text)
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    imports: set[str] = set()
    external: set[str] = set()
    for statement in _statements(tree):
        for name in _imported(statement, package):
            (imports if name.split(".")[0] == PACKAGE.name else external).add(name)
        _strip_docstring(statement)
    return digest(ast.dump(tree)), sorted(imports), sorted({name.split(".")[0] for name in external})


def _statements(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield a module and all statements in it. Expressions, which ``ast.walk`` visits too, import nothing."""
    pending = [tree]
    while pending:
        node = pending.pop()
        yield node
        for block in ("body", "orelse", "finalbody", "handlers", "cases"):
            pending.extend(getattr(node, block, ()))


def _imported(statement: ast.AST, package: str) -> Iterator[str]:
    """Yield all names that a statement may import; ``package`` resolves relative ones."""
    if isinstance(statement, ast.Import):
        yield from (alias.name for alias in statement.names)
    elif isinstance(statement, ast.ImportFrom):
        base = package.rsplit(".", statement.level - 1)[0] if statement.level else ""
        origin = ".".join(filter(None, [base, statement.module]))
        yield origin
        yield from (f"{origin}.{alias.name}" for alias in statement.names)


def _strip_docstring(statement: ast.AST) -> None:
    """Remove the docstring of a module, class or function."""
    if (
        isinstance(statement, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and ast.get_docstring(statement, clean=False) is not None
    ):
        statement.body = statement.body[1:]


EMPTY = digest(ast.dump(ast.parse("")))
# This code and this Python.
_HERE = digest((Path(__file__).read_bytes(), sys.version_info))
