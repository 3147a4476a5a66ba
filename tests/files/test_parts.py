"""Parts of a JSON-lines file."""

import pytest
from vorlage.command.errors import InputError
from vorlage.files.inputs import read_lines
from vorlage.files.parts import Part, parse_part, take_part

TEXT = "one\n\nzwei äöü\nthree"


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "some.jsonl"
    path.write_text(TEXT, encoding="utf-8")
    return path


@pytest.mark.parametrize("of", [1, 2, 3, 4, 7])
def test_parts_together_are_the_whole(path, of):
    lines = [line for number in range(of) for line in take_part(read_lines, path, Part(number + 1, of))]
    assert lines == list(enumerate(TEXT.splitlines(keepends=True), start=1))


@pytest.mark.parametrize("text", ["", "3", "0-of-3", "4-of-3", "a-of-b"])
def test_text_that_does_not_name_a_part_is_an_error(text):
    with pytest.raises(InputError, match="does not name a part"):
        parse_part(text)


def test_name_of_a_part_is_read_and_written():
    assert parse_part("3-of-10") == Part(3, 10) and str(Part(3, 10)) == "3-of-10"
