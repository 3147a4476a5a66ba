"""Files are known by their numbers, and a new file may have the number of one that was removed.

A renamed file stands for a new one with an old number, which no test can ask a file system for.
"""

import pytest
from vorlage.command.errors import InputError
from vorlage.files.door import announce_outputs, check_output, open_regular


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "output").mkdir()
    (tmp_path / "output" / "a").touch()
    announce_outputs([tmp_path / "output"], [])
    yield tmp_path / "output"
    announce_outputs([], [])


def test_an_input_in_the_output_folder_is_not_replaced(folder):
    open_regular(folder / "a").close()
    with pytest.raises(InputError, match="a: is an input of this command and its output"):
        check_output(folder / "a")


def test_a_file_with_the_number_of_a_removed_input_is_replaced(folder):
    open_regular(folder / "a").close()
    check_output((folder / "a").rename(folder / "b"))


def test_a_folder_with_the_number_of_a_removed_output_has_no_outputs(folder):
    other = folder.rename(folder.with_name("other"))
    open_regular(other / "a").close()
    other.rename(folder)
    check_output(folder / "a")
