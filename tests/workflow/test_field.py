"""The rule `field` on a small set of each kind, two in public layouts: scores, tables, reruns, errors."""

import csv
import json
import shutil

import pytest
from toy import ROOT, Toy

pytestmark = pytest.mark.slow

DOCUMENT = ["The old mill burned at night .", "Nine workers fled .", "Rain fell ."]
SUMMARY = ["At night the mill burned and nine workers fled ."]
OTHER = {"id": "b", "document": ["A barge sank in May .", "It was empty ."], "summary": ["The barge sank ."]}
PAIRS = [{"id": "a", "document": DOCUMENT, "summary": SUMMARY}, OTHER]
JOINED = [pair | {"summary": pair["summary"][0]} for pair in PAIRS]
RAW = [{key: value if key == "id" else "\n".join(value) for key, value in pair.items()} for pair in PAIRS]
# The corpus and the gold of each pair.
LINKS = [[{"summary": [3, 5], "document": [2, 4]}], [{"summary": [1, 3], "document": [1, 3]}]]
PHRASES = [[{"summary": [13, 24], "document": [0, 19]}], [{"summary": [0, 14], "document": [0, 12]}]]
MARKS = [{"unsupported": [], "detectors": {"judge": 0.9}}]
MARKS += [{"unsupported": [[4, 9, "Unwanted", "A"]], "detectors": {"judge": 0.2}}]
FUSED = [[{"summary": [[2, 4]], "document": [[0, 3], [7, 9]]}], [{"summary": [[1, 2]], "document": [[1, 2]]}]]
SETS = {
    "links": (PAIRS, [{"alignments": links} for links in LINKS]),
    "phrases": (RAW, [{"unit": "char", "alignments": links} for links in PHRASES]),
    "marks": (JOINED, MARKS),
    "fusion": (PAIRS, [{"spans": spans} for spans in FUSED]),
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
SYSTEMS = ["vorlage-without-encoder", "identity"]
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


def read_table(path):
    with open(path, newline="") as table:
        return list(csv.DictReader(table, delimiter="\t"))


class Project(Toy):
    """A copy of the project with sets below `sets/`."""

    def __init__(self, folder):
        super().__init__(folder)
        shutil.copytree(ROOT / "experiments", folder / "experiments", dirs_exist_ok=True)
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

    def run(self, **settings):
        """Run the systems on the sets, as `make field` does."""
        field = {"data": "sets", "systems": SYSTEMS} | settings
        options = ("--cores", "2", "--printshellcmds")
        return self.snakemake("field", *options, field=field, extract={"enabled": False})

    def rows(self, name):
        return read_table(self.folder / f"results/field/{name}/score/field.tsv")


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    made = Project(tmp_path_factory.mktemp("field"))
    outcome = made.run()
    assert outcome.status == 0, outcome.text[-3000:]
    return made


def test_every_set_is_scored_by_the_measures_of_its_gold(project):
    for name, measures in MEASURES.items():
        rows = project.rows(name)
        for system in SYSTEMS:
            assert measures <= {row["measure"] for row in rows if row["system"] == system}
        assert all(0 <= float(row["value"]) <= 1 for row in rows)
        assert {row["system"] for row in rows} == {*SYSTEMS, *["judge"] * (name == "marks")}
