"""Strict JSON gives the values of the module json, and refuses the rest with a reason."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vorlage.command.errors import InputError
from vorlage.files.jsonl import JsonError, parse_json, read_jsonl, write_jsonl

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner),
)
RECORDS = st.lists(st.dictionaries(TEXTS, TEXTS | st.integers(), max_size=3), max_size=3)
BAD = "bad.jsonl, line 2: "


@given(VALUES, st.booleans())
def test_what_json_writes_is_read(value, ascii_alone):
    assert parse_json(json.dumps(value, ensure_ascii=ascii_alone)) == value


@given(RECORDS)
def test_what_is_written_is_read(tmp_path_factory, records):
    path = tmp_path_factory.getbasetemp() / "records.jsonl"
    write_jsonl(path, records)
    assert list(read_jsonl(path)) == list(enumerate(records, start=1))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"{", BAD + "not valid JSON (Expecting property name enclosed in double quotes at column 2); each"),
        (b'{"a": "b', BAD + "not valid JSON (Unterminated string at column 7)"),
        (b'[{"a": 1},', BAD + "starts a list, but each line must be one JSON object; `jq -c '.[]' FILE`"),
        (b'{"a": [NaN]}', BAD + "not valid JSON (NaN is not a number)"),
        (b'{"a": {"b": 1, "c": 2, "b": 3}}', BAD + "not valid JSON (the key `b` occurs twice)"),
        (b'{"a": ' + b"[" * 100_000, BAD + "not valid JSON (nested too deeply)"),
        (b'{"a": ' + b"9" * 5000 + b"}", BAD + "not valid JSON (Exceeds the limit"),
        (b'{"a": "caf\xe9"}', BAD + "not UTF-8 at byte 10; convert the file to UTF-8"),
        ("{}".encode("utf-16"), "bad.jsonl: is not text in UTF-8 but in UTF-16; convert it to UTF-8"),
        (b"\x1f\x8b\x08\x00\xff", "bad.jsonl: is not text in UTF-8 but compressed by gzip; unpack it first"),
        (None, "bad.jsonl: cannot be read (No such file or directory); check the path"),
    ],
)
def test_malformed_input_is_an_error_that_names_the_line(tmp_path, line, message):
    path = tmp_path / "bad.jsonl"
    if line is not None:
        path.write_bytes(b'{"a": 1}\n' * message.startswith(BAD) + line + b"\n")
    with pytest.raises(InputError) as error:
        list(read_jsonl(path))
    assert str(error.value).startswith(f"{tmp_path}/{message}")


def test_a_repeated_key_among_many_is_found_in_linear_time():
    keys = ",".join(f'"{number}": 1' for number in range(200_000))
    started = time.monotonic()
    with pytest.raises(JsonError, match="the key `0` occurs twice"):
        parse_json(f'{{{keys}, "0": 2}}')
    assert time.monotonic() - started < 5  # a search in a list takes minutes
