"""Put a table of the time and memory of jobs into a Markdown file: `vorlage times`.

The table is between the lines `<!-- times NAME -->` and `<!-- end -->`. Its numbers are the
measurements that Snakemake writes for each job of a corpus, `results/<corpus>/benchmarks/`.
"""

from pathlib import Path

import pandas as pd

from vorlage.command.errors import InputError, command
from vorlage.command.options import CommandParser
from vorlage.report.markdown import insert_into_file


def read_times(folder: Path, jobs: list[str]) -> pd.DataFrame:
    """Return the seconds and the peak megabytes of `jobs`, in their order, from a folder of benchmarks.

    Raise `InputError` for a job without measurements.
    """
    rows = []
    for job in jobs:
        try:
            measured = pd.read_table(folder / f"{job}.tsv", na_values="-").iloc[0]
        except OSError:
            known = ", ".join(sorted(path.stem for path in folder.glob("*.tsv"))) or "no job"
            raise InputError(f"{folder}: the job {job} was not measured; choose from {known}") from None
        rows.append({"job": job, "seconds": measured["s"], "peak MB": measured["max_rss"]})
    return pd.DataFrame(rows)


def make_table(times: pd.DataFrame) -> str:
    """Return the rows as a Markdown table, seconds with three significant digits.

    A job that was too short to measure has no peak.
    """
    lines = ["| job | seconds | peak MB |", "| --- | ---: | ---: |"]
    for job, seconds, peak in times.itertuples(index=False):
        lines.append(f"| {job} | {seconds:,.3g} | {'' if pd.isna(peak) else f'{peak:,.0f}'} |")
    return "\n".join(lines)


@command
def main(arguments: list[str] | None = None) -> None:
    """Put a table of the time and memory of jobs into a Markdown file."""
    parser = CommandParser("times", main, log=False)
    parser.add_argument("--benchmarks", required=True, type=Path, help="folder results/<corpus>/benchmarks")
    parser.add_argument("--name", required=True, help="NAME of the marked place in the file")
    parser.add_argument("--file", required=True, type=Path, help="Markdown file to change")
    parser.add_argument("--jobs", required=True, nargs="+", help="jobs to show, in this order")
    options = parser.parse(arguments)
    table = make_table(read_times(options.benchmarks, options.jobs))
    insert_into_file(options.file, {f"times {options.name}": table})
