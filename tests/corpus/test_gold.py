"""Files of gold: what is read from them, and the message of a line that is not gold."""

import csv
import json
from pathlib import Path

import pytest
from cards import gold_fit
from hypothesis import given
from hypothesis import strategies as st
from vorlage.command.errors import InputError
from vorlage.documents.pair import Pair
from vorlage.text.tokenize import make_text
from vorlage.workflow.gold import (
    Gold,
    GoldLink,
    check_gold,
    make_gold,
    read_annotations,
    read_gold,
    settled,
)

PAIR = Pair("a", make_text(["One two three.", "Four five.", "Six."]), make_text("One four six."))
LINK = {"summary": [0, 1], "document": [0, 1]}


def write(path, *lines):
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def links(*alignments, **more):
    return {"id": "a", "alignments": list(alignments)} | more


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (links({"summary": [1, 3], "document": [0, 10]}), r"alignment 0: document span \[0, 10\] is out"),
        (links(LINK, LINK | {"summary": [1, 1]}), r"pair a, alignment 1: summary span \[1, 1\] is out of"),
        (links(LINK | {"summary": [0, 14]}, unit="char"), r"\[0, 14\] is out of range; the summary has 13"),
        (links(unit="word"), "`unit` is 'word'"),
        (links(LINK | {"summary": [0, True]}), "`alignments.0.summary.0.1` is True"),
        ({"id": "a"}, "`alignments` is missing"),
    ],
)
def test_links_that_are_refused(tmp_path, line, message):
    path = write(tmp_path / "gold.jsonl", links(LINK), line)
    with pytest.raises(InputError, match=f"gold.jsonl, line 2: .*{message}"):
        [check_gold(gold, PAIR) for gold in read_gold(path)]


def test_annotations_are_by_pair_without_unfinished_ones_and_one_for_each_annotator(tmp_path):
    lines = [links(annotator="A"), links(LINK, annotator="B"), links(annotator="C", finished=False)]
    path = write(tmp_path / "gold.jsonl", *lines)
    assert [gold.annotator for gold in read_annotations(path)["a"]] == ["A", "B"]
    with pytest.raises(InputError, match="line 4: annotator 'A' has annotated pair a before"):
        read_annotations(write(path, *lines, lines[0]))


def test_adjudicated_gold_is_the_only_gold_of_its_pair():
    golds = [Gold("a", name, "token", ()) for name in ("A", "adjudicated", "B")]
    assert settled(golds) == golds[1:2] and settled(golds[::2]) == golds[::2]


spans = st.lists(st.tuples(st.integers(), st.integers()), min_size=1, max_size=3).map(tuple)
golds = st.builds(
    Gold,
    st.text(),
    st.text(),
    st.sampled_from(["token", "char"]),
    st.lists(st.builds(GoldLink, spans, spans, st.booleans())).map(tuple),
)


@given(golds)
def test_gold_is_read_as_it_was_written(gold):
    assert make_gold(json.loads(json.dumps(gold.to_json())), "") == gold


def test_bundled_gold_fits_its_texts():
    """A tokenizer that cuts a text otherwise shifts the gold behind that place: fewer words are equal."""
    with Path(__file__).with_name("gold_fit.tsv").open(newline="") as file:
        stored = {
            tuple(row[:3]): (int(row[3]), int(row[4])) for row in list(csv.reader(file, delimiter="\t"))[1:]
        }
    made = {tuple(row[:3]): tuple(row[3:]) for row in gold_fit()}
    assert made.keys() == stored.keys()
    moved = {place: (made[place], stored[place]) for place in made if made[place] < stored[place]}
    assert not moved, "shift this gold by its characters, then run `python experiments/cards.py`"
