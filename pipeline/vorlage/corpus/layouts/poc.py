"""Reads Points of Correspondence (Lebanoff et al. 2020), fused sentences: `PoC_dataset.json`.

A file is a list of examples: `Full_Article` and `Full_Summary` (tokenized sentences separated by tabs),
`Sentence_1_Index`, `Sentence_2_Index` and `Sentence_Fused_Index` (which sentences of these they are)
and `PoCs`, each with a `PoC_Type` and `Sentence_1_Selection`, `Sentence_2_Selection` and
`Sentence_Fused_Selection`: the first token and the end of each span in these sentences. The id of an
example is its number.
"""

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from vorlage.corpus.layouts.example import Example
from vorlage.types import JsonObject


def fused(example: Any, file: str, number: int) -> Example | None:
    """Return the example of a record, None without points of correspondence."""
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
