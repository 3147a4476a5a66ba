"""The replication page puts each number of the papers beside that of the same measure in each run."""

import re
import shlex
from pathlib import Path

import pandas as pd
import pytest
import yaml
from replication_page import NONE, RUNS, TABLES, compare, main, show
from vorlage.settings import complete

PAGE = Path("docs/replication.md")
PAPERS = Path("docs/replication.tsv")
NUMBERS = pd.read_table(PAPERS)
TEXT = PAGE.read_text(encoding="utf-8")


def cells(line: str) -> list[str]:
    return line.strip("|").strip().split(" | ")


def table_of_the_page(name: str) -> pd.DataFrame:
    """Return a table of the page, indexed by its first column."""
    found = re.search(rf"<!-- replication {name} -->\n(.*?)\n<!-- end -->", TEXT, re.DOTALL)
    assert found, name
    heading, _, *rows = (cells(line) for line in found[1].splitlines())
    return pd.DataFrame(rows, columns=heading).set_index("number")


def write(results: Path, run: str, file: str, text: str) -> None:
    path = results / run / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text.replace(" ", "\t"))


@pytest.fixture
def papers() -> pd.DataFrame:
    rows = [
        ["annotation", "§1", "κ", "0.63", "score/agreement.tsv", "annotator=A words=all", "kappa"],
        ["annotation", "§2", "cells, jump", "7 million / most", "score/jumps.tsv", "jump=1", "cells share"],
    ]
    return pd.DataFrame(rows, columns=list(NUMBERS))


def test_numbers_stand_beside_those_of_the_paper(tmp_path: Path, papers: pd.DataFrame) -> None:
    agreement = "annotator words kappa\nB all 0.1\nA all 0.876\nA nonstop 0.2\n"
    write(tmp_path, "replication-sample", "score/agreement.tsv", agreement)
    write(tmp_path, "replication-sample", "score/jumps.tsv", "jump cells share\n-1 7 0.5\n1 1234567 0.25\n")
    write(tmp_path, "replication-ziffdavis", "score/agreement.tsv", agreement.replace("0.876", "0.5"))
    assert compare(papers, tmp_path, "annotation").splitlines() == [
        "| number | in | paper | bundled | Ziff-Davis |",
        "| --- | ---: | ---: | ---: | ---: |",
        "| κ | §1 | 0.63 | 0.88 | 0.50 |",
        "| cells, jump | §2 | 7 million / most | 1,234,567 / 0.250 | – |",
    ]


def test_a_number_that_no_run_has_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = TEXT
    with pytest.raises(SystemExit):
        main(["--papers", str(PAPERS), "--results", str(tmp_path), "--file", str(PAGE)])
    assert "no run has “abstracts: number, sentences" in capsys.readouterr().err
    assert PAGE.read_text(encoding="utf-8") == before


def test_a_column_that_is_not_there_is_named(
    tmp_path: Path, papers: pd.DataFrame, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, "replication-sample", "score/agreement.tsv", "annotator words\nA all\n")
    file = tmp_path / "papers.tsv"
    papers.to_csv(file, sep="\t", index=False)
    with pytest.raises(SystemExit):
        main(["--papers", str(file), "--results", str(tmp_path), "--file", str(PAGE)])
    assert "agreement.tsv: no column kappa" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("value", "paper", "shown"),
    [
        (0.8765, "0.63", "0.88"),
        (0.5, "0.7745", "0.5000"),
        (0.1234, "not run", "0.123"),
        (float("nan"), "0.5", NONE),
    ],
)
def test_decimals_are_those_of_the_paper(value: float, paper: str, shown: str) -> None:
    assert show(value, paper) == shown


def test_the_page_has_the_numbers_of_the_papers() -> None:
    assert set(NUMBERS["table"]) == set(TABLES)
    for name, numbers in NUMBERS.groupby("table"):
        page = table_of_the_page(str(name))
        expected = numbers[["quantity", "place", "paper"]].values.tolist()
        assert page.reset_index()[["number", "in", "paper"]].values.tolist() == expected
        assert set(page.columns) <= {"in", "paper", *RUNS.values()}
        for _, row in numbers.iterrows():
            sizes = {len(cell.split(" / ")) for cell in page.loc[row["quantity"]][1:] if cell != NONE}
            assert sizes == {len(row["columns"].split())}, row["quantity"]


def test_settings_of_the_commands_exist() -> None:
    commands = re.findall(r"`(snakemake [^`]*--config [^`]+)`", TEXT)
    assert len(commands) >= 7
    for command in commands:
        config = yaml.safe_load(Path("config.yaml").read_text(encoding="utf-8"))
        for given in shlex.split(command)[4:]:
            name, _, value = given.partition("=")
            changed = yaml.safe_load(value)
            config[name] = config[name] | changed if isinstance(changed, dict) else changed
        complete(config, encoder=False)


# Scores over all words: which system the page says is better, which is worse, and in which columns.
PAPER, DEFAULT, BUNDLED = "paper", RUNS["sample"], RUNS["replication-sample"]
RELATIVE, GAUSSIAN, SYNTAX = (f"semi-HMM, {jump} jumps" for jump in ("relative", "Gaussian", "syntax"))
HMM, MODEL4, HMM_SUM, MODEL4_SUM = (
    f"{model}, {side} as source" for side in ("document", "abstract") for model in ("HMM", "Model 4")
)
ORDERS = [
    ("annotator 1", RELATIVE, [PAPER, DEFAULT, BUNDLED]),
    ("annotator 2", RELATIVE, [PAPER, DEFAULT, BUNDLED]),
    (MODEL4, HMM_SUM, [PAPER, DEFAULT, BUNDLED]),
    (HMM, MODEL4, [PAPER, DEFAULT, BUNDLED]),
    (HMM_SUM, MODEL4_SUM, [PAPER, DEFAULT, BUNDLED]),
    ("Cut & Paste", HMM_SUM, [PAPER, DEFAULT, BUNDLED]),
    ("Cut & Paste", HMM, [PAPER]),
    (SYNTAX, RELATIVE, [PAPER]),
    (RELATIVE, SYNTAX, [DEFAULT, BUNDLED]),
    (GAUSSIAN, SYNTAX, [DEFAULT, BUNDLED]),
    (RELATIVE, GAUSSIAN, [PAPER, DEFAULT]),
    (GAUSSIAN, RELATIVE, [BUNDLED]),
    (GAUSSIAN, HMM, [PAPER, DEFAULT]),
    (HMM, GAUSSIAN, [BUNDLED]),
    (SYNTAX, HMM, [DEFAULT]),
    (SYNTAX, "Cut & Paste", [DEFAULT]),
]


@pytest.mark.parametrize(("better", "worse", "columns"), ORDERS)
def test_orders_of_systems_are_those_of_the_text(better: str, worse: str, columns: list[str]) -> None:
    scores = table_of_the_page("scores")
    for column in columns:
        f = [float(scores.loc[f"{system}; all words", column].split(" / ")[-1]) for system in (better, worse)]
        assert f[0] > f[1], column
