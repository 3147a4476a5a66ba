"""The toy workflow, killed at a random moment and run again: the same bytes as if nothing had happened.

``KILLS`` of the environment says how often (2), ``KILL_SEED`` at which moments (1), and ``KILL_TABLE`` names
a file for what was killed, and when. ``make guarantees TESTS=tests/faults/test_kills.py KILLS=100`` does it a
hundred times.
"""

import contextlib
import csv
import os
import random
import re
import shutil
import signal
import time
from collections import Counter

import psutil
import pytest
from guarantees import tried
from toy import Outcome, Toy

KILLS, SEED = int(os.environ.get("KILLS", 2)), int(os.environ.get("KILL_SEED", 1))
SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
VICTIMS = ("Snakemake", "its group", "a job")
LONGEST_JOB = 3.0  # seconds, of most
COLUMNS = (
    "kill",
    "workflow",
    "signal",
    "victim",
    "run",
    "jobs begun",
    "at work",
    "status",
    "rerun",
    "differ",
)
# Every stage is in one of them.
WORKFLOWS = {
    "one job a training": {
        "semihmm": {"jumps": ["relative"], "iterations": 3},
        "systems": ["semihmm-relative", "cutpaste", "ibm1-doc"],
    },
    "shards": {
        "semihmm": {"jumps": ["syntax"], "shards": 2},
        "parse": {"shards": 1},
        "systems": ["semihmm-syntax"],
    },
}
# What tells when it was made: logs, benchmarks and, of em.tsv, the last column.
TIMES = ("logs", "benchmarks")


class Killed:
    """A toy project whose workflow is killed and run again; ``whole``: the results without a kill."""

    def __init__(self, folder, sections):
        self.toy = Toy(folder)
        self.config = self.toy.write_config(**sections)
        outcome = self.run()
        assert outcome.status == 0, outcome.text
        self.rules, self.whole = sorted(outcome.jobs), self.results()

    def run(self, *arguments):
        return self.toy.bare("--cores", "2", *arguments, "--configfile", self.config)

    def kill(self, rng):
        """Run a random rule and all after it, or all of a new project, and send a signal at a random moment.

        Returns a row of the table without its end, or None where the run had ended before.
        """
        number, victim, rule = rng.choice(SIGNALS), rng.choice(VICTIMS), rng.choice([None, *self.rules])
        share, wait = rng.random(), rng.uniform(0, LONGEST_JOB)
        if rule is None:
            for folder in ("results", ".snakemake"):
                shutil.rmtree(self.toy.folder / folder)
        forced = ["--forcerun", rule] if rule else []
        process = self.toy.start("--cores", "2", *forced, "--configfile", self.config)
        while process.is_alive() and not self.begun() > share * self.planned():
            time.sleep(0.02)
        time.sleep(wait)
        jobs = commands(process.pid)
        while process.is_alive() and victim == "a job" and not jobs:
            time.sleep(0.02)
            jobs = commands(process.pid)
        if not process.is_alive():
            return None
        with contextlib.suppress(ProcessLookupError):  # it has just ended
            if victim == "its group":
                os.killpg(process.pid, number)
            else:
                os.kill(process.pid if victim == "Snakemake" else rng.choice(jobs)[0], number)
        names = " ".join(sorted(name for _, name in jobs))
        begun, status = f"{self.begun()}/{self.planned()}", self.toy.wait(process).status
        return number.name, victim, rule or "all", begun, names, status

    def begun(self):
        """How many jobs have begun, by what Snakemake prints."""
        return len(re.findall(r"^(?:local)?rule \w+:", self.toy.output.read_text(), re.MULTILINE))

    def planned(self):
        """How many jobs there will be, by what Snakemake prints first."""
        return sum(Outcome(None, self.toy.output.read_text()).counts.values())

    def again(self):
        """Run it again as the documentation says: unlocked, if Snakemake says so.

        Returns how many jobs that took, and which results are not those without a kill.
        """
        outcome = self.run()
        if "--unlock" in outcome.text:
            assert self.run("--unlock").status == 0
            outcome = self.run()
        if outcome.status:
            print(outcome.text)
            return "failed", ""
        found = self.results()
        names = sorted(found.keys() | self.whole.keys())
        differ = [name for name in names if found.get(name) != self.whole.get(name)]
        return sum(outcome.counts.values()), " ".join(differ)

    def results(self):
        """Path → bytes of all results, hidden files too, without what tells when it was made."""
        root, found = self.toy.folder / "results", {}
        for path in root.rglob("*"):
            name = path.relative_to(root).as_posix()
            if path.is_file() and path.name != ".em.tsv.sum" and not set(TIMES) & set(path.parts):
                found[name] = path.read_bytes()
                if path.name == "em.tsv":
                    found[name] = re.sub(rb"\t[^\t\n]*$", b"", found[name], flags=re.MULTILINE)
        return found


def commands(number):
    """``(process number, command)`` of the jobs that a Snakemake is running."""
    found = []
    with contextlib.suppress(psutil.NoSuchProcess):
        for process in psutil.Process(number).children(recursive=True):
            with contextlib.suppress(psutil.NoSuchProcess, IndexError):
                line = process.cmdline()
                if line[1] == "-m":
                    found.append((process.pid, line[2].removeprefix("pipeline.")))
    return found


def write_table(rows):
    """Print the last kill, and write the table of all to ``KILL_TABLE``."""
    print(dict(zip(COLUMNS, rows[-1], strict=True)))
    if path := os.environ.get("KILL_TABLE"):
        with open(path, "w", encoding="utf-8", newline="") as out:
            table = csv.writer(out, delimiter="\t", lineterminator="\n")
            table.writerow(COLUMNS)
            table.writerows(rows)


@pytest.mark.guarantee("kills")
def test_a_run_that_is_killed_ends_in_the_same_bytes_when_it_is_run_again(tmp_path):
    rng, projects, rows = random.Random(SEED), {}, []
    while len(rows) < KILLS:
        name = list(WORKFLOWS)[len(rows) % len(WORKFLOWS)]
        if name not in projects:
            folder = tmp_path / name.replace(" ", "-")
            folder.mkdir()
            projects[name] = Killed(folder, WORKFLOWS[name])
        row = projects[name].kill(rng)
        if row is None:  # the run had ended
            continue
        rows.append([len(rows) + 1, name, *row, *projects[name].again()])
        write_table(rows)
    print(Counter((row[2], row[3]) for row in rows))
    assert [row for row in rows if row[-2] == "failed" or row[-1]] == [], f"seed {SEED}"
    tried(len(rows))
