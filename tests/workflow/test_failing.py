"""A job that fails: the report of the run, and the next run."""

import pytest

CORPUS = {"name": "failing"}
TARGET = "results/failing/parse/trees.npz"
LOG = "results/failing/logs/parse-1-of-2.log"

pytestmark = pytest.mark.slow


def test_a_failed_job_is_reported_and_the_next_run_continues(toy):
    arguments = ("--cores", "2", "--keep-going", TARGET)
    failing = ("sentences = list(", 'assert "1-of" not in options.sentences\n    sentences = list(')
    with toy.edited("pipeline/vorlage/trees/stage.py", *failing):
        outcome = toy.snakemake(*arguments, corpus=CORPUS)
        assert outcome.status == 1
        summary = outcome.text.split("These jobs failed")[1].splitlines()[1:3]
        assert summary[0] == f"  parse shard=1-of-2: {LOG}"
        assert summary[1].endswith("the same command continues from here.")
        # The other shard was parsed nevertheless.
        assert not (toy.folder / "results/failing/parse/shards/1-of-2.jsonl").exists()
        made = (toy.folder / "results/failing/parse/shards/0-of-2.jsonl").stat().st_mtime_ns

    outcome = toy.snakemake(*arguments, "--rerun-triggers", "mtime", corpus=CORPUS)
    assert outcome.status == 0, outcome.text
    assert "Failed" not in outcome.text
    assert outcome.counts == {"parse": 1, "gather_parses": 1}
    assert (toy.folder / "results/failing/parse/shards/0-of-2.jsonl").stat().st_mtime_ns == made
