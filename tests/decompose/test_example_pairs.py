"""The corpora of examples: reductions and combinations, worked by hand, from the export command."""

import json

import pytest
from vorlage.alignments.alignment import Alignment, Link, write_alignments
from vorlage.cli import export
from vorlage.corpus.pair import Pair, write_pairs
from vorlage.text.tokenize import make_text

FIRST = "The old ferry, officials said, sailed north."
DOCUMENT = f"{FIRST} Its captain spoke. Rain fell all day."
# Sentences and the document sentences that their words are linked to: a reduction, a combination, a sentence
# copied whole, and one that was written from scratch.
SUMMARY = {
    "The ferry sailed north.": (0,),
    "The old ferry sailed and its captain spoke.": (0, 1),
    "Rain fell all day.": (2,),
    "Bad weather fell.": (),
}
PAIR = Pair("a", make_text(DOCUMENT), make_text(" ".join(SUMMARY)))


@pytest.fixture
def exported(tmp_path):
    """Return a function that exports the examples of a kind."""
    summary, document = PAIR.summary.words, PAIR.document.words
    links = [
        Link((token, token + 1), (place, place + 1))
        for span, sources in zip(PAIR.summary.sentences, SUMMARY.values(), strict=True)
        for token in range(*span)
        for source in sources
        for place in range(*PAIR.document.sentences[source])
        if document[place].lower() == summary[token].lower() != "."
    ]
    files = {name: str(tmp_path / name) for name in ("corpus", "alignments", "output")}
    write_pairs(files["corpus"], [PAIR])
    write_alignments(files["alignments"], [Alignment("a", "s", None, document, summary, links)])

    def run(kind):
        export.main(["--format", kind, *(part for name in files for part in (f"--{name}", files[name]))])
        with open(files["output"], encoding="utf-8") as lines:
            return list(map(json.loads, lines))

    return run


def test_a_reduction_has_one_source_and_removed_words(exported):
    assert exported("reductions") == [
        {
            "id": "a",
            "sentence": 0,
            "summary": "The ferry sailed north.",
            "sources": [{"sentence": 0, "text": FIRST}],
            "operations": ["reduction"],
            "copied": 1.0,
            "phrases": [
                {"summary": phrase, "document": phrase, "sentence": 0}
                for phrase in ("The", "ferry", "sailed north")
            ],
        }
    ]


def test_a_combination_has_several_sources(exported):
    (record,) = exported("combinations")
    assert record["sentence"] == 1 and record["copied"] == 0.875
    assert record["operations"] == ["reduction", "combination"]
    assert [source["text"] for source in record["sources"]] == [FIRST, "Its captain spoke."]
    assert [tuple(phrase.values()) for phrase in record["phrases"]] == [
        ("The old ferry", "The old ferry", 0),
        ("sailed", "sailed", 0),
        ("and", None, None),
        ("its captain spoke", "Its captain spoke", 1),
    ]
