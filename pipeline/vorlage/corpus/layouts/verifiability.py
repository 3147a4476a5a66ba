"""Reads Verifiability-granular (Phukan et al. 2024), answers with marked sources: JSON lines.

One answer per line: `passages`, a list, and `summary` with marks as in QuoteSum, by the number of the
passage from 1. Answers without a mark are left out. The id is the name of the file and the line.
"""

from collections.abc import Iterator
from pathlib import Path

from vorlage.corpus.layouts.example import Example, in_layout
from vorlage.corpus.layouts.quotesum import unmark
from vorlage.corpus.readers.files import find_files
from vorlage.files.jsonl import read_jsonl


def read(path: Path) -> Iterator[Example]:
    """Yield the answers with marks of a file or of all files below a folder."""
    for file in find_files(path, "*.jsonl"):
        for number, answer in read_jsonl(file):
            where = f"{file}, line {number}"
            with in_layout(where, "Verifiability-granular"):
                summary, spans = unmark(answer["summary"])
                if spans:
                    yield Example(
                        f"{file.stem}-{number}", where, answer["passages"], summary, {"spans": spans}
                    )
