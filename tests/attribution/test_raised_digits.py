"""Raised digits are a mark behind a number, a power behind ten, a part of a unit; a mark hides nothing."""

import pytest
from vorlage import load_model
from vorlage.semihmm.decode.load import SHIPPED


@pytest.fixture(scope="module")
def model():
    return load_model(SHIPPED / "without-encoder.npz")


@pytest.mark.parametrize("mark", ["³", "[3]", "(Holt, 2014)", "**"])
def test_a_mark_inside_a_statement_hides_nothing(mark):
    model = load_model()
    document = "The work cost 125 crowns in 1931. It took 3 days."
    quiet, loud = (f"The work cost {number}{mark} crowns in 1931." for number in (125, 126))
    assert not model.attribute(document, quiet).unsupported
    (finding,) = model.attribute(document, loud).unsupported
    assert finding.severity == 3 and finding.quote == f"126{mark} crowns"
    (finding,) = model.attribute(document.replace("125", f"125{mark}"), loud).unsupported
    assert finding.severity == 3
    assert not model.attribute(document.replace("125", f"125{mark}"), quiet).unsupported


@pytest.mark.parametrize(
    ("text", "severities"),
    [
        ("The lake has 10⁶ fish.", []),
        ("The lake has 10⁷ fish.", [3]),
        ("The lake has 1 × 10⁶ fish.", []),
        ("The lake has 3 × 10⁶ fish.", [3]),
        ("The lake has 10 fish.", [3]),
        ("The lake has 106 fish.", [3]),
        ("The gap is 3×10⁻³ m wide.", []),
        ("The gap is 3×10⁻² m wide.", [3]),
        ("The gap is 10³ m wide.", [3]),
        ("The pool holds 3 cm³ of oil.", []),
        ("The pool holds 4 cm³ of oil.", [3]),
    ],
)
def test_powers_of_ten_are_numbers(model, text, severities):
    document = "The lake has one million fish. The gap is 0.003 m wide. The pool holds 3 cm³ of oil."
    assert [each.severity for each in model.attribute(document, text).unsupported] == severities
