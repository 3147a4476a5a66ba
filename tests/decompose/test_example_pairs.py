"""The corpora of examples: reductions and combinations, worked by hand, from the export command."""

import json

import pytest
from vorlage.alignments.alignment import Alignment, Link, write_alignments
from vorlage.cli import export
from vorlage.corpus.corpus_file import write_pairs
from vorlage.corpus.pair import Pair
from vorlage.text.tokenize import make_text

DOCUMENT = "The old ferry, officials said, sailed north. Its captain spoke. Rain fell all day."
# A reduction, a combination, a sentence copied whole, and one that was written from scratch.
SUMMARY = (
    "The ferry sailed north. The old ferry sailed and its captain spoke. Rain fell all day. Bad weather fell."
)
PAIR = Pair("a", make_text(DOCUMENT), make_text(SUMMARY))


def links():
    """Yield links of equal words, each sentence to the sources that the comment above names."""
    document = PAIR.document
    for number, (start, end) in enumerate(PAIR.summary.sentences[:3]):
        sources = [(0,), (0, 1), (2,)][number]
        for token in range(start, end):
            word = PAIR.summary.words[token].lower()
            for source in sources:
                for place in range(*document.sentences[source]):
                    if document.words[place].lower() == word and word != ".":
                        yield Link((token, token + 1), (place, place + 1))


@pytest.fixture
def folder(tmp_path):
    write_pairs(tmp_path / "corpus.jsonl", [PAIR])
    alignment = Alignment("a", "s", None, PAIR.document.words, PAIR.summary.words, list(links()))
    write_alignments(tmp_path / "alignments.jsonl", [alignment])
    return tmp_path


def exported(folder, kind):
    paths = {name: str(folder / f"{name}.jsonl") for name in ("alignments", "corpus", "out")}
    export.main(
        ["--alignments", paths["alignments"], "--corpus", paths["corpus"], "--format", kind]
        + ["--output", paths["out"]]
    )
    return [json.loads(line) for line in (folder / "out.jsonl").read_text(encoding="utf-8").splitlines()]


FIRST = "The old ferry, officials said, sailed north."


def test_a_reduction_has_one_source_and_removed_words(folder):
    assert exported(folder, "reductions") == [
        {
            "id": "a",
            "sentence": 0,
            "summary": "The ferry sailed north.",
            "sources": [{"sentence": 0, "text": FIRST}],
            "operations": ["reduction"],
            "copied": 1.0,
            "phrases": [
                {"summary": "The", "document": "The", "sentence": 0},
                {"summary": "ferry", "document": "ferry", "sentence": 0},
                {"summary": "sailed north", "document": "sailed north", "sentence": 0},
            ],
        }
    ]


def test_a_combination_has_several_sources(folder):
    (record,) = exported(folder, "combinations")
    assert record["sentence"] == 1 and record["copied"] == 0.875
    assert record["operations"] == ["reduction", "combination"]
    assert [source["text"] for source in record["sources"]] == [FIRST, "Its captain spoke."]
    assert [(phrase["summary"], phrase["sentence"]) for phrase in record["phrases"]] == [
        ("The old ferry", 0),
        ("sailed", 0),
        ("and", None),
        ("its captain spoke", 1),
    ]
    assert [phrase["document"] for phrase in record["phrases"]][2:] == [None, "Its captain spoke"]
