"""The quiet log of ``make align``, from the records that Snakemake gives to its loggers."""

import importlib.util
import logging
from pathlib import Path
from types import SimpleNamespace

import pytest
from snakemake_interface_logger_plugins.common import LogEvent

PLUGIN = Path(__file__).parents[2] / "workflow/logger/snakemake_logger_plugin_stages/__init__.py"


@pytest.fixture
def tell(capsys):
    """Return a function that passes a record to the plugin and returns what the plugin prints."""
    spec = importlib.util.spec_from_file_location("stages", PLUGIN)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    handler = module.LogHandler(SimpleNamespace(), None)

    def tell(message="", level=logging.INFO, **attributes):
        handler.emit(logging.makeLogRecord({"msg": message, "levelno": level} | attributes))
        return capsys.readouterr().err

    return tell


def test_a_finished_job_has_a_line(tell):
    assert tell(event=LogEvent.RUN_INFO, stats={"train": 9, "corpus": 1, "total": 10}) == "10 jobs\n"
    started = {"event": LogEvent.JOB_INFO, "jobid": 7, "rule_name": "train_model"}
    assert tell(**started, wildcards={"corpus": "sample", "jump": "relative"}) == ""
    assert tell(event=LogEvent.JOB_FINISHED, job_id=7) == ""
    line = tell(event=LogEvent.PROGRESS, done=4, total=10)
    assert line == "[########............]  4 of 10   0:00  train model relative\n"


def test_a_failure_is_told_once(tell):
    assert tell("no rule makes x", logging.ERROR, exception="MissingRuleException") == "no rule makes x\n"
    assert tell("exit status 1", logging.ERROR, event=LogEvent.ERROR, exception="RuleException") == ""
    assert tell("Error in rule a", logging.ERROR, event=LogEvent.JOB_ERROR) == ""
    assert tell("Exiting because a job failed", logging.ERROR) == ""
    assert tell("These jobs failed: a", logging.ERROR, closing=True) == "These jobs failed: a\n"


def test_the_place_of_the_report_and_idleness_are_told(tell):
    assert tell("Select jobs to execute...") == ""
    assert tell("Report: index.html", closing=True) == "Report: index.html\n"
    assert tell("Nothing to be done (all is there).") == "Nothing to be done (all is there).\n"
