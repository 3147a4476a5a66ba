"""YAML files are read as PyYAML reads them, and a repeated key is an error."""

import pytest
from vorlage.command.errors import InputError
from vorlage.workflow.config import read_yaml


@pytest.fixture
def path(tmp_path):
    return tmp_path / "config.yaml"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None),
        ("a: {b: [1, x], c: null}", {"a": {"b": [1, "x"], "c": None}}),
        ("a: &a {b: 1, c: 2}\nd: {<<: *a, b: 3}", {"a": {"b": 1, "c": 2}, "d": {"b": 3, "c": 2}}),
        ("1: a\n'1': b", {1: "a", "1": "b"}),
    ],
)
def test_yaml_is_read(path, text, value):
    path.write_text(text)
    assert read_yaml(path) == value


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"a: 1\nb: 2\na: 3\n", ", line 3: not valid YAML (the key `a` occurs twice); correct it"),
        (b"a: !!python/name:os.system ''\n", ", line 1: not valid YAML (could not determine a constructor"),
        (b"[" * 10_000, ": not valid YAML (maximum recursion depth"),
        (b"a: 1\nb: caf\xe9\n", ", line 2: not UTF-8 at byte 6"),
        (None, ": cannot be read (No such file or directory); check the path"),
    ],
)
def test_other_yaml_is_an_error_that_names_the_line(path, content, message):
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError) as error:
        read_yaml(path)
    assert str(error.value).startswith(f"{path}{message}")
