"""A short log for Snakemake, `--logger stages`: a line for each stage, a bar on a terminal, and failed jobs.

Snakemake finds this plugin by the name of its module; `profiles/default` chooses it. A dry run has a line for
each job that says why it runs. `--verbose` and `--printshellcmds` print everything, and the file in
`.snakemake/log` always holds everything.

`snakemake-logger-plugin-rich` 0.5.1 does less: its dry run names neither jobs nor settings that changed,
a log without a terminal has no stages, and a missing config file is a traceback.
"""

import re
import time
from logging import WARNING, LogRecord
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.text import Text
from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent
from vorlage.command.errors import InputError
from vorlage.workflow.config import read_yaml


class LogHandler(LogHandlerBase):  # type: ignore[misc]  # the package has no types
    """Shows how far a run is; Snakemake filters and formats the records that are printed."""

    writes_to_stream = True
    writes_to_file = False
    has_filter = False
    has_formatter = False
    needs_rulegraph = False

    def __post_init__(self) -> None:
        settings = self.common_settings
        self._prints_all = settings.verbose or settings.printshellcmds
        self._console = Console(
            stderr=not settings.stdout, no_color=settings.nocolor, highlight=False, soft_wrap=True
        )
        columns = BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}")
        hidden = settings.dryrun or not self._console.is_terminal
        self._bar = Progress(*columns, console=self._console, transient=True, disable=hidden)
        self._run = self._bar.add_task("", total=None)
        self._start = time.monotonic()
        self._stages: set[str] = set()
        self._jobs: dict[int, str] = {}
        self._end = ""

    def emit(self, record: LogRecord) -> None:
        """Print a record, or let it change the bar."""
        event = getattr(record, "event", None)
        of_config = re.search("Config file |FileNotFoundError: ", record.getMessage())
        if record.levelno > WARNING and of_config and (error := _config_error()):
            self._console.print(Text(f"error: {error}", "red"))
        elif self._prints_all:
            self._print(record)
        elif getattr(record, "exception", "") == "RuleException":
            # The command has said why; this repeats it, and ends with how it ended.
            self._end = record.getMessage().rpartition("' ")[2].strip(".\n")
        elif event == LogEvent.JOB_ERROR:
            (log, *_) = [*(getattr(record, "log", None) or []), "see .snakemake/log"]
            job = self._jobs.pop(record.jobid, "a job")
            self._console.print(Text(f"failed: {job} ({self._end or 'ended'}; log: {log})", "red"))
        elif _is_for_users(record) and not self._end:
            self._print(record)
        else:
            self._show(event, vars(record))

    def _print(self, record: LogRecord) -> None:
        style = "red" if record.levelno > WARNING else "yellow" if record.levelno == WARNING else ""
        self._console.print(Text(self.format(record), style))

    def _show(self, event: LogEvent | None, record: dict[str, Any]) -> None:
        plans = self.common_settings.dryrun
        if event == LogEvent.RUN_INFO and not self._jobs:  # a dry run repeats it
            self._bar.start()
            self._bar.update(self._run, total=record["stats"]["total"])
            self._console.print(record["msg"] if plans else f"{record['stats']['total']} jobs")
        elif event == LogEvent.JOB_INFO:
            self._jobs[record["jobid"]] = _job_name(record)
            stage = _stage(record)
            if plans and record["output"]:
                self._console.print(Text(f"{_job_name(record):32}  {record['reason']}"))
            elif not plans and stage and stage not in self._stages:
                self._stages.add(stage)
                minutes, seconds = divmod(int(time.monotonic() - self._start), 60)
                self._console.print(f"{minutes:4}:{seconds:02}  {stage}")
        elif event == LogEvent.JOB_FINISHED:
            self._jobs.pop(record["job_id"], None)
        elif event == LogEvent.PROGRESS:
            self._bar.update(self._run, completed=record["done"])
        self._bar.update(self._run, description=", ".join(self._jobs.values()))

    def close(self) -> None:
        """Remove the bar."""
        self._bar.stop()
        super().close()


def _is_for_users(record: LogRecord) -> bool:
    """Return whether a message is more than a step of Snakemake: our own, a warning, or that all is done."""
    told = getattr(record, "for_users", False) or record.getMessage().startswith("Nothing to be done")
    return told or record.levelno >= WARNING


def _job_name(record: dict[str, Any]) -> str:
    """Return a name such as `train relative`: the rule, and the wildcards but for the corpus."""
    wildcards = (record["wildcards"] or {}) | {"corpus": ""}
    words = [record["rule_name"].replace("_", " "), *wildcards.values()]
    return " ".join(dict.fromkeys(word.rpartition("/")[2] for word in words if word))


def _stage(record: dict[str, Any]) -> str:
    """Return the stage of a job, the folder of its outputs in the results; the rule if it is of gold."""
    if record["rule_name"] in ("gold", "statistics", "evaluate_extracts"):
        return str(record["rule_name"]).replace("_", " ")
    found = re.match(r"results/[^/]+/(?:variants/[^/]+/)?([^/]+)/", " ".join(record["output"]))
    return found[1] if found else ""


def _config_error() -> str:
    """Return what is wrong with a config file, which Snakemake does not name, or nothing."""
    from snakemake.cli import get_argument_parser

    options, _ = get_argument_parser().parse_known_args()
    bundled = Path(options.directory or "", "config.yaml")
    try:
        for path in [*(options.configfile or []), *[bundled] * bundled.exists()]:
            if not isinstance(read_yaml(path), dict):
                return f"{path}: no sections; write them as in config.yaml"
    except InputError as error:
        return str(error)
    return ""
