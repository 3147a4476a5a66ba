"""Public data sets, on small files written in their layouts: their texts, their gold, and one-line errors."""

import csv
import json

import pytest
from field import convert
from field.evidence_gold import check_evidence_gold, gold_kind, read_evidence_gold
from vorlage.command.errors import InputError
from vorlage.documents.records import make_record, tokenize
from vorlage.files.jsonl import read_jsonl
from vorlage.workflow.gold import check_gold, read_gold

QUOTES = "[ 2 Larks ] sing[ 1  at dawn ] and [ 2 nest in fields. ]"
JACANA = {"name": "n:7", "source": "Larks sing at dawn .", "target": "At dawn larks sing ."}
CLAIM = {
    "claim_tokens": ["Larks", "sing", "loudly"],
    "non_supported_spans": [False, False, True],
    "supporting_sentences": [[0], [1]],
    "evidence": ["A lark sings.", "Birds sing."],
    "claim": "Larks sing loudly",
    "meta": {"id": "dev1"},
}
SAMPLE = {
    "sample_id": 3,
    "source": "Larks nest in fields.",
    "summary": "Larks nest in old fields.",
    "annotations": [
        {"label": ["Unwanted", "Unwanted.Extrinsic"], "summary_start": 14, "summary_end": 17}
        | {"annotator_id": "A", "annotator_name": "name", "note": ""},
        {"label": [], "summary_start": 0, "summary_end": 5, "annotator": "B"},
        {"label": ["Benign"], "summary_start": 4, "summary_end": 4, "annotator_id": "A"},
    ],
    "metadata": {"summarizer": "m", "hhem": 0.25, "judge": 1, "none": None, "raw_sample_id": 9},
}
POC = {
    # A double space makes an empty token, which selections count.
    "Full_Article": "The lark  sang .\tIt was dawn .\tThe bird flew .",
    "Full_Summary": "Hear this .\tThe lark sang and flew .",
    "Sentence_1_Index": 0,
    "Sentence_2_Index": 2,
    "Sentence_Fused_Index": 1,
    "PoCs": [
        {"PoC_Type": "Nominal", "Sentence_Fused_Selection": [0, 2]}
        | {"Sentence_1_Selection": [0, 2], "Sentence_2_Selection": [0, 2]},
        {"PoC_Type": "Event", "Sentence_Fused_Selection": [2, 3]}
        | {"Sentence_1_Selection": [3, 4], "Sentence_2_Selection": []},
    ],
}
DOCUMENTS = ["Larks nest here.\nThey sing.", "Herons  fish."]
ROWS = [
    ("t1", "0.txt", "0, 5;17, 26", "Larks<SPAN_SEP>They sing", "0, 10"),
    ("t1", "1.txt", "0, 12", "Herons fish", "12, 23"),
]
FILES = {
    "multimwa": {"mtref-dev.tsv": "7\tLarks sing .\tx\tA lark sings .\tx\tx\tx\t0-1 1-2\t0-0 1-2\tx\n"},
    "jacana": {"msr.json": json.dumps([JACANA | {"sureAlign": "2-0 3-1", "possibleAlign": "0-2"}])},
    "quotesum": {
        "dev.jsonl": json.dumps(
            {"unique_id": "q_0", "question": "?", "summary": QUOTES}
            | {f"source{k}": text for k, text in enumerate(["At dawn.", "Larks nest.", *[""] * 6], 1)}
        )
    },
    "verifiability": {
        "dev.jsonl": json.dumps({"question": "?", "summary": "No mark.", "passages": ["A."]})
        + "\n"
        + json.dumps({"question": "?", "summary": QUOTES, "passages": ["At dawn.", "Larks."]})
    },
    "wice": {"dev.jsonl": json.dumps(CLAIM)},
    "faithbench": {"batch_1.json": json.dumps({"samples": [SAMPLE]})},
    "poc": {"PoC_dataset.json": json.dumps([POC, POC | {"PoCs": []}])},
    "spark": {
        "incontext_fusion.json": json.dumps(
            {"t1": {"documents": DOCUMENTS, "summary": "Larks sing. Herons fish.", "salient_spans": []}}
        )
    },
}


def word(i, j, sure=True):
    return {"summary": [i, i + 1], "document": [j, j + 1], "sure": sure}


EXPECTED = {
    "multimwa": (
        "mtref-dev-7",
        ["Larks sing ."],
        ["A lark sings ."],
        {"annotator": "multimwa", "alignments": [word(0, 0, False), word(1, 0), word(2, 1)]},
    ),
    "jacana": (
        "msr-n:7",
        [JACANA["source"]],
        [JACANA["target"]],
        {"annotator": "jacana", "alignments": [word(2, 0, False), word(0, 2), word(1, 3)]},
    ),
    "wice": (
        "dev1",
        CLAIM["evidence"],
        "Larks sing loudly",
        {"supported": [True, True, False], "sentences": [[0], [1]]},
    ),
    "faithbench": (
        "batch_1-3",
        SAMPLE["source"],
        SAMPLE["summary"],
        {
            "unsupported": [[14, 17, "Unwanted", "A"], [0, 5, "", "B"]],
            "detectors": {"hhem": 0.25, "judge": 1},
        },
    ),
    "poc": (
        "PoC_dataset-0",
        ["The lark sang .", "It was dawn .", "The bird flew ."],
        ["Hear this .", "The lark sang and flew ."],
        {
            "spans": [
                {"summary": [[3, 5]], "document": [[0, 2], [8, 10]], "type": "Nominal"},
                {"summary": [[5, 6]], "document": [[2, 3]], "type": "Event"},
            ]
        },
    ),
    "spark": (
        "t1",
        "\n".join(DOCUMENTS),
        "Larks sing. Herons fish.",
        {
            "annotator": "spark",
            "unit": "char",
            "alignments": [
                {"summary": [[0, 10]], "document": [[0, 5], [17, 26]], "sure": True},
                {"summary": [[12, 23]], "document": [[28, 40]], "sure": True},
            ],
        },
    ),
}
ANSWER = "Larks sing at dawn and nest in fields."
PASSAGES = [([0, 5], [1]), ([11, 18], [0]), ([23, 38], [1])]
MARKED = {"spans": [{"summary": span, "passages": numbers} for span, numbers in PASSAGES]}
EXPECTED["quotesum"] = "q_0", ["At dawn.", "Larks nest."], ANSWER, MARKED
EXPECTED["verifiability"] = "dev-2", ["At dawn.", "Larks."], ANSWER, MARKED


def write(folder, layout, rows=ROWS):
    """Write the files of a layout to a folder."""
    for name, text in FILES[layout].items():
        (folder / name).write_text(text)
    if layout == "spark":
        with open(folder / "alignments.csv", "w", newline="") as out:
            table = csv.writer(out)
            table.writerow(["topic", "documentFile", "docSpanOffsets", "docSpanText", "summarySpanOffsets"])
            table.writerows(rows)


@pytest.mark.parametrize("layout", convert.LAYOUTS)
def test_texts_and_gold_of_each_layout(layout, tmp_path):
    write(tmp_path, layout)
    convert.main(["--layout", layout, f"--path={tmp_path}", f"--output={tmp_path / 'made'}"])
    files = [tmp_path / "made" / name for name in ("corpus.jsonl", "gold.jsonl")]
    [record], [gold] = ([record for _, record in read_jsonl(file)] for file in files)
    name, document, summary, expected = EXPECTED[layout]
    assert record == {"id": name, "document": document, "summary": summary}
    assert gold == {"id": name} | expected
    kind = gold_kind(files[1])
    assert kind == convert.LAYOUTS[layout].kind
    pair = tokenize(make_record(record, ""), tokenized=kind in ("token", "fused"))
    if kind in ("token", "char"):
        check_gold(next(read_gold(files[1])), pair)
    else:
        check_evidence_gold(next(read_evidence_gold(files[1])), pair)


@pytest.mark.parametrize(
    ("layout", "old", "new", "place"),
    [
        ("multimwa", "1-2\t", "1\t", "mtref-dev.tsv, line 1"),
        ("jacana", "sureAlign", "sure", "msr.json, example 0"),
        ("quotesum", "source8", "source9", "dev.jsonl, line 1"),
        ("wice", "claim_tokens", "tokens", "dev.jsonl, line 1"),
        ("faithbench", "summary_start", "start", "batch_1.json, example 0"),
        ("poc", "[0, 2]", "[0, 99]", "PoC_dataset.json, example 0"),
        ("spark", "Larks nest here", "Wrens nest here", "alignments.csv, row 1"),
    ],
)
def test_files_in_another_layout_are_refused(layout, old, new, place, tmp_path):
    write(tmp_path, layout)
    for name in FILES[layout]:
        (tmp_path / name).write_text(FILES[layout][name].replace(old, new))
    with pytest.raises(InputError, match="not in the layout") as error:
        convert.convert(layout, tmp_path)
    assert str(error.value).startswith(str(tmp_path / place))
