"""JSON lines: the reader ``jsonl``, and new pairs for `pipeline.align`, in input format or prepared."""

from fuzz.corpora import SENTENCES, check_corpus, check_pair, check_spans, lines
from fuzz.mutators import json_lines
from fuzz.target import Target, put
from pipeline.corpus.new import JsonLines, tokenize
from pipeline.corpus.readers.record import Record


def as_corpus(data):
    """Read a file as the corpus stage does."""
    check_corpus("jsonl", put("corpus.jsonl", data))


def as_new(data):
    """Read a file as `pipeline.align` does; check the number of pairs and that their ids differ."""
    source = JsonLines(put("new.jsonl", data), tokenized=len(data) % 2 == 1)
    count = source.check()
    pairs = [source.read(record)[0] for record in source.records()]
    assert len({pair.id for pair in pairs}) == len(pairs) == count
    for pair in pairs:
        (check_spans if source.prepared else check_pair)(pair)


def seeds():
    """Return strings, lists of sentences, and lines of a ``corpus.jsonl``."""
    first, second, third = SENTENCES
    prepared = tokenize(Record("c", "", f"{first}\n{third}", second)).to_json()
    again = tokenize(Record("d", "", [first, third], second, ((0, "1 One"), (1, "")))).to_json()
    strings = {"id": "a", "document": first, "summary": third}
    lists = {"id": "b", "document": [first, second], "summary": [third], "source": {"kept": [1, 2.5]}}
    return [lines(strings), lines(lists), lines(strings, lists), lines(prepared), lines(prepared, again)]


TARGET = Target((as_corpus, as_new), seeds, json_lines)
