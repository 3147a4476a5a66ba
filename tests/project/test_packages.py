"""Installed packages are locked with hashes, have listed licences and are checked for vulnerabilities."""

import importlib.util
import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LOCKS = sorted(ROOT.glob("requirements*.lock"))
PACKAGE = re.compile(r"[A-Za-z0-9._-]+==[^ ;]+( ; [^\\]+)?")
HASH = re.compile(r"    --hash=sha256:[0-9a-f]{64}")
# Licences that only require a notice, and those that do not affect code that imports the package.
ALLOWED = set(
    "Apache-2.0 BSD-2-Clause BSD-3-Clause 0BSD CC0-1.0 CNRI-Python ISC MIT MIT-CMU PSF-2.0 Zlib".split()
)
ALLOWED |= {"MPL-2.0", "LLVM-exception"}
# Packages with a part under another licence, and why that is acceptable.
COPYLEFT = {
    "docutils": "its Emacs mode, which nothing imports",
    "l2m4m": "a program that builds the site from docs/",
    "sil-thot": "LGPL, a library that is imported unchanged",
}


def load(name):
    """Return a module of tools/."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


licences, audit = load("licences"), load("audit")
PINNED = [(lock.name, *package) for lock in LOCKS for package in licences.locked(lock).items()]


@pytest.mark.guarantee("locked")
@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.name)
def test_every_line_of_a_lock_is_a_version_or_a_hash(lock):
    lines = [line.removesuffix(" \\") for line in lock.read_text().splitlines() if not line.startswith("#")]
    kinds = [
        "package" if PACKAGE.fullmatch(line) else "hash" if HASH.fullmatch(line) else line for line in lines
    ]
    assert set(kinds) == {"package", "hash"}
    # Each package is followed by a hash.
    after = [following for kind, following in zip(kinds, [*kinds[1:], ""], strict=True) if kind == "package"]
    assert set(after) == {"hash"}


@pytest.mark.guarantee("locked")
def test_packages_are_installed_by_hash():
    """Except torch, whose build depends on the machine, and the project itself."""
    makefile = re.sub(r"\\\n\s*", "", (ROOT / "Makefile").read_text())
    installs = [line for line in makefile.splitlines() if "pip install" in line]
    assert len(installs) >= 5
    for line in installs:
        assert "--require-hashes" in line or '"$(TORCH)"' in line or "--editable ." in line


@pytest.mark.guarantee("licences")
@pytest.mark.parametrize(("lock", "name", "version"), PINNED)
def test_the_licence_of_a_package_is_listed_and_allowed(lock, name, version):
    listed = licences.listed().get((name, version))
    assert listed, "run `make licences`"
    others = set(re.split(r" (?:AND|OR|WITH) ", listed)) - ALLOWED
    assert not others or name in COPYLEFT


def test_only_locked_packages_are_listed():
    assert licences.listed().keys() == {(name, version) for _, name, version in PINNED}


def test_audit_distinguishes_vulnerable_from_unchecked_packages(capsys):
    """With answers in the format of pip-audit, for status 1, 3 and 0."""
    vulnerable = {"name": "a", "version": "1", "vulns": [{"id": "PYSEC-1", "fix_versions": ["2"]}]}
    skipped = {"name": "b", "skip_reason": "Dependency not found"}
    sound = {"name": "c", "version": "1", "vulns": []}
    assert audit.report([vulnerable, skipped, sound]) == 1
    assert "a 1: PYSEC-1, fixed in 2" in capsys.readouterr().out
    assert audit.report([skipped, sound]) == audit.report(None) == 3
    assert "checked 1 packages, could not check 1" in capsys.readouterr().out
    assert audit.report([sound]) == 0


def test_audit_reads_the_output_of_pip_audit(monkeypatch):
    answer = {"dependencies": [{"name": "a", "version": "1", "vulns": []}], "fixes": []}
    printed = type("Done", (), {"stdout": json.dumps(answer)})
    monkeypatch.setattr(audit.subprocess, "run", lambda command, **_: printed)
    assert audit.audit(LOCKS) == answer["dependencies"]
