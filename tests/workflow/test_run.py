"""The whole workflow on the toy corpus: its results."""

import csv
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from toy import JUMPS, PAIRS, SYSTEMS
from vorlage.alignments.alignment import read_alignments

RESULTS = "results/toy"


def read_tsv(path):
    with open(path, newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t"))


def read_jsonl(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_every_system_aligned_every_pair(toy):
    for system in SYSTEMS:
        alignments = read_jsonl(toy.folder / RESULTS / "align" / system / "alignments.jsonl")
        assert [alignment["id"] for alignment in alignments] == list(PAIRS)
        assert {alignment["system"] for alignment in alignments} == {system}


def test_identical_phrases_are_found(toy):
    for system in SYSTEMS:
        alignments = read_alignments(toy.folder / RESULTS / "align" / system / "alignments.jsonl")
        boats = next(alignment for alignment in alignments if alignment.id == "boats")
        words = boats.summary_words, boats.document_words
        cells = {cell for link in boats.links for cell in link.cells(*words)}
        assert {(3, 1), (4, 2), (6, 4)} <= cells  # boats, left, harbour


def test_every_system_has_scores(toy):
    rows = read_tsv(toy.folder / RESULTS / "score/scores.tsv")
    assert {(row["system"], row["words"]) for row in rows} >= {
        (system, words) for system in SYSTEMS for words in ("all", "nonstop")
    }
    assert all(0 <= float(row["soft_f"]) <= 1 for row in rows if row["system"] in SYSTEMS)


def test_every_stage_writes_its_results(toy):
    results = toy.folder / RESULTS
    for jump in JUMPS:
        assert len(read_tsv(results / f"train/{jump}/em.tsv")) == 2
    for name in ("corpus/gold.jsonl", "corpus/statistics.tsv", "extract/evaluation.tsv"):
        assert (results / name).stat().st_size > 0
    assert (results / "corpus/rejected.tsv").read_text() == "id\treason\n"


def test_the_report_page_has_every_pair_and_system(toy):
    page = (toy.folder / RESULTS / "report/index.html").read_text()
    index = json.loads(re.search(r'id="index">(.*?)</script>', page)[1])
    assert [pair["id"] for pair in index["pairs"]] == list(PAIRS)
    assert index["systems"] == list(SYSTEMS)
    assert set(index["pairs"][0]["scores"]) == set(SYSTEMS)
    figures = {path.name for path in (toy.folder / RESULTS / "report/figures").glob("[!.]*")}
    assert len(figures) == 18 and "jumps.svg" in figures


@pytest.mark.slow
def test_snakemakes_report_has_captions_and_categories(toy):
    outcome = toy.snakemake("--report", "report.html")
    assert outcome.status == 0, outcome.text
    report = (toy.folder / "report.html").read_text()
    for text in ("course of EM", "scores of word links", "alignment viewer", "paired bootstrap"):
        assert text in report


def test_every_job_has_a_log_and_a_benchmark(toy):
    jobs = {
        "corpus",
        "gold",
        "statistics",
        "extract",
        "parse",
        "evaluate-extracts",
        *(f"train-{jump}" for jump in (*JUMPS, "reverse")),
        *(f"{stage}-ibm1-{source}" for stage in ("train", "align") for source in ("doc", "sum")),
        *(f"align-{system}" for system in SYSTEMS),
        "score",
        "agreement",
        "analysis",
        "decompose",
        "figures",
        "report",
    }
    assert {path.stem for path in (toy.folder / RESULTS / "logs").iterdir()} == jobs
    benchmarks = list((toy.folder / RESULTS / "benchmarks").iterdir())
    assert {path.stem for path in benchmarks} == jobs
    assert all(float(read_tsv(path)[0]["s"]) >= 0 for path in benchmarks)


def test_a_printed_command_can_be_run_by_hand(toy, tmp_path):
    printed = toy.snakemake("-n", "-p", "--force", f"{RESULTS}/extract/extracts.jsonl").text
    command = shlex.split(printed.split("Shell command: ")[1].splitlines()[0])
    assert command[:2] == ["vorlage", "extract"]
    output = command.index("--output") + 1
    made, command[output] = toy.folder / command[output], str(tmp_path / "extracts.jsonl")
    vorlage = Path(sys.executable).absolute().parent / "vorlage"
    subprocess.run([vorlage, *command[1:]], cwd=toy.folder, check=True)
    assert Path(command[output]).read_text() == made.read_text()


@pytest.mark.slow
def test_the_environment_need_not_be_active(toy):
    environment = os.environ | {"PATH": os.defpath, "XDG_CACHE_HOME": str(toy.folder / "cache")}
    snakemake = Path(sys.executable).absolute().parent / "snakemake"
    target = f"{RESULTS}/extract/extracts.jsonl"
    done = subprocess.run(
        [snakemake, "--cores", "1", "--configfile", toy.write_config(), "--force", target],
        cwd=toy.folder,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
