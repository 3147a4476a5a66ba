"""Config files that are not YAML, that repeat keys, or that expand without end."""

import pytest
from hostile_runs import in_time

from pipeline.io.yaml import read_yaml
from pipeline.run.errors import InputError
from pipeline.settings import complete

CORPUS = "corpus: {name: mine, reader: jsonl, path: mine.jsonl}\n"


def bomb():
    """Return ten lists, each of ten copies of the one before: ten billion values."""
    names = "abcdefghij"
    lists = [f"a: &a [{'x, ' * 9}x]"]
    for before, name in zip(names, names[1:], strict=False):
        lists.append(f"{name}: &{name} [{', '.join([f'*{before}'] * 10)}]")
    return CORPUS + "\n".join(lists)


# Name → content and part of the message.
NO_YAML = {
    "not YAML": ("systems: [cutpaste\n", "line 2: not valid YAML"),
    "tab": ("semihmm:\n\titerations: 3\n", "line 2: not valid YAML"),
    "NUL": ("seed: \0\n", "not valid YAML"),
    "key twice": (CORPUS + "seed: 1\nseed: 2\n", "line 3: not valid YAML (the key `seed` occurs twice)"),
    "section twice": (CORPUS + CORPUS, "line 2: not valid YAML (the key `corpus` occurs twice)"),
    "bomb": (bomb(), "more than 10000 values, including those that aliases repeat"),
    "alias of itself": ("semihmm: &a\n  fake_counts: *a\n", "an alias is inside the value that it repeats"),
    "deep": ("seed: " + "[" * 100_000 + "]" * 100_000, "nested too deeply"),
    "digits": ("seed: " + "9" * 5000, "not valid YAML"),
    "no date": ("seed: 2026-13-45", "month must be in 1..12"),
    "code": ("seed: !!python/object/apply:os.system ['false']", "line 1: not valid YAML"),
    "UTF-16": (CORPUS.encode("utf-16"), "in UTF-16; convert it to UTF-8"),
    "Latin-1": (b"seed: caf\xe9", "line 1: not UTF-8 at byte 9"),
}
NO_CONFIG = {
    "NaN": ({"semihmm": {"posterior_threshold": float("nan")}}, "`semihmm.posterior_threshold` is nan"),
    "NaN as a text": ({"semihmm": {"posterior_threshold": "NaN"}}, "`semihmm.posterior_threshold` is"),
    "infinity": ({"semihmm": {"beam": float("inf")}}, "`semihmm.beam` is inf"),
    "deep text": ({"semihmm": {"beam": "[" * 100_000}}, "`semihmm.beam` is"),
    "list for a section": ({"semihmm": ["iterations"]}, "`semihmm` is"),
    "text for a section": ({"extract": "cosine"}, "`extract` is"),
    "section for a number": ({"seed": {"a": 1}}, "`seed` is"),
    "truth for a number": ({"seed": True}, "`seed` is true"),
    "negative": ({"semihmm": {"iterations": -1}}, "`semihmm.iterations` is -1"),
    "same twice": ({"systems": ["cutpaste", "cutpaste"]}, "remove the entry that occurs twice"),
    "key that is a number": ({3: 4}, "unknown key `3`"),
    "path for a name": ({"corpus": {"name": "../x", "reader": "text", "path": "x"}}, "`corpus.name` is"),
    "hidden name": ({"corpus": {"name": ".x", "reader": "text", "path": "x"}}, "`corpus.name` is"),
}


@pytest.mark.guarantee("config")
@pytest.mark.parametrize("name", NO_YAML)
def test_invalid_yaml_is_refused_in_one_line(tmp_path, name):
    content, says = NO_YAML[name]
    path = tmp_path / "mine.yaml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with in_time(), pytest.raises(InputError) as error:
        read_yaml(path)
    assert str(error.value).startswith(str(path)) and says in str(error.value)


@pytest.mark.guarantee("config")
@pytest.mark.parametrize("name", NO_CONFIG)
def test_invalid_settings_are_named(name):
    config, says = NO_CONFIG[name]
    corpus = {"name": "mine", "reader": "jsonl", "path": "mine.jsonl"}
    with in_time(), pytest.raises(InputError) as error:
        complete({"corpus": corpus} | config)
    assert says in str(error.value)


def test_valid_yaml_is_read(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_bytes(b"\xef\xbb\xbfbase: &b {seed: 1}\r\nmore: {<<: *b, path: caf\xc3\xa9}\r\n")
    assert read_yaml(path) == {"base": {"seed": 1}, "more": {"seed": 1, "path": "café"}}
