"""Raised and lowered characters of HTML, Word and PDF: digits, ordinals, marks of notes."""

import pytest
from sample_files import draw_pdf, make_docx
from vorlage.documents.formats import extract_text

# Raised characters are in braces, lowered ones in angle brackets; and how they are read.
TEXTS = [
    ("The hut cost 480{7} francs.", "The hut cost 480⁷ francs."),
    ("A speck of 10{-9} grams fell.", "A speck of 10⁻⁹ grams fell."),
    ("Some 10{12} stars shine.", "Some 10¹² stars shine."),
    ("The ice is H<2>O and CO<2>.", "The ice is H₂O and CO₂."),
    ("The field has 30 m{2} of moss.", "The field has 30 m² of moss."),
    ("The mill stood still.{1,2} Rye grew.", "The mill stood still.¹,² Rye grew."),
    ("The letter{c} is lost.", "The letter[^c] is lost."),
    ("On the 3{rd} of June it rained.", "On the 3rd of June it rained."),
    ("The mill burnt{[4]} twice.", "The mill burnt[4] twice."),
    ("Let x{n} be the n{th} power.", "Let xn be the nth power."),
    ("The XIX{e} century, 1.{a} edition.", "The XIXe century, 1.a edition."),
]
HEIGHTS = {"{": ("sup", "superscript", 5), "<": ("sub", "subscript", -3)}


def pieces(text):
    """Yield each piece of a text with the sign before it, which is empty for text on the line."""
    sign, piece = "", ""
    for character in text:
        if character in "{}<>":
            if piece:
                yield sign, piece
            sign, piece = character.strip("}>"), ""
        else:
            piece += character
    yield sign, piece


def make_page(text):
    parts = [f"<{HEIGHTS[s][0]}><a>{p}</a></{HEIGHTS[s][0]}>" if s else p for s, p in pieces(text)]
    return f"<html><body><p>{''.join(parts)}</p></body></html>".encode()


def make_word(text):
    heights = [f'<w:rPr><w:vertAlign w:val="{HEIGHTS[s][1]}"/></w:rPr>' if s else "" for s, _ in pieces(text)]
    runs = [
        f'<w:r>{height}<w:t xml:space="preserve">{piece}</w:t></w:r>'
        for height, (_, piece) in zip(heights, pieces(text), strict=True)
    ]
    return make_docx(f"<w:p>{''.join(runs)}</w:p>")


def draw(text, show):
    """A PDF in which `show` returns the operations of a piece by its text, place and height."""
    x, drawn = 72.0, []
    for sign, piece in pieces(text):
        drawn.append(show(piece, x, HEIGHTS[sign][2] if sign else 0))
        x += 0.6 * (7 if sign else 12) * len(piece)
    return draw_pdf(f"BT /F1 12 Tf 1 0 0 1 72 700 Tm {' '.join(drawn)} ET").replace(
        b"/Helvetica", b"/Courier "
    )


def by_font(piece, x, height):
    return f"/F1 {7 if height else 12} Tf 1 0 0 1 {x} {700 + height} Tm ({piece}) Tj"


def by_matrix(piece, x, height):
    size = 7 if height else 12
    return f"/F1 1 Tf {size} 0 0 {size} {x} {700 + height} Tm [({piece})] TJ"


def by_rise(piece, x, height):
    return f"/F1 {7 if height else 12} Tf {height} Ts ({piece}) Tj"


def turned(piece, x, height):
    return f"/F1 {7 if height else 12} Tf 0 1 -1 0 {300 - height} {x} Tm ({piece}) Tj"


@pytest.mark.parametrize(("text", "expected"), TEXTS)
@pytest.mark.parametrize(("name", "make"), [("a.html", make_page), ("a.docx", make_word)])
def test_raised_characters_of_markup(name, make, text, expected):
    assert extract_text(name, make(text)).strip() == expected


@pytest.mark.parametrize(("text", "expected"), TEXTS)
@pytest.mark.parametrize("show", [by_font, by_matrix, by_rise, turned])
def test_raised_characters_of_a_pdf(show, text, expected):
    assert extract_text("a.pdf", draw(text, show)).strip() == expected


@pytest.mark.parametrize(
    ("drawn", "expected"),
    [
        # Small capitals and digits on the line, digits apart, and the number of a note at its beginning.
        ("(Rye in 18) Tj /F1 8 Tf (73) Tj /F1 12 Tf ( grew.) Tj", "Rye in 1873 grew."),
        ("(Rye grew) Tj /F1 8 Tf 0 -14 Td (1873) Tj", "Rye grew\n1873"),
        ("(Rye) Tj /F1 8 Tf 90 3 Td (12) Tj", "Rye 12"),
        ("(Rye ) Tj /F1 8 Tf 24 2 Td (12) Tj", "Rye 12"),
        ("/F1 6 Tf 0 4 Td (5) Tj /F1 10 Tf 4 -4 Td (The mill of Varde.) Tj", "⁵The mill of Varde."),
    ],
)
def test_what_is_small_or_high_alone_is_not_raised(drawn, expected):
    page = draw_pdf(f"BT /F1 12 Tf 1 0 0 1 72 700 Tm {drawn} ET")
    assert extract_text("a.pdf", page).strip() == expected


def test_the_power_of_an_equation():
    power = "<m:sSup xmlns:m='m'><m:e><m:t>10</m:t></m:e><m:sup><m:t>{}</m:t></m:sup></m:sSup>"
    for written, expected in (("6", "10⁶"), ("n", "10^n")):
        assert extract_text("a.docx", make_docx(f"<w:p>{power.format(written)}</w:p>")).strip() == expected


@pytest.mark.parametrize("sign", ["€", "&euro;", "…", "京"])
def test_a_sign_in_a_tag_of_its_own_is_kept(sign):
    page = (
        f"<html><body><p>Hay in the north was cut late.</p><p>It cost 5 <b>{sign}</b> then.</p></body></html>"
    )
    assert f"It cost 5 {'€' if ';' in sign else sign} then." in extract_text("a.html", page.encode())
