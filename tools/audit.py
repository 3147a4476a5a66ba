"""Checks the packages of the lock files against a database of known vulnerabilities, by pip-audit.

Exits with status 1 for a known vulnerability, and with 3 if there is none but some packages could not be
checked: the database is reached over the network. pip-audit itself does not tell these cases apart.
"""

import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
VULNERABLE, UNKNOWN = 1, 3


def audit(locks: Iterable[Path]) -> list[dict[str, Any]] | None:
    """Return what pip-audit says about the packages of lock files, or None if it fails."""
    command = [sys.executable, "-m", "pip_audit", "--disable-pip", "--require-hashes", "--format", "json"]
    for lock in locks:
        command += ["--requirement", str(lock)]
    done = subprocess.run(command, capture_output=True, text=True)
    if not done.stdout:
        print(done.stderr, file=sys.stderr)
        return None
    packages: list[dict[str, Any]] = json.loads(done.stdout)["dependencies"]
    return packages


def report(packages: list[dict[str, Any]] | None) -> int:
    """Print the vulnerabilities of packages, as :func:`audit` returns them, and return the exit status."""
    skipped = [package for package in packages or [] if "skip_reason" in package]
    found = [(package, known) for package in packages or [] for known in package.get("vulns", [])]
    for package, known in found:
        fixed = ", ".join(known["fix_versions"]) or "no version"
        print(f"{package['name']} {package['version']}: {known['id']}, fixed in {fixed}")
    checked = len(packages or []) - len(skipped)
    print(f"checked {checked} packages, could not check {len(skipped)}; {len(found)} vulnerabilities")
    return VULNERABLE if found else UNKNOWN if packages is None or skipped else 0


if __name__ == "__main__":
    sys.exit(report(audit(sorted(ROOT.glob("requirements*.lock")))))
