"""Public data sets: what a layout accepts is a corpus, and gold that its reader accepts or refuses."""

import json
from functools import partial

from fuzz.corpora import SENTENCES, lines
from fuzz.mutators import json_lines
from fuzz.target import Target, put
from pipeline.corpus.convert import read_examples
from pipeline.corpus.evidence_gold import gold_kind, read_evidence_gold
from pipeline.corpus.gold import read_gold
from pipeline.corpus.layouts.known import LAYOUTS
from pipeline.io.jsonl import to_line

# Layouts whose file has an object a line; files of the others have a list of such objects, or one object.
BY_LINE, LISTS, WHOLE = ("quotesum", "verifiability", "wice"), ("jacana", "poc"), ("faithbench",)


def check(layout, data):
    """Convert the data in a layout, and read the gold that comes out."""
    if layout in BY_LINE:
        path = put(f"layouts/{layout}/set.jsonl", data)
    elif layout in LISTS:
        path = put(f"layouts/{layout}/set.json", b"[" + b",".join(data.splitlines()) + b"]")
    else:
        path = put(f"layouts/{layout}/set.json", data)
    examples = list(read_examples(layout, path))
    golds = "".join(to_line({"id": example.id} | example.gold) + "\n" for example in examples)
    gold = put("layouts/gold.jsonl", golds.encode())
    kind = gold_kind(gold)
    assert kind == LAYOUTS[layout].kind
    found = list(read_gold(gold) if kind in ("token", "char") else read_evidence_gold(gold))
    assert [record.id for _, record in found] == [example.id for example in examples]


def seeds():
    """Return an input in each layout."""
    first, second, third = SENTENCES
    links = {"name": "n", "source": "a b", "target": "c d", "sureAlign": "0-1", "possibleAlign": "1-0 1-1"}
    answer = f"[ 1 {first} ] and[ 2  {second} ]"
    quotes = {"unique_id": "q", "summary": answer} | {f"source{k}": third for k in range(1, 9)}
    claim = {"claim_tokens": ["a", "b"], "non_supported_spans": [True, False], "meta": {"id": "c"}}
    mark = {"label": ["Unwanted"], "summary_start": 1, "summary_end": 4, "annotator_id": "A"}
    sample = {"sample_id": 1, "source": first, "summary": second, "annotations": [mark]}
    point = {f"Sentence_{k}_Selection": [0, 1] for k in ("1", "2", "Fused")} | {"PoC_Type": "Event"}
    fused = {"Full_Article": "a b .\tc d .", "Full_Summary": "a c .", "PoCs": [point]}
    return [
        lines(links),
        lines(quotes),
        lines({"passages": [first, second], "summary": answer}),
        lines(claim | {"evidence": [first], "supporting_sentences": [[0]]}),
        json.dumps({"samples": [sample | {"metadata": {"hhem": 0.5, "raw_sample_id": 3}}]}).encode(),
        lines(fused | {"Sentence_1_Index": 0, "Sentence_2_Index": 1, "Sentence_Fused_Index": 0}),
    ]


TARGET = Target(tuple(partial(check, layout) for layout in (*BY_LINE, *LISTS, *WHOLE)), seeds, json_lines)
