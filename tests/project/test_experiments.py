"""The tables that experiments/ writes into the pages, from scores and benchmarks written for them."""

import re
import sys

import field_page
import pandas as pd
import pytest
from field_page import cost_table, jobs_of, set_table, summary_table
from markdown_tables import insert
from replication import PAGE, PAPERS, RUNS, TABLES, compare
from vorlage.score.field.measures import COLUMNS

NUMBERS = pd.read_table(PAPERS)


@pytest.mark.parametrize("name", ["one", "two"])
def test_a_table_replaces_only_the_table_of_its_name(name):
    text = "a\n<!-- one -->\n<!-- end -->\nb\n<!-- two -->\nold\n<!-- end -->\nc\n"
    old = "" if name == "one" else "old\n"
    made = insert(insert(text, name, "first"), name, "second")
    assert made == text.replace(f"<!-- {name} -->\n{old}", f"<!-- {name} -->\nsecond\n")
    with pytest.raises(SystemExit, match="no lines `<!-- three -->`"):
        insert(text, "three", "")


FIELD = pd.DataFrame(
    [
        (system, measure, value, value - 0.1, value + 0.1, None, None, None, p, 7)
        for system, measure, value, p in (
            ("ours", "text_auroc", 0.75, None),
            ("ours", "word_auroc", 0.5, None),
            ("ours", "word_calibration_error", 0.125, None),
            ("judge", "text_auroc", 0.8, 0.001),
        )
    ],
    columns=list(COLUMNS),
)


def test_main_measures_have_intervals_and_p_values():
    assert set_table(FIELD).split("\n") == [
        "| system | texts: AUROC | p | AP | ECE | words: AUROC | p | AP | ECE |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
        "| ours | 0.750 (0.650–0.850) |  |  |  | 0.500 (0.400–0.600) |  |  | 0.125 |",
        "| judge | 0.800 (0.700–0.900) | < 0.01 |  |  |  |  |  |  |",
    ]


def test_cost_adds_the_jobs_and_takes_the_largest_peak(tmp_path):
    measured = [(f"one/benchmarks/{job}.tsv", 100.4, 50) for job in jobs_of("ibm1-intersect")]
    measured += [("one/benchmarks/align-embed.tsv", 3.4, 99), ("two/benchmarks/align-embed.tsv", 0.2, "-")]
    for name, seconds, megabytes in measured:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(f"s\th:m:s\tmax_rss\n{seconds}\t0:00:01\t{megabytes}\n")
    table = cost_table([tmp_path / "one", tmp_path / "two"], ["ibm1-intersect", "embed", "judge"])
    assert table.split("\n")[2:] == ["| ibm1-intersect | 502 |  | 50 |", "| embed | 3 | 0 | 99 |"]


def main_measure(measure, **values):
    rows = [(system.replace("_", "-"), measure, value) for system, value in values.items()]
    return pd.DataFrame(rows, columns=["system", "measure", "value"])


def test_a_summary_has_our_models_the_best_others_and_the_best_of_all_in_bold():
    scores = {
        "answers": main_measure("accuracy", vorlage=0.9, vorlage_small=0.8, a=0.7, b=0.6, c=0.91, d=0.1),
        "claims": main_measure("best", vorlage=0.5, vorlage_small=0.6, a=0.2, b=0.4, c=0.1),
        "pairs": main_measure("sure_f", vorlage=0.4, a=0.45),
    }
    # Means: b 0.5, c 0.505, a 0.45; d lacks the claims. Of the first column c has the largest value.
    assert summary_table(scores, "sources").split("\n")[2:] == [
        "| vorlage | 0.900 | 0.500 |",
        "| vorlage-small | 0.800 | **0.600** |",
        "| c | **0.910** | 0.100 |",
        "| b | 0.600 | 0.400 |",
        "| a | 0.700 | 0.200 |",
    ]
    assert summary_table(scores, "links").split("\n")[2:] == ["| vorlage | 0.400 |", "| a | **0.450** |"]


def test_the_tables_of_the_field_fill_the_pages(tmp_path, monkeypatch):
    pages = {
        "page": [f"field {kind}" for kind in (*field_page.MEASURES, "cost")],
        "summary": [f"field summary {name}" for name in field_page.SUMMARIES],
    }
    for page, names in pages.items():
        (tmp_path / page).write_text("".join(f"<!-- {name} -->\n<!-- end -->\n" for name in names))
    scores = tmp_path / "field/small/score/field.tsv"
    scores.parent.mkdir(parents=True)
    FIELD.to_csv(scores, sep="\t", index=False)
    options = [f"--{name}={tmp_path / name}" for name in pages]
    monkeypatch.setattr(sys, "argv", ["field_page.py", f"--results={tmp_path / 'field'}", *options])
    field_page.main()
    text = (tmp_path / "page").read_text()
    assert f"<!-- field unsupported -->\n\n**small**, 7 pairs\n\n{set_table(FIELD)}\n\n<!-- end -->" in text
    assert text.count("No set of this kind was run.") == 5
    assert "| ours |" not in (tmp_path / "summary").read_text().split("<!-- field summary unsupported -->")[0]


def write(results, run, file, text):
    path = results / run / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text.replace(" ", "\t"))


def test_numbers_stand_beside_those_of_the_paper(tmp_path):
    rows = [
        ["annotation", "§1", "κ", "0.63", "score/agreement.tsv", "annotator=A words=all", "kappa"],
        ["annotation", "§2", "cells, jump", "7 million / most", "score/jumps.tsv", "jump=1", "cells share"],
    ]
    papers = pd.DataFrame(rows, columns=list(NUMBERS))
    with pytest.raises(SystemExit, match="no run has “κ”"):
        compare(papers, tmp_path, "annotation")
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


def table_of_the_page(name):
    """Return a table of the page of the replication, indexed by its first column."""
    table = re.search(rf"<!-- replication {name} -->\n(.*?)\n<!-- end -->", PAGE.read_text(), re.DOTALL)
    heading, _, *rows = (line.strip("|").strip().split(" | ") for line in table[1].splitlines())
    return pd.DataFrame(rows, columns=heading).set_index("number")


def test_the_page_has_the_numbers_of_the_papers():
    assert set(NUMBERS["table"]) == set(TABLES)
    for name, numbers in NUMBERS.groupby("table"):
        page = table_of_the_page(name)
        expected = numbers[["quantity", "place", "paper"]].values.tolist()
        assert page.reset_index()[["number", "in", "paper"]].values.tolist() == expected
        assert set(page.columns) <= {"in", "paper", *RUNS.values()}
