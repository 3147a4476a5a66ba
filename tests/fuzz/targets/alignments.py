"""Alignments in the format that every system writes."""

import math

from fuzz.corpora import SENTENCES, lines
from fuzz.mutators import json_lines
from fuzz.target import Target, put
from pipeline.alignments import Alignment, Link, read_alignments
from pipeline.export import pharaoh


def check(data):
    """Check that accepted alignments are well formed and survive writing and reading."""
    found = list(read_alignments(put("alignments.jsonl", data)))
    for alignment in found:
        check_form(alignment)
        pharaoh(alignment)
    again = lines(*(alignment.to_json() for alignment in found))
    assert list(read_alignments(put("again.jsonl", again))) == found


def check_form(alignment):
    """Check that texts are strings, numbers finite, and spans inside their sides."""
    for text in (alignment.id, alignment.system, alignment.fingerprint):
        assert type(text) is str, f"{text!r} is no text"
    sides = alignment.summary_words, alignment.document_words
    assert all(type(side) is list and all(type(word) is str for word in side) for side in sides)
    assert alignment.log_likelihood is None or math.isfinite(alignment.log_likelihood)
    for link in (*alignment.links, *alignment.candidates):
        assert 0 <= link.summary[0] < link.summary[1] <= len(sides[0])
        assert link.document is None or 0 <= link.document[0] < link.document[1] <= len(sides[1])
        assert link.posterior is None or 0 <= link.posterior <= 1.001
    assert len(alignment.nulls) in (0, len(sides[0]))
    assert all(type(number) is float and 0 <= number <= 1.001 for number in alignment.nulls)


def seeds():
    """Return alignments with posteriors and candidates, and without."""
    document, summary = SENTENCES[0].split(), SENTENCES[1].split()
    links = [Link((0, 2), (1, 3), 0.93), Link((2, 3), None, 0.5), Link((4, 5), (0, 1), 1)]
    candidates, nulls = [Link((1, 2), (3, 4), 0.1)], [0.5] * len(summary)
    full = Alignment("a", "semihmm-syntax", -812.4, document, summary, links, "f00", candidates, nulls)
    bare = Alignment("b", "identity", None, document, summary, [Link((0, 1), (0, 1)), Link((1, 2), None)])
    return [lines(full.to_json()), lines(bare.to_json()), lines(full.to_json(), bare.to_json())]


TARGET = Target((check,), seeds, json_lines)
