"""Checks that a wheel is one of a lock file, by its SHA-256: ``python tools/check_wheel.py LOCK WHEEL``."""

import hashlib
import sys
from pathlib import Path


def check(lock: Path, wheel: Path) -> str | None:
    """Return why a wheel must not be installed, or None if the lock file has its hash."""
    with open(wheel, "rb") as content:
        digest = hashlib.file_digest(content, "sha256").hexdigest()
    if f"--hash=sha256:{digest}" in lock.read_text(encoding="utf-8").split():
        return None
    return f"{wheel}: its SHA-256, {digest}, is not in {lock}; name the build that you want: make TORCH=... "


if __name__ == "__main__":
    sys.exit(check(*map(Path, sys.argv[1:])))
