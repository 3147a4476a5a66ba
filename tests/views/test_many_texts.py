"""The report of many texts: what passes, the page, JUnit XML and the exit status; tables by their ending."""

import csv
import json
from xml.etree import ElementTree

import pandas as pd
import pytest
from vorlage import InputError, load_model
from vorlage.cli.main import main
from vorlage.semihmm.decode.load import SHIPPED

DOCUMENT = "The mill sold 300 boats in March. Ines Okafor runs it. The union did not accept the offer."
ANSWERS = {
    "right": "The mill sold 300 boats in March.",
    "half": "The mill sold 500 boats in March. Ines Okafor runs it.",
    "wrong": "The union did accept the offer.",
    "greeting": "Hello!",
}
MODEL = SHIPPED / "without-encoder.npz"


@pytest.fixture
def pairs(tmp_path):
    """A file of answers."""
    lines = (json.dumps({"id": id, "document": DOCUMENT, "summary": text}) for id, text in ANSWERS.items())
    path = tmp_path / "answers.jsonl"
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def attribute(*arguments):
    main(["attribute", "--model", str(MODEL), *map(str, arguments)])


def test_a_text_is_ok_by_the_share_of_its_supported_statements():
    model = load_model(MODEL, judge=None)
    attributions = {id: model.attribute(DOCUMENT, text) for id, text in ANSWERS.items()}
    assert {id: attribution.ok() for id, attribution in attributions.items()} == {
        "right": True,
        "half": False,
        "wrong": False,
        "greeting": True,
    }
    assert attributions["half"].ok(0.5) and not attributions["half"].ok(0.51)
    assert (
        attributions["wrong"].ok(0.0) and not attributions["wrong"].ok(0.01) and attributions["right"].ok(1)
    )
    for threshold in (2, -0.1, 90, float("nan"), "1", None):
        with pytest.raises(InputError, match="^threshold is .*; give a number from 0 to 1$"):
            attributions["right"].ok(threshold)


def test_texts_below_the_share_end_the_command_with_one_line(pairs, tmp_path, capsys):
    with pytest.raises(SystemExit) as stop:
        attribute("--pairs", pairs, "--fail-under", 0.6, "--output", tmp_path / "out.jsonl")
    assert stop.value.code == 1
    assert capsys.readouterr().err == (
        "error: answers.jsonl: 2 of 4 texts have less than 60% of their statements supported: half, wrong\n"
    )
    assert len((tmp_path / "out.jsonl").read_text().splitlines()) == 4
    with pytest.raises(SystemExit) as stop:
        attribute("--pairs", pairs, "--fail-under", 90)
    assert stop.value.code == 2 and "argument --fail-under" in capsys.readouterr().err


@pytest.mark.parametrize(
    "reports",
    [[], ["--junit", "out.xml"], ["--report", "out.html"], ["--junit", "o.xml", "--report", "o.html"]],
)
@pytest.mark.parametrize(
    ("ids", "share", "failed"),
    [
        (ANSWERS, None, "2 of 4 texts have less than 100% of their statements supported: half, wrong"),
        (ANSWERS, 0.5, "1 of 4 texts have less than 50% of their statements supported: wrong"),
        (ANSWERS, 0, ""),
        (["right", "greeting"], None, ""),
        (["right", "greeting"], 1, ""),
    ],
)
def test_a_text_that_does_not_pass_is_status_1_where_texts_are_checked(
    pairs, tmp_path, monkeypatch, capsys, reports, ids, share, failed
):
    monkeypatch.chdir(tmp_path)
    lines = pairs.read_text().splitlines(keepends=True)
    pairs.write_text("".join(line for line in lines if json.loads(line)["id"] in ids))
    command = ["--pairs", pairs, *reports, *([] if share is None else ["--fail-under", share])]
    if failed and (reports or share is not None):
        with pytest.raises(SystemExit) as stop:
            attribute(*command)
        assert stop.value.code == 1 and capsys.readouterr().err == f"error: answers.jsonl: {failed}\n"
    else:
        attribute(*command)
        assert not capsys.readouterr().err
    assert all((tmp_path / path).exists() for path in reports[1::2])


def test_junit_has_a_case_for_each_text(pairs, tmp_path, capsys):
    path = tmp_path / "out.xml"
    with pytest.raises(SystemExit):
        attribute("--pairs", pairs, "--junit", path, "--fail-under", 0.5)
    assert capsys.readouterr().out == "3 of 4 texts pass; 2 of 4 statements supported\n"
    suite = ElementTree.parse(path).getroot()
    assert (suite.tag, suite.get("tests"), suite.get("failures")) == ("testsuite", "4", "1")
    assert [case.get("name") for case in suite] == list(ANSWERS)
    (failure,) = suite.iter("failure")
    assert failure.get("message") == "0 of 1 statements supported" and "“not” was lost" in failure.text


def test_a_wrong_mark_fails(tmp_path, capsys):
    record = {
        "id": "a",
        "document": {"1": "Ada sold the mill.", "2": DOCUMENT},
        "summary": "Ada sold the mill [2].",
    }
    (tmp_path / "answers.jsonl").write_text(json.dumps(record))
    with pytest.raises(SystemExit):
        attribute("--pairs", tmp_path / "answers.jsonl", "--marks", "--junit", tmp_path / "out.xml")
    assert capsys.readouterr().out == "0 of 1 texts pass; 0 of 1 statements supported\n"
    (failure,) = ElementTree.parse(tmp_path / "out.xml").getroot().iter("failure")
    assert failure.text == "1: [2]: misattributed: see 1"


def test_the_page_lists_what_fails_first(pairs, tmp_path, capsys):
    with pytest.raises(SystemExit):
        attribute("--pairs", pairs, "--report", tmp_path / "out.html")
    assert capsys.readouterr().out == "2 of 4 texts pass; 2 of 4 statements supported\n"
    page = (tmp_path / "out.html").read_text()
    places = [page.index(f'<a href="#pair={id}">{id}</a>') for id in ("wrong", "half", "right", "greeting")]
    assert places == sorted(places)
    assert "What fails: number 1, negation 1" in page and "1: “500” ≠ “300”" in page


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet"])
def test_the_ending_of_the_output_chooses_the_table(pairs, tmp_path, capsys, ending):
    path = tmp_path / f"out.{ending}"
    attribute("--pairs", pairs, "--output", path)
    attribute("--pairs", pairs, "--tsv")
    header, *rows = csv.reader(capsys.readouterr().out.splitlines(), delimiter="\t")
    table = pd.read_parquet(path) if ending == "parquet" else pd.read_csv(path, sep=None, engine="python")
    assert list(table.columns) == header and len(table) == len(rows)
    assert list(table["id"]) == [row[0] for row in rows]
    expected = [float(row[header.index("null")]) for row in rows if row[header.index("null")]]
    assert table["null"].dropna().tolist() == pytest.approx(expected, abs=1e-6)
