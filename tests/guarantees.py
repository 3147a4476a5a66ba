"""The guarantees of Palimpsest, the tests that check each of them, and the number of cases that they tried.

A test with ``@pytest.mark.guarantee("name")`` checks the guarantee of that name in ``GUARANTEES``. It counts
as one case, unless it calls :func:`tried` with another number. ``make guarantees`` runs these tests, writes
their counts to ``docs/guarantees.tsv``, and makes the tables of ``docs/guarantees.md`` from that file.
"""

import csv
import re
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[1]
TABLE, PAGE = ROOT / "docs" / "guarantees.tsv", ROOT / "docs" / "guarantees.md"
BEGIN, END = "<!-- guarantees: written by `make guarantees` -->", "<!-- end of guarantees -->"

# Section → name → guarantee.
GUARANTEES = {
    "Input": {
        "no file": "A pipe, folder, device or broken link where a file is expected causes a one-line error.",
        "encodings": "A file that is compressed or not UTF-8 causes a one-line error that says what it is.",
        "cut off": "A truncated file causes a one-line error, or is read as the shorter file that it is.",
        "config": "A config that is invalid, repeats a key or expands without end is refused with one line.",
        "ceilings": "Every number of a config has a ceiling, beyond which it is refused with one line.",
        "no JSON": "A line that is not a strict JSON object is refused with its file and line number.",
        "wrong types": "A field of the wrong type, in any record, is accepted or causes a one-line error.",
        "archives": "A model or tree file that is damaged, too large or has pickles is refused, not run.",
        "ids": "An id passes through every stage as text and never as a path, or is refused with one line.",
        "no output over input": "No output replaces an input, a pipe, a device, or a folder of others.",
        "arrays": "An array file with another type, size or value than allowed is refused, not evaluated.",
        "no sums": "Anything that is not checksums where these are expected is refused, and not removed.",
        "links": "Links out of a corpus or in circles are refused; no file in its folder is skipped.",
        "XML": "XML with entities, a DTD or nested sentences is refused; nothing it refers to is opened.",
        "terminal": "Control characters, any locale and missing packages cause no harm and no traceback.",
        "texts": "Tokens have the right offsets and no character is lost, whatever characters a text has.",
        "flow": "Such texts pass through every stage, and links point to the characters of their words.",
        "sizes": "Texts of 5 MB or 200,000 words, and sentences of 3,000, take bounded time and memory.",
        "unusable": "A pair that cannot be used is listed with the reason, or ends the stage with it.",
        "fuzzed parsers": "Every parser reads input near its format correctly or refuses it with one line.",
        "found cases": "Input that once broke a parser is now accepted or refused with one line.",
    },
    "Numbers": {
        "exact": "The recursions and EM agree with the enumeration of all alignments.",
        "long pairs": "Alignments of long pairs agree with sums computed in log space.",
        "no NaN": "No result is NaN: a pair whose numbers go out of range ends the run with its name.",
        "same bytes": "Input and seed alone decide every byte, not threads, processes, parts or job order.",
        "shards": "Training in shards gives the same model as training in one job, except for rounding.",
        "damaged models": "A model file that is damaged, or has values that no training gives, is refused.",
    },
    "Faults": {
        "damage": "The next command that reads a result detects a changed bit or missing bytes in it.",
        "kills": "A run in which anything was killed at any moment gives the same bytes when run again.",
        "full disk": "On a full disk a stage ends with one line and leaves no file; with space it works.",
        "signals": "A command that is stopped removes its unfinished files, and ends by the signal.",
        "two at once": "If two commands write the same result at once, one of the two results is kept whole.",
        "reruns": "An edit to input, settings or code reruns the jobs that depend on it, and no others.",
        "clock": "After the clock is set back, stale results are not used and no job is repeated forever.",
        "stale offsets": "Line offsets of a file are never used for another version of that file.",
        "read-only": "A stage that may not write its results ends with one line.",
    },
    "App": {
        "own requests": "The app answers only its own page with the token, and reads only what was opened.",
        "bounded requests": "The app refuses a request that is too large, too slow or one too many, early.",
        "load": "Under load, each request is answered as if it were alone, and nothing stays behind.",
        "markup": "Markup in texts, ids and file names stays text in the app and on its pages.",
    },
    "Supply chain": {
        "injection": "No part of a setting, or of the name of a file, folder or pair, is run as a command.",
        "network": "Only the rules that download WordNet, a parser model or an encoder use the network.",
        "checksums": "Every download is compared with its checksum before it is used.",
        "locked": "Every installed package is pinned to a version and to the hashes of its files.",
        "licences": "The licence of every package is listed, and is one of the allowed licences.",
        "no code in data": "Reading a file never runs code: no pickle, no eval, no shell, no XML entities.",
    },
}

_counted = 0


def tried(cases=1):
    """Count ``cases`` cases, in place of one, for the running test."""
    global _counted
    _counted += cases


def names():
    """Return the names of all guarantees."""
    return [name for section in GUARANTEES.values() for name in section]


class Ledger:
    """Count the cases of the tests that passed, and update the table ``path``."""

    def __init__(self, path=TABLE):
        self.path, self.cases = path, defaultdict(int)

    def begin(self):
        """Reset the count when a test begins."""
        global _counted
        _counted = 0

    def end(self, item):
        """Add the cases of a test that passed to those of its function."""
        for mark in item.iter_markers("guarantee"):
            for name in mark.args:
                test = f"{item.path.relative_to(ROOT).as_posix()}::{item.originalname}"
                self.cases[name, test] += _counted or 1

    def write(self):
        """Replace the counts of these tests in the table, and rewrite the tables of the page."""
        rows = {key: cases for key, cases in read(self.path).items() if exists(*key)} | self.cases
        with open(self.path, "w", encoding="utf-8", newline="") as out:
            table = csv.writer(out, delimiter="\t", lineterminator="\n")
            table.writerow(["guarantee", "test", "cases"])
            table.writerows([*key, cases] for key, cases in sorted(rows.items()))
        page = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(with_tables(page, rows), encoding="utf-8")


def read(path=TABLE):
    """Return ``(guarantee, test) → cases`` from a table; empty if the file does not exist."""
    if not path.exists():
        return {}
    with open(path, encoding="utf-8", newline="") as file:
        return {(r["guarantee"], r["test"]): int(r["cases"]) for r in csv.DictReader(file, delimiter="\t")}


def exists(name, test):
    """Return whether the guarantee ``name`` exists and the test ``path::function`` checks it."""
    path, _, function = test.partition("::")
    if name not in names() or not (ROOT / path).exists():
        return False
    marked = rf'@pytest\.mark\.guarantee\([^)]*"{re.escape(name)}"'
    text = (ROOT / path).read_text(encoding="utf-8")
    return bool(re.search(rf"^\s*def {function}\(", text, re.M) and re.search(marked, text))


def with_tables(page, rows):
    """Return ``page`` with the tables of ``rows`` between its two marks."""
    before, _, rest = page.partition(BEGIN)
    after = rest.partition(END)[2]
    return f"{before}{BEGIN}\n{tables(rows)}\n{END}{after}"


def tables(rows):
    """Return ``(guarantee, test) → cases`` as Markdown: a table per section, a row per guarantee."""
    lines = []
    for section, promises in GUARANTEES.items():
        lines += ["", f"### {section}", "", "| Guarantee | Cases tried | Tests |", "|---|---:|---|"]
        for name, promise in promises.items():
            held = {test: cases for (of, test), cases in sorted(rows.items()) if of == name}
            files = dict.fromkeys(test.partition("::")[0] for test in held)
            lines.append(
                f"| {promise} | {sum(held.values()):,} | {', '.join(f'`{file}`' for file in files)} |"
            )
    return "\n".join([*lines, ""])
