"""Writes ``docs/licences.md``: the licence of every package of the lock files, from the installed packages.

Run ``python tools/licences.py`` after the lock files change, with the optional groups installed. A package
that is not installed keeps its row if the version is the same.
"""

import re
import sys
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "licences.md"
PINNED = re.compile(r"^([A-Za-z0-9._-]+)==([^ \\;]+)", re.MULTILINE)
ROW = re.compile(r"^\| (\S+) \| (\S+) \| (.+) \|$", re.MULTILINE)
HEADER = """# Licences

Every package of the lock files, with its version and the licence that the package itself states (SPDX).
Palimpsest is under the MIT licence; it imports these packages and distributes none of them. Written by

    make licences

"""
# Names that packages use for their licences → SPDX.
SPDX = {
    "Apache": "Apache-2.0",
    "Apache 2.0": "Apache-2.0",
    "Apache2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "3-Clause BSD License": "BSD-3-Clause",
    "BSD": "BSD-3-Clause",
    "BSD License": "BSD-3-Clause",
    "GNU General Public License v3 (GPLv3)": "GPL-3.0-only",
    "ISC License (ISCL)": "ISC",
    "LGPL-3.0": "LGPL-3.0-only",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
}
# Packages that state it in a file LICENSE but not in their metadata, and packages for other systems only.
STATED = {
    "atheris": "Apache-2.0",
    "axe-playwright-python": "MIT AND MPL-2.0",  # it holds axe-core
    "colorama": "BSD-3-Clause",
    "conda-inject": "MIT",
    "docutils": "CC0-1.0 AND BSD-2-Clause AND PSF-2.0 AND GPL-3.0-or-later",
    "pyreadline3": "BSD-3-Clause",
    "snakemake-interface-common": "MIT",
    "snakemake-interface-logger-plugins": "MIT",
    "snakemake-interface-report-plugins": "MIT",
    "snakemake-interface-scheduler-plugins": "MIT",
    "snakemake-interface-storage-plugins": "MIT",
    "torch": "BSD-3-Clause",
    "torch-struct": "MIT",
}


def locked(path: Path) -> dict[str, str]:
    """Return the packages of a lock file, name → version, without those that no system installs."""
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if "'none'" not in line]
    return dict(PINNED.findall("\n".join(lines)))


def licence(name: str) -> str | None:
    """Return the licence of an installed package as an SPDX expression, or None if it does not state one."""
    if name in STATED:
        return STATED[name]
    try:
        about = metadata(name)
    except PackageNotFoundError:
        return None
    if about["License-Expression"]:
        return str(about["License-Expression"])
    lines = about.get_all("Classifier") or []
    classified = [line.rpartition(" :: ")[2] for line in lines if "License ::" in line]
    stated = classified or [about["License"] or ""]
    return " OR ".join(SPDX.get(text, text) for text in stated) or None


def listed(page: Path = PAGE) -> dict[tuple[str, str], str]:
    """Return the rows of the page: (name, version) → licence."""
    text = page.read_text(encoding="utf-8") if page.exists() else ""
    return {(name, version): licence for name, version, licence in ROW.findall(text) if name != "package"}


def section(path: Path, known: dict[tuple[str, str], str]) -> str:
    """Return the table of a lock file; exit with a line that names a package of unknown licence."""
    lines = [f"## {path.name}", "", "| package | version | licence |", "|---|---|---|"]
    for name, version in locked(path).items():
        stated = licence(name) or known.get((name, version))
        if not stated:
            sys.exit(
                f"error: the licence of {name} {version} is unknown; install the packages of {path.name}"
            )
        lines.append(f"| {name} | {version} | {stated} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    known = listed()
    tables = [section(path, known) for path in sorted(ROOT.glob("requirements*.lock"), reverse=True)]
    PAGE.write_text(HEADER + "\n".join(tables), encoding="utf-8")
