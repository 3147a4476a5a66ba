"""Reads QuoteSum (Schuster et al. 2024), answers with marked quotes: `dev.jsonl`.

One answer per line: `unique_id`, `source1` to `source8` (the passages, empty from some number on) and
`summary`, in which `[ 2 some words ]` marks words that come from the second passage.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from vorlage.corpus.layouts.example import Example, in_layout, take_marks
from vorlage.corpus.readers.files import find_files
from vorlage.files.jsonl import read_jsonl
from vorlage.types import JsonObject

SOURCES = 8
MARK = re.compile(r"\[ (\d{1,4}) (.*?) \]", re.DOTALL)


def unmark(text: str) -> tuple[str, list[JsonObject]]:
    """Return an answer without its marks, and the marked spans as gold of passages."""
    marks = [(m.start(), m.start(2), m.end(2), m.end(), int(m[1]) - 1) for m in MARK.finditer(text)]
    return take_marks(text, marks)


def read(path: Path) -> Iterator[Example]:
    """Yield the answers with marks of a file or of all files below a folder."""
    for file in find_files(path, "*.jsonl"):
        for number, answer in read_jsonl(file):
            where = f"{file}, line {number}"
            with in_layout(where, "QuoteSum"):
                sources = [answer[f"source{k}"] for k in range(1, SOURCES + 1)]
                summary, spans = unmark(answer["summary"])
                if spans:
                    passages = [source for source in sources if source]
                    yield Example(answer["unique_id"], where, passages, summary, {"spans": spans})
