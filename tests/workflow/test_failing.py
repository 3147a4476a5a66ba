"""A job that fails: the report of the run, and the next run."""

import pytest

CORPUS = {"name": "failing"}
TARGET = "results/failing/parse/trees.npz"
LOG = "results/failing/logs/parse/1-of-2.log"

pytestmark = pytest.mark.slow


def test_a_failed_job_is_reported_and_the_next_run_continues(toy):
    arguments = ("--cores", "2", "--keep-going", "--set-scatter", "pairs=2", "--", TARGET)
    failing = ("sentences = list(", "assert part.number != 1\n    sentences = list(")
    with toy.edited("pipeline/vorlage/trees/stage.py", *failing):
        outcome = toy.snakemake(*arguments, corpus=CORPUS)
        assert outcome.status == 1
        summary = outcome.text.split("These jobs failed")[1].splitlines()[1:3]
        assert summary[0] == f"  parse scatteritem=1-of-2: {LOG}"
        assert summary[1].endswith("the same command continues from here.")
        # The other part was parsed nevertheless.
        assert not (toy.folder / "results/failing/parse/trees/1-of-2.npz").exists()
        made = (toy.folder / "results/failing/parse/trees/2-of-2.npz").stat().st_mtime_ns

    outcome = toy.snakemake("--rerun-triggers", "mtime", *arguments, corpus=CORPUS)
    assert outcome.status == 0, outcome.text
    assert "Failed" not in outcome.text
    assert outcome.counts == {"parse": 1, "gather_trees": 1}
    assert (toy.folder / "results/failing/parse/trees/2-of-2.npz").stat().st_mtime_ns == made
