"""Looks the packages of the lock files up in a database of known vulnerabilities, by pip-audit.

Exits with 1 when one is known, and with 3 when there is none but some packages could not be looked up: the
database is reached over the network.
"""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
VULNERABLE, UNKNOWN = 1, 3


def audit(locks):
    """What pip-audit says of lock files: a dict for each package, None where it says nothing."""
    command = [sys.executable, "-m", "pip_audit", "--disable-pip", "--require-hashes", "--format", "json"]
    for lock in locks:
        command += ["--requirement", str(lock)]
    done = subprocess.run(command, capture_output=True, text=True)
    if not done.stdout:
        print(done.stderr, file=sys.stderr)
        return None
    return json.loads(done.stdout)["dependencies"]


def report(packages):
    """Print what is known of packages, as :func:`audit` gives it; returns the exit status."""
    skipped = [package for package in packages or [] if "skip_reason" in package]
    found = [(package, known) for package in packages or [] for known in package.get("vulns", [])]
    for package, known in found:
        fixed = ", ".join(known["fix_versions"]) or "no version"
        print(f"{package['name']} {package['version']}: {known['id']}, mended in {fixed}")
    looked_up = len(packages or []) - len(skipped)
    print(f"{looked_up} packages were looked up, {len(skipped)} could not be; {len(found)} vulnerabilities")
    return VULNERABLE if found else UNKNOWN if packages is None or skipped else 0


if __name__ == "__main__":
    sys.exit(report(audit(sorted(ROOT.glob("requirements*.lock")))))
