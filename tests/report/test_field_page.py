"""The tables of docs/field.md, from scores and benchmarks written for them."""

import pandas as pd
import pytest
from field_page import cost_table, jobs_of, main, set_table
from vorlage.score.field.measures import COLUMNS

HEADING = "s\th:m:s\tmax_rss\n"


def rows(*values):
    """Scores with an interval of ±0.1; `values`: system, measure, value, p."""
    made = [
        (system, measure, value, value - 0.1, value + 0.1, None, None, None, p, 7)
        for system, measure, value, p in values
    ]
    return pd.DataFrame(made, columns=list(COLUMNS))


SCORES = rows(
    ("ours", "text_auroc", 0.75, None),
    ("ours", "word_auroc", 0.5, None),
    ("ours", "word_calibration_error", 0.125, None),
    ("judge", "text_auroc", 0.8, 0.001),
)


def test_main_measures_have_intervals_and_p_values():
    heading, _, ours, judge = set_table(SCORES).split("\n")
    assert heading == (
        "| system | texts: AUROC | p | AP | ECE | words: AUROC | p | AP | ECE |"
    )  # the columns of texts, then those of words
    assert ours == "| ours | 0.750 (0.650–0.850) |  |  |  | 0.500 (0.400–0.600) |  |  | 0.125 |"
    assert judge == "| judge | 0.800 (0.700–0.900) | < 0.01 |  |  |  |  |  |  |"


@pytest.mark.parametrize(
    ("system", "jobs"),
    [
        ("embed", ["align-embed"]),
        ("vorlage-without-encoder", ["align-vorlage-without-encoder"]),
        ("simalign-itermax", ["align-simalign-itermax"]),
        ("ibm1-doc", ["train-ibm1-doc", "align-ibm1-doc"]),
        (
            "hmm-gdfa",
            ["train-hmm-doc", "train-hmm-sum", "train-ibm1-doc", "train-ibm1-sum"]
            + ["align-hmm-doc", "align-hmm-sum", "align-hmm-gdfa"],
        ),
    ],
)
def test_jobs_of_a_system(system, jobs):
    assert list(jobs_of(system)) == jobs


def write_benchmark(folder, job, seconds, megabytes):
    (folder / "benchmarks").mkdir(parents=True, exist_ok=True)
    (folder / "benchmarks" / f"{job}.tsv").write_text(f"{HEADING}{seconds}\t0:00:01\t{megabytes}\n")


def test_cost_adds_the_jobs_and_takes_the_largest_peak(tmp_path):
    for job in jobs_of("ibm1-intersect"):
        write_benchmark(tmp_path / "one", job, 100.4, 50)
    write_benchmark(tmp_path / "one", "align-embed", 3.4, 99)
    write_benchmark(tmp_path / "two", "align-embed", 0.2, "-")
    table = cost_table([tmp_path / "one", tmp_path / "two"], ["ibm1-intersect", "embed", "judge"])
    assert table.split("\n")[2:] == ["| ibm1-intersect | 502 |  | 50 |", "| embed | 3 | 0 | 99 |"]


def test_the_command_fills_the_page(tmp_path):
    page, marks = (
        tmp_path / "page.md",
        ("token", "char", "passages", "supported", "unsupported", "fused", "cost"),
    )
    page.write_text("".join(f"<!-- field {mark} -->\n<!-- end -->\n" for mark in marks))
    arguments = ["--results", str(tmp_path / "field"), "--file", str(page)]
    with pytest.raises(SystemExit):
        main(arguments)
    score = tmp_path / "field/small/score/field.tsv"
    score.parent.mkdir(parents=True)
    SCORES.to_csv(score, sep="\t", index=False)
    main(arguments)
    text = page.read_text()
    assert f"<!-- field unsupported -->\n\n**small**, 7 pairs\n\n{set_table(SCORES)}\n\n<!-- end -->" in text
    assert text.count("No set of this kind was run.") == 5
    main(arguments)
    assert page.read_text() == text
    page.write_text("")
    with pytest.raises(SystemExit):
        main(arguments)
