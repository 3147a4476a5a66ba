"""A system that one module adds: here this one, which links every word to the first of the extract."""

import pytest
from toy_pairs import make_pair, run, spans, whole, write
from vorlage.settings import validate
from vorlage.workflow.baselines.system import Baseline, System, to_links
from vorlage.workflow.settings import BASELINES, Config


def align(pair, extract):
    first = extract.positions(pair.document).tolist()[0]
    return to_links({i: [first] for i in range(len(pair.summary.words))}, len(pair.summary.words))


FIRST = Baseline("first", ("first-word",), lambda options: System(align))


@pytest.fixture(autouse=True)
def registered(monkeypatch):
    monkeypatch.setitem(BASELINES.added, FIRST.name, FIRST)


def test_the_command_aligns_by_it(tmp_path):
    pair = make_pair(["Red boats .", "A boat ."], ["A boat"])
    [alignment] = run(tmp_path, "first-word", write(tmp_path, [pair], [whole(pair)]))
    assert spans(alignment.links) == [((0, 1), (0, 1)), ((1, 2), (0, 1))]
    assert alignment.system == "first-word"


def test_a_config_may_name_it():
    corpus = {"name": "mine", "reader": "jsonl", "path": "mine.jsonl"}
    assert validate(Config, {"corpus": corpus, "systems": ["first-word"]}).systems == ("first-word",)
