"""Pairs of a user: what is read from a file, standard input and Python, and the message of each mistake."""

import io
import json
import sys
from types import SimpleNamespace

import pytest
from pair_files import write_pairs
from vorlage.command.errors import InputError
from vorlage.documents.pair import read_pairs
from vorlage.documents.records import Record, as_records, make_record, name_documents, read_records, tokenize

LINES = [
    {"id": "b", "document": "One. Two.", "summary": ["It is one."], "source": "ignored"},
    {"id": "a", "document": ["a b. c"], "summary": "d"},
]
PAIR = {"id": "x", "document": "d", "summary": "s"}


def write(path, *lines):
    path.write_text("".join((line if isinstance(line, str) else json.dumps(line)) + "\n\n" for line in lines))
    return path


def test_records_of_a_file_and_of_standard_input(tmp_path, monkeypatch):
    path = write(tmp_path / "pairs.jsonl", *LINES)
    records = list(read_records(path))
    assert records == [
        Record("b", f"{path}, line 1", "One. Two.", ["It is one."]),
        Record("a", f"{path}, line 3", ["a b. c"], "d"),
    ]
    stream = io.BytesIO(b"\xef\xbb\xbf" + path.read_bytes())
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(stream))
    assert [record[2:] for record in read_records("-")] == [record[2:] for record in records]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\n\xff\n")))
    with pytest.raises(InputError, match="standard input, line 2: not UTF-8 at byte 0"):
        list(read_records("-"))


def test_records_become_pairs_and_tokens_of_a_corpus_are_kept(tmp_path):
    pairs = [tokenize(record) for record in read_records(write(tmp_path / "pairs.jsonl", *LINES))]
    assert [pair.document.words for pair in pairs] == [["One", ".", "Two", "."], ["a", "b.", "c"]]
    assert [pair.summary.words for pair in pairs] == [["It", "is", "one", "."], ["d"]]
    assert tokenize(make_record(LINES[0], ""), tokenized=True).document.words == ["One.", "Two."]
    write_pairs(tmp_path / "corpus.jsonl", pairs)
    stored = [tokenize(record, tokenized=True) for record in read_records(tmp_path / "corpus.jsonl")]
    assert stored == pairs == list(read_pairs(tmp_path / "corpus.jsonl"))
    with pytest.raises(InputError, match=r"pairs.jsonl, line 1: not a tokenized pair; make the file with"):
        list(read_pairs(tmp_path / "pairs.jsonl"))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{not json}", "not valid JSON"),
        ({"id": "x", "summary": "s"}, "pair x: no `document`; each pair needs"),
        ({"id": "x", "document": "d"}, "pair x: no `summary`; each pair needs"),
        ({"document": "d", "text": "s"}, "no `id`; each pair needs `id`, `document` and `summary` or"),
        (PAIR | {"text": "s"}, "pair x: both `summary` and `text`, which mean the same; give one"),
        ({"id": "x", "document": "d", "text": 3}, "pair x: `text` must be a string or a list of strings"),
        ({"id": "x", "document": "d", "text": " "}, "pair x: empty text"),
        (PAIR | {"id": "a\tb"}, r"id 'a\\tb' must be some text on one line"),
        (PAIR | {"id": "b"}, r"id b comes twice, first at .*pairs.jsonl, line 1"),
        (PAIR | {"document": 3}, "pair x: `document` must be a string or a list of strings"),
        (PAIR | {"document": {"text": "d"}}, "pair x: `document` is not a tokenized text"),
        (PAIR | {"summary": " \n"}, "pair x: empty summary"),
        (PAIR | {"summary": "a \ud83d b"}, r"not valid JSON \(half of a surrogate pair, '\\ud83d'\)"),
        (PAIR | {"more": [{"\udfff": 1}]}, r"not valid JSON \(half of a surrogate pair, '\\udfff'\)"),
    ],
)
def test_lines_that_are_no_pairs(tmp_path, line, message):
    path = write(tmp_path / "pairs.jsonl", *LINES, line)
    with pytest.raises(InputError, match=f"^{path}, line 5: {message}"):
        list(read_records(path))


@pytest.mark.parametrize("pair", [("d", "s"), ["d", "s"], {"document": "d", "summary": "s"}])
def test_pairs_from_python(pair):
    assert list(as_records([pair, PAIR])) == [Record("1", "pair 1", "d", "s"), make_record(PAIR, "pair 2")]


def test_text_is_another_name_of_the_summary(tmp_path):
    first, second = LINES[0], {"id": "z", "document": "d", "text": ["One.", "Two."]}
    assert [record.summary for record in read_records(write(tmp_path / "p.jsonl", first, second))][1:] == [
        ["One.", "Two."]
    ]


@pytest.mark.parametrize(
    ("pair", "message"),
    [
        ("ds", r"give \(document, summary\)"),
        (("d", ""), "empty"),
        (("d", "a \ud83d b"), r"half of a surrogate pair, \\ud83d, in the summary"),
        ({"document": "d"}, "no `s"),
    ],
)
def test_wrong_pairs_from_python(pair, message):
    with pytest.raises(InputError, match=f"pair 2: .*{message}"):
        list(as_records([PAIR, pair]))


def retrieved(text, **metadata):
    """Return the same document as LangChain, LlamaIndex, and a file of JSON lines have it."""
    chain = SimpleNamespace(page_content=text, metadata=metadata)
    return chain, SimpleNamespace(text=text, metadata=metadata), {"text": text, "metadata": metadata}


@pytest.mark.parametrize("kind", range(3))
def test_documents_of_a_retriever_have_names(kind):
    parts = [
        retrieved("One.", source="a.pdf", page_label="3"),
        retrieved("Two.", source="a.pdf", page_label="3"),
        retrieved("Three.", file_name="b.md"),
        retrieved("Four."),
    ]
    documents = [part[kind] for part in parts]
    named = {"a.pdf, page 3": "One.", "a.pdf, page 3 (2)": "Two.", "b.md": "Three.", "4": "Four."}
    assert name_documents(documents) == named
    (record,) = as_records([(documents, "One.")])
    assert record.document == named
    for other in ("One.", ["One.", "Two."], named, [*documents, "Five."], []):
        assert name_documents(other) is other
    with pytest.raises(InputError, match="^pair 1: empty document"):
        list(as_records([([retrieved(" ", file_name="b.md")[kind]], "One.")]))


@pytest.mark.parametrize(
    ("document", "named"),
    [
        ("One. Two.", "One. Two."),
        (["One.", "Two."], ["One.", "Two."]),  # the sentences of one document
        ({"a": "One.", "b": ["Two.", "Three."]}, {"a": "One.", "b": ["Two.", "Three."]}),
        ([{"text": "One."}, {"text": "Two."}], {"1": "One.", "2": "Two."}),
        ([{"text": "One.", "name": "a"}, {"text": "Two.", "id": "b"}], {"a": "One.", "b": "Two."}),
        ([{"text": "One.", "id": 7, "name": "a"}], {"a": "One."}),
        ([{"text": "One.", "source": "a.md", "id": "x"}], {"a.md": "One."}),
        ([{"text": "One.", "metadata": {"source": "a.md"}, "id": "x"}], {"a.md": "One."}),
        ([{"text": "One.", "metadata": None}, {"page_content": ["Two."]}], {"1": "One.", "2": ["Two."]}),
        ([{"text": "One.", "id": ""}, {"text": ""}], {"1": "One.", "2": ""}),
        ({"text": "One."}, {"text": "One."}),  # a document that is called so
    ],
)
def test_documents_that_can_be_attributed(document, named):
    (record,) = as_records([{"document": document, "text": "One."}])
    assert record == Record("1", "pair 1", named, "One.", key="text")


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({}, "`document` has no documents; give at least one"),
        ({7: "One."}, "`document` has the name 7; make it a string"),
        ({"a": "Text.", "b": 5}, "`document` 'b' must be a string or a list of strings, its sentences"),
        (
            {"a": "Text.", "b": "N\0UL"},
            "NUL characters, as of UTF-16, in the document",
        ),
        ({"a": " \n", "b": []}, "empty document"),
        ([{"text": "One."}, "Two."], r"`document` must be a string, .* or a list of {text: …}"),
        ([{"content": "One."}], r"`document` must be a string, .* or a list of {text: …}"),
        ([{"text": 5}], "`document` '1' must be a string or a list of strings"),
        (None, "`document` must be a string, a list"),
        ("half \ud800 of one", "half of a surrogate pair"),
    ],
)
def test_documents_that_cannot_be_attributed(document, message):
    with pytest.raises(InputError, match=f"^pair 1: {message}") as error:
        list(as_records([{"document": document, "text": "One."}]))
    assert "\n" not in str(error.value)


def test_documents_are_named_by_their_ids_from_0():
    documents = [{"id": 0, "text": "One."}, {"id": 1, "text": "Two."}]
    assert name_documents(documents) == {"0": "One.", "1": "Two."}
