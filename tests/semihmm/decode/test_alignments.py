"""The null posteriors of `alignments.jsonl`: written and read again, and wrong ones refused."""

import json
from dataclasses import replace

import pytest
from vorlage.alignments.alignment import Alignment, Link, read_alignments, write_alignments
from vorlage.command.errors import InputError

ALIGNMENT = Alignment(
    "a",
    "s",
    -1.5,
    ["One", "boat", "left", "."],
    ["A", "boat", "."],
    [Link((0, 1), None, 0.75), Link((1, 2), (1, 2), 0.5)],
    "f00",
    [Link((2, 3), (3, 4), 0.125)],
    [0.75, 0.25, 0.875],
)


def test_a_system_without_posteriors_writes_no_null(tmp_path):
    bare = replace(ALIGNMENT, nulls=[], candidates=[])
    write_alignments(tmp_path / "a.jsonl", [bare, replace(ALIGNMENT, id="b", nulls=[1, 0, 1])])
    lines = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text().splitlines()]
    assert "null" not in lines[0] and lines[1]["null"] == [1, 0, 1]
    first, second = read_alignments(tmp_path / "a.jsonl")
    assert first == bare and second.nulls == [1.0, 0.0, 1.0]
    assert all(type(number) is float for number in second.nulls)


@pytest.mark.parametrize(
    ("null", "message"),
    [
        ([0.5], "`null` has 1 numbers; the summary has 3 tokens"),
        (None, "`null` is None: input should be a valid list"),
        ([0.5, 1.1, 0.5], "`null.1` is 1.1: input should be less than"),
        ([True, 0.5, 0.5], "`null.0` is True: input should be a valid number"),
    ],
)
def test_wrong_null_posteriors_are_refused_in_one_line(tmp_path, null, message):
    lines = [json.dumps(ALIGNMENT.to_json()), json.dumps(ALIGNMENT.to_json() | {"id": "b", "null": null})]
    (tmp_path / "a.jsonl").write_text("\n".join(lines) + "\n")
    with pytest.raises(InputError) as error:
        list(read_alignments(tmp_path / "a.jsonl"))
    assert message in str(error.value) and "line 2" in str(error.value) and "\n" not in str(error.value)
