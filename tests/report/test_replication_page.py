"""The replication page puts each number of a paper beside the number of the same measure in a run."""

from pathlib import Path

import pandas as pd
import pytest

from pipeline.report.replication_page import FILES, main

PAGE = Path("docs/replication.md")
PAPER = Path("docs/replication.tsv")


def make_run(folder: Path) -> Path:
    """Write the three files of a run with made numbers for one system."""
    (folder / "score").mkdir(parents=True)
    both = {"system": ["cutpaste"] * 2}
    scores = {
        "words": ["all", "nonstop"],
        "soft_precision": [0.1, 0.2],
        "recall": [0.3, 0.4],
        "soft_f": [0.5, 0.6],
    }
    extracts = {"id": ["a", "average"], "precision": [0.9, 0.11], "recall": [0.9, 0.12], "f": [0.9, 0.13]}
    sources = {"sources_0": [0.21], "sources_1": [0.22], "sources_2_3": [0.23], "sources_more": [0.34]}
    tables = {
        "scores": both | scores,
        "extracts": both | extracts,
        "sources": {"system": ["cutpaste"]} | sources,
    }
    for name, table in tables.items():
        pd.DataFrame(table).to_csv(folder / FILES[name], sep="\t", index=False)
    return folder


def test_numbers_stand_beside_those_of_the_paper(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(PAGE.read_text(encoding="utf-8"), encoding="utf-8")
    run = make_run(tmp_path / "made")
    main(["--paper", str(PAPER), "--runs", str(run), "--file", str(page)])
    lines = page.read_text(encoding="utf-8").splitlines()
    assert "| cutpaste nonstop soft_precision | 0.431 | 0.200 |" in lines
    assert "| cutpaste precision | 0.815 | 0.110 |" in lines
    assert "| cutpaste sources_more | 0.030 | 0.340 |" in lines
    assert "| semihmm-syntax all soft_f | 0.586 | – |" in lines


def test_a_run_without_scores_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--paper", str(PAPER), "--runs", str(tmp_path), "--file", str(PAGE)])
    assert "score/scores.tsv: no such file; run make replication" in capsys.readouterr().err
