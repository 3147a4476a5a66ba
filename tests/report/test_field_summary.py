"""The summary of the field for a Markdown file."""

import pandas as pd
import pytest
from field_summary import main, summarize


def make_scores(measure, **values):
    """Return the rows of a `field.tsv` with one measure; `_` in a name stands for a hyphen."""
    rows = [(system.replace("_", "-"), measure, value) for system, value in values.items()]
    return pd.DataFrame(rows, columns=["system", "measure", "value"])


SCORES = {
    "answers": make_scores("accuracy", vorlage=0.9, vorlage_small=0.8, a=0.7, b=0.6, c=0.91, d=0.1),
    "claims": make_scores("best", vorlage=0.5, vorlage_small=0.6, a=0.2, b=0.4, c=0.1),
    "pairs": make_scores("sure_f", vorlage=0.4, a=0.45),
}


def test_a_summary_has_our_models_the_best_others_and_the_best_of_all_in_bold():
    # Means: b 0.5, c 0.505, a 0.45; d lacks the claims. Of the first column c has the largest value.
    assert summarize(SCORES, "sources").split("\n")[2:] == [
        "| vorlage | 0.900 | 0.500 |",
        "| vorlage-small | 0.800 | **0.600** |",
        "| c | **0.910** | 0.100 |",
        "| b | 0.600 | 0.400 |",
        "| a | 0.700 | 0.200 |",
    ]
    assert summarize(SCORES, "links").split("\n")[2:] == ["| vorlage | 0.400 |", "| a | **0.450** |"]


def test_the_command_fills_the_marks(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(
        "".join(f"<!-- field summary {n} -->\n<!-- end -->\n" for n in ("links", "sources", "unsupported"))
    )
    arguments = ["--results", str(tmp_path), "--file", str(page)]
    with pytest.raises(SystemExit):
        main(arguments)
    for name, scores in SCORES.items():
        (tmp_path / name / "score").mkdir(parents=True)
        scores.to_csv(tmp_path / name / "score/field.tsv", sep="\t", index=False)
    main(arguments)
    text = page.read_text()
    assert summarize(SCORES, "sources") in text and summarize(SCORES, "links") in text
