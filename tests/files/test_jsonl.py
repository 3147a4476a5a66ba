"""Strict JSON gives the values of the module json, and refuses the rest with a reason."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vorlage.files.jsonl import JsonError, find_lone_surrogate, parse_json

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner),
)


@given(VALUES, st.booleans())
def test_what_json_writes_is_read(value, ascii_alone):
    assert parse_json(json.dumps(value, ensure_ascii=ascii_alone)) == value


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "Expecting property name enclosed in double quotes at column 2"),
        ('{\0"a\0"\0', "is it UTF-16"),
        ("[" * 100_000, "nested too deeply"),
        ("9" * 5000, "thousands of digits"),
        ("-1e999", "-1e999 is too large for a number"),
        ("[NaN]", "NaN is not a number"),
        ("-Infinity", "-Infinity is not a number"),
        ('{"a": {"b": 1, "c": 2, "b": 3}}', "the key `b` occurs twice"),
        (r'"\ud83d"', r"half of a surrogate pair, \ud83d"),
        (r'{"a\uDE00": 1}', r"half of a surrogate pair, \ude00"),
    ],
)
def test_other_json_is_refused_with_a_reason(text, reason):
    with pytest.raises(JsonError) as error:
        parse_json(text)
    assert reason in str(error.value)


def test_lone_surrogates_are_read_on_request():
    assert parse_json(r'"\ud83d"', lone_surrogates=True) == "\ud83d"
    assert parse_json(r'"\ud83d\ude00"') == "\U0001f600"
    assert find_lone_surrogate("a\ud83d\ude00") == r"\ud83d"
    assert find_lone_surrogate("\U0001f600") is None
