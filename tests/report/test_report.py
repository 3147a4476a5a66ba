"""Tables for Markdown files."""

import markdown
import pandas as pd
import pytest
import times
from vorlage.command.errors import InputError

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
    assert markdown.make_table(SCORES).splitlines()[2:] == [ROW]


def test_rows_of_phrases_have_the_columns_of_phrases():
    phrases = pd.DataFrame(
        [["a", "all", 0.5, 0.25, 1 / 3, 0.3, 0.4]],
        columns=["system", "words", "precision", "recall", "f", "low", "high"],
    )
    assert markdown.make_table(phrases).splitlines() == [
        "| system | words | precision | recall | F | 95 % interval |",
        "| --- | --- | ---: | ---: | ---: | ---: |",
        "| a | all | 0.500 | 0.250 | 0.333 | 0.300–0.400 |",
    ]


@pytest.mark.parametrize("name", ["one", "two"])
def test_a_table_replaces_only_the_table_of_its_name(name):
    mark = f"scores {name}"
    text = markdown.insert(markdown.insert(TEXT, mark, "first"), mark, "second")
    old = "" if name == "one" else "old\n"
    place = f"<!-- scores {name} -->\n"
    assert text == TEXT.replace(place + old, place + "second\n")


def test_a_file_without_the_mark_stays_as_it_is(tmp_path, capsys):
    (tmp_path / "read.md").write_text("nothing here\n")
    SCORES.to_csv(tmp_path / "scores.tsv", sep="\t", index=False)
    with pytest.raises(SystemExit):
        markdown.main(
            ["--scores", str(tmp_path / "scores.tsv"), "--name", "one", "--file", str(tmp_path / "read.md")]
        )
    assert capsys.readouterr().err.startswith(f"error: {tmp_path}/read.md: no lines `<!-- scores one -->`")
    assert (tmp_path / "read.md").read_text() == "nothing here\n"


def test_a_missing_file_is_an_error(tmp_path):
    with pytest.raises(InputError, match=r"read\.md: cannot be read \(No such file"):
        markdown.insert_into_file(tmp_path / "read.md", {})


def test_systems_are_shown_in_the_requested_order():
    scores = pd.DataFrame({"system": ["a", "a", "b"], "words": ["all", "nonstop", "all"]})
    assert markdown.select_systems(scores, None) is scores
    assert markdown.select_systems(scores, ["b", "a"]).to_numpy().tolist() == [
        ["b", "all"],
        ["a", "all"],
        ["a", "nonstop"],
    ]
    with pytest.raises(InputError, match="c has no scores; choose from a, b"):
        markdown.select_systems(scores, ["a", "c"])


def test_times_are_the_measurements(tmp_path):
    (tmp_path / "train-a.tsv").write_text("s\th:m:s\tmax_rss\n83.217\t0:01:23\t1204.7\n")
    (tmp_path / "align-a.tsv").write_text("s\th:m:s\tmax_rss\n0.51\t0:00:00\t-\n")
    (tmp_path / "read.md").write_text("<!-- times x -->\n<!-- end -->\n")
    options = ["--benchmarks", str(tmp_path), "--name", "x", "--file", str(tmp_path / "read.md")]
    times.main([*options, "--jobs", "train-a", "align-a"])
    rows = (tmp_path / "read.md").read_text().splitlines()[3:-1]
    assert rows == ["| train-a | 83.2 | 1,205 |", "| align-a | 0.51 |  |"]
    with pytest.raises(InputError, match="the job b was not measured; choose from align-a, train-a"):
        times.read_times(tmp_path, ["b"])
