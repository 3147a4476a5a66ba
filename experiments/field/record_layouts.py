"""Public sets in which an example is a record: a line of JSON or TSV, or an entry of a list.

Links of the tokens of two sentences; a link is `i-j`, a document and a summary token, counted from 0:

- MultiMWA (Lan, Jiang & Xu 2021): TSV files such as `mtref-dev.tsv`, a pair of tokenized sentences a line.
  The columns that are read: 1 the id, 2 and 4 the sentences, 8 and 9 the sure and the possible links. The
  first sentence is the document.
- Jacana (Yao et al. 2013), the MSR and the Edinburgh corpus: JSON files, each a list of pairs of tokenized
  sentences with `name`, `source`, `target`, `sureAlign` and `possibleAlign`. The source is the document.

Evidence for a text; answers without a mark are left out:

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

Fused sentences: Points of Correspondence (Lebanoff et al. 2020), `PoC_dataset.json`, a list of examples. Of
each, `Full_Article` and `Full_Summary` (tokenized sentences separated by tabs), `Sentence_1_Index`,
`Sentence_2_Index` and `Sentence_Fused_Index` (which sentences of these they are) and `PoCs`, each with a
`PoC_Type` and `Sentence_1_Selection`, `Sentence_2_Selection` and `Sentence_Fused_Selection`: the first token
and the end of each span in these sentences. The id of an example is its number.
"""

import re
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from vorlage.types import JsonObject

from field.example import Example

SOURCES = 8
MARK = re.compile(r"\[ (\d{1,4}) (.*?) \]", re.DOTALL)
NUMBER = "raw_sample_id"


def multimwa(columns: list[str], file: str, number: int) -> Example:
    """Return the example of a line of MultiMWA."""
    name, document, _, summary, _, _, _, sure, possible, *_ = columns
    gold = {"annotator": "multimwa", "alignments": token_links(sure, possible)}
    return Example(f"{file}-{name}", [document], [summary], gold)


def jacana(pair: Any, file: str, number: int) -> Example:
    """Return the example of a pair of Jacana."""
    links = token_links(pair["sureAlign"], pair["possibleAlign"])
    gold = {"annotator": "jacana", "alignments": links}
    return Example(f"{file}-{pair['name']}", [pair["source"]], [pair["target"]], gold)


def token_links(sure: str, possible: str) -> list[JsonObject]:
    """Return gold alignments for links that are separated by spaces; raise ValueError for other text.

    A link that is sure and possible is sure.
    """
    links: dict[tuple[int, int], bool] = {}
    for text, is_sure in ((possible, False), (sure, True)):
        for link in text.split():
            i, j = map(int, link.split("-"))
            links[i, j] = is_sure
    return [
        {"summary": [j, j + 1], "document": [i, i + 1], "sure": is_sure}
        for (i, j), is_sure in sorted(links.items())
    ]


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


def poc(example: Any, file: str, number: int) -> Example | None:
    """Return the example of a record of Points of Correspondence, None without any."""
    article, summary = (_sentences(example[key]) for key in ("Full_Article", "Full_Summary"))
    spans = [span for point in example["PoCs"] for span in _fused(point, example, article, summary)]
    if not spans:
        return None
    return Example(f"{file}-{number}", _joined(article), _joined(summary), {"spans": spans})


def _sentences(text: str) -> list[list[str]]:
    """Return the tokens of each sentence; one that is empty counts in selections, but not in the text."""
    return [sentence.strip().split(" ") for sentence in text.split("\t")]


def _joined(text: list[list[str]]) -> list[str]:
    return [" ".join(filter(None, tokens)) for tokens in text]


def _fused(
    point: JsonObject, example: JsonObject, article: list[list[str]], summary: list[list[str]]
) -> list[JsonObject]:
    """Return a point of correspondence as gold, none if it has no span on a side."""
    fused = _spans(summary, example["Sentence_Fused_Index"], point["Sentence_Fused_Selection"])
    sources = [
        span
        for k in (1, 2)
        for span in _spans(article, example[f"Sentence_{k}_Index"], point[f"Sentence_{k}_Selection"])
    ]
    return [{"summary": fused, "document": sources, "type": point["PoC_Type"]}] if fused and sources else []


def _spans(text: list[list[str]], sentence: int, selection: Sequence[int]) -> list[list[int]]:
    """Return the spans of a selection in tokens of the whole text."""
    start = sum(bool(token) for tokens in text[:sentence] for token in tokens)
    numbers = list(accumulate((bool(token) for token in text[sentence]), initial=start))
    ends = zip(selection[::2], selection[1::2], strict=True)
    return [[numbers[a], numbers[b]] for a, b in ends if numbers[a] < numbers[b]]
