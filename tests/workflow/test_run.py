"""The whole workflow on the toy corpus: its results."""

import csv
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from toy import IDS, JUMPS, SYSTEMS
from vorlage.alignments.alignment import read_alignments

BIN = Path(sys.executable).absolute().parent


def read_tsv(path):
    with open(path, newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t"))


@pytest.fixture
def results(toy):
    return toy.folder / "results/toy"


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_system_aligned_every_pair_and_found_identical_phrases(results, system):
    alignments = {
        alignment.id: alignment for alignment in read_alignments(results / f"align/{system}/alignments.jsonl")
    }
    assert list(alignments) == IDS and {alignment.system for alignment in alignments.values()} == {system}
    boats = alignments["boats"]
    words = boats.summary_words, boats.document_words
    cells = {cell for link in boats.links for cell in link.cells(*words)}
    assert {(3, 1), (4, 2), (6, 4)} <= cells  # boats, left, harbour


def test_every_stage_writes_its_results(results):
    rows = read_tsv(results / "score/scores.tsv")
    assert {row["system"] for row in rows} >= {*SYSTEMS}
    assert all(0 <= float(row["soft_f"]) <= 1 for row in rows if row["system"] in SYSTEMS)
    for jump in JUMPS:
        assert len(read_tsv(results / f"train/{jump}/em.tsv")) == 2
    for name in ("corpus/gold.jsonl", "corpus/statistics.tsv", "extract/evaluation.tsv"):
        assert (results / name).stat().st_size > 0
    assert (results / "corpus/rejected.tsv").read_text() == "id\treason\n"


def test_every_job_has_a_log_and_a_benchmark(results):
    benchmarks = {path.stem: path for path in (results / "benchmarks").iterdir()}
    assert benchmarks.keys() == {path.stem for path in (results / "logs").iterdir()}
    translations = {f"{stage}-ibm1-{source}" for stage in ("train", "align") for source in ("doc", "sum")}
    jobs = {f"train-{jump}" for jump in (*JUMPS, "reverse")} | {f"align-{system}" for system in SYSTEMS}
    assert {"corpus", "gold", "parse", "analysis", "report"} | translations | jobs <= benchmarks.keys()
    assert all(float(read_tsv(path)[0]["s"]) >= 0 for path in benchmarks.values())


def test_a_printed_command_can_be_run_by_hand(toy, results, tmp_path):
    target = "results/toy/extract/extracts.jsonl"
    printed = toy.snakemake("-n", "-p", "--force", target).text
    command = shlex.split(printed.split("Shell command: ")[1].splitlines()[0])
    assert command[:2] == ["vorlage", "extract"] and "--log" in command
    by_hand = [part.replace(target, str(tmp_path / "extracts.jsonl")) for part in command[1:]]
    subprocess.run([BIN / "vorlage", *by_hand], cwd=toy.folder, check=True)
    assert (tmp_path / "extracts.jsonl").read_bytes() == (toy.folder / target).read_bytes()
