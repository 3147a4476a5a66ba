"""The toy workflow, killed at a random moment and run again, gives the same bytes as without the kill.

Environment variables: ``KILLS`` is the number of kills (2), ``KILL_SEED`` the seed of their moments (1),
``KILL_SIGNALS`` the signals (SIGKILL SIGTERM SIGINT), and ``KILL_TABLE`` a file for the table of kills.
``make guarantees TESTS=tests/faults/test_kills.py KILLS=100`` kills it a hundred times.
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
from toyjobs import result_bytes

KILLS, SEED = int(os.environ.get("KILLS", 2)), int(os.environ.get("KILL_SEED", 1))
SIGNALS = [signal.Signals[name] for name in os.environ.get("KILL_SIGNALS", "SIGKILL SIGTERM SIGINT").split()]
VICTIMS = ("Snakemake", "its group", "a job")
LONGEST_JOB = 3.0  # seconds; few take longer
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
# Each stage is in one of them.
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
# The other workflow makes the tables and the report.
TARGETS = {"shards": ("results/toy/align/semihmm-syntax/alignments.jsonl",)}


class Killed:
    """A toy project whose workflow is killed and run again; ``whole`` are the results without a kill."""

    def __init__(self, folder, sections, targets):
        self.toy, self.targets = Toy(folder), targets
        self.config = self.toy.write_config(**sections)
        outcome = self.run()
        assert outcome.status == 0, outcome.text
        self.rules, self.whole = sorted(outcome.jobs), result_bytes(self.toy)

    def run(self, *arguments):
        return self.toy.bare(*self.targets, "--cores", "2", *arguments, "--configfile", self.config)

    def kill(self, rng):
        """Run a random rule and all after it, or a whole new project, and send a signal at a random moment.

        Return the beginning of a row of the table, or None if the run had ended before.
        """
        number, victim, rule = rng.choice(SIGNALS), rng.choice(VICTIMS), rng.choice([None, *self.rules])
        share, wait = rng.random(), rng.uniform(0, LONGEST_JOB)
        if rule is None:
            for folder in ("results", ".snakemake"):
                shutil.rmtree(self.toy.folder / folder)
        forced = ["--forcerun", rule] if rule else []
        process = self.toy.start(*self.targets, "--cores", "2", *forced, "--configfile", self.config)
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
        """Return the number of jobs that have begun, from the output of Snakemake."""
        return len(re.findall(r"^(?:local)?rule \w+:", self.toy.output.read_text(), re.MULTILINE))

    def planned(self):
        """Return the number of planned jobs, from the output of Snakemake."""
        return sum(Outcome(None, self.toy.output.read_text()).counts.values())

    def again(self):
        """Run it again as the documentation says, unlocked first if Snakemake asks for it.

        Return the number of jobs that ran, and the results that differ from those without a kill.
        """
        outcome = self.run()
        if "--unlock" in outcome.text:
            assert self.run("--unlock").status == 0
            outcome = self.run()
        if outcome.status:
            print(outcome.text)
            return "failed", ""
        found, jobs = result_bytes(self.toy), sum(outcome.counts.values())
        # If it has no job, Snakemake leaves what the killed run would have removed at its end.
        names = sorted(found.keys() | self.whole.keys() if jobs else self.whole.keys())
        differ = [name for name in names if found.get(name) != self.whole.get(name)]
        return jobs, " ".join(differ)


def commands(number):
    """Return ``(process number, command)`` of the jobs that a Snakemake is running."""
    found = []
    with contextlib.suppress(psutil.NoSuchProcess):
        for process in psutil.Process(number).children(recursive=True):
            with contextlib.suppress(psutil.NoSuchProcess, IndexError):
                line = process.cmdline()
                if line[1] == "-m":
                    found.append((process.pid, line[2].removeprefix("pipeline.")))
    return found


def write_table(rows):
    """Print the last kill, and write the table of all kills to ``KILL_TABLE``."""
    print(dict(zip(COLUMNS, rows[-1], strict=True)))
    if path := os.environ.get("KILL_TABLE"):
        with open(path, "w", encoding="utf-8", newline="") as out:
            table = csv.writer(out, delimiter="\t", lineterminator="\n")
            table.writerow(COLUMNS)
            table.writerows(rows)


@pytest.mark.guarantee("kills")
def test_killed_run_gives_the_same_bytes_when_it_is_run_again(tmp_path):
    rng, projects, rows = random.Random(SEED), {}, []
    while len(rows) < KILLS:
        name = list(WORKFLOWS)[len(rows) % len(WORKFLOWS)]
        if name not in projects:
            folder = tmp_path / name.replace(" ", "-")
            folder.mkdir()
            projects[name] = Killed(folder, WORKFLOWS[name], TARGETS.get(name, ()))
        row = projects[name].kill(rng)
        if row is None:  # the run had ended
            continue
        rows.append([len(rows) + 1, name, *row, *projects[name].again()])
        write_table(rows)
    print(Counter((row[2], row[3]) for row in rows))
    assert [row for row in rows if row[-2] == "failed" or row[-1]] == [], f"seed {SEED}"
    tried(len(rows))
