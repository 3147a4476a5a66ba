"""Gold alignments."""

import math

from fuzz.corpora import SENTENCES, lines
from fuzz.mutators import json_lines
from fuzz.target import Target, put
from pipeline.corpus.gold import check_gold, read_annotations, read_gold
from pipeline.corpus.new import tokenize
from pipeline.corpus.readers.record import Record
from pipeline.io.jsonl import to_line
from pipeline.run.errors import InputError

PAIR = tokenize(Record("a", "", " ".join(SENTENCES[:2]), SENTENCES[2]))


def check(data):
    """Check that accepted gold survives writing and reading, and that gold for a pair links its words."""
    path = put("gold.jsonl", data)
    found = [gold for _, gold in read_gold(path)]
    written = put("again.jsonl", "".join(to_line(gold.to_json()) + "\n" for gold in found).encode())
    assert [gold for _, gold in read_gold(written)] == found
    for gold in found:
        try:
            check_gold(gold, PAIR, path)
        except InputError as error:
            assert str(error).startswith(str(path))
            continue
        check_links(gold)
    marked = read_annotations(path)
    assert sum(map(len, marked.values())) == len(found)


def check_links(gold):
    """Check that links of gold in tokens are links of words of the texts, as many as the spans say."""
    if gold.unit == "token":
        cells = gold.cells(sure_only=False)
        assert gold.cells(sure_only=True) <= cells
        assert all(0 <= i < len(PAIR.summary.tokens) and 0 <= j < len(PAIR.document.tokens) for i, j in cells)
        areas = [math.prod(end - start for ((start, end),) in link) for link in _sides(gold)]
        assert max(areas, default=0) <= len(cells) <= sum(areas)


def _sides(gold):
    return [(link.summary, link.document) for link in gold.links]


def seeds():
    """Return gold in both units, with several spans and several annotators."""
    token = {"id": "a", "annotator": "A", "unit": "token"} | {
        "alignments": [
            {"summary": [3, 5], "document": [7, 10], "sure": True},
            {"summary": [0, 1], "document": [0, 2], "sure": False},
        ]
    }
    characters = {"id": "a", "annotator": "B", "unit": "char"} | {
        "alignments": [{"summary": [[0, 3], [6, 9]], "document": [4, 9], "sure": True}]
    }
    bare = {"id": "b", "alignments": [{"summary": [0, 1], "document": [1, 2]}]}
    unfinished = bare | {"annotator": "C", "finished": False, "null": [2], "seconds": 7}
    return [lines(token), lines(characters), lines(bare), lines(token, characters, bare, unfinished)]


TARGET = Target((check,), seeds, json_lines)
