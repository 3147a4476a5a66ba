"""Checks the packages of the lock files against a database of known vulnerabilities.

    python tools/audit.py                       # by pip-audit, over the network
    python tools/audit.py --database all.zip    # against a file: OSV records of the ecosystem PyPI, as JSON

Exits with status 1 for a known vulnerability, and with 3 if there is none but some packages could not be
checked. pip-audit itself does not tell these cases apart.
"""

import argparse
import json
import re
import subprocess
import sys
import zipfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

ROOT = Path(__file__).parents[1]
VULNERABLE, UNKNOWN = 1, 3
# A line of a lock file; torch for no system stands for what is installed otherwise.
PINNED = re.compile(r"([A-Za-z0-9._-]+)==([^ \\;]+)(?!.*sys_platform == 'none')")


def audit(locks: Iterable[Path]) -> list[dict[str, Any]] | None:
    """Return what pip-audit says about the packages of lock files, or None if it fails."""
    command = [sys.executable, "-m", "pip_audit", "--disable-pip", "--require-hashes", "--format", "json"]
    packages = {}
    for lock in locks:  # one by one, because pip-audit refuses a package that two of them have
        done = subprocess.run([*command, "--requirement", str(lock)], capture_output=True, text=True)
        if not done.stdout:
            print(done.stderr, file=sys.stderr)
            return None
        found = json.loads(done.stdout)["dependencies"]
        packages |= {(package["name"], package.get("version")): package for package in found}
    return list(packages.values())


def audit_by_file(locks: Iterable[Path], database: Path) -> list[dict[str, Any]]:
    """Return what :func:`audit` returns, by a zip of OSV records in place of pip-audit."""
    lines = (line for lock in locks for line in lock.read_text(encoding="utf-8").splitlines())
    pins = sorted({found.groups() for line in lines if (found := PINNED.match(line))})
    records = _read_records(database)
    return [
        {
            "name": name,
            "version": version,
            "vulns": [
                {"id": record["id"], "fix_versions": sorted(_fixes(affected))}
                for record, affected in records[canonicalize_name(name)]
                if _is_affected(affected, version)
            ],
        }
        for name, version in pins
    ]


def _read_records(database: Path) -> Mapping[str, list[tuple[dict[str, Any], dict[str, Any]]]]:
    """Return package → (record, its part about the package) of records that were not withdrawn."""
    records = defaultdict(list)
    with zipfile.ZipFile(database) as archive:
        for name in sorted(archive.namelist()):
            record = json.loads(archive.read(name)) if name.endswith(".json") else {"withdrawn": True}
            for affected in () if "withdrawn" in record else record.get("affected", ()):
                if affected.get("package", {}).get("ecosystem") == "PyPI":
                    records[canonicalize_name(affected["package"]["name"])].append((record, affected))
    return records


def _is_affected(affected: Mapping[str, Any], version: str) -> bool:
    """Return whether a version is listed, or in a range; see the evaluation algorithm of the OSV schema."""
    if version in affected.get("versions", ()):
        return True
    number = Version(version)
    for events in _ranges(affected):
        inside = False
        for kind, at in events:
            if kind == "introduced" and number >= at:
                inside = True
            elif (kind == "fixed" and number >= at) or (kind == "last_affected" and number > at):
                inside = False
        if inside:
            return True
    return False


def _ranges(affected: Mapping[str, Any]) -> Iterator[list[tuple[str, Version]]]:
    """Yield the events of each range, (kind, version), in the order of versions."""
    for part in affected.get("ranges", ()):
        if part["type"] == "ECOSYSTEM":
            events = []
            for kind, at in (pair for event in part["events"] for pair in event.items()):
                try:
                    events.append((kind, Version(at)))
                except InvalidVersion:
                    continue
            yield sorted(events, key=lambda event: event[1])


def _fixes(affected: Mapping[str, Any]) -> set[str]:
    return {str(at) for events in _ranges(affected) for kind, at in events if kind == "fixed"}


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
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--database", type=Path, help="zip of OSV records, in place of the network")
    database = parser.parse_args().database
    locks = sorted(ROOT.glob("requirements*.lock"))
    sys.exit(report(audit_by_file(locks, database) if database else audit(locks)))
