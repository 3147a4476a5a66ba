"""Each reader on small files in its format, and on a few real papers of ScisummNet."""

import json
import shutil
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from pipeline.corpus.corpus_file import read_pairs, write_pairs
from pipeline.corpus.new import JsonLines
from pipeline.corpus.readers.registry import READERS, read
from pipeline.run.errors import InputError
from pipeline.settings import schema

SCISUMMNET = Path(__file__).parents[3] / "shared" / "data" / "scisummnet_release1.1__20190413"


def write(path, text, encoding="utf-8"):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode(encoding))
    return path


def records(reader, path, **settings):
    """The records of a reader, without `where`."""
    found = read({"reader": reader, "path": str(path), "summary": "human"} | settings)
    return [(record.id, record.document, record.summary) for record in found]


def fails(reader, path, **settings):
    """The message of the error that a reader raises."""
    with pytest.raises(InputError) as error:
        records(reader, path, **settings)
    return str(error.value)


def test_the_registry_has_the_readers_of_the_schema():
    assert set(READERS) == set(schema()["properties"]["corpus"]["properties"]["reader"]["enum"])


def test_jsonl(tmp_path):
    lines = [
        {"id": "b", "document": "One. Two.", "summary": "One.", "source": "ignored"},
        {"id": "a", "document": ["One.", "Two."], "summary": []},
    ]
    path = write(tmp_path / "c.jsonl", "\n\n".join(map(json.dumps, lines)) + "\n")
    assert records("jsonl", path) == [("b", "One. Two.", "One."), ("a", ["One.", "Two."], [])]
    assert [r.where for r in read({"reader": "jsonl", "path": path})] == [
        f"{path}, line 1",
        f"{path}, line 3",
    ]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"id": "x", "document": "d"}', "line 7: no `summary`"),
        ('{"id": 7, "document": "d", "summary": "s"}', "line 7: `id` is 7"),
        ('{"id": "x", "document": {"text": "d"}, "summary": "s"}', "line 7: pair x: `document` must be"),
        ('{"id": "x", "document": "d", "summary": ["s", null]}', "line 7: pair x: `summary` must be"),
        ('{"id": "x", "document": "d" "summary": "s"}', "line 7: not valid JSON"),
        ('["x", "d", "s"]', "line 7: expected a JSON object"),
    ],
)
def test_jsonl_errors_name_the_line(tmp_path, line, message):
    good = [json.dumps({"id": str(i), "document": "d", "summary": "s"}) for i in range(6)]
    path = write(tmp_path / "c.jsonl", "\n".join([*good, line]))
    assert fails("jsonl", path).startswith(f"{path}, {message}")


def test_half_of_a_surrogate_pair_makes_one_pair_unusable(tmp_path):
    lines = ['{"id": "x", "document": "d", "summary": "a \\ud83d b"}']
    lines.append(lines[0].replace("x", "y").replace("ud83d", "ud83d\\ude00"))
    path = write(tmp_path / "c.jsonl", "\n".join(lines))
    found = list(read({"reader": "jsonl", "path": str(path)}))
    assert [record.problem for record in found] == [r"half of a surrogate pair, \ud83d, in the summary", None]


def test_cnndm(tmp_path):
    write(
        tmp_path / "cnn" / "stories" / "b.story",
        "\n(CNN) -- It rained.\n\nThen it stopped.\n\n@highlight\n\nRain\n\n@highlight\n\nIt stopped .\n",
    )
    write(tmp_path / "a.story", "No highlights here.")
    write(tmp_path / ".hidden" / "c.story", "x")
    write(tmp_path / "readme.txt", "not a story")
    stories = [
        ("a", "No highlights here.", ""),
        ("b", "(CNN) -- It rained.\nThen it stopped.", "Rain\nIt stopped ."),
    ]
    assert records("cnndm", tmp_path) == stories
    assert records("cnndm", tmp_path / "a.story") == stories[:1]


def write_parquet(path, rows, **types):
    """Write a Parquet file of CNN/DailyMail in several row groups; ``types``: those of its columns."""
    types = {"article": pa.string(), "highlights": pa.string(), "id": pa.string()} | types
    columns = [
        pa.array(column, kind) for column, kind in zip(zip(*rows, strict=True), types.values(), strict=True)
    ]
    parquet.write_table(pa.table(dict(zip(types, columns, strict=True))), path, row_group_size=100)
    return path


def test_cnndm_in_parquet(tmp_path):
    rows = [(f"It rained {i} days.\nÖ.", f"Rain\nDay {i} .", f"id{i}") for i in range(700)]
    rows[1] = (None, "Rain", "without")
    write_parquet(tmp_path / "b.parquet", rows)
    write_parquet(
        tmp_path / "a.parquet", [("Large.", "L", "large")], article=pa.large_string(), id=pa.string()
    )
    write(tmp_path / "c.story", "Text.\n@highlight\nT")
    found = records("cnndm", tmp_path)
    assert found == [
        ("large", "Large.", "L"),
        *((name, article, highlights) for article, highlights, name in rows),
        ("c", "Text.", "T"),
    ]
    second = list(read({"reader": "cnndm", "path": str(tmp_path / "b.parquet")}))[1]
    assert second.problem == "no document" and second.where == f"{tmp_path / 'b.parquet'}, row 2"


def test_an_invalid_parquet_file_gives_one_line(tmp_path):
    path = tmp_path / "x.parquet"
    rows = [("Article.", "Highlights", f"{i}") for i in range(1000)]
    write(path, "no Parquet at all")
    assert fails("cnndm", path).startswith(f"{path}: cannot be read as Parquet after 0 rows (")
    whole = write_parquet(path, rows).read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    assert fails("cnndm", path).startswith(f"{path}: cannot be read as Parquet after 0 rows (")
    path.write_bytes(whole[:60] + bytes(40) + whole[100:])
    assert fails("cnndm", path).startswith(f"{path}: cannot be read as Parquet after ")
    parquet.write_table(pa.table({"id": ["a"], "article": ["b"]}), path)
    assert fails("cnndm", path).startswith(
        f"{path}: no column `highlights`; it has id, article and must have"
    )
    write_parquet(path, [("a", "h", 1)], id=pa.int64())
    assert fails("cnndm", path) == f"{path}: column `id` is of type int64; make it a column of strings"
    write_parquet(path, [*rows[:2], ("a", "h", None)])
    assert fails("cnndm", path).startswith(f"{path}, row 3: no `id`")
    binary = pa.array([b"fine", b"\xff"], pa.binary()).view(pa.string())
    parquet.write_table(pa.table({"id": ["a", "b"], "article": binary, "highlights": ["h", "h"]}), path)
    assert fails("cnndm", path).startswith(f"{path}, row 2: not UTF-8 at byte 0")


def test_text(tmp_path):
    for name in ("b.txt", "a.txt", "more/a.txt"):
        write(tmp_path / "documents" / name, f"\ufeffDocument {name}.\n")
        write(tmp_path / "summaries" / name, f"Summary {name}.\n")
    write(tmp_path / "documents" / ".DS_Store", "x")
    assert records("text", tmp_path) == [
        (name.removesuffix(".txt"), f"Document {name}.\n", f"Summary {name}.\n")
        for name in ("a.txt", "b.txt", "more/a.txt")
    ]


@pytest.mark.parametrize(
    ("missing", "message"),
    [
        ("summaries/b.txt", "documents/b.txt: has no partner"),
        ("documents/a.txt", "summaries/a.txt: has no partner"),
        ("summaries", "summaries: no such folder"),
    ],
)
def test_a_text_file_needs_its_partner(tmp_path, missing, message):
    for side in ("documents", "summaries"):
        for name in ("a.txt", "b.txt"):
            write(tmp_path / side / name, "Text.")
    (tmp_path / missing).rename(tmp_path / "elsewhere")
    assert message in fails("text", tmp_path)


def test_text_must_be_utf8(tmp_path):
    write(tmp_path / "documents" / "a.txt", "caf\u00e9", encoding="latin-1")
    write(tmp_path / "summaries" / "a.txt", "caf\u00e9")
    assert "documents/a.txt, line 1: not UTF-8 at byte 3" in fails("text", tmp_path)


ZIFF = """\
<DOC>
<DOCNO> ZF1-01 </DOCNO>
<TITLE>Left out.</TITLE>
<SUMMARY>
AT&amp;T cuts prices; the
new ones hold.
</SUMMARY>
<TEXT>
   AT&amp;T Corp. cut its
prices by 5&percnt; &M; at last.
   A new paragraph,<!-- not
shown --> with <HI>markup</HI>.<P>
Another.

Last.
</TEXT>
</DOC>
<doc>
<docno>ZF1-02</docno>
<text>Body one. <summary>Inside
the text.</summary></text>
<text>Body two, 3 < 4.</text>
</doc>
"""


def test_ziffdavis(tmp_path):
    first = (
        "ZF1-01",
        "AT&T Corp. cut its prices by 5% &M; at last.\nA new paragraph, with markup.\nAnother.\nLast.",
        "AT&T cuts prices; the new ones hold.",
    )
    second = ("ZF1-02", "Body one.\nBody two, 3 < 4.", "Inside the text.")
    path = write(tmp_path / "disk1" / "ZF_002", ZIFF)
    write(tmp_path / "disk1" / "ZF_001", "<DOC><DOCNO>ZF0-01</DOCNO><TEXT>caf\u00e9</TEXT></DOC>", "latin-1")
    write(tmp_path / "disk1" / "ZF_003", "\n\n<DOC><DOCNO>ZF2-01</DOCNO><SUMMARY>s</SUMMARY></DOC>")
    assert records("ziffdavis", path) == [first, second]
    lone = [("ZF0-01", "caf\u00e9", None), first, second, ("ZF2-01", None, "s")]
    assert records("ziffdavis", tmp_path) == lone
    wheres = [record.where for record in read({"reader": "ziffdavis", "path": tmp_path})]
    assert wheres[1:] == [f"{path}, line 1", f"{path}, line 18", f"{tmp_path}/disk1/ZF_003, line 3"]


def test_ziffdavis_with_every_line_indented(tmp_path):
    text = "<DOC><DOCNO>1</DOCNO><TEXT>\n  A first\n  paragraph.\n    A second\n  one.\n</TEXT></DOC>"
    path = write(tmp_path / "ZF_001", text)
    assert records("ziffdavis", path) == [("1", "A first paragraph.\nA second one.", None)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("no documents", ": no <DOC> in it"),
        ("\n<DOC><TEXT>t</TEXT></DOC>", ", line 2: <DOC> without <DOCNO>"),
        ("<DOC><DOCNO>1</DOCNO>\n<DOC><DOCNO>2</DOCNO></DOC>", ", line 1: <DOC> without </DOC>"),
        ("<DOC><DOCNO>1</DOCNO></DOC>\n<DOC><DOCNO>2</DOC", ", line 2: <DOC> without </DOC>"),
    ],
)
def test_ziffdavis_errors_name_the_line(tmp_path, text, message):
    path = write(tmp_path / "ZF_001", text)
    assert fails("ziffdavis", path).startswith(f"{path}{message}")


PAPER = """\
<PAPER>
  <S sid="0">The Title</S>
  <ABSTRACT>
    <S sid="1" ssid="1">We do &amp;quot;it&amp;quot; &amp; more.</S>
    <S sid="2" ssid="2"> </S>
  </ABSTRACT>
  <SECTION title="1 Introduction" number="1">
    <S sid="3" ssid="1">It is 1 &lt; 2, AT&amp;T&#8217;s way.</S>
    <SUBSECTION>1.1 Heading</SUBSECTION>
    <S sid="4" ssid="2">Na&#239;ve? Yes.</S>
    <S sid="5" ssid="3"/>
  </SECTION>
</PAPER>
"""
LAYOUTS = {
    "release": ("Documents_xml/{}.xml", "summary/{}.gold.txt"),
    "shared task": ("Reference_XML/{}.xml", "summary/{}.scisummnet_human.txt"),
}
HUMAN = "The Title\nWe do &rsquo;it&rsquo;.\n\nA whole abstract. On one line.\n"
BODY = ["It is 1 < 2, AT&T\u2019s way.", "Na\u00efve? Yes."]


def paper(folder, name, xml=PAPER, human=HUMAN, layout="release"):
    for pattern, text in zip(LAYOUTS[layout], (xml, human), strict=True):
        if text is not None:
            write(folder / name / pattern.format(name), text)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("below", ["", "top1000_complete"])
def test_scisummnet(tmp_path, layout, below):
    for name in ("P02-1", "A01-1"):
        paper(tmp_path / below, name, layout=layout)
    human = "We do \u2019it\u2019.\nA whole abstract. On one line."
    assert records("scisummnet", tmp_path) == [(name, BODY, human) for name in ("A01-1", "P02-1")]
    abstracts = records("scisummnet", tmp_path, summary="abstract")
    assert abstracts == [(name, BODY, ['We do "it" & more.']) for name in ("A01-1", "P02-1")]


def test_scisummnet_without_an_abstract(tmp_path):
    paper(tmp_path, "empty", '<PAPER><S sid="0">T</S><ABSTRACT/><SECTION><S ssid="1">b</S></SECTION></PAPER>')
    paper(tmp_path, "flat", '<PAPER><S sid="0" ssid="0">T and</S><S sid="1" ssid="1">all</S></PAPER>')
    nested = '<SECTION><S ssid="1">b</S></SECTION><S ssid="2">a</S>'
    paper(tmp_path, "nested", f'<PAPER><S sid="0">T</S><ABSTRACT>{nested}</ABSTRACT></PAPER>')
    assert records("scisummnet", tmp_path, summary="abstract") == [
        ("empty", ["b"], []),
        ("flat", ["T and", "all"], None),
        ("nested", ["b"], ["a"]),
    ]


def test_scisummnet_with_files_missing(tmp_path):
    paper(tmp_path, "a", human=None)
    paper(tmp_path, "b", xml=None, human="The Title\n")
    assert records("scisummnet", tmp_path) == [("a", BODY, None), ("b", None, "")]


@pytest.mark.parametrize(
    ("xml", "message"),
    [
        ("<PAPER>\n<S>x</PAPER>", "not well-formed XML (mismatched tag: line 2"),
        ('<!DOCTYPE P [<!ENTITY e "e">]><P>&e;</P>', "XML with a DTD is not read"),
    ],
)
def test_scisummnet_errors_name_the_paper(tmp_path, xml, message):
    paper(tmp_path, "a", xml)
    assert fails("scisummnet", tmp_path).startswith(f"{tmp_path}/a/Documents_xml/a.xml: {message}")


@pytest.mark.parametrize("reader", READERS)
def test_errors_name_a_missing_path(tmp_path, reader):
    assert str(tmp_path / "nowhere") in fails(reader, tmp_path / "nowhere")


@pytest.mark.parametrize("reader", sorted(set(READERS) - {"jsonl"}))
def test_errors_name_an_empty_folder(tmp_path, reader):
    assert str(tmp_path) in fails(reader, tmp_path)


@pytest.mark.skipif(not SCISUMMNET.exists(), reason=f"{SCISUMMNET} does not exist")
def test_real_papers_of_scisummnet(tmp_path):
    names = ["A00-1031", "C00-1044", "C92-2066", "J03-3001", "J93-2004"]
    for name in names:
        shutil.copytree(SCISUMMNET / "top1000_complete" / name, tmp_path / name)
    human = {name: (document, summary) for name, document, summary in records("scisummnet", tmp_path)}
    abstract = {name: summary for name, _, summary in records("scisummnet", tmp_path, summary="abstract")}
    assert list(human) == names
    document, summary = human["A00-1031"]
    assert document[0].startswith("A large number of current language processing systems")
    assert 'forming a "voting tagger".' in document[6]
    assert (
        abstract["A00-1031"][0]
        == summary.splitlines()[0]
        == ("Trigrams'n'Tags (TnT) is an efficient statistical part-of-speech tagger.")
    )
    assert not set(abstract["A00-1031"]) & set(document)
    # No structure at all; sections inside ABSTRACT; an empty ABSTRACT; a human summary that is only a title.
    assert abstract["C00-1044"] is None and human["C00-1044"][0][1].startswith("edu Abstract Subjectivity")
    assert human["C92-2066"][0][0].startswith("Although stochastic techniques")
    assert abstract["J03-3001"] == []
    assert human["J93-2004"][1] == ""


def new_pairs(path, tokenized=False):
    source = JsonLines(path, tokenized)
    source.check()
    return [source.read(record)[0] for record in source.records()]


def test_new_pairs(tmp_path):
    lines = [
        {"id": "a", "document": "One. Two.", "summary": ["It is one."]},
        {"id": "b", "document": ["a b. c"], "summary": "d"},
    ]
    path = write(tmp_path / "new.jsonl", "\n".join(map(json.dumps, lines)))
    pairs = new_pairs(path)
    assert [pair.document.words for pair in pairs] == [["One", ".", "Two", "."], ["a", "b.", "c"]]
    assert [pair.summary.words for pair in pairs] == [["It", "is", "one", "."], ["d"]]
    assert [pair.document.words for pair in new_pairs(path, tokenized=True)][0] == ["One.", "Two."]
    write_pairs(tmp_path / "corpus.jsonl", pairs)
    assert new_pairs(tmp_path / "corpus.jsonl") == pairs == list(read_pairs(tmp_path / "corpus.jsonl"))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ({"id": "a", "document": "d", "summary": "s"}, "line 2: id a comes twice"),
        ({"id": "b", "document": "d", "summary": " \n"}, "line 2: pair b: empty summary"),
    ],
)
def test_new_pairs_must_be_usable(tmp_path, line, message):
    first = {"id": "a", "document": "d", "summary": "s"}
    path = write(tmp_path / "new.jsonl", "\n".join(map(json.dumps, [first, line])))
    with pytest.raises(InputError, match=message):
        new_pairs(path)


def test_a_file_in_input_form_is_not_a_corpus(tmp_path):
    path = write(tmp_path / "new.jsonl", json.dumps({"id": "a", "document": "d", "summary": "s"}))
    with pytest.raises(InputError, match=r"line 1: not a tokenized pair; make the file with"):
        list(read_pairs(path))
