"""Digests: twelve hex digits that tell whether a value, a file or the package is the same as another."""

import hashlib
from functools import cache
from pathlib import Path

from vorlage.types import StrPath

PACKAGE = Path(__file__).parents[1]


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
def package_digest() -> str:
    """Return twelve hex digits over all modules of the package and their data files."""
    return digest([path.read_bytes() for path in sorted([*PACKAGE.rglob("*.py"), *PACKAGE.rglob("*.toml")])])
