"""Each reader on small files in its format; that of ScisummNet is in test_scisummnet.py."""

from typing import get_args

import pyarrow as pa
import pytest
from pyarrow import parquet
from vorlage.command.errors import InputError
from vorlage.settings import Corpus
from vorlage.workflow.readers.registry import read


def write(path, text, encoding="utf-8"):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode(encoding))
    return path


def corpus(reader, path, **settings):
    """The section `corpus` of a config."""
    return Corpus(name="corpus", reader=reader, path=str(path), **settings)


def records(reader, path, **settings):
    """The records of a reader, without `where`."""
    return [(record.id, record.document, record.summary) for record in read(corpus(reader, path, **settings))]


def fails(reader, path, **settings):
    """The message of the error that a reader raises."""
    with pytest.raises(InputError) as error:
        records(reader, path, **settings)
    return str(error.value)


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
    """Write a Parquet file of CNN/DailyMail in several row groups; `types`: those of its columns."""
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
    second = list(read(corpus("cnndm", tmp_path / "b.parquet")))[1]
    assert second.problem == "no document" and second.where == f"{tmp_path / 'b.parquet'}, row 2"


def test_an_invalid_parquet_file_gives_one_line(tmp_path):
    path = tmp_path / "x.parquet"
    rows = [("Article.", "Highlights", f"{i}") for i in range(1000)]
    whole = write_parquet(path, rows).read_bytes()
    for content in (b"no Parquet", whole[: len(whole) // 2], whole[:60] + bytes(40) + whole[100:]):
        path.write_bytes(content)
        assert fails("cnndm", path).startswith(f"{path}: cannot be read as Parquet after ")
    parquet.write_table(pa.table({"id": ["a"], "article": ["b"]}), path)
    assert fails("cnndm", path).startswith(f"{path}: no column `highlights`; it must have id, article")
    write_parquet(path, [*rows[:2], ("a", "h", None)])
    assert fails("cnndm", path).startswith(f"{path}, row 3: `id`, `article` and `highlights` must be")
    binary = pa.array([b"fine", b"\xff"], pa.binary()).view(pa.string())
    parquet.write_table(pa.table({"id": ["a", "b"], "article": binary, "highlights": ["h", "h"]}), path)
    assert "cannot be read as Parquet after 0 rows ('utf-8' codec can't decode" in fails("cnndm", path)


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
    wheres = [record.where for record in read(corpus("ziffdavis", tmp_path))]
    assert wheres[1:] == [f"{path}, line 1", f"{path}, line 18", f"{tmp_path}/disk1/ZF_003, line 3"]


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


@pytest.mark.parametrize("reader", get_args(Corpus.model_fields["reader"].annotation))
def test_errors_name_a_missing_path_and_an_empty_folder(tmp_path, reader):
    assert str(tmp_path / "nowhere") in fails(reader, tmp_path / "nowhere")
    assert str(tmp_path) in fails(reader, tmp_path)
