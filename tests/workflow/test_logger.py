"""The short log of a run, from the records that Snakemake gives to its loggers."""

import logging
from types import SimpleNamespace

import pytest
from snakemake_interface_logger_plugins.common import LogEvent
from snakemake_logger_plugin_stages import LogHandler


@pytest.fixture
def tell(capsys):
    """Return a function that passes a record to the plugin and returns what the plugin prints."""
    settings = {"stdout": False, "nocolor": True, "dryrun": False, "verbose": False, "printshellcmds": False}

    def tell(message="", level=logging.INFO, changed=(), **attributes):
        handlers.setdefault(changed, LogHandler(SimpleNamespace(**settings | dict(changed)), None))
        handlers[changed].emit(logging.makeLogRecord({"msg": message, "levelno": level} | attributes))
        return capsys.readouterr().err

    handlers = {}
    return tell


def job(number, rule, output, **wildcards):
    return {
        "event": LogEvent.JOB_INFO,
        "jobid": number,
        "rule_name": rule,
        "output": [output],
        "wildcards": wildcards,
    }


def test_a_stage_has_one_line(tell):
    assert tell(event=LogEvent.RUN_INFO, stats={"train": 2, "all": 1, "total": 3}) == "3 jobs\n"
    assert tell(**job(1, "train", "results/toy/train/relative/model.npz")) == "   0:00  train\n"
    assert tell(**job(2, "train", "results/toy/variants/paper/train/relative/model.npz")) == ""
    assert tell(event=LogEvent.JOB_FINISHED, job_id=1) == tell(event=LogEvent.PROGRESS, done=1, total=3) == ""
    assert tell(**job(3, "align", "results/toy/align/a/alignments.jsonl")) == "   0:00  align\n"
    assert tell(**job(0, "all", "")) == ""


def test_a_failure_is_told_once_by_the_job_and_its_log(tell):
    tell(**job(1, "train", "results/toy/train/relative/model.npz", corpus="toy", jump="relative"))
    failed = "CalledProcessError in file x:\nCommand 'vorlage train' died with <Signals.SIGKILL: 9>."
    assert tell(failed, logging.ERROR, event=LogEvent.ERROR, exception="RuleException") == ""
    line = tell("Error in rule", logging.ERROR, event=LogEvent.JOB_ERROR, jobid=1, log=["a.log", "b.tsv"])
    assert line == "failed: train relative (died with <Signals.SIGKILL: 9>; log: a.log)\n"
    assert tell("Exiting because a job execution failed.", logging.ERROR) == ""


def test_what_reads_gold_is_no_rerun_of_its_stage(tell):
    for number, rule, output in [
        (1, "gold", "corpus/gold.jsonl"),
        (2, "statistics", "corpus/statistics.tsv"),
        (3, "evaluate_extracts", "variants/paper/extract/evaluation.tsv"),
        (4, "corpus", "corpus/corpus.jsonl"),
        (5, "extract", "extract/extracts.jsonl"),
    ]:
        assert tell(**job(number, rule, f"results/toy/{output}")) == f"   0:00  {rule.replace('_', ' ')}\n"


def test_a_dry_run_has_a_line_for_each_job_and_a_table(tell):
    dry = (("dryrun", True),)
    run = {"event": LogEvent.RUN_INFO, "stats": {"total": 1}, "msg": "Job stats:"}
    train = job(1, "train", "results/toy/train/relative/model.npz", corpus="toy", jump="relative")
    assert tell(changed=dry, **run) == "Job stats:\n"
    assert tell(changed=dry, **train, reason="after parse") == f"{'train relative':32}  after parse\n"
    assert tell(changed=dry, **job(0, "all", "") | {"output": []}, reason="after train") == ""
    assert tell(changed=dry, **run) == tell("This was a dry-run", changed=dry) == ""
