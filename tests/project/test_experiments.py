"""The tables that experiments/ writes into the pages, from scores and benchmarks written for them."""

import re
import sys

import field_page
import numpy as np
import pandas as pd
import papers_page
import pytest
from bench import write_table
from bench_kernels import Row
from field.measures import COLUMNS
from markdown_tables import insert
from replication import CLAIMS, PAGE, PAPERS, RUNS, TABLES, judge_claims, verdict
from vorlage.alignments.alignment import Alignment, Link
from vorlage.alignments.columns import Columns
from vorlage.api.aligned import AlignedPair
from vorlage.corpus.pair import Pair
from vorlage.text.tokenize import make_text

NUMBERS = pd.read_table(PAPERS)


@pytest.mark.parametrize("name", ["one", "two"])
def test_a_table_replaces_only_the_table_of_its_name(name):
    text = "a\n<!-- one -->\n<!-- end -->\nb\n<!-- two -->\nold\n<!-- end -->\nc\n"
    old = "" if name == "one" else "old\n"
    made = insert(insert(text, name, "first"), name, "second")
    assert made == text.replace(f"<!-- {name} -->\n{old}", f"<!-- {name} -->\nsecond\n")
    with pytest.raises(SystemExit, match="no lines `<!-- three -->`"):
        insert(text, "three", "")


def test_a_measured_value_stands_beside_that_of_its_peer(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("<!-- bench -->\n<!-- end -->\n")
    write_table([Row("start", 1.5, "s", "limit", 1.2), Row("peak", 1234.0, "MB")], tmp_path, page)
    lines = page.read_text().splitlines()
    assert lines[3:5] == ["| start | 1.5 s | limit: 1.2 | 1.25 |", "| peak | 1,234 MB |  |  |"]
    table = pd.read_table(tmp_path / "bench.tsv", dtype=str, keep_default_na=False)
    assert table.values.tolist() == [
        ["start", "1.5", "s", "limit", "1.2", "1.25"],
        ["peak", "1,234", "MB", "", "", ""],
    ]


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


def test_values_have_three_decimals_and_small_p_values_a_bound():
    assert field_page.rounded(FIELD).values.tolist() == [
        ["7", "ours", "text_auroc", "0.750", "0.650", "0.850", ""],
        ["7", "ours", "word_auroc", "0.500", "0.400", "0.600", ""],
        ["7", "ours", "word_calibration_error", "0.125", "0.025", "0.225", ""],
        ["7", "judge", "text_auroc", "0.800", "0.700", "0.900", "<0.01"],
    ]


def test_the_tables_of_the_field_fill_the_pages(tmp_path, monkeypatch):
    pages = {
        "page": [f"field {name}" for name in field_page.TABLES],
        "summary": [f"field summary {name}" for name in field_page.SUMMARIES],
    }
    for page, names in pages.items():
        (tmp_path / page).write_text("".join(f"<!-- {name} -->\n<!-- end -->\n" for name in names))
    (tmp_path / "field.tsv").write_text(
        "set\tpairs\tsystem\tmeasure\tvalue\tlow\thigh\tp\nold\t3\tours\tbest\t0.25\t0.1\t0.4\t\n"
        "small\t7\tours\ttext_auroc\t0.1\t0.1\t0.1\t\n"
    )
    scores = tmp_path / "field/small/score/field.tsv"
    scores.parent.mkdir(parents=True)
    FIELD.to_csv(scores, sep="\t", index=False)
    options = [f"--tables={tmp_path}", *(f"--{name}={tmp_path / name}" for name in pages)]
    monkeypatch.setattr(sys, "argv", ["field_page.py", f"--results={tmp_path / 'field'}", *options])
    field_page.main()
    text = (tmp_path / "page").read_text()
    unsupported = "| ours | **0.500** | 0.750 |\n| judge |  | **0.800** |"
    assert unsupported in text.partition("<!-- field unsupported -->")[2].partition("<!-- end -->")[0]
    assert "| ours | **0.250** |" in text.partition("<!-- field sources -->")[2].partition("<!-- end -->")[0]
    assert "<!-- field links -->\n<!-- end -->" in text  # as it was
    assert "0.1\t" not in (tmp_path / "field.tsv").read_text().partition("old")[2].partition("\n")[2]


def place_of_a_page(page, name):
    """Return what stands in a place of a page."""
    return re.search(rf"<!-- {name} -->\n(.*?)\n<!-- end -->", page.read_text(), re.DOTALL)[1]


def table_of_the_page(name):
    """Return a table of the page of the replication, indexed by its first column."""
    table = place_of_a_page(PAGE, f"replication {name}")
    heading, _, *rows = (line.strip("|").strip().split(" | ") for line in table.splitlines())
    return pd.DataFrame(rows, columns=heading).set_index("number")


def test_the_page_has_the_numbers_of_the_papers():
    assert set(NUMBERS["table"]) == set(TABLES)
    for name, numbers in NUMBERS.groupby("table"):
        page = table_of_the_page(name)
        expected = numbers[["quantity", "place", "paper"]].values.tolist()
        assert page.reset_index()[["number", "in", "paper"]].values.tolist() == expected
        assert set(page.columns) <= {"in", "paper", "verdict", *RUNS.values()}


@pytest.mark.parametrize(
    ("paper", "ours", "expected"),
    [
        ("0.40/0.20", "0.50/0.15", "close"),
        ("0.40/0.20", "0.51/0.20", "higher"),
        ("13k; 2.5m", "1,300; 25,000", "lower"),
        ("7.2 million/at least 0.4", "1/0.9", "mixed"),
        ("the most frequent", "0.48", "–"),
        ("0.5/0.5", "0.5/–", "close"),
    ],
)
def test_verdicts(paper, ours, expected):
    assert verdict(paper, ours) == expected


def test_a_claim_holds_if_its_first_number_is_larger(tmp_path):
    for run, scores in (("sample", (0.5, 0.25)), ("replication-sample", (0.25, 0.25))):
        (tmp_path / run / "score").mkdir(parents=True)
        frame = pd.DataFrame({"system": ["hmm-doc", "hmm-sum"], "words": "all", "soft_f": scores})
        frame.to_csv(tmp_path / run / "score/scores.tsv", sep="\t", index=False)
    claims = pd.read_table(CLAIMS)
    table = judge_claims(claims[:2], tmp_path).splitlines()
    assert table[2].endswith("| 0.271, 0.164 | does not hold: 0.250, 0.250 | holds: 0.500, 0.250 |")
    assert table[3].endswith("| – | – |")


def test_the_examples_of_the_papers_that_need_no_model_are_as_on_their_page():
    page = PAGE.with_name("papers.md")
    tree = papers_page.tree_of(papers_page.read_pair("figure-1").document)
    for name, text in (("tree", tree), ("decomposition", papers_page.decomposition())):
        assert place_of_a_page(page, f"papers {name}") == papers_page.block(text)


def test_a_link_of_an_example_is_whole_partial_or_wrong():
    pair = Pair("a", *(make_text(text, tokenized=True) for text in ("the seller of macs", "a mac seller")))
    links = [Link((1, 2), (3, 4)), Link((2, 3), (1, 3))]
    alignment = Alignment("a", "s", None, pair.document.words, pair.summary.words, links)
    aligned = AlignedPair(pair, alignment, Columns(np.ones((3, 4)), np.arange(4)), np.zeros(3))
    expected = {
        ("mac", "macs"): "yes: macs",
        ("seller", "seller"): "in part: seller of",
        ("mac", "of"): "no: macs",
        ("a", None): "yes: ∅",
        ("mac", None): "no: macs",
        ("a", "the"): "no: ∅",
    }
    for (phrase, right), text in expected.items():
        assert papers_page.cell(aligned, phrase, right) == text
