"""Extracts of the extract stage, with the ``corpus.jsonl`` that they belong to."""

from fuzz.corpora import SENTENCES, lines
from fuzz.mutators import json_lines
from fuzz.target import Target, put
from pipeline.corpus.new import tokenize
from pipeline.corpus.readers.record import Record
from pipeline.extract.extracts import Extract, read_extracted_pairs

PAIRS = [tokenize(Record(name, "", " ".join(SENTENCES), SENTENCES[0])) for name in ("a", "b")]
CORPUS = lines(*(pair.to_json() for pair in PAIRS))


def check(data):
    """Check that accepted extracts name sentences in order, and survive writing and reading."""
    corpus = put("corpus.jsonl", CORPUS)
    found = list(read_extracted_pairs(corpus, put("extracts.jsonl", data)))
    assert [pair for pair, _ in found] == PAIRS
    for pair, extract in found:
        check_extract(pair, extract)
    again = lines(*(extract.to_json() for _, extract in found))
    assert list(read_extracted_pairs(corpus, put("again.jsonl", again))) == found


def check_extract(pair, extract):
    """Check that its tokens are tokens of the document, in order."""
    positions = extract.positions(pair.document).tolist()
    assert positions == sorted(set(positions)) and set(positions) <= set(range(len(pair.document.tokens)))
    assert len(extract.sentence_numbers(pair.document)) == len(positions)
    count = len(pair.document.sentences)
    assert len(extract.by_summary_sentence) in (0, len(pair.summary.sentences))
    assert all(type(s) is int and 0 <= s < count for row in extract.by_summary_sentence for s in row)


def seeds():
    """Return extracts of all sentences and of some."""
    whole = Extract("a", tuple(range(len(PAIRS[0].document.sentences))), ((1, 0), (0,)))
    part = Extract("b", (0, 2), ((0, 2), (2, 0)))
    return [lines(whole.to_json(), part.to_json()), lines(part.to_json() | {"id": "a"}, part.to_json())]


TARGET = Target((check,), seeds, json_lines)
