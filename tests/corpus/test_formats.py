"""Subtitles, mails and tables as texts, spanned cells of HTML, and files that are refused by content."""

import pytest
from sample_files import make_zip
from vorlage.command.errors import InputError
from vorlage.documents.formats import extract_text, find_files

SRT = """1
00:00:02,000 --> 00:00:05,000
The well of Varde
dried up

2
00:00:05,100 --> 00:00:08,000 X1:40 X2:600
{\\an8}in the <i>summer</i>
of 1846. Wasps came.

3
00:00:09,000 --> 00:00:10,000
- Who dug it?
- Nobody knows.
"""
VTT = """WEBVTT - Wells
Kind: captions

STYLE
::cue { color: lime }

NOTE made by hand
in June

intro
00:02.000 --> 00:05.000 align:start
<v Ole>The well of Varde dried up

00:05.100 --> 00:08.000
in the<00:06.000><c.loud> summer</c> of 1846.
Salt &amp; rye &lt; 3 tons.
"""
ROLLING = """WEBVTT

00:01.000 --> 00:02.000
the well of varde

00:02.000 --> 00:03.000
the well of varde
dried up in june

00:03.000 --> 00:04.000
dried up in june
"""


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        (
            "a.srt",
            SRT,
            [
                "The well of Varde dried up in the summer of 1846. Wasps came.",
                "- Who dug it?",
                "- Nobody knows.",
            ],
        ),
        (
            "a.SRT",
            SRT.replace("\n", "\r\n").split("\r\n\r\n3")[0],
            ["The well of Varde dried up in the summer of 1846. Wasps came."],
        ),
        ("a.vtt", VTT, ["The well of Varde dried up in the summer of 1846. Salt & rye < 3 tons."]),
        ("a.vtt", ROLLING, ["the well of varde", "dried up in june"]),
        ("a.txt", "12\nAt 10:30 --> the well.", ["12", "At 10:30 --> the well."]),
    ],
)
def test_subtitles(name, content, expected):
    assert extract_text(name, content.encode()).splitlines() == expected


def test_subtitles_in_other_encodings():
    assert extract_text("a.srt", SRT.replace("well", "Brünn").encode("utf-16")).startswith(
        "The Brünn of Varde"
    )


PLAIN = """Content-Type: text/plain; charset={}
Content-Transfer-Encoding: {}

"""
HTML = """Content-Type: text/html; charset=utf-8

<html><body><p>The well was dug by hand in the cold spring.</p><p>H<sub>2</sub>O came.</p></body></html>
"""
HEAD = """Received: from a by b
From: Ole <ole@lind.example>
Subject: =?utf-8?b?QnLDvG5uIGR1Zw==?=
MIME-Version: 1.0
"""
PARTS = 'Content-Type: multipart/{}; boundary="cut"\n\n'


@pytest.mark.parametrize(
    ("mail", "expected"),
    [
        (PLAIN.format("iso-8859-1", "quoted-printable") + "A W=FCrm=\n fell.", ["A Würm fell."]),
        (PLAIN.format("utf-8", "base64") + "QSBXw7xybSBmZWxsLg==", ["A Würm fell."]),
        (
            PARTS.format("alternative")
            + f"--cut\n{PLAIN.format('us-ascii', '7bit')}A worm.\n--cut\n{HTML}--cut--",
            ["A worm."],
        ),
        (HTML, ["The well was dug by hand in the cold spring.", "H₂O came."]),
        (
            PARTS.format("mixed")
            + f"--cut\n{HTML}\n--cut\nContent-Disposition: attachment\n\nA list.\n--cut--",
            ["The well was dug by hand in the cold spring.", "H₂O came."],
        ),
    ],
)
def test_mails(mail, expected):
    lines = extract_text("a.eml", (HEAD + mail).encode()).splitlines()
    assert [line for line in lines if line] == ["Brünn dug", *expected]


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        (
            "a.csv",
            'well,year\nVarde,1846\n"Lind, old","18""47"\n',
            'well\tyear\nVarde\t1846\nLind, old\t18"47',
        ),
        ("a.csv", "well;depth\r\nVarde;3,5\r\n", "well\tdepth\nVarde\t3,5"),
        ("a.tsv", 'well\tnote\nVarde\t"two\nlines"\n', "well\tnote\nVarde\ttwo lines"),
        ("a.csv", 'name\nthe "old" well\n', 'name\nthe "old" well'),
        ("a.txt", "Varde,1846\n", "Varde,1846\n"),
    ],
)
def test_a_table_as_a_text(name, content, expected):
    assert extract_text(name, content.encode()) == expected


def rows_of(table):
    page = f"<html><body><p>Wells of the north and their depths.</p><table>{table}</table></body></html>"
    lines = extract_text("a.html", page.encode()).splitlines()
    return [line.split() for line in lines if line.strip()][1:]


@pytest.mark.parametrize(
    ("table", "rows"),
    [
        ("<tr><td rowspan=2>1846<td>Lind<tr><td>Varde", ["1846 Lind", "1846 Varde"]),
        ("<tr><td>a<td rowspan='3'>b<td>c<tr><td>d<td>e<tr><td>f<td>g<tr><td>h<td>i<td>j",
         ["a b c", "d b e", "f b g", "h i j"]),
        ("<tr><td rowspan=2>a<td rowspan=2>b<td>c<tr><td>d", ["a b c", "a b d"]),
        ("<tr><td colspan=2>a<td rowspan=2>b<tr><td>c<td>d", ["a b", "c b d"]),
        ("<tbody><tr><td rowspan=9>ä<td>b<tr><td>c<tbody><tr><td>d<td>e", ["ä b", "ä c", "d e"]),
        ("<tr><td rowspan=x>a<td colspan=0>b<tr><td rowspan=-2>c<td>d", ["a b", "c d"]),
        ("<tr><td><div><p>a</p></div><br>b<td>c", ["a b c"]),
        ("<tr><td rowspan=2><p>a</p><p>b</p><td>c<tr><td>d", ["a", "b", "c", "d"]),
    ],
)  # fmt: skip
def test_spanned_cells(table, rows):
    assert rows_of(table) == [row.split() for row in rows]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.json", b'{"title": "The well", "text": "It dried up."}', "a.json: is JSON or XML, not a text"),
        ("a.txt", b' [{"text": "It dried up."}]\n', "a.txt: is JSON or XML, not a text"),
        ("a.jsonl", b'{"id": "a"}\n{"id": "b"}\n', "a.jsonl: is JSON or XML, not a text"),
        ("a.ipynb", b'{"cells": [], "nbformat": 4}', "a.ipynb: is JSON or XML, not a text"),
        ("a.svg", b"<?xml version='1.0'?><svg><text>The well</text></svg>", "a.svg: is JSON or XML, not"),
        ("a.mp3", b"ID3\x04\0\0\xff\xfb\x90", "a.mp3: is not text in UTF-8 but binary, or in UTF-16 without"),
        ("a.gif", b"GIF89a\x01\0\x01\0", "a.gif: is not text in UTF-8 but binary"),
        ("a.pages", make_zip("Index/Document.iwa"), "a Pages, Numbers or Keynote document; save it as .docx"),
        ("a.eml", b"Content-Type: image/png\n\nabc", "a.eml: cannot be read as EML (ValueError: no text in"),
        ("a.srt", b"1\n", "a.srt: empty text"),
    ],
)  # fmt: skip
def test_what_is_no_text_is_refused(name, content, message):
    with pytest.raises(InputError) as error:
        extract_text(name, content)
    assert message in str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.txt", "[1] The well dried up."),
        ("a.md", '{"well": 3} is what the server sent.'),
        ("a.txt", "{The well} dried up."),
        ("a.txt", "1846"),
        ("a.txt", "<?php the well dried up."),
    ],
)
def test_a_text_that_begins_like_data_is_read(name, text):
    assert extract_text(name, text.encode()) == text


def test_xhtml_without_its_ending_is_read():
    page = b"<?xml version='1.0'?>\n<!DOCTYPE html><html><body><p>The well dried up.</p></body></html>"
    assert extract_text("a.txt", page).strip() == "The well dried up."


def test_a_folder_has_these_files(tmp_path):
    names = ["a.csv", "a.eml", "a.srt", "a.tsv", "a.vtt"]
    for name in [*names, "a.json", "a.mp3"]:
        (tmp_path / name).write_text("The well.")
    assert [name for name, _ in find_files(str(tmp_path))] == names
