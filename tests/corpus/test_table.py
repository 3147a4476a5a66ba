"""Tables of pairs: separators, encodings, columns, and the part of a file."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vorlage.command.errors import InputError
from vorlage.documents.records import parse_records, read_records
from vorlage.documents.table import table_text
from vorlage.files.parts import Part

DOCUMENT = 'Zwei "Fähren" legten ab;\nsie kamen, um 4,5 Stunden, zu spät.'
CELLS = st.lists(st.tuples(st.text("ab \t\n,;\"'é", min_size=1), st.text('xy,"\n', min_size=1)), max_size=5)


def write(path, rows, separator, encoding):
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=separator).writerows(rows)
    path.write_bytes(text.getvalue().encode(encoding))
    return path


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("header", [("id", "document", "summary"), ("ID ", "Document", "Text")])
def test_a_table_is_read_as_it_is_written(tmp_path, separator, encoding, header):
    rows = [(*header, "note"), ("a", DOCUMENT, "Fähren.", "x, y"), ("b", "Es regnete.", "Regen.", "")]
    first, second = read_records(write(tmp_path / "a.CSV", rows, separator, encoding))
    assert first[:1] + first[2:4] == ("a", DOCUMENT, "Fähren.") and second.document == "Es regnete."
    assert (first.where, second.where) == (f"{tmp_path}/a.CSV, line 2", f"{tmp_path}/a.CSV, line 4")


@given(CELLS)
def test_rows_without_ids_have_numbers_and_parts_are_the_whole(tmp_path_factory, cells):
    path = tmp_path_factory.getbasetemp() / "cells.csv"
    write(path, [("document", "summary"), *cells], ",", "utf-8")
    records = list(parse_records(path))
    assert [(record.document, record.summary) for record in records] == cells
    assert [record.id for record in records] == [str(number) for number in range(1, len(cells) + 1)]
    parts = [record for number in (1, 2, 3) for record in parse_records(path, Part(number, 3))]
    assert parts == records


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ("id,id,document,summary", "line 1: two columns `id`; rename"),
        ("id,document,text,Text ", "line 1: two columns `text`"),
        ("Summary,document,summary,summary", "line 1: two columns `summary`"),
        ("id,document,text,summary", "line 2: pair a: both `summary` and `text`"),
        ("id,document,note,note", "line 2: pair a: no `summary`"),
        ("id,article,text,note", "line 2: pair a: no `document`"),
    ],
)
def test_a_column_that_is_missing_or_repeated_is_named(tmp_path, header, message):
    path = write(tmp_path / "a.csv", [header.split(","), ["a", "b", "c", "d"]], ",", "utf-8")
    with pytest.raises(InputError, match=rf"a\.csv, {message}"):
        next(read_records(path))


@pytest.mark.parametrize(
    ("table", "text"),
    [
        ("text\nHello, all.\nIt is 5,000 crowns.\n", "text\nHello, all.\nIt is 5,000 crowns."),
        ("a;b\n1,5;2\n", "a\tb\n1,5\t2"),
        ("a, b\tc\n1, 2\t3\n", "a, b\tc\n1, 2\t3"),
    ],
)
def test_cells_are_cut_where_the_heading_is(table, text):
    assert table_text(table) == text
