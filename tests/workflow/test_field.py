"""`make field` on a small set of each kind, two in public layouts: scores, tables, reruns, errors."""

import csv
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from toy import LINKS, ROOT

pytestmark = pytest.mark.slow

DOCUMENT = ["The old mill burned at night .", "Nine workers fled .", "Rain fell ."]
SUMMARY = ["At night the mill burned and nine workers fled ."]
OTHER = {"id": "b", "document": ["A barge sank in May .", "It was empty ."], "summary": ["The barge sank ."]}
PAIRS = [{"id": "a", "document": DOCUMENT, "summary": SUMMARY}, OTHER]
JOINED = [pair | {"summary": pair["summary"][0]} for pair in PAIRS]
RAW = [{key: value if key == "id" else "\n".join(value) for key, value in pair.items()} for pair in PAIRS]
# The corpus and the gold of each pair.
SETS = {
    "links": (
        PAIRS,
        [
            {"alignments": [{"summary": [3, 5], "document": [2, 4]}]},
            {"alignments": [{"summary": [1, 3], "document": [1, 3]}]},
        ],
    ),
    "phrases": (
        RAW,
        [
            {"unit": "char", "alignments": [{"summary": [13, 24], "document": [0, 19]}]},
            {"unit": "char", "alignments": [{"summary": [0, 14], "document": [0, 12]}]},
        ],
    ),
    "marks": (
        JOINED,
        [{"unsupported": [], "detectors": {"judge": 0.9}}]
        + [{"unsupported": [[4, 9, "Unwanted", "A"]], "detectors": {"judge": 0.2}}],
    ),
    "fusion": (
        PAIRS,
        [
            {"spans": [{"summary": [[2, 4]], "document": [[0, 3], [7, 9]]}]},
            {"spans": [{"summary": [[1, 2]], "document": [[1, 2]]}]},
        ],
    ),
}
QUOTED = "[ 2 Nine workers fled ] when [ 1 the old mill burned ] ."
QUOTE = {"unique_id": "q", "question": "?", "summary": QUOTED} | {
    f"source{k}": text for k, text in enumerate([*DOCUMENT, *[""] * 5], 1)
}
CLAIM = {
    "claim_tokens": "Nine workers saw the mill .".split(),
    "non_supported_spans": [False, False, True, False, False, False],
    "supporting_sentences": [[0, 1]],
    "evidence": DOCUMENT,
    "meta": {"id": "c"},
}
SYSTEMS = ("vorlage-without-encoder", "identity")
MEASURES = {
    "links": {"aer", "soft_f", "sure_f"},
    "phrases": {"precision", "recall", "f"},
    "marks": {"word_auroc", "text_auroc"},
    "fusion": {"all_sources"},
    "quotesum-small": {"accuracy"},
    "wice": {"best", "word_auroc"},
}


def lines(records):
    return "".join(json.dumps(record) + "\n" for record in records)


class Project:
    """A copy of the project with sets below `sets/`; `make field` runs in it."""

    def __init__(self, folder):
        self.folder = folder
        for name in (
            "Snakefile",
            "config.yaml",
            "Makefile",
            "requirements.lock",
            "requirements-encoder.lock",
        ):
            shutil.copy2(ROOT / name, folder / name)
        for name in ("workflow", "data"):
            shutil.copytree(ROOT / name, folder / name)
        for link in LINKS:
            shutil.copy(ROOT / link, folder / link, follow_symlinks=False)
        # A link, because kernels are compiled once for each location.
        (folder / "pipeline").symlink_to(ROOT / "pipeline")
        # The environment of the tests replaces the one that `make setup` would create.
        (folder / ".venv/bin").mkdir(parents=True)
        (folder / ".venv/set-up").touch()
        (folder / "docs").mkdir()
        for page in ("docs/field.md", "README.md"):
            shutil.copy(ROOT / page, folder / page)
        for name, (corpus, golds) in SETS.items():
            gold = [{"id": pair["id"]} | gold for pair, gold in zip(corpus, golds, strict=True)]
            self.write(f"{name}/corpus.jsonl", lines(corpus))
            self.write(f"{name}/gold.jsonl", lines(gold))
        self.write("quotesum-small/dev.jsonl", lines([QUOTE]))
        self.write("wice/dev.jsonl", lines([CLAIM]))
        self.write("notes/read.me", "no set")

    def write(self, name, text):
        path = self.folder / "sets" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def make(self, *arguments):
        """Run `make field` and return what it did."""
        environment = os.environ | {"PYTHONSAFEPATH": "1"}
        environment["PATH"] = f"{Path(sys.executable).absolute().parent}:{environment['PATH']}"
        command = ["make", "field", "DATA=sets", "CORES=2", *arguments]
        done = subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def rows(self, name):
        with open(self.folder / f"results/field/{name}/score/field.tsv", newline="") as table:
            return list(csv.DictReader(table, delimiter="\t"))


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    made = Project(tmp_path_factory.mktemp("field"))
    status, text = made.make(f"SYSTEMS={' '.join(SYSTEMS)}")
    assert status == 0, text[-3000:]
    return made


@pytest.mark.parametrize("name", MEASURES)
def test_every_set_is_scored_by_the_measures_of_its_gold(project, name):
    rows = project.rows(name)
    for system in SYSTEMS:
        assert MEASURES[name] <= {row["measure"] for row in rows if row["system"] == system}
    assert all(0 <= float(row["value"]) <= 1 for row in rows)
    others = {"judge"} if name == "marks" else set()
    assert {row["system"] for row in rows} == {*SYSTEMS, *others}


def test_the_page_has_a_table_for_each_set_and_the_cost(project):
    page = (project.folder / "docs/field.md").read_text()
    assert "No set of this kind" not in page
    for name in MEASURES:
        assert f"**{name}**, {len(project.rows(name)) and project.rows(name)[0]['pairs']} pairs" in page
    cost = page.partition("<!-- field cost -->")[2].partition("<!-- end -->")[0]
    assert [line.split()[1] for line in cost.split("\n") if line.startswith("| ")][2:] == list(SYSTEMS)
    [heading] = [line for line in cost.split("\n") if line.startswith("| system")]
    assert [cell.strip() for cell in heading.split("|")[2:-2]] == sorted(MEASURES)


def test_finished_results_are_kept_and_a_change_reruns_its_set(project):
    arguments = [f"SYSTEMS={' '.join(SYSTEMS)}"]
    status, text = project.make(*arguments)
    assert status == 0 and "Nothing to be done" in text
    path = project.folder / "sets/marks/gold.jsonl"
    path.write_text(path.read_text().replace("[4, 9,", "[0, 3,"))
    status, text = project.make(*arguments)
    assert status == 0, text
    made = [line.split("/")[2] for line in text.splitlines() if line.startswith("    output: results/field/")]
    assert set(made) == {"marks"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["SETS=links none"], "`field.sets` has none"),
        (["SYSTEMS=nothing"], "`field.systems` has nothing"),
        (["DATA=absent"], "`field.data` is absent"),
        (["DATA="], "`field.data` is empty"),
    ],
)
def test_unknown_names_are_refused(project, arguments, message):
    status, text = project.make(*arguments)
    [line] = [line for line in text.splitlines() if line.startswith("error: ")]
    assert status != 0 and message in line


def test_bad_gold_ends_with_one_line(project):
    path = project.folder / "sets/fusion/gold.jsonl"
    text = path.read_text()
    path.write_text(text.replace("[[0, 3], [7, 9]]", "[[0, 3], [7, 99]]"))
    status, output = project.make("SETS=fusion", "SYSTEMS=identity")
    path.write_text(text)
    assert status != 0 and "document span [7, 99] is out of range; the document has 14 tokens" in output
