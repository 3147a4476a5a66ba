"""Invalid JSON lines and fields of wrong types, in every file of lines."""

import json
import tempfile
from pathlib import Path

import pytest
from guarantees import tried
from hostile_runs import in_time, refused
from hostile_world import ENTRIES, OUT

INPUTS = [
    (name, option, value)
    for name, entry in ENTRIES.items()
    for option, value in entry.options.items()
    if value is not OUT and str(value).endswith(".jsonl")
]
# Inserted before the last line of a file.
NO_JSON = {
    "deep lists": "[" * 100_000 + "]" * 100_000,
    "deep objects": '{"id": ' * 100_000 + "1" + "}" * 100_000,
    "deep and open": '{"a": [' * 100_000,
    "NaN": '{"id": "n", "posterior": NaN}',
    "Infinity": '{"id": "n", "posterior": Infinity}',
    "too large": '{"id": "n", "posterior": 1e999}',
    "many digits": '{"id": "n", "posterior": ' + "9" * 5000 + "}",
    "key twice": '{"id": "n", "id": "m"}',
    "key twice below": '{"id": "n", "document": {"text": "a", "text": "b"}}',
    "NUL": "\0",
    "NUL in a text": '{"id": "a\0b"}',
    "comment": '{"id": "n"} // a comment',
    "two objects": '{"id": "n"} {"id": "m"}',
    "single quotes": "{'id': 'n'}",
    "open text": '{"id": "n',
    "line break in a text": '{"id": "n\tm"}',
    "list": "[]",
    "number": "7",
    "null": "null",
    "text": '"text"',
}
# Values of wrong types; each replaces one field of the first line.
WRONG = [None, True, 7, 1.5, [], {}, [[]], [None], {"a": 1}, "", "\ud800", [["a", 1]], -1, 10**400]
# The fastest of the commands that read the same files with the same functions.
READERS = {
    *("corpus", "statistics", "extract", "evaluate", "sentences", "parse", "gather", "align", "align new"),
    *("cutpaste", "symmetrize", "score", "phrases", "analysis", "agreement", "scored", "export tsv"),
}


def spoiled(world, name, option, value, text):
    entry, path = ENTRIES[name], world / value
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines[:-1], text, lines[-1]]) + "\n")
    return entry.main, entry.arguments(world, world.parent / "out"), path, len(lines)


@pytest.mark.guarantee("no JSON")
@pytest.mark.parametrize(("name", "option", "value"), INPUTS)
def test_invalid_json_is_refused(world, tmp_path, capsys, name, option, value):
    whole = (world / value).read_bytes()
    for text in NO_JSON.values():
        main, arguments, path, number = spoiled(world, name, option, value, text)
        refused(main, arguments, tmp_path, capsys, f"{path}, line {number}: ")
        path.write_bytes(whole)
        tried()


@pytest.mark.guarantee("wrong types")
@pytest.mark.parametrize(("name", "option", "value"), [case for case in INPUTS if case[0] in READERS])
def test_fields_of_other_types_are_accepted_or_refused_in_one_line(
    world, tmp_path, capsys, name, option, value
):
    entry, path = ENTRIES[name], world / value
    first, *others = path.read_text().splitlines()
    record = json.loads(first)
    for key in record:
        for wrong in WRONG:
            path.write_text("\n".join([json.dumps(record | {key: wrong}), *others]) + "\n")
            with tempfile.TemporaryDirectory() as folder:
                arguments = entry.arguments(world, Path(folder) / "out")
                if not ends_well(entry.main, arguments, capsys):
                    refused(entry.main, arguments, Path(folder), capsys)
            tried()


def ends_well(main, arguments, capsys):
    try:
        with in_time():
            main([str(argument) for argument in arguments])
    except SystemExit:
        return False
    finally:
        capsys.readouterr()
    return True
