"""Config files that are not YAML, that repeat keys, or that expand without end."""

import pytest
from hostile_configs import NO_YAML
from hostile_runs import in_time

from pipeline.io.yaml import read_yaml
from pipeline.run.errors import InputError
from pipeline.settings import complete, schema

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


def rules(rule, key=()):
    """Yield the keys and the rule of each setting, list entry and alternative of the schema."""
    yield key, rule
    for name, part in rule.get("properties", {}).items():
        yield from rules(part, (*key, name))
    for part in [*rule.get("anyOf", ()), *([rule["items"]] if "items" in rule else [])]:
        yield from rules(part, key)


def of_type(*types):
    """Return the keys and the rules of the settings that may be of one of the types."""
    found = []
    for key, rule in rules(schema()):
        allowed = rule.get("type", ())
        if set(types) & {*([allowed] if isinstance(allowed, str) else allowed)}:
            found.append((".".join(key), rule))
    return found


@pytest.mark.guarantee("ceilings")
@pytest.mark.parametrize(("key", "rule"), of_type("integer", "number"))
def test_every_number_has_a_floor_and_a_ceiling(key, rule):
    least = rule.get("minimum", rule.get("exclusiveMinimum"))
    most = rule.get("maximum", rule.get("exclusiveMaximum"))
    assert least is not None and most is not None and least < most <= 2**32
    value = [10**30] * 6 if key == "cutpaste.weights" else 10**30
    for name in reversed(key.split(".")):
        value = {name: value}
    corpus = {"name": "mine", "reader": "jsonl", "path": "mine.jsonl"} | value.pop("corpus", {})
    with pytest.raises(InputError, match=f"config: `{key}` is "):
        complete({"corpus": corpus} | value)


def test_every_text_has_a_length_or_a_pattern():
    found = of_type("string")
    assert len(found) > 8
    for key, rule in found:
        assert "maxLength" in rule or "pattern" in rule, key


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
