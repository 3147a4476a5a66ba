"""Reads the manual alignments of SPARK (Ernst et al. 2024): a CSV file and the texts of its topics.

The folder has `data_alignments_gold_w_query_fixed.csv` (or another CSV file with its columns `topic`,
`docSpanOffsets`, `docSpanText` and `summarySpanOffsets`; offsets are characters, `116, 142;201, 281`)
and `incontext_fusion.json`, in which each topic has its `documents`, a list, and its `summary`.

The pairs are the topics; the documents of a topic are joined by line breaks. The document of a row is the one
that has the text of the row at its offsets, except for white space.
"""

import csv
import io
from collections import defaultdict
from itertools import accumulate
from pathlib import Path

from vorlage.command.errors import InputError
from vorlage.files.inputs import read_text
from vorlage.types import JsonObject, Span
from vorlage.workflow.reader import find_files, read_json_file

from field.example import Example, Examples, in_layout

TEXTS = "incontext_fusion.json"
SEPARATOR = "<SPAN_SEP>"


def read(path: Path) -> Examples:
    """Yield the topics of a folder, in the order of their first rows."""
    if not path.is_dir():
        raise InputError(f"{path}: not a folder; give the folder with the CSV file and {TEXTS}")
    rows: dict[str, list[tuple[str, dict[str, str]]]] = defaultdict(list)
    for file in find_files(path, "*.csv"):
        with in_layout(str(file)):
            for number, row in enumerate(csv.DictReader(io.StringIO(read_text(file), newline="")), 1):
                rows[row["topic"]].append((f"{file}, row {number}", row))
    texts = read_json_file(path / TEXTS)
    for topic, of_topic in rows.items():
        where = f"{path / TEXTS}, topic {topic}"
        with in_layout(where):
            documents, summary = texts[topic]["documents"], texts[topic]["summary"]
            starts = [0, *accumulate(len(document) + 1 for document in documents)]
        links = []
        for place, row in of_topic:
            with in_layout(place):
                links.append(_link(row, documents, starts))
        gold = {"annotator": "spark", "unit": "char", "alignments": links}
        yield where, Example(topic, "\n".join(documents), summary, gold)


def _link(row: dict[str, str], documents: list[str], starts: list[int]) -> JsonObject:
    """Return a row as a gold alignment; raise ValueError if no document has its text."""
    spans, texts = _offsets(row["docSpanOffsets"]), row["docSpanText"].split(SEPARATOR)
    for document, start in zip(documents, starts, strict=False):
        if [document[a:b].split() for a, b in spans] == [text.split() for text in texts]:
            return {
                "summary": [list(span) for span in _offsets(row["summarySpanOffsets"])],
                "document": [[start + first, start + last] for first, last in spans],
                "sure": True,
            }
    raise ValueError("no document has the text of `docSpanText` at `docSpanOffsets`")


def _offsets(text: str) -> list[Span]:
    return [(int(first), int(last)) for first, last in (span.split(",") for span in text.split(";"))]
