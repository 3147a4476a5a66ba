"""Characters that nobody sees change nothing: not a word, not a finding, not a verdict."""

import sys
import unicodedata

import pytest
from vorlage import InputError, load_model
from vorlage.semihmm.decode.load import SHIPPED
from vorlage.text.normal import normal_form
from vorlage.text.tokenize import split_text

DOCUMENT = "The firm of Varde sold 300 boats in 2019. No crane was red."
# Marks of direction, embeddings and isolates, spaces without width, and others that have no width.
NAMED = """SOFT HYPHEN:COMBINING GRAPHEME JOINER:ARABIC LETTER MARK:ZERO WIDTH SPACE:ZERO WIDTH NON-JOINER
:ZERO WIDTH JOINER:LEFT-TO-RIGHT MARK:RIGHT-TO-LEFT MARK:LEFT-TO-RIGHT EMBEDDING:RIGHT-TO-LEFT EMBEDDING
:POP DIRECTIONAL FORMATTING:LEFT-TO-RIGHT OVERRIDE:RIGHT-TO-LEFT OVERRIDE:WORD JOINER:INVISIBLE TIMES
:LEFT-TO-RIGHT ISOLATE:RIGHT-TO-LEFT ISOLATE:FIRST STRONG ISOLATE:POP DIRECTIONAL ISOLATE
:VARIATION SELECTOR-1:VARIATION SELECTOR-16:ZERO WIDTH NO-BREAK SPACE:TAG SPACE:TAG LATIN SMALL LETTER A
:VARIATION SELECTOR-17:MONGOLIAN VOWEL SEPARATOR"""
INVISIBLE = [unicodedata.lookup(name.strip()) for name in NAMED.split(":")]
# Signs that stand before numbers.
VISIBLE = "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"
FORMATS = {each for each in map(chr, range(sys.maxunicode + 1)) if unicodedata.category(each) == "Cf"}


@pytest.fixture(scope="module")
def model():
    return load_model(SHIPPED / "without-encoder.npz")


@pytest.mark.parametrize("mark", INVISIBLE, ids=unicodedata.name)
@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The firm of Varde sold {0}400{0} boats in 2019.", "400"),
        ("The firm of Varde sold 4{0}00{0} boats in 2019.", "4{0}00"),
        ("The firm of {0}Sund{0} sold 300 boats in 2019.", "Sund"),
        ("The firm of Varde {0}did {0}not{0} sell 300 boats in 2019.", "not"),
        ("The firm of {0}Va{0}rde{0} sold 3{0}00 boats in {0}2019.{0}", None),
        ("{0}The firm of Varde sold{0} 300{0} boats {0} in 2019{0}.{0} No crane was red.", None),
    ],
)
def test_what_differs_is_found_and_nothing_else(model, mark, text, found):
    text = text.format(mark)
    result = model.attribute(DOCUMENT, text)
    plain = model.attribute(DOCUMENT, text.replace(mark, ""))
    assert [each.severity for each in result.unsupported] == [each.severity for each in plain.unsupported]
    assert [each.supported for each in result.sentences] == [each.supported for each in plain.sentences]
    assert all(each.quote == text[slice(*each.text)] for each in result.unsupported)
    if found:
        assert any(found.format(mark) in each.quote for each in result.unsupported)
    else:
        assert not result.unsupported


@pytest.mark.parametrize("mark", INVISIBLE, ids=unicodedata.name)
def test_a_document_with_them_is_the_same(model, mark):
    document = f"{mark}The{mark} firm of {mark}Varde{mark} sold 3{mark}00{mark} boats in 2019.{mark}"
    assert not model.attribute(document, "The firm of Varde sold 300 boats in 2019.").unsupported
    assert model.attribute(document, "The firm of Varde sold 400 boats in 2019.").unsupported


def test_every_format_character_is_gone():
    assert len(FORMATS) > 100
    for mark in FORMATS.difference(VISIBLE):
        assert normal_form(f"4{mark}00{mark}") == "400"
        text = split_text(f"{mark}It sold{mark} {mark}4{mark}00.{mark} {mark} {mark}We {mark}left.")
        assert text.words == ["It", "sold", "400", ".", "We", "left", "."]
        assert [text.raw[slice(*token)] for token in text.tokens][2:5] == [f"4{mark}00", ".", "We"]
        assert len(text.sentences) == 2


@pytest.mark.parametrize("word", ["می‌خواهم", "क्‍ष", "ශ්‍රී", "النَّص"])
def test_scripts_keep_the_joiners_that_they_need(word):
    assert split_text(word, "xx").words == [normal_form(word)] == [word]


def test_signs_that_are_seen_stay():
    assert all(normal_form(f"{sign}١٢") == f"{sign}١٢" for sign in VISIBLE)


def test_a_text_of_nothing_else_is_empty(model):
    with pytest.raises(InputError, match="empty"):
        model.attribute(DOCUMENT, "\u200b\u200f \ufeff")
