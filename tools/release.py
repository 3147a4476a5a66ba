"""Checks that the version is ready for release, and builds its wheel and source archive.

Run ``make release``, as docs/testing.md describes. The archives hold what is committed. Their bytes depend on
the commit and the version of setuptools alone: all times are ``SOURCE_DATE_EPOCH``, by default that of the
commit.
"""

import gzip
import hashlib
import io
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[1]
DIST = ROOT / "dist"
BUILD = """
import sys
from setuptools import build_meta
folder = sys.argv[1]
build_meta.build_sdist(folder)
build_meta.build_wheel(folder)
"""


def problems(root: Path) -> list[str]:
    """Return what must be corrected before a release of the files in ``root``."""
    version = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    changes = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    citation = yaml.safe_load((root / "CITATION.cff").read_text(encoding="utf-8"))
    found = []
    section = re.search(rf"^## \[{re.escape(version)}\] - (\d{{4}}-\d\d-\d\d)$", changes, re.MULTILINE)
    if not section:
        found.append(f"CHANGELOG.md: no line `## [{version}] - YYYY-MM-DD`; rename Unreleased")
    elif str(citation.get("date-released")) != section[1]:
        found.append(f"CITATION.cff: date-released is not {section[1]}, as in CHANGELOG.md")
    if citation["version"] != version:
        found.append(f"CITATION.cff: version is {citation['version']}, not {version}, as in pyproject.toml")
    return found


def git(*arguments: str) -> bytes:
    """Return the output of a git command."""
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout


def build(folder: Path) -> list[Path]:
    """Build the wheel and the source archive of the last commit in ``folder``, and return their paths."""
    epoch = int(os.environ.get("SOURCE_DATE_EPOCH") or git("log", "-1", "--format=%ct"))
    with tempfile.TemporaryDirectory() as source:
        with tarfile.open(fileobj=io.BytesIO(git("archive", "HEAD"))) as archive:
            archive.extractall(source, filter="data")
        environment = os.environ | {"SOURCE_DATE_EPOCH": str(epoch), "PYTHONHASHSEED": "0"}
        subprocess.run(
            [sys.executable, "-c", BUILD, folder.absolute()],
            cwd=source,
            umask=0o022,
            env=environment,
            check=True,
            stdout=subprocess.DEVNULL,
        )
    (sdist,) = folder.glob("*.tar.gz")
    sdist.write_bytes(normalize(sdist.read_bytes(), epoch))
    return sorted(folder.iterdir())


def normalize(sdist: bytes, epoch: int) -> bytes:
    """Return a source archive with its members in order, all of them from ``epoch`` and nobody's own.

    setuptools, which heeds SOURCE_DATE_EPOCH in wheels, does not here.
    """
    tar = io.BytesIO()
    with (
        tarfile.open(fileobj=io.BytesIO(sdist)) as old,
        tarfile.open(fileobj=tar, mode="w", format=tarfile.GNU_FORMAT) as new,
    ):
        for member in sorted(old.getmembers(), key=lambda member: member.name):
            member.mtime, member.uid, member.gid, member.uname, member.gname = epoch, 0, 0, "", ""
            member.mode, member.pax_headers = 0o755 if member.isdir() else 0o644, {}
            new.addfile(member, old.extractfile(member) if member.isfile() else None)
    return gzip.compress(tar.getvalue(), mtime=epoch)


def main() -> int:
    """Check and build; return 1, with a line for each problem, if something must be corrected first."""
    found = problems(ROOT)
    if git("status", "--porcelain"):
        found.append("the working tree has changes that are not committed")
    if DIST.exists() and any(DIST.iterdir()):
        found.append("dist/ is not empty; remove it")
    for problem in found:
        print(f"error: {problem}", file=sys.stderr)
    if found:
        return 1
    DIST.mkdir(exist_ok=True)
    for path in build(DIST):
        print(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
