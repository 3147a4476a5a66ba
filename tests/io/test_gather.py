"""The parts of a file, put one behind the other."""

import numpy as np
import pytest

from pipeline.io import gather
from pipeline.io.parts import offsets_beside


def run(folder, count):
    output = folder / "whole.jsonl"
    gather.main(["--parts", str(folder / "parts"), "--of", str(count), "--output", str(output)])
    return output


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "parts").mkdir()
    # Ten and more: by number, not by name. One part is empty.
    for number in range(1, 13):
        (tmp_path / "parts" / f"{number}-of-12.jsonl").write_text(f"{number} ä\n" if number != 5 else "")
    return tmp_path


def test_parts_in_order_of_their_numbers(folder):
    output = run(folder, 12)
    lines = [f"{number} ä" for number in range(1, 13) if number != 5]
    assert output.read_text().splitlines() == lines
    sizes = [len(f"{line}\n".encode()) for line in lines]
    assert np.load(offsets_beside(output)).tolist() == [0, *np.cumsum(sizes)]


@pytest.mark.parametrize(("count", "says"), [(13, "1-of-13.jsonl: is not there"), (0, "--of is 0")])
def test_a_missing_part_is_one_line(folder, capsys, count, says):
    with pytest.raises(SystemExit) as stop:
        run(folder, count)
    error = capsys.readouterr().err
    assert stop.value.code == 1 and says in error and error.count("\n") == 1
    assert not (folder / "whole.jsonl").exists()
