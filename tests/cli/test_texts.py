"""Texts of a user: PDF, HTML, encodings, and what is said when a package for them is missing."""

import json
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from sample_files import PAGE, make_docx, make_pdf
from vorlage.command.errors import InputError
from vorlage.documents.formats import extract_text, read_documents, read_text
from vorlage.documents.page_lines import join_lines
from vorlage.text.tokenize import split_text

ROOT = Path(__file__).parents[2]
READERS = Path(__file__).parent / "readers"
# What each text has and lacks, and the cells of rows that are on one line; white space counts as one space.
EXPECTED = json.loads((READERS / "expected.json").read_text(encoding="utf-8"))
# pypdf reads the texts of a page in their order in the file.
BY_COLUMN = "table-by-column.pdf"


def test_pdf(tmp_path):
    lines = ["The ferry to Sund was late on Friday because of thick fog over the whole bar-", "rier reef."]
    path = tmp_path / "a.bin"
    path.write_bytes(make_pdf([*lines, "Two hundred people waited."]))
    expected = "The ferry to Sund was late on Friday because of thick fog over the whole barrier reef."
    assert read_text(str(path)).split("\n")[:2] == [expected, "Two hundred people waited."]


def test_lines_of_a_paragraph_are_joined():
    page = "A heading\nThis sentence goes on in the next line, and\nthe \ufb01rst word is co-\n"
    page += "vered. Short end.\nNext."
    assert join_lines(page).splitlines() == [
        "A heading",
        "This sentence goes on in the next line, and the first word is covered. Short end.",
        "Next.",
    ]


@pytest.mark.parametrize("name", EXPECTED)
def test_the_text_of_a_file_has_what_is_expected(name):
    text, expected = extract_text(name, (READERS / name).read_bytes()), EXPECTED[name]
    flat = " ".join(text.split())
    assert [part for part in expected.get("has", ()) if part not in flat] == []
    assert [part for part in expected.get("lacks", ()) if part in flat] == []
    for row in expected.get("rows", ()):
        on_a_line = re.compile(r"\s+".join(map(re.escape, row)))
        assert any(map(on_a_line.search, text.splitlines())) == (name != BY_COLUMN)


def test_a_long_table_is_read_in_time():
    page = f"<html><body><table>{'<tr><td><p>Orm</p></td><td>12</td></tr>' * 20_000}</table></body></html>"
    started = time.monotonic()
    assert extract_text("a.html", page.encode()).split() == ["Orm", "12"] * 20_000
    assert time.monotonic() - started < 8


def test_boxes_in_boxes_are_read_in_time():
    opening, closing = "<w:p><w:r><w:txbxContent>", "</w:txbxContent></w:r></w:p>"
    box = make_docx(opening * 60 + "<w:p><w:r><w:t>A box.</w:t></w:r></w:p>" + closing * 60)
    assert extract_text("a.docx", box).strip() == "A box."


@pytest.mark.parametrize("tag", ["ul", "ol"])
def test_items_of_a_list_are_not_taken_for_wrapped_lines(tag):
    items = ["the pump in the north dock, which is to be replaced", "the valve of the old house at the pier"]
    page = f"<html><body><{tag}>{''.join(f'<li>{item}</li>' for item in items)}</{tag}><p>Two things.</p>"
    assert len(split_text(extract_text("a.html", page.encode())).sentences) == 3


def test_cut_words_and_running_heads():
    pages = (
        "Report 1\nThe crane in the harbour of Orm belongs to a well-\n"
        "known man who bought it and the re-\nmaining parts and paid for the\nFoot",
        "Report 2\ntransport with a short- and a long-\nterm plan for the short-\nand long-haul ships.\nFoot",
        "Report 3\nNo-\nbody saw the \u201cfollow\u00ad\ning\u201d week of 1990-\n1995.\nFoot",
    )
    joined = join_lines(*pages)
    assert [line.strip() for line in joined.replace("\f", " ").splitlines()] == [
        "Report 1",
        "Foot",
        "The crane in the harbour of Orm belongs to a well-known man who bought it and the remaining parts "
        "and paid for the transport with a short- and a long-term plan for the short- and long-haul ships.",
        "Nobody saw the “following” week of 1990-1995.",
    ]
    assert [joined[: joined.index(word)].count("\f") for word in ("paid", "transport", "Nobody")] == [0, 1, 2]


@pytest.mark.parametrize(
    ("pages", "word", "number"),
    [
        (("One.", "", "", "Two."), "Two", 4),
        (("", "One.", "Two."), "One", 2),
        (("Long lines of the first page go on", "and end on the next."), "and", 2),
        (("A word of a long line is cut: the sec-", "ond page has its end."), "the", 1),
        (("A word of a long line is cut: the sec-", "ond page has its end."), "second", 2),
        (("Won-", "derful"), "Wonderful", 2),
    ],
)
def test_form_feeds_count_pages(pages, word, number):
    joined = join_lines(*pages)
    assert 1 + joined[: joined.index(word)].count("\f") == number


@pytest.mark.parametrize(
    ("cut", "rest", "word"),
    [
        ("state-of-the-", "art", "state-of-the-art"),  # in WordNet, as the whole
        ("two-year-", "old", "two-year-old"),
        ("long-dis-", "tance", "long-distance"),
        ("zil-", "kop", "zil-kop"),  # in the text
        ("self-", "made", "selfmade"),  # in the text, and otherwise in WordNet
    ],
)
def test_other_words_of_the_text_and_then_wordnet_decide_about_a_hyphen(cut, rest, word):
    page = f"The zil-kop is not selfmade.\nIt was the {cut}\n{rest} crane."
    assert join_lines(page).endswith(f"It was the {word} crane.\n")


def test_lines_without_spaces_are_joined_in_time():
    long = "a" * 30_000
    started = time.monotonic()
    assert join_lines(f"{long}\nb") == f"{long} b\n"
    assert time.monotonic() - started < 5


def test_a_paragraph_whose_end_was_deleted_goes_on():
    deleted = "<w:pPr><w:rPr><w:del/></w:rPr></w:pPr><w:r><w:t>The harbour </w:t></w:r>"
    body = f"<w:p>{deleted}</w:p><w:p><w:r><w:t>is open.</w:t></w:r></w:p>"
    assert extract_text("a.docx", make_docx(body)).strip() == "The harbour is open."


def test_rows_at_the_top_of_pages_are_kept():
    pages = "2019 12 80\n2020 15 95", "2021 19 99\n2022 20 90"
    assert join_lines(*pages).replace("\f", "").splitlines() == "\n".join(pages).splitlines()
    ferries = [f"The {name} ferry is late." for name in ("old", "new", "red")]
    pages = [f"Orm 2021, page {page} of 30\n{ferry}" for page, ferry in enumerate(ferries, 7)]
    assert join_lines(*pages).replace("\f", "").splitlines() == ["Orm 2021, page 7 of 30", *ferries]


def test_equal_pages_keep_their_text():
    assert join_lines("", "One line.", "", "One line.").split() == ["One", "line."]


@pytest.mark.parametrize("encoding", ["utf-8", "iso-8859-1", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("name", ["page.html", "page.txt"])
def test_html(tmp_path, encoding, name):
    path = tmp_path / name
    path.write_bytes(PAGE.encode(encoding))
    text = read_text(str(path))
    assert "The harbour of Sünd was closed on Friday because of a storm & its waves." in text
    assert "Ferries sail again on Monday" in text
    for left_out in ("script", "Archive", "Copyright", "<"):
        assert left_out not in text


def test_word(tmp_path):
    path = tmp_path / "a.bin"
    path.write_bytes(
        make_docx(
            "<w:p><w:r><w:t>Storm closes Sünd &amp; Orm</w:t></w:r></w:p>"
            "<w:p><w:r><w:t>Ferries sail</w:t></w:r><w:ins><w:r><w:t> on Monday</w:t></w:r></w:ins>"
            "<w:del><w:r><w:delText> today</w:delText></w:r></w:del><w:r><w:t>.</w:t></w:r></w:p>"
            "<w:p><w:r><w:t>One</w:t><w:br/><w:t>Two</w:t></w:r></w:p>"
            "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>cell</w:t></w:r></w:p></w:tc></w:tr></w:tbl>"
        )
    )
    lines = [line for line in read_text(str(path)).splitlines() if line]
    assert lines == ["Storm closes Sünd & Orm", "Ferries sail on Monday.", "One", "Two", "cell"]


@pytest.mark.parametrize(
    ("content", "text", "notes"),
    [
        (b"\xef\xbb\xbfOne.\r\nTwo.\r\n", "One.\r\nTwo.\r\n", []),
        ("“Fähre”, 5 €".encode("utf-16"), "“Fähre”, 5 €", []),
        (
            "Die “Fähre” kostet 5 €.".encode("cp1252"),
            "Die “Fähre” kostet 5 €.",
            ["a.txt: not UTF-8, read as Windows-1252; if “Fähre is not right, convert the file to UTF-8"],
        ),
    ],
)
def test_encodings(content, text, notes):
    said = []
    assert extract_text("a.txt", content, said.append) == text and said == notes


def test_equal_names_in_two_folders_have_their_paths(tmp_path):
    for folder in "ab":
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "same.txt").write_text(f"In {folder}.")
        (tmp_path / folder / f"{folder}.txt").write_text("Else.")
    found, left_out = read_documents([str(tmp_path / "a"), str(tmp_path / "b")])
    assert list(found) == ["a.txt", str(tmp_path / "a/same.txt"), "b.txt", str(tmp_path / "b/same.txt")]
    assert found[str(tmp_path / "b/same.txt")] == "In b." and left_out == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"<html>" + b"<div>" * 40_000, "HTML (it takes more than 1 seconds)"),
        (
            b"<html><p " + b" ".join(b"a%d=1" % i for i in range(100_000)) + b">a",
            "HTML (it takes more than 1 seconds)",
        ),
        (make_docx("<w:p/>" * 1_000_000), "DOCX (it takes more than 1 seconds)"),
        (make_pdf(["a"] * 50_000), "PDF (it takes more than 1 seconds)"),
        (make_pdf(["a"] * 500, pages=2000), "PDF (it takes more than 1 seconds)"),
        (
            make_docx(f"<w:p><w:r><w:t>{'a' * 11_000_000}</w:t></w:r></w:p>"),
            "DOCX (ValueError: more than 10,000,000 characters)",
        ),
        (make_pdf(["a" * 1_000_000], pages=20), "PDF (ValueError: more than 10,000,000 characters)"),
    ],
)
def test_reading_a_document_that_was_made_to_take_long_is_ended(monkeypatch, content, reason):
    seconds = 1 if "1 seconds" in reason else 100
    monkeypatch.setattr("vorlage.documents.formats.SECONDS", seconds)
    monkeypatch.setattr("vorlage.documents.formats.SECONDS_PER_MEGABYTE", 0)
    started = time.monotonic()
    with pytest.raises(InputError) as error:
        extract_text("a.html", content)
    assert (
        str(error.value)
        == f"a.html: cannot be read as {reason}; it may be damaged: save it again, or as text"
    )
    assert time.monotonic() - started < seconds + 5


def test_a_missing_package_is_one_line(tmp_path):
    (tmp_path / "a.html").write_text(PAGE)
    (tmp_path / "b.txt").write_text("A text.")
    (tmp_path / "resiliparse.py").write_text("raise ModuleNotFoundError('none', name='resiliparse')")
    code = "from vorlage.cli.main import main; main(['align', 'a.html', 'b.txt', '--model', 'none.npz'])"
    environment = {"PYTHONPATH": f"{tmp_path}:{ROOT / 'pipeline'}"}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 1
    assert done.stderr == (
        'error: a.html: resiliparse is not installed; install it with `pip install "vorlage[documents]"`, '
        "or save the file as text\n"
    )
