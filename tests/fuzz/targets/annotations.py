"""Gold files that the annotation page writes to."""

from io import BytesIO

from fuzz.corpora import lines
from fuzz.mutators import json_lines
from fuzz.target import Target, put
from pipeline.annotate.annotation import make_annotation
from pipeline.annotate.gold_file import NO_LINE, GoldFile, find
from pipeline.corpus.gold import read_gold

RECORD = {"id": "a", "annotator": "A", "alignments": [{"summary": [3, 5], "document": [7, 10]}], "seconds": 7}


def check(data):
    """Check that a save keeps every other line of an accepted file, and that what is written can be read."""
    gold = GoldFile(put("annotations.jsonl", data))
    before = gold.annotations()
    stored = find(before, "a", "A")
    written = make_annotation(RECORD, str(gold.path))
    revision = gold.save(written, stored.revision if stored else NO_LINE)
    found = gold.path.read_bytes()
    if stored:
        # The line was replaced where it was, and what is around it is as before.
        kept = BytesIO(data).readlines()
        start = sum(map(len, kept[: stored.number]))
        end = len(data) - start - len(kept[stored.number].rstrip(b"\r\n"))
        assert found[:start] == data[:start] and (end == 0 or found[-end:] == data[-end:])
    else:
        assert found.startswith(data) and found.count(b"\n") <= data.count(b"\n") + 2
    after = gold.annotations()
    assert len(after) == len(before) + (stored is None)
    assert find(after, "a", "A").annotation == written and find(after, "a", "A").revision == revision
    assert written.gold in [marked for _, marked in read_gold(gold.path)]


def seeds():
    """Return gold files with finished and unfinished annotations by several annotators, in both units."""
    link = {"summary": [0, 1], "document": [0, 2], "sure": False}
    own = {"id": "a", "annotator": "A", "unit": "token", "alignments": [link], "seconds": 3, "start": "toy"}
    other = {"annotator": "B", "id": "a", "alignments": [], "finished": False, "null": [0, 2], "note": "é"}
    characters = own | {"unit": "char"}
    return [lines(other, own), lines(own), lines(other), lines(characters, other, own, own | {"id": "b"})]


TARGET = Target((check,), seeds, json_lines)
