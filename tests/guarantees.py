"""What Palimpsest promises, the tests that hold each promise, and how many cases they tried.

A test with ``@pytest.mark.guarantee("name")`` holds the promise of that name in ``GUARANTEES``. It counts as
one case, or as many as it says by :func:`tried`. ``make guarantees`` runs these tests and writes what was
counted to ``docs/guarantees.tsv``, and from that the tables of ``docs/guarantees.md``.
"""

import csv
import re
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[1]
TABLE, PAGE = ROOT / "docs" / "guarantees.tsv", ROOT / "docs" / "guarantees.md"
BEGIN, END = "<!-- guarantees: written by `make guarantees` -->", "<!-- end of guarantees -->"

# Section → name → what is promised.
GUARANTEES = {
    "Input": {
        "no file": "A pipe, folder, device or broken link in the place of a file ends with one line.",
        "encodings": "A file that is not UTF-8, or compressed, ends with one line that says what it is.",
        "cut off": "A file that is cut off ends with one line, or is a right and shorter one.",
        "config": "A config that is none, says a key twice or unfolds without end is refused with one line.",
        "no JSON": "A line that is no JSON object, or no strict one, is refused with file and line.",
        "wrong types": "A field of any type in any record ends a command well or with one line.",
        "archives": "A model or file of trees that is damaged, too large or holds pickles is refused unrun.",
        "ids": "An id goes through every stage as text and is never a path, or is refused with one line.",
        "links": "No link leads out of a corpus, and none in circles; nothing in its folder is passed over.",
        "XML": "XML with entities, a DTD or sentences in sentences is refused; nothing it names is opened.",
        "texts": "Whatever characters a text has, each token lies where it says and no character is lost.",
        "flow": "Such texts go through every stage, and links lead to the characters of their words.",
        "sizes": "A text of 5 MB, 200,000 words or sentences of 3,000 takes bounded time and memory.",
        "unusable": "A pair that cannot be used is listed with its reason, or ends the stage with it.",
        "fuzzed parsers": "Every parser takes or refuses with one line whatever is near its format, and what "
        "it takes is right.",
        "found cases": "What fuzzing has found once is taken or refused ever after.",
    },
    "Numbers": {
        "exact": "Recursions and EM give what enumeration of all alignments gives.",
        "long pairs": "Long summaries align with long documents as plain sums of logarithms say.",
        "no NaN": "Nothing becomes NaN: what numbers cannot hold ends the run with the pair's name.",
        "same bytes": "Input and seed decide every byte, not threads, processes, parts or the order of jobs.",
        "shards": "Training by shards gives what training in one job gives, but for rounding.",
        "damaged models": "A model file that was damaged, or says what no training says, is refused.",
    },
    "Faults": {
        "damage": "A result with one bit changed, or cut short, is noticed by whatever reads it next.",
        "kills": "A run of which anything was killed at any moment ends in the same bytes when run again.",
        "full disk": "On a full disk a stage ends with one line and leaves nothing; with room it goes on.",
        "signals": "A command that is stopped removes what it was writing, and ends by the signal.",
        "two at once": "Of two that write the same result at once, a whole one of either is there.",
        "reruns": "An edit to input, settings or code runs again what it decides, and nothing else.",
        "clock": "When the clock goes back nothing stale is taken, and nothing is made again for ever.",
        "stale offsets": "Where the lines of a file begin is never taken from another version of it.",
        "read-only": "A stage that may not write its results ends with one line.",
    },
    "Supply chain": {
        "injection": "No part of a file's, folder's or pair's name or of a setting is run as a command.",
        "network": "Only the rules that get WordNet, a parser's model and an encoder use the network.",
        "checksums": "What is downloaded is checked against its checksum before it is used.",
        "locked": "Every package that is installed is pinned to a version and to hashes of its files.",
        "licences": "The licence of every package is listed, and is one of those that are allowed.",
        "no code in data": "No file that is read runs code: no pickle, no eval, no shell, no XML entities.",
    },
}

_counted = 0


def tried(cases=1):
    """Count so many cases for the test that runs now, in place of one."""
    global _counted
    _counted += cases


def names():
    """The names of all guarantees."""
    return [name for section in GUARANTEES.values() for name in section]


class Ledger:
    """Counts the cases of tests that passed; ``path``: the table to bring up to date."""

    def __init__(self, path=TABLE):
        self.path, self.cases = path, defaultdict(int)

    def begin(self):
        """A test begins."""
        global _counted
        _counted = 0

    def end(self, item):
        """A test has passed: add its cases to those of its function."""
        for mark in item.iter_markers("guarantee"):
            for name in mark.args:
                test = f"{item.path.relative_to(ROOT).as_posix()}::{item.originalname}"
                self.cases[name, test] += _counted or 1

    def write(self):
        """Put the counts into the table, in place of earlier ones of the same tests, and into the page."""
        rows = {key: cases for key, cases in read(self.path).items() if exists(*key)} | self.cases
        with open(self.path, "w", encoding="utf-8", newline="") as out:
            table = csv.writer(out, delimiter="\t", lineterminator="\n")
            table.writerow(["guarantee", "test", "cases"])
            table.writerows([*key, cases] for key, cases in sorted(rows.items()))
        page = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(with_tables(page, rows), encoding="utf-8")


def read(path=TABLE):
    """``(guarantee, test) → cases`` of a table, empty where there is none yet."""
    if not path.exists():
        return {}
    with open(path, encoding="utf-8", newline="") as file:
        return {(r["guarantee"], r["test"]): int(r["cases"]) for r in csv.DictReader(file, delimiter="\t")}


def exists(name, test):
    """Whether there is a guarantee ``name`` and a test function ``path::function`` that holds it."""
    path, _, function = test.partition("::")
    if name not in names() or not (ROOT / path).exists():
        return False
    marked = rf'@pytest\.mark\.guarantee\([^)]*"{re.escape(name)}"'
    text = (ROOT / path).read_text(encoding="utf-8")
    return bool(re.search(rf"^\s*def {function}\(", text, re.M) and re.search(marked, text))


def with_tables(page, rows):
    """``page`` with the tables of ``rows`` between its two marks."""
    before, _, rest = page.partition(BEGIN)
    after = rest.partition(END)[2]
    return f"{before}{BEGIN}\n{tables(rows)}\n{END}{after}"


def tables(rows):
    """``(guarantee, test) → cases`` as Markdown: a table a section, a row a guarantee."""
    lines = []
    for section, promises in GUARANTEES.items():
        lines += ["", f"### {section}", "", "| What is promised | Cases tried | Held by |", "|---|---:|---|"]
        for name, promise in promises.items():
            held = {test: cases for (of, test), cases in sorted(rows.items()) if of == name}
            files = dict.fromkeys(test.partition("::")[0] for test in held)
            lines.append(
                f"| {promise} | {sum(held.values()):,} | {', '.join(f'`{file}`' for file in files)} |"
            )
    return "\n".join([*lines, ""])
