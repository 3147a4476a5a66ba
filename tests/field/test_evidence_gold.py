"""Gold of public sets: what is read of each kind, and the message of a line that is not gold."""

import json

import pytest
from field.evidence_gold import check_evidence_gold, gold_kind, read_evidence_gold
from vorlage.command.errors import InputError
from vorlage.documents.pair import Pair
from vorlage.text.tokenize import make_text
from vorlage.workflow.gold import GoldLink

PAIR = Pair("a", make_text(["One two three.", "Four five.", "Six."]), make_text("One four six."))
LINKS = {"alignments": [{"summary": [0, 1], "document": [0, 1]}]}
PASSAGES = {"spans": [{"summary": [0, 3], "passages": [0]}]}
SUPPORTED = {"supported": [True, False, True], "sentences": [[0], [1, 2]]}
UNSUPPORTED = {"unsupported": [[4, 8, "Unwanted", 7], [0, 1, "Benign"]], "detectors": {"judge": 0.5}}
FUSED = {"spans": [{"summary": [[0, 1]], "document": [[0, 1], [4, 5]], "type": "Nominal"}]}


def write(path, *lines):
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@pytest.mark.parametrize(
    ("gold", "message"),
    [
        ({}, "gold needs `alignments`, `spans`"),
        ({"supported": [True] * 3}, "gold needs .* `supported` and `sentences`"),
        ({"spans": [{"summary": [0, 99], "passages": [0]}]}, r"summary span \[0, 99\] is out of range"),
        ({"spans": [{"summary": [0, 3], "passages": [3]}]}, r"no passage \(3,\); the document has 3"),
        ({"spans": [{"summary": [[0, 2]], "document": [[0, 16]]}]}, r"document span \[0, 16\] is out of"),
        ({"supported": [True], "sentences": []}, "`supported` has 1 values; the summary has 3 words"),
        ({"unsupported": [[4]]}, "`unsupported.0.1` is missing"),
        ({"unsupported": [], "detectors": {"judge": 7}}, "`detectors.judge` is 7"),
    ],
)
def test_evidence_that_is_refused(tmp_path, gold, message):
    path = write(tmp_path / "gold.jsonl", {"id": "a"} | gold)
    with pytest.raises(InputError, match=f"gold.jsonl, line 1: .*{message}"):
        [check_evidence_gold(evidence, PAIR) for evidence in read_evidence_gold(path)]


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        (LINKS, "token"),
        (LINKS | {"unit": "char"}, "char"),
        (PASSAGES, "passages"),
        (SUPPORTED, "supported"),
        (UNSUPPORTED, "unsupported"),
        (FUSED, "fused"),
    ],
)
def test_the_kind_of_a_file_and_what_is_read(tmp_path, line, kind):
    path = write(tmp_path / "gold.jsonl", {"id": "a"} | line)
    assert gold_kind(path) == kind
    if kind not in ("token", "char"):
        [gold] = read_evidence_gold(path)
        check_evidence_gold(gold, PAIR)
        assert (gold.kind, gold.where) == (kind, f"{path}, line 1")
        assert [mark.summary for mark in gold.marks] == ([(4, 8), (0, 1)] if kind == "unsupported" else [])
        assert gold.fused == ((GoldLink(((0, 1),), ((0, 1), (4, 5))),) if kind == "fused" else ())
