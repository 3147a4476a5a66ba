"""The rooms of the package: what each may import, one meaning for a file name, files of moderate length."""

import ast
import os
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "pipeline").rglob("*.py"))
# File names that occur twice, and the one meaning that they have.
SHARED_NAMES = {
    "__init__.py": "a package",
    "__main__.py": "the command of a stage",
    "evaluate.py": "the command that compares the results of a stage with gold",
    "fetch.py": "the command that downloads a model",
    "gather.py": "the command that concatenates the results of separate jobs",
    "index.py": "the index of all words and phrases: its functions in train, its command in train/sharded",
    "jsonl.py": "JSON lines: their syntax in io, the corpus format with this name in corpus/readers",
}
LONGEST = 300  # lines
# The module docstring of a longer file has a sentence with these words.
REASON = "long because"


def name(path):
    return path.relative_to(ROOT).as_posix()


def test_rooms_import_only_what_their_contracts_allow():
    """The contracts are in pyproject.toml, [tool.importlinter]."""
    lint = Path(sys.executable).parent / "lint-imports"
    done = subprocess.run(
        [lint, "--no-cache"], cwd=ROOT, env=os.environ | {"COLUMNS": "200"}, capture_output=True, text=True
    )
    report = done.stdout[done.stdout.find("Contracts\n") :]
    assert done.returncode == 0, f"{report}\n{done.stderr}"
    assert "kept, 0 broken" in report


def test_every_room_is_in_the_contract_on_layers():
    layers = (
        (ROOT / "pyproject.toml").read_text(encoding="utf-8").partition("layers = [")[2].partition("\n]")[0]
    )
    modules = {path.stem if path.is_file() else path.name for path in (ROOT / "pipeline").iterdir()}
    modules = {module for module in modules if not module.startswith(("_", ".", "py", "config"))} - {"models"}
    assert {module for module in modules if f"pipeline.{module}" not in layers} == set()


def test_commands_leave_processes_to_modules_that_others_can_import():
    """What `python -m` runs is the module `__main__`, of which another process can import nothing."""
    commands = [path for path in FILES if path.name == "__main__.py"]
    assert len(commands) > 10
    assert not [name(path) for path in commands if "map_in_processes" in path.read_text(encoding="utf-8")]


def test_file_name_has_one_meaning():
    places = defaultdict(list)
    for path in FILES:
        places[path.name].append(name(path))
    repeated = {file: paths for file, paths in places.items() if len(paths) > 1}
    unexpected = {file: paths for file, paths in repeated.items() if file not in SHARED_NAMES}
    assert not unexpected, f"rename one of each, or give their one meaning in SHARED_NAMES: {unexpected}"
    assert set(SHARED_NAMES) <= set(repeated), "remove names from SHARED_NAMES that occur once"


@pytest.mark.parametrize("path", FILES, ids=name)
def test_long_file_gives_a_reason(path):
    text = path.read_text(encoding="utf-8")
    lines = text.count("\n")
    if lines > LONGEST:
        docstring = " ".join((ast.get_docstring(ast.parse(text)) or "").split())
        assert REASON in docstring, (
            f"{name(path)} has {lines} lines, more than {LONGEST}: split it, or say in its docstring that it "
            f"is `{REASON} …`"
        )
