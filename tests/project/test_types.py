"""Types: mypy finds no error, and what users import is annotated."""

import ast
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "pipeline").rglob("*.py"))


def name(path):
    return path.relative_to(ROOT).as_posix()


def test_mypy_finds_no_error():
    """With the settings of pyproject.toml, [tool.mypy]."""
    done = subprocess.run([sys.executable, "-m", "mypy"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, f"{done.stdout}{done.stderr}"


def bare_functions(tree):
    """Yield the functions of a module that lack an annotation, as ``line 3: function(argument)``."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        given = node.args
        arguments = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
        bare = [
            argument.arg
            for argument in arguments
            if argument and argument.annotation is None and argument.arg not in ("self", "cls")
        ]
        if bare or node.returns is None:
            yield f"line {node.lineno}: {node.name}({', '.join(bare)})"


def test_every_function_is_annotated():
    bare = {name(path): list(bare_functions(ast.parse(path.read_text(encoding="utf-8")))) for path in FILES}
    assert {file: functions for file, functions in bare.items() if functions} == {}


def test_bare_functions_are_found():
    code = "def a(x: int) -> int: ...\ndef b(x, *y: int) -> int: ...\nclass C:\n    def d(self): ...\n"
    assert list(bare_functions(ast.parse(code))) == ["line 2: b(x)", "line 4: d()"]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The names of the files in the wheel, which is built without a network."""
    folder = tmp_path_factory.mktemp("wheel")
    build = "from setuptools import build_meta; import sys; print(build_meta.build_wheel(sys.argv[1]))"
    copy = folder / "project"
    copy.mkdir()
    for part in ("pyproject.toml", "README.md", "LICENSE", "pipeline"):
        (copy / part).symlink_to(ROOT / part)
    done = subprocess.run([sys.executable, "-c", build, folder], cwd=copy, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    with zipfile.ZipFile(next(folder.glob("*.whl"))) as archive:
        return set(archive.namelist())


def test_wheel_has_the_marker_of_a_typed_package(wheel):
    assert "pipeline/py.typed" in wheel


def test_wheel_has_all_files_of_the_package(wheel):
    files = (path for path in (ROOT / "pipeline").rglob("*") if path.is_file())
    missing = {name(path) for path in files if "__pycache__" not in path.parts} - wheel
    assert missing == set()
