"""Texts of a user: PDF, HTML, encodings, and what is said when a package for them is missing."""

import time

import pytest
from reader_files import html_files, pdf_files, word_files
from readers import unmet
from vorlage.command.errors import InputError
from vorlage.documents import extract_text, join_lines


def test_lines_of_a_paragraph_are_joined():
    page = "A heading\nThis sentence goes on in the next line, and\nthe \ufb01rst word is co-\n"
    page += "vered. Short end.\nNext."
    assert join_lines(page).splitlines() == [
        "A heading",
        "This sentence goes on in the next line, and the first word is covered. Short end.",
        "Next.",
    ]


@pytest.mark.parametrize("file", [*pdf_files(), *word_files(), *html_files()], ids=lambda file: file.name)
def test_the_files_of_the_trial_of_readers(file):
    # pypdf reads the texts of a page in their order in the file.
    expected = len(file.rows) if file.name == "table-by-column.pdf" else 0
    assert len(unmet(file, extract_text(file.name, file.content))) == expected


def test_a_long_table_is_read_in_time():
    page = f"<html><body><table>{'<tr><td><p>Orm</p></td><td>12</td></tr>' * 20_000}</table></body></html>"
    started = time.monotonic()
    assert extract_text("a.html", page.encode()).split() == ["Orm", "12"] * 20_000
    assert time.monotonic() - started < 8


def test_cut_words_and_running_heads():
    pages = (
        "Report 1\nThe crane in the harbour of Orm belongs to a well-\n"
        "known man who bought it and the re-\nmaining parts and paid for the\nFoot",
        "Report 2\ntransport with a short- and a long-\nterm plan for the short-\nand long-haul ships.\nFoot",
        "Report 3\nNo-\nbody saw the \u201cfollow\u00ad\ning\u201d week of 1990-\n1995.\nFoot",
    )
    assert join_lines(*pages).splitlines() == [
        "Report 1",
        "Foot",
        "The crane in the harbour of Orm belongs to a well-known man who bought it and the remaining parts "
        "and paid for the transport with a short- and a long-term plan for the short- and long-haul ships.",
        "Nobody saw the “following” week of 1990-1995.",
    ]


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


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            "Fähre".encode("utf-16") + b"a",
            "a.txt: not UTF-16 at byte 12; it may be damaged: convert it to UTF-8",
        ),
    ],
)
def test_half_a_character_is_an_error(content, message):
    with pytest.raises(InputError) as error:
        extract_text("a.txt", content)
    assert str(error.value).startswith(message) and "\n" not in str(error.value)


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
