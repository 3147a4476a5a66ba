"""Checks for every corpus that a reader accepts, whatever its format."""

import json
from functools import cache

from pipeline.corpus.lines import Tokenizer
from pipeline.corpus.new import tokenize
from pipeline.corpus.pair import make_pair
from pipeline.corpus.readers.registry import read
from pipeline.corpus.survey import survey
from pipeline.io.jsonl import from_line
from pipeline.settings import section

SENTENCES = (
    "The old printer ships in June. It sells for $2,195.",
    'No one asked; "the price" fell by half, said Mr. Amberg of Acme Corp.',
    "Don\u2019t wait: caf\u00e9s, \u4f60\u597d and 3.5% (of all) may follow\u2026",
)


def check_corpus(reader, path, **settings):
    """Read the corpus at ``path`` as the corpus stage does, and check every pair of it."""
    corpus = _section(reader, **settings) | {"path": str(path)}
    found = survey(corpus, {})
    ids = [record.id for record in read(corpus)]
    assert len(set(ids)) == len(ids) == found.count and found.problems.keys() <= set(ids)
    for record in read(corpus):
        if record.id not in found.problems:
            for tokenized in (False, True):
                check_pair(tokenize(record, tokenized))
                check_line(record, Tokenizer(tokenized))


@cache
def _section(reader, **settings):
    return section("corpus", {"name": "fuzz", "reader": reader, "path": ""} | settings)


def check_pair(pair):
    """Check that tokens and sentences are in order and that only white space lies between tokens."""
    check_spans(pair)
    for text in (pair.document, pair.summary):
        ends = [0, *(end for _, end in text.tokens)]
        starts = [*(start for start, _ in text.tokens), len(text.raw)]
        lost = [text.raw[end:start] for end, start in zip(ends, starts, strict=True)]
        assert not "".join(lost).strip(), f"in no token: {lost}"


def check_spans(pair):
    """Check that tokens are slices of their text, in order, and that sentences tile the tokens."""
    for text in (pair.document, pair.summary):
        last = 0
        for start, end in text.tokens:
            assert last <= start < end <= len(text.raw), f"token {start}:{end} after {last}"
            last = end
        bounds = [0, *(end for _, end in text.sentences)]
        assert list(text.sentences) == list(zip(bounds, bounds[1:], strict=False)), (
            "sentences leave tokens out"
        )
        assert bounds == sorted(set(bounds)), "a sentence is empty"
        assert bounds[-1] == len(text.tokens) > 0, "no tokens, or some in no sentence"


def check_line(record, tokenizer):
    """Check that the line of ``corpus.jsonl`` is UTF-8 and yields the same pair."""
    line = tokenizer.line(record, ())
    assert "\n" not in line.text
    again = make_pair("corpus.jsonl", 1, from_line("corpus.jsonl", 1, line.text.encode().decode()))
    assert again == tokenize(record, tokenizer.tokenized)
    assert (line.id, line.document_words, line.summary_words) == (
        *(again.id, len(again.document.tokens), len(again.summary.tokens)),
    )


def halves(data, mark=b"\n--8<--\n"):
    """Return the two files that one input encodes."""
    first, _, second = data.partition(mark)
    return first, second


def lines(*records):
    """Return records as JSON lines."""
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records).encode()
