"""What a terminal shows of a text with its sources: widths, colours, marks, and no codes of the text."""

import io
import re
from dataclasses import replace

import pytest
from rich.cells import cell_len
from rich.console import Console
from vorlage.alignments.sources import AttributedSpan, Source
from vorlage.api.trained_model import Attribution
from vorlage.attribution.result import (
    AttributedSentence,
    AttributedWord,
    Documents,
    Unsupported,
)
from vorlage.text.tokenize import make_text
from vorlage.views.console import show

DOCUMENT = (
    "Lumen Freight reported its results on Thursday. Revenue rose 12 percent to $88 million. "
    "The board named Ines Okafor chief executive."
)
TEXT = "Lumen Freight appointed Ines Okafor. Its revenue was $83 million, and profit doubled."


def find(text, quote):
    """Return the span of a quote."""
    start = text.index(quote)
    return start, start + len(quote)


def shown(result, width=80, **options):
    """Return what the console shows."""
    file = io.StringIO()
    show(result, Console(file=file, width=width, **options))
    return file.getvalue()


def make_attribution(name=None):
    """An attribution in the form of `model.attribute`, made by hand."""

    def source(quote, sentence, probability):
        return Source(name, find(DOCUMENT, quote), quote, sentence, probability)

    def span(text, quote, sentence, probability):
        return AttributedSpan(find(TEXT, text), text, 0.01, (source(quote, sentence, probability),))

    whole = DOCUMENT.replace(". ", ".|").split("|")
    first, second = find(TEXT, TEXT[:36]), find(TEXT, TEXT[37:])
    sources = source(whole[2], 2, 0.62), source(whole[0], 0, 0.3)
    spans = (
        span("Lumen Freight", "Lumen Freight", 0, 0.97),
        span("appointed", "named", 2, 0.55),
        span("Ines Okafor.", "Ines Okafor", 2, 0.98),
        span("revenue", "Revenue", 1, 0.4),
        span("$83 million,", "$88 million.", 1, 0.9),
    )
    differs = "83", 0.1, "differs", "number", 3, "“83” ≠ “88”", name, find(DOCUMENT, "88")
    absent = "profit doubled", 0.7, "no source", "no source", 1, "no source"
    return Attribution(
        id="p",
        supported=0.1,
        sentences=(
            AttributedSentence(first, 0.8, 0.9, "supported", sources),
            AttributedSentence(second, 0.1, 0.5, "unsupported", (source(whole[1], 1, 0.5),)),
        ),
        spans=spans,
        words=(AttributedWord(find(TEXT, "was"), "elsewhere", 0.5, name, 0),),
        unsupported=tuple(Unsupported(find(TEXT, part[0]), *part) for part in (differs, absent)),
        notes=("Only numbers were compared.",),
        text=make_text(TEXT),
        documents=Documents.merge({name: DOCUMENT} if name else DOCUMENT),
    )


PLAIN = """\
1 of 2 statements supported; 1 to check
note: Only numbers were compared.

✓ Lumen Freight appointed Ines Okafor.
  3 0.62 The board «named» «Ines Okafor» chief executive.
  1 0.30 «Lumen Freight» reported its results on Thursday.
         supported 0.80; words with a source 90%
         reworded: appointed ← named 0.55

✗ Its revenue was $[83] million, and profit doubled.
  2 0.50 «Revenue» rose 12 percent to $[88] «million».
         supported 0.10; words with a source 50%
         differs: “83” ≠ “88”
         words to check: profit doubled
         elsewhere: was (sentence 1)

✓ supported, ? unclear, ✗ differs or has no source
[words] differ or have no source, «words» the text comes from, probabilities
"""
WIDE = """\
1 of 2 statements supported; 1 to check
note: Only numbers were compared.

✓ Lumen Freight appointed Ines Okafor.          a.txt:3 0.62 The board «named» «Ines Okafor» chief executive.
                                                a.txt:1 0.30 «Lumen Freight» reported its results on Thursday.
                                                             supported 0.80; words with a source 90%
                                                             reworded: appointed ← named 0.55
"""


def test_sources_are_under_the_text():
    assert shown(make_attribution()) == PLAIN


def test_words_with_the_same_content_are_not_reworded():
    source = Source(None, find(DOCUMENT, "The board"), "The board", 2, 0.9)
    pairs = (("Its", "The"), ("was", "to")), (("Its revenue", "The board"),)
    for quotes, is_reworded in zip(pairs, (False, True), strict=True):
        spans = tuple(
            AttributedSpan(find(TEXT, text), text, 0.1, (replace(source, document=find(DOCUMENT, quote)),))
            for text, quote in quotes
        )
        assert ("reworded" in shown(replace(make_attribution(), spans=spans))) == is_reworded


def test_sources_are_beside_the_text_in_a_wide_terminal():
    assert shown(make_attribution("a.txt"), width=120).startswith(WIDE)


@pytest.mark.parametrize("width", [20, 40, 60, 80, 119, 120, 200])
def test_no_line_is_wider_than_the_terminal(width):
    for name in (None, "folder/a long name of a document.txt"):
        assert max(map(cell_len, shown(make_attribution(name), width).splitlines())) <= width


def test_colours_are_those_of_the_probabilities():
    text = shown(make_attribution(), force_terminal=True, color_system="standard")
    assert "[" not in re.sub(r"\x1b\[[\d;]*m", "", text) and "«" not in text
    for colour, quote in ((32, "Lumen Freight"), (33, "appointed"), (35, "revenue"), (32, "million")):
        assert re.search(rf"\x1b\[{colour}m[^\x1b]*{quote}", text), quote
    assert "\x1b[1;4;31m83\x1b[0m" in text
    assert "\x1b[32m✓ " in text and "\x1b[1;31m✗ " in text


def test_without_colours_the_marks_are_characters(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    text = shown(make_attribution(), force_terminal=True, color_system="standard")
    assert not re.search(r"\x1b\[[\d;]*3\d", text)
    assert re.sub(r"\x1b\[[\d;]*m", "", text) == PLAIN


def whole(text, document):
    """An attribution of a text of one sentence that comes from a document of one sentence."""
    source = Source(None, (0, len(document)), document, 0, 0.9)
    sentence = AttributedSentence((0, len(text)), 1.0, 1.0, "supported", (source,))
    span = AttributedSpan((0, len(text)), text, 0.0, (source,))
    sides = make_text(text), Documents.merge(document)
    return Attribution("p", 1.0, (sentence,), (span,), (), (), (), *sides)


def test_wide_characters_take_two_columns():
    text = "全体の売上高は十二パーセント増えた。" * 4
    for width in (40, 80, 130):
        lines = shown(whole(text, text), width).splitlines()
        assert max(map(cell_len, lines)) <= width
        assert sum(line.count("高") for line in lines) == 8


def test_nothing_of_a_text_reaches_the_terminal_as_a_command():
    text = "Red \x1b[31m, a bell \a, a \u202eturn, a\ttab\r\nand [bold]tags[/bold]."
    out = shown(whole(text, text), force_terminal=True, color_system="standard")
    for character in "\a\t\r\u202e":
        assert character not in out
    assert not re.search(r"\x1b(?!\[[\d;]*m)", out) and "\x1b[31m" not in out
    assert "[bold]tags[/bold]" in out


def test_of_a_long_sentence_the_parts_around_the_passages_are_shown():
    filler = " ".join(f"word{i}" for i in range(100))
    document = f"{filler} Lumen Freight {filler} Ines Okafor {filler}"
    attribution = whole("Lumen Freight, Ines Okafor", document)
    (span,) = attribution.spans
    spans = tuple(
        replace(span, sources=(replace(span.sources[0], document=find(document, quote)),))
        for quote in ("Lumen Freight", "Ines Okafor")
    )
    out = " ".join(shown(replace(attribution, spans=spans)).split())
    shown_words = re.search(r"0\.90 (.*?) supported", out)[1]
    assert re.fullmatch(
        r"… word9\d .*word99 «Lumen Freight» word0 .* … word9\d .* «Ines Okafor» word0 [^…]* …", shown_words
    )
    assert len(shown_words) < 400
