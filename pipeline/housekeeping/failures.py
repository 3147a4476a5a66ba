"""What a run says at its end of the jobs that failed: which, for which pairs, and where their logs are."""

import re
from pathlib import Path

from pipeline.io.parts import line_offsets, parse_part
from pipeline.run.errors import InputError

OF_SENTENCES = {"parse"}  # rules whose parts are of distinct sentences, not of pairs


def report(jobs, corpus, slurm_logs=None):
    """Lines that name the jobs of Snakemake that failed at their last attempt, one each, with parts and logs.

    ``corpus`` is the file whose pairs the parts are of; ``slurm_logs``, if SLURM ran the jobs, the folder
    with what it wrote of them.
    """
    if not jobs:
        return "Stopped before the end. The same command goes on from here."
    lines = []
    for whole in jobs:
        slurm_log = _slurm_log(whole, slurm_logs)
        for job in _guilty(whole, slurm_log):
            logs = ", ".join(map(str, [*job.log, *slurm_log]))
            lines.append(f"  {job.rule.name}{_wildcards(job, corpus)}: {logs}")
    return "\n".join(
        [
            "Failed, at the last attempt; the logs say why:",
            *sorted(lines),
            "What is made stays made: the same command goes on from here.",
        ]
    )


def _guilty(whole, slurm_log):
    """The jobs of a group, one job for SLURM, that its log says failed; all of them where it does not say."""
    if not whole.is_group():
        return [whole]
    said = "".join(path.read_text(errors="replace") for path in slurm_log)
    rules = set(re.findall(r"^\s*Error in rule (\w+):", said, re.MULTILINE))
    return [job for job in whole if job.rule.name in rules] or list(whole)


def _wildcards(job, corpus):
    """The wildcards of a job and the pairs of its part: `` jump=syntax shard=3-of-10 (pairs 21 to 30)``."""
    text = ""
    for name, value in job.wildcards.items():
        if name != "corpus":
            text += f" {name}={value}"
            text += _pairs(value, corpus) if job.rule.name not in OF_SENTENCES else ""
    return text


def _pairs(value, corpus):
    """The pairs of the part that ``value`` names, counted from 1; nothing where it names none."""
    try:
        first, end = parse_part(str(value)).span(len(line_offsets(corpus)) - 1)
    except InputError:
        return ""
    return f" (pairs {first + 1} to {end})" if end > first else " (no pairs)"


def _slurm_log(whole, folder):
    """The last log that the SLURM executor kept of a job or a group of jobs."""
    if not folder:
        return []
    if whole.is_group():
        logs = Path(folder) / f"group_{whole.name}"
    else:
        logs = Path(folder) / f"rule_{whole.rule.name}" / "_".join(whole.wildcards).replace("/", "_")
    return sorted(logs.rglob("*.log"), key=lambda path: path.stat().st_mtime)[-1:]
