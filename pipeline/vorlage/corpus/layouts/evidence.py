"""Public sets of evidence for texts: QuoteSum, Verifiability-granular, WiCE and FaithBench.

- QuoteSum (Schuster et al. 2024), `dev.jsonl`, an answer a line: `unique_id`, `source1` to `source8` (the
  passages, empty from some number on) and `summary`, in which `[ 2 some words ]` marks words that come from
  the second passage.
- Verifiability-granular (Phukan et al. 2024), JSON lines, an answer a line: `passages`, a list, and `summary`
  with marks as in QuoteSum. The id is the name of the file and the line.
- WiCE (Kamoi et al. 2023), `non_supported_tokens/dev.jsonl`, a claim of Wikipedia a line: `claim_tokens`,
  `non_supported_spans` (true for a token that the evidence does not support), `evidence` (the sentences of
  the cited page) and `supporting_sentences` (sets of their numbers, from 0). The id is in `meta`.
- FaithBench (Bao et al. 2025), `batch_1.json`: `samples` with `sample_id`, `source`, `summary`, `annotations`
  (`label`, a list; `summary_start` and `summary_end`, characters; `annotator_id`) and `metadata`, in which
  every number but `raw_sample_id` is the output of a detector: the probability, or 1 or 0, that the source
  supports the summary.

Answers without a mark are left out.
"""

import re
from typing import Any

from vorlage.corpus.layouts.example import Example
from vorlage.types import JsonObject

SOURCES = 8
MARK = re.compile(r"\[ (\d{1,4}) (.*?) \]", re.DOTALL)
NUMBER = "raw_sample_id"


def quotesum(answer: Any, file: str, number: int) -> Example | None:
    """Return the example of an answer of QuoteSum."""
    sources = [answer[f"source{k}"] for k in range(1, SOURCES + 1)]
    summary, spans = unmark(answer["summary"])
    passages = [source for source in sources if source]
    return Example(answer["unique_id"], passages, summary, {"spans": spans}) if spans else None


def verifiability(answer: Any, file: str, number: int) -> Example | None:
    """Return the example of an answer of Verifiability-granular."""
    summary, spans = unmark(answer["summary"])
    return Example(f"{file}-{number}", answer["passages"], summary, {"spans": spans}) if spans else None


def wice(claim: Any, file: str, number: int) -> Example:
    """Return the example of a claim of WiCE."""
    supported = [not missing for missing in claim["non_supported_spans"]]
    gold = {"supported": supported, "sentences": claim["supporting_sentences"]}
    return Example(claim["meta"]["id"], claim["evidence"], " ".join(claim["claim_tokens"]), gold)


def faithbench(sample: Any, file: str, number: int) -> Example:
    """Return the example of a sample of FaithBench."""
    numbers = {name: value for name, value in sample["metadata"].items() if isinstance(value, int | float)}
    detectors = {name: value for name, value in numbers.items() if name != NUMBER}
    marks = [mark for annotation in sample["annotations"] for mark in _marks(annotation)]
    gold = {"unsupported": marks, "detectors": detectors}
    return Example(f"{file}-{sample['sample_id']}", sample["source"], sample["summary"], gold)


def _marks(annotation: JsonObject) -> list[list[Any]]:
    """Return the mark of an annotation as gold, none for one without characters."""
    start, end = annotation["summary_start"], annotation["summary_end"]
    label = annotation["label"][0] if annotation["label"] else ""
    annotator = annotation.get("annotator_id") or annotation.get("annotator") or ""
    return [[start, end, label, annotator]] if start < end else []


def unmark(text: str) -> tuple[str, list[JsonObject]]:
    """Return an answer without its marks, and the marked spans as gold of passages.

    Spans have no white space at their ends; those without other characters are left out.
    """
    plain, spans, end = "", list[JsonObject](), 0
    for mark in MARK.finditer(text):
        plain += text[end : mark.start()]
        inside = mark[2]
        left = len(plain) + len(inside) - len(inside.lstrip())
        right = len(plain) + len(inside.rstrip())
        if left < right:
            spans.append({"summary": [left, right], "passages": [int(mark[1]) - 1]})
        plain, end = plain + inside, mark.end()
    return plain + text[end:], spans
