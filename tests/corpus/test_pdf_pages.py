"""Pages of PDF: turned text, values of forms, notes."""

import io

import pypdf
import pytest
from pypdf.generic import (
    ArrayObject,
    DictionaryObject,
    FloatObject,
    NameObject,
    NumberObject,
    TextStringObject,
)
from sample_files import draw_pdf, join_pdfs, make_pdf
from vorlage.documents.formats import extract_text

FIRST, SECOND = "The miller of Varde sold his rye to the", "baker of Lind before the frost came."
UPRIGHT = "1 0 0 1 72 {} Tm ({}) Tj"
SENTENCE = f"{FIRST} {SECOND}"


def draw_text(*shown):
    return draw_pdf("BT /F1 12 Tf " + " ".join(shown) + " ET")


@pytest.mark.parametrize(
    "matrix",
    [
        "0.7 0.7 -0.7 0.7 150 500",
        "0.87 0.5 -0.5 0.87 90 400",
        "0 1 -1 0 40 300",
        "0 -1 1 0 560 700",
        "-1 0 0 -1 300 30",
    ],
)
def test_turned_text_cuts_no_sentence(matrix):
    mark = f"/F1 60 Tf {matrix} Tm (COPY) Tj /F1 12 Tf"
    text = extract_text("a.pdf", draw_text(UPRIGHT.format(700, FIRST), mark, UPRIGHT.format(684, SECOND)))
    assert [line for line in text.splitlines() if line] == [SENTENCE, "COPY"]


def test_turned_text_of_two_pages_cuts_no_sentence():
    mark, axis = "/F1 60 Tf 0.7 0.7 -0.7 0.7 150 500 Tm (COPY) Tj /F1 12 Tf", "0 1 -1 0 40 9 Tm ({}) Tj"
    first = draw_text(
        mark, UPRIGHT.format(700, "It was cold."), UPRIGHT.format(684, FIRST), axis.format("Rye")
    )
    second = draw_text(
        mark, UPRIGHT.format(700, SECOND), axis.format("Hay"), UPRIGHT.format(600, "Snow fell.")
    )
    lines = extract_text("a.pdf", join_pdfs(first, second)).splitlines()
    assert [line for line in lines if line] == [
        "It was cold.",
        "COPY",
        "Rye",
        f"{FIRST}",
        f"{SECOND} Snow fell.",
        "COPY",
        "Hay",
    ]


@pytest.mark.parametrize(
    "matrix", ["0 1 -1 0", "0 -1 1 0", "-1 0 0 -1", "0.7 0.7 -0.7 0.7", "0.99 0.1 -0.1 0.99"]
)
def test_a_page_that_is_turned_as_a_whole_is_read_in_its_order(matrix):
    a, b, c, d = map(float, matrix.split())
    lines = [
        f"{matrix} {300 - 16 * at * c} {300 - 16 * at * d} Tm ({line}) Tj"
        for at, line in enumerate([FIRST, SECOND])
    ]
    assert extract_text("a.pdf", draw_text(*lines)).strip() == SENTENCE


def annotate(pdf, *annotations):
    """A PDF with annotations on its first page, each a dictionary of plain values."""
    writer, content = pypdf.PdfWriter(io.BytesIO(pdf)), io.BytesIO()
    writer.pages[0][NameObject("/Annots")] = ArrayObject(map(to_object, annotations))
    writer.write(content)
    return content.getvalue()


def to_object(value):
    if isinstance(value, dict):
        return DictionaryObject({NameObject(name): to_object(each) for name, each in value.items()})
    if isinstance(value, list):
        return ArrayObject(map(to_object, value))
    if isinstance(value, int):
        return NumberObject(value)
    if isinstance(value, float):
        return FloatObject(value)
    return NameObject(value) if value.startswith("/") else TextStringObject(value)


def field(value, left, bottom, **others):
    box = [left, bottom, left + 150, bottom + 16]
    return {"/Subtype": "/Widget", "/FT": "/Tx", "/Rect": box, "/V": value} | {
        f"/{name}": other for name, other in others.items()
    }


FORM = draw_text(
    UPRIGHT.format(700, "Name of the miller:"),
    "1 0 0 1 330 700 Tm (Village:) Tj",
    UPRIGHT.format(660, "What the mill needs"),
    UPRIGHT.format(600, "Signed by the council."),
)


def test_values_of_a_form_stand_at_the_end_of_their_page():
    pdf = annotate(
        FORM,
        field("Lind", 380, 696),
        field("Ole Brandt", 190, 696),
        field("a new\rwheel", 72, 640, Ff=1 << 12),
        field("by hand", 190, 596, FT="/Ch"),
    )
    lines = [line for line in extract_text("a.pdf", pdf).splitlines() if line]
    assert lines[-5:] == ["Signed by the council.", "Lind", "Ole Brandt", "a new wheel", "by hand"]


def test_a_value_may_belong_to_a_field_above():
    kid = field("unused", 190, 696) | {"/Parent": {"/FT": "/Tx", "/V": "Ole Brandt"}}
    del kid["/V"], kid["/FT"]
    assert extract_text("a.pdf", annotate(FORM, kid)).strip().endswith("Signed by the council.\n\nOle Brandt")


@pytest.mark.parametrize(
    "hidden",
    [
        field("secret", 190, 696, F=2),
        field("secret", 190, 696, F=32),
        field("/secret", 190, 696, FT="/Btn"),
        {"/Subtype": "/FreeText", "/Rect": [0, 0, 9, 9], "/Contents": "secret", "/F": 2},
        {"/Subtype": "/Text", "/Rect": [0, 0, 9, 9], "/Contents": "secret"},
    ],
)
def test_what_no_screen_shows_is_not_read(hidden):
    assert "secret" not in extract_text("a.pdf", annotate(FORM, hidden))


def test_a_note_is_read_at_the_end_of_its_page():
    note = {"/Subtype": "/FreeText", "/Rect": [300, 300, 500, 340], "/Contents": "The mill was sold in May."}
    pages = annotate(make_pdf([FIRST, SECOND]), note, {"/Subtype": "/Link", "/Rect": [0, 0, 1, 1]})
    text = extract_text("a.pdf", pages)
    assert [line for line in text.splitlines() if line] == [SENTENCE, "The mill was sold in May."]


def test_a_form_on_a_scan_is_read():
    scan = annotate(make_pdf([]), field("Ole Brandt", 190, 696))
    assert extract_text("a.pdf", scan).strip() == "Ole Brandt"
