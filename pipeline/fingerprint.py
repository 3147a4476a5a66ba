"""Fingerprints of code: what Snakemake cannot see by itself, edits inside the package.

The fingerprint of a module is a hash over the syntax trees, docstrings stripped, of the module and of
everything it imports from ``pipeline``, transitively, together with the versions of the libraries
that can change a result. An edit to a comment or a docstring leaves it as it is.
"""

import ast
import hashlib
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PACKAGE = Path(__file__).parent
# Libraries whose version can change a result; the others only move bytes.
DECISIVE = frozenset({"nltk", "scipy", "sklearn", "numba", "numpy", "thot", "textblob", "benepar"})
DISTRIBUTIONS = {"sklearn": "scikit-learn", "thot": "sil-thot"}


def fingerprint(*modules):
    """The fingerprint of one or more modules (``"pipeline.extract"``), as text that names its parts.

    Returns a dict, module or library name → 12 hex digits or version, over everything the modules
    import. Snakemake compares it and can say which part changed. A package stands for its
    ``__main__`` where it has one.
    """
    found, libraries = {}, set()
    pending = list(modules)
    while pending:
        module = pending.pop()
        if module in found:
            continue
        digest, imports, external = _inspect(_source(module))
        found[module] = digest
        libraries |= external & DECISIVE
        pending.extend(name for name in imports if _source(name, missing_ok=True))
    parts = {name: found[name] for name in sorted(found)}
    parts.update((name, _version(name)) for name in sorted(libraries))
    return parts


def digest(value):
    """Twelve hex digits over the text of any value, for stamping outputs."""
    return hashlib.sha256(repr(value).encode()).hexdigest()[:12]


def _version(name):
    try:
        return version(DISTRIBUTIONS.get(name, name))
    except PackageNotFoundError:
        return "absent"


def _source(module, missing_ok=False):
    parts = module.split(".")[1:]
    path = PACKAGE.joinpath(*parts)
    for candidate in (path / "__main__.py", path / "__init__.py", path.with_suffix(".py")):
        if candidate.is_file():
            return candidate
    if missing_ok:
        return None
    raise ModuleNotFoundError(module)


@lru_cache(maxsize=None)
def _inspect(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    imports, external = set(), set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module] + [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        imports |= {name for name in names if name.startswith("pipeline.")}
        external |= {name.split(".")[0] for name in names if not name.startswith("pipeline")}
    _strip_docstrings(tree)
    return hashlib.sha256(ast.dump(tree).encode()).hexdigest()[:12], frozenset(imports), frozenset(external)


def _strip_docstrings(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                if isinstance(first.value.value, str):
                    node.body = node.body[1:]
