"""Put a table of the time and memory of jobs into a Markdown file: ``python -m pipeline.report.times``.

The table stands between the lines ``<!-- times NAME -->`` and ``<!-- end -->``. It comes from what Snakemake
has measured of each job of a corpus, ``results/<corpus>/benchmarks/``.
"""

import argparse
from pathlib import Path

import pandas as pd

from pipeline.io.jsonl import write_text
from pipeline.report.markdown import insert
from pipeline.run.errors import InputError, command


def times(folder, jobs):
    """Seconds and peak megabytes of ``jobs``, in their order, from a folder of benchmarks: a data frame.

    Raises :class:`InputError` for a job that has not been measured.
    """
    rows = []
    for job in jobs:
        try:
            measured = pd.read_table(Path(folder) / f"{job}.tsv", na_values="-").iloc[0]
        except OSError:
            known = ", ".join(sorted(path.stem for path in Path(folder).glob("*.tsv")))
            raise InputError(
                f"{folder}: nothing is known of the job {job}; there are {known or 'none'}"
            ) from None
        rows.append({"job": job, "seconds": measured["s"], "peak MB": measured["max_rss"]})
    return pd.DataFrame(rows)


def markdown(table):
    """The rows as a Markdown table, three digits that count; a job too short to measure has no peak."""
    lines = ["| job | seconds | peak MB |", "| --- | ---: | ---: |"]
    for job, seconds, peak in table.itertuples(index=False):
        lines.append(f"| {job} | {seconds:,.3g} | {'' if pd.isna(peak) else f'{peak:,.0f}'} |")
    return "\n".join(lines)


@command
def main(arguments=None):
    """Put a table of the time and memory of jobs into a Markdown file."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.report.times", description=main.__doc__)
    parser.add_argument("--benchmarks", required=True, type=Path, help="folder results/<corpus>/benchmarks")
    parser.add_argument("--name", required=True, help="name of the place in the file")
    parser.add_argument("--file", required=True, type=Path, help="Markdown file to change")
    parser.add_argument("--jobs", required=True, nargs="+", help="jobs to show, in this order")
    given = parser.parse_args(arguments)
    made = markdown(times(given.benchmarks, given.jobs))
    try:
        text = given.file.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"{error.filename}: cannot be read ({error.strerror}); check the path") from None
    write_text(given.file, insert(text, f"times {given.name}", made))


if __name__ == "__main__":
    main()
