"""A quiet log for Snakemake, ``--logger stages``: a line for each finished job, then how the run ended.

Snakemake finds this plugin by its name, in a folder of PYTHONPATH. Its usual log is in ``.snakemake/log``.
"""

import logging
import sys
import time

from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent

WIDTH = 20  # of the bar, in characters
IDLE = "Nothing to be done"
# The failed job itself and the workflow, at the end of the run, say more clearly what these say.
FAILED = (LogEvent.JOB_ERROR, LogEvent.GROUP_ERROR)


class LogHandler(LogHandlerBase):
    """Writes to standard error."""

    writes_to_stream = True
    writes_to_file = False
    has_filter = True
    has_formatter = True
    needs_rulegraph = False

    def __post_init__(self) -> None:
        self._started = time.monotonic()
        self._jobs: dict[int, str] = {}
        self._finished = ""
        self._failed = False

    def emit(self, record: logging.LogRecord) -> None:
        """Write what a user needs of a record of Snakemake's log."""
        event = getattr(record, "event", None)
        if event == LogEvent.RUN_INFO:
            self._write(f"{record.stats['total']} jobs")
        elif event == LogEvent.JOB_INFO:
            named = [value for name, value in (record.wildcards or {}).items() if name != "corpus"]
            self._jobs[record.jobid] = " ".join([record.rule_name.replace("_", " "), *named])
        elif event == LogEvent.JOB_FINISHED:
            self._finished = self._jobs.pop(record.job_id, "")
        elif event == LogEvent.PROGRESS:
            self._write(self._progress(record.done, record.total))
        elif event in FAILED or getattr(record, "exception", None) == "RuleException":
            self._failed = True
        elif self._is_told(record):
            self._write(record.getMessage())

    def _is_told(self, record: logging.LogRecord) -> bool:
        """Return whether a record is shown: the end of the run, or a warning or an error before it."""
        if getattr(record, "closing", False) or record.getMessage().startswith(IDLE):
            return True
        return record.levelno >= logging.WARNING and not self._failed

    def _progress(self, done: int, total: int) -> str:
        """Return a line such as ``[#####...............]  9 of 37   0:31  train relative``."""
        bar = "#" * (WIDTH * done // total)
        minutes, seconds = divmod(int(time.monotonic() - self._started), 60)
        width = len(str(total))
        return f"[{bar:.<{WIDTH}}] {done:>{width}} of {total} {minutes:>3}:{seconds:02}  {self._finished}"

    def _write(self, text: str) -> None:
        print(text, file=sys.stderr, flush=True)
