"""The report on failed jobs names their pairs and logs."""

import os
from types import SimpleNamespace

import pytest

from pipeline.housekeeping.failures import report


class Wildcards(list):
    """A list of values with names, as in Snakemake."""

    def __init__(self, **named):
        super().__init__(named.values())
        self.items = named.items


def job(rule, *log, **wildcards):
    return SimpleNamespace(
        rule=SimpleNamespace(name=rule), wildcards=Wildcards(**wildcards), log=log, is_group=lambda: False
    )


class Group(list):
    name = "tables_score"

    def is_group(self):
        return True


@pytest.fixture
def corpus(tmp_path):
    path = tmp_path / "corpus.jsonl"
    path.write_text("{}\n" * 25)
    return path


def test_part_is_reported_as_its_pairs(corpus):
    jobs = [
        job("expect", "b.log", corpus="toy", jump="gaussian", iteration="2", shard="3-of-10"),
        job("extract", "a.log", "a.tsv", corpus="toy", scatteritem="10-of-10"),
    ]
    # The third tenth of 25 pairs begins after pair 5 and ends with pair 7; the last begins after pair 22.
    assert report(jobs, corpus).splitlines()[1:-1] == [
        "  expect jump=gaussian iteration=2 shard=3-of-10 (pairs 6 to 7): b.log",
        "  extract scatteritem=10-of-10 (pairs 23 to 25): a.log, a.tsv",
    ]


def test_job_without_a_part_of_the_pairs_has_no_range(corpus):
    jobs = [job("parse", "parse.log", corpus="toy", shard="1-of-2"), job("score", "score.log", corpus="toy")]
    assert report(jobs, corpus).splitlines()[1:-1] == [
        "  parse shard=1-of-2: parse.log",
        "  score: score.log",
    ]
    lines = report([job("extract", "a.log", corpus="toy", scatteritem="1-of-2")], corpus.with_name("none"))
    assert "scatteritem=1-of-2: a.log" in lines


def test_last_slurm_log_is_named(corpus, tmp_path):
    for number, time in ((7, 20), (12, 30), (9, 10)):
        for folder in ("rule_align/toy_syntax", "group_tables_score"):
            log = tmp_path / "slurm" / folder / f"{number}.log"
            log.parent.mkdir(parents=True, exist_ok=True)
            log.touch()
            os.utime(log, (time, time))
    jobs = [
        job("align", "align.log", corpus="toy", jump="syntax"),
        Group([job("score", "score.log", corpus="toy"), job("page", "page.log", corpus="toy")]),
    ]
    slurm = tmp_path / "slurm"
    assert report(jobs, corpus, slurm).splitlines()[1:-1] == [
        f"  align jump=syntax: align.log, {slurm}/rule_align/toy_syntax/12.log",
        f"  page: page.log, {slurm}/group_tables_score/12.log",
        f"  score: score.log, {slurm}/group_tables_score/12.log",
    ]


def test_failed_job_of_a_group_is_named(corpus, tmp_path):
    log = tmp_path / "group_tables_score" / "5.log"
    log.parent.mkdir()
    log.write_text("rule score:\nError in rule page:\n    jobid: 0\n")
    group = Group([job("score", "score.log", corpus="toy"), job("page", "page.log", corpus="toy")])
    assert report([group], corpus, tmp_path).splitlines()[1:-1] == [f"  page: page.log, {log}"]


def test_interrupted_run_names_no_job(corpus):
    assert "failed" not in report(set(), corpus).lower()


def test_errors_of_the_logs_come_last(corpus, tmp_path):
    for name, last in (("a", "error: no `id`; add it"), ("b", "error: no `id`; add it"), ("c", "3 pairs")):
        (tmp_path / f"{name}.log").write_text(f"10:00:01 an error: not this\n10:00:02 {last}\n")
    jobs = [job("align", str(tmp_path / f"{name}.log"), corpus="toy", jump=name) for name in "abc"]
    lines = report(jobs, corpus).splitlines()
    assert "kept" in lines[-2] and lines[-1] == "error: no `id`; add it"
