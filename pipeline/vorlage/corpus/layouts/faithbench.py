"""Reads FaithBench (Bao et al. 2025), summaries whose unsupported spans are marked: `batch_1.json`.

A file has `samples` with `sample_id`, `source`, `summary`, `annotations` (`label`, a list;
`summary_start` and `summary_end`, characters; `annotator_id`) and `metadata`, in which every number
but `raw_sample_id` is the output of a detector: the probability, or 1 or 0, that the source supports the
summary.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from vorlage.corpus.layouts.example import Example, in_layout, read_json_list
from vorlage.corpus.readers.files import find_files
from vorlage.types import JsonObject

NUMBER = "raw_sample_id"


def read(path: Path) -> Iterator[Example]:
    """Yield the summaries of a file or of all files below a folder."""
    for file in find_files(path, "*.json"):
        for number, sample in enumerate(read_json_list(file, "FaithBench", "samples")):
            where = f"{file}, sample {number}"
            with in_layout(where, "FaithBench"):
                marks = [mark for annotation in sample["annotations"] for mark in _marks(annotation)]
                gold = {"unsupported": marks, "detectors": _detectors(sample["metadata"])}
                name = f"{file.stem}-{sample['sample_id']}"
                yield Example(name, where, sample["source"], sample["summary"], gold)


def _marks(annotation: JsonObject) -> list[list[Any]]:
    """Return the mark of an annotation as gold, none for one without characters."""
    start, end = annotation["summary_start"], annotation["summary_end"]
    label = annotation["label"][0] if annotation["label"] else ""
    annotator = annotation.get("annotator_id") or annotation.get("annotator") or ""
    return [[start, end, label, annotator]] if start < end else []


def _detectors(metadata: JsonObject) -> dict[str, float]:
    return {
        name: value for name, value in metadata.items() if name != NUMBER and isinstance(value, int | float)
    }
