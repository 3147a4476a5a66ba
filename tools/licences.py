"""Writes ``docs/licences.md``: the licence of every package of the lock files, from what is installed.

``python tools/licences.py`` after a renewal of the locks, with the optional groups installed. A package that
is not installed here keeps the row that it has, if its version is the same.
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

Every package that the lock files name, with its version and its licence as the package itself states it
(SPDX). Palimpsest itself is under the MIT licence. It imports these packages and ships none. Written by

    make licences

"""
# What packages call their licences, in the terms of SPDX.
SPDX = {
    "Apache": "Apache-2.0",
    "Apache 2.0": "Apache-2.0",
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
# Packages that do not say it in their metadata, but in a file LICENSE; and those for another system alone.
STATED = {
    "atheris": "Apache-2.0",
    "colorama": "BSD-3-Clause",
    "conda-inject": "MIT",
    "docutils": "CC0-1.0 AND BSD-2-Clause AND PSF-2.0 AND GPL-3.0-or-later",
    "pyreadline3": "BSD-3-Clause",
    "snakemake-interface-common": "MIT",
    "snakemake-interface-logger-plugins": "MIT",
    "snakemake-interface-report-plugins": "MIT",
    "snakemake-interface-scheduler-plugins": "MIT",
    "snakemake-interface-storage-plugins": "MIT",
    "torch-struct": "MIT",
}


def locked(path):
    """The packages of a lock file: name → version, without those that no system installs."""
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if "'none'" not in line]
    return dict(PINNED.findall("\n".join(lines)))


def licence(name):
    """The licence of an installed package as an SPDX expression, None where it does not say."""
    if name in STATED:
        return STATED[name]
    try:
        about = metadata(name)
    except PackageNotFoundError:
        return None
    if about["License-Expression"]:
        return about["License-Expression"]
    classified = [
        line.rpartition(" :: ")[2] for line in about.get_all("Classifier", []) if "License ::" in line
    ]
    named = classified or [about["License"] or ""]
    return " OR ".join(SPDX.get(name, name) for name in named) or None


def listed(page=PAGE):
    """The rows of the page: (name, version) → licence."""
    text = page.read_text(encoding="utf-8") if page.exists() else ""
    return {(name, version): licence for name, version, licence in ROW.findall(text) if name != "package"}


def section(path, known):
    """A lock file as a table; exits with a line that names a package whose licence is not to be found."""
    lines = [f"## {path.name}", "", "| package | version | licence |", "|---|---|---|"]
    for name, version in locked(path).items():
        found = licence(name) or known.get((name, version))
        if not found:
            sys.exit(f"error: the licence of {name} {version} is not known; install what {path.name} lists")
        lines.append(f"| {name} | {version} | {found} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    known = listed()
    tables = [section(path, known) for path in sorted(ROOT.glob("requirements*.lock"), reverse=True)]
    PAGE.write_text(HEADER + "\n".join(tables), encoding="utf-8")
