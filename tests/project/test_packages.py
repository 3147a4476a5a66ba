"""Installed packages are locked with hashes, have listed licences and are checked for vulnerabilities."""

import hashlib
import importlib.util
import json
import re
import shutil
import subprocess
import zipfile
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
    "yattag": "a part of the tool of make mutation, which nothing imports",
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


licences, audit, check_wheel = load("licences"), load("audit"), load("check_wheel")
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
    """Except the project itself, and a torch that the user names; the hash of any other is checked before."""
    makefile = re.sub(r"\\\n\s*", "", (ROOT / "Makefile").read_text())
    installs = [line for line in makefile.splitlines() if "pip install" in line]
    assert len(installs) >= 6
    for line in installs:
        checked = "check_wheel.py requirements-torch.lock" in line and "--no-deps --dest" in line
        assert "--require-hashes" in line or checked or "--editable ." in line


@pytest.mark.guarantee("locked")
def test_a_torch_that_the_lock_file_does_not_have_is_refused(tmp_path):
    wheel, lock = tmp_path / "torch-1-py3-none-any.whl", tmp_path / "torch.lock"
    wheel.write_bytes(b"a wheel")
    digest = hashlib.sha256(b"a wheel").hexdigest()
    lock.write_text(f"torch==1 \\\n    --hash=sha256:{'0' * 64} \\\n    --hash=sha256:{digest}\n")
    assert check_wheel.check(lock, wheel) is None
    wheel.write_bytes(b"another")
    assert "is not in" in check_wheel.check(lock, wheel)
    assert "is not in" in check_wheel.check(ROOT / "requirements-torch.lock", wheel)
    pinned = licences.locked(ROOT / "requirements-torch.lock")
    assert f"TORCH = torch=={pinned['torch']}\n" in (ROOT / "Makefile").read_text()


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


def osv(name, id, **affected):
    """Return a record of the Open Source Vulnerability format."""
    return {"id": id, "affected": [{"package": {"ecosystem": "PyPI", "name": name}, **affected}]}


def ecosystem(*events):
    return {"ranges": [{"type": "ECOSYSTEM", "events": [dict([event]) for event in events]}]}


RECORDS = [
    osv("A_b", "1", **ecosystem(("introduced", "0"), ("fixed", "1.10"))),  # 1.9 < 1.10, another spelling
    osv("a-b", "2", **ecosystem(("introduced", "0"), ("fixed", "1.9"))),
    osv("a-b", "3", **ecosystem(("introduced", "1.9"), ("last_affected", "1.9"))),
    osv("a-b", "4", **ecosystem(("introduced", "2"))),
    osv("a-b", "5", versions=["1.9"]),
    osv("a-b", "6", versions=["1.9.1"]),
    osv("a-b", "7", versions=["1.9"]) | {"withdrawn": "2026-01-01T00:00:00Z"},
    osv("torch", "8", versions=["2"]),
    osv("other", "9", versions=["1.9"]),
]


def test_audit_by_a_file_needs_no_network(tmp_path, capsys):
    lock, database = tmp_path / "requirements.lock", tmp_path / "all.zip"
    lock.write_text("# made\na.b==1.9 ; x \\\n    --hash=sha256:00\ntorch==2 ; sys_platform == 'none' \\\n")
    with zipfile.ZipFile(database, "w") as archive:
        for number, record in enumerate(RECORDS):
            archive.writestr(f"{number}.json", json.dumps(record))
    (package,) = audit.audit_by_file([lock], database)
    assert (package["name"], package["version"]) == ("a.b", "1.9")
    found = {vulnerability["id"]: vulnerability["fix_versions"] for vulnerability in package["vulns"]}
    assert found == {"1": ["1.10"], "3": [], "5": []}
    assert audit.report([package]) == audit.VULNERABLE
    assert "a.b 1.9: 1, fixed in 1.10" in capsys.readouterr().out
    checked = audit.audit_by_file(LOCKS, database)
    assert len(checked) >= len(licences.locked(ROOT / "requirements.lock"))


@pytest.mark.skipif(
    shutil.which("cyclonedx-py") is None, reason="`make sbom` installs cyclonedx-py elsewhere"
)
def test_the_bill_of_materials_has_every_package_with_its_hashes(tmp_path):
    out, locks = tmp_path / "sbom.json", [ROOT / f"requirements{name}.lock" for name in ("", "-encoder")]
    command = ["cyclonedx-py", "requirements", "--output-reproducible", "--output-file", out, "-"]
    subprocess.run(command, input="".join(lock.read_text() for lock in locks), text=True, check=True)
    components = {part["name"]: part for part in json.loads(out.read_text())["components"]}
    assert components.keys() == {name for lock in locks for name in licences.locked(lock)}
    assert all(part["externalReferences"][0]["hashes"] for part in components.values())
