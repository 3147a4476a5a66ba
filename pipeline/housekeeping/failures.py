"""The report on failed jobs at the end of a run: which jobs, for which pairs, and where their logs are."""

import re
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any, Protocol

from pipeline.io.parts import line_offsets, parse_part
from pipeline.run.errors import InputError
from pipeline.types import StrPath

# A line in the log of a command, see :mod:`pipeline.run.errors`.
ERROR = re.compile(r"^\d\d:\d\d:\d\d (error: .*)$", re.MULTILINE)
OF_SENTENCES = {"parse"}  # rules whose parts are of distinct sentences, not of pairs


class Job(Protocol):
    """What this module uses of a job of Snakemake."""

    rule: Any  # its `name` is the name of the rule
    wildcards: Mapping[str, str]
    log: Iterable[str]


def report(jobs: Collection[Any], corpus: StrPath, slurm_logs: StrPath | None = None) -> str:
    """Return one line for each job of Snakemake that failed for good, with its part and its logs.

    The last lines are the errors in these logs. ``corpus`` is the file whose pairs the parts are of.
    ``slurm_logs`` is the folder of SLURM's own logs, if SLURM ran the jobs.
    """
    if not jobs:
        return "The run stopped early. The same command continues from here."
    lines, errors = [], []
    for submitted in jobs:
        slurm_log = _slurm_log(submitted, slurm_logs)
        for job in _failed_jobs(submitted, slurm_log):
            logs = ", ".join(map(str, [*job.log, *slurm_log]))
            lines.append(f"  {job.rule.name}{_wildcards(job, corpus)}: {logs}")
            errors += _errors(job)
    return "\n".join(
        [
            "These jobs failed; their logs say why:",
            *sorted(lines),
            "Finished results are kept: the same command continues from here.",
            *sorted(set(errors)),
        ]
    )


def _failed_jobs(submitted: Any, slurm_log: list[Path]) -> list[Job]:
    """Return the jobs of a group that failed according to its SLURM log, or all if it names none."""
    if not submitted.is_group():
        return [submitted]
    text = "".join(path.read_text(errors="replace") for path in slurm_log)
    rules = set(re.findall(r"^\s*Error in rule (\w+):", text, re.MULTILINE))
    return [job for job in submitted if job.rule.name in rules] or list(submitted)


def _errors(job: Job) -> list[str]:
    """Return the lines in which the command of a job says why it failed."""
    texts = [Path(log).read_text(errors="replace") for log in job.log if Path(log).is_file()]
    return [error for text in texts for error in ERROR.findall(text)]


def _wildcards(job: Job, corpus: StrPath) -> str:
    """Return a job's wildcards and the pairs of its part: `` jump=syntax shard=3-of-10 (pairs 21 to 30)``."""
    text = ""
    for name, value in job.wildcards.items():
        if name != "corpus":
            text += f" {name}={value}"
            text += _pairs(value, corpus) if job.rule.name not in OF_SENTENCES else ""
    return text


def _pairs(value: str, corpus: StrPath) -> str:
    """Return the pairs of the part that ``value`` names, counted from 1, or nothing if it names none."""
    try:
        first, end = parse_part(str(value)).span(len(line_offsets(corpus)) - 1)
    except InputError:
        return ""
    return f" (pairs {first + 1} to {end})" if end > first else " (no pairs)"


def _slurm_log(submitted: Any, folder: StrPath | None) -> list[Path]:
    """Return the last log that the SLURM executor kept of a job or a group of jobs, if there is one."""
    if not folder:
        return []
    if submitted.is_group():
        logs = Path(folder) / f"group_{submitted.name}"
    else:
        logs = Path(folder) / f"rule_{submitted.rule.name}" / "_".join(submitted.wildcards).replace("/", "_")
    return sorted(logs.rglob("*.log"), key=lambda path: path.stat().st_mtime)[-1:]
