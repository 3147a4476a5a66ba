"""Tables and pictures for documents."""

import pandas as pd
import pytest

from pipeline.report import table

SCORES = pd.DataFrame(
    [["cutpaste", "nonstop", 0.5, 0.25, 1 / 3, 0.5, 0.25, 0.3, 0.4, 12, 99, "x"]],
    columns=[
        "system",
        "words",
        "soft_precision",
        "recall",
        "soft_f",
        "hard_precision",
        "hard_f",
        "low",
        "high",
    ]
    + ["pairs", "links", "signature"],
)
ROW = "| cutpaste | non-stop | 0.500 | 0.250 | 0.333 | 0.300–0.400 | 0.250 |"
TEXT = "a\n<!-- scores one -->\n<!-- end -->\nb\n<!-- scores two -->\nold\n<!-- end -->\nc\n"


def test_rows_are_the_scores():
    assert table.markdown(SCORES).splitlines()[2:] == [ROW]


@pytest.mark.parametrize("name", ["one", "two"])
def test_a_table_takes_the_place_of_its_name_alone(name):
    text = table.insert(table.insert(TEXT, name, "first"), name, "second")
    old = "" if name == "one" else "old\n"
    place = f"<!-- scores {name} -->\n"
    assert text == TEXT.replace(place + old, place + "second\n")


def test_a_file_without_the_place_is_left_alone(tmp_path, capsys):
    (tmp_path / "read.md").write_text("nothing here\n")
    SCORES.to_csv(tmp_path / "scores.tsv", sep="\t", index=False)
    with pytest.raises(SystemExit):
        table.main(
            ["--scores", str(tmp_path / "scores.tsv"), "--name", "one", "--file", str(tmp_path / "read.md")]
        )
    assert capsys.readouterr().err.startswith("error: no place marked")
    assert (tmp_path / "read.md").read_text() == "nothing here\n"
