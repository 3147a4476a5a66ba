"""The parts of a file are concatenated."""

import pytest
from vorlage.files import parts


def run(folder, count):
    output = folder / "whole.jsonl"
    parts.main(["--parts", str(folder / "parts"), "--of", str(count), "--output", str(output)])
    return output


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "parts").mkdir()
    # More than nine parts are ordered by number, not by name. One part is empty.
    for number in range(1, 13):
        (tmp_path / "parts" / f"{number}-of-12.jsonl").write_text(f"{number} ä\n" if number != 5 else "")
    return tmp_path


def test_parts_are_concatenated_in_order_of_their_numbers(folder):
    output = run(folder, 12)
    lines = [f"{number} ä" for number in range(1, 13) if number != 5]
    assert output.read_text().splitlines() == lines


@pytest.mark.parametrize(("count", "message"), [(13, "1-of-13.jsonl: does not exist"), (0, "--of is 0")])
def test_missing_part_is_an_error_on_one_line(folder, capsys, count, message):
    with pytest.raises(SystemExit) as stop:
        run(folder, count)
    error = capsys.readouterr().err
    assert stop.value.code == 1 and message in error and error.count("\n") == 1
    assert not (folder / "whole.jsonl").exists()
