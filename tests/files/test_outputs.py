"""Outputs appear whole or not at all."""

import csv
import os
import signal
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vorlage.command.errors import InputError
from vorlage.files.outputs import replacing_folder, write_lines
from vorlage.workflow.stages import gather
from vorlage.workflow.tables import write_table

WRITES = """
import itertools, sys, time
from vorlage.files.outputs import write_lines

def lines():
    yield from ["new"] * 100_000
    print("writing", flush=True)
    time.sleep(60)

write_lines(sys.argv[1], lines())
"""
CELLS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))


def test_a_process_that_is_killed_while_it_writes_leaves_the_old_output(tmp_path):
    path = tmp_path / "out"
    path.write_text("old\n")
    with subprocess.Popen([sys.executable, "-c", WRITES, path], stdout=subprocess.PIPE) as process:
        assert process.stdout and process.stdout.readline() == b"writing\n"
        process.kill()
    assert process.returncode == -signal.SIGKILL
    assert path.read_text() == "old\n" and len(os.listdir(tmp_path)) == 2
    write_lines(path, ["newer"])
    assert path.read_text() == "newer\n" and os.listdir(tmp_path) == ["out"]


def test_an_exception_leaves_the_old_output_alone(tmp_path):
    def lines():
        yield "new"
        raise OSError(28, "No space left on device")

    (tmp_path / "out").write_text("old\n")
    with pytest.raises(OSError, match="No space left") as error:
        write_lines(tmp_path / "out", lines())
    assert error.value.filename == str(tmp_path / "out")
    assert os.listdir(tmp_path) == ["out"] and (tmp_path / "out").read_text() == "old\n"


def test_a_folder_is_replaced_as_a_whole_and_never_with_files_of_others(tmp_path):
    folder = tmp_path / "folder"
    for content in ("first", "second"):
        with replacing_folder(folder) as new:
            (new / "a").write_text(content)
        assert (folder / "a").read_text() == content
    (folder / "mine").touch()
    with pytest.raises(InputError, match="has other files, such as mine"), replacing_folder(folder) as new:
        (new / "a").touch()
    assert sorted(os.listdir(folder)) == ["a", "mine"] and os.listdir(tmp_path) == ["folder"]


@given(st.lists(st.lists(CELLS, min_size=2, max_size=2)))
def test_tables_are_read_as_they_were_written(tmp_path_factory, rows):
    path = tmp_path_factory.getbasetemp() / "table.tsv"
    write_table(path, ("a", "b"), rows)
    with open(path, encoding="utf-8", newline="") as file:
        assert list(csv.reader(file, delimiter="\t")) == [["a", "b"], *rows]


def run(folder, count):
    output = folder / "whole.jsonl"
    gather.main(["--parts", str(folder / "parts"), "--of", str(count), "--output", str(output)])
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
def test_missing_part_is_an_error_on_one_line(folder, stops, count, message):
    assert message in stops(run, folder, count)
    assert not (folder / "whole.jsonl").exists()
