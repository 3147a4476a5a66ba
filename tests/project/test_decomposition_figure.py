"""The figures of a decomposition: those of the paper, and one of any links."""

import re

import decomposition_figure
import pytest
from decomposition_figure import AS_PRINTED, figure_text
from jing_figures import FIGURE_3_DOCUMENT, FIGURE_3_SUMMARY, FIGURE_5_DOCUMENT, FIGURE_5_SUMMARY
from vorlage.documents.pair import Pair
from vorlage.text.tokenize import make_text


def cut_and_paste(document, summary, **settings):
    """Return the figure of a tokenized summary sentence by the HMM of the paper."""
    pair = Pair("figure", make_text(document, tokenized=True), make_text([summary], tokenized=True))
    (tagged,) = decomposition_figure.cut_and_paste(pair, AS_PRINTED.model_copy(update=settings))
    return tagged


def test_figure_3_as_printed():
    tagged = cut_and_paste(FIGURE_3_DOCUMENT, " ".join(phrase for _, phrase in FIGURE_3_SUMMARY))
    lines = figure_text(tagged).split("\n")
    printed = [f"(F{number}:S{source} {text})" for number, (source, text) in enumerate(FIGURE_3_SUMMARY)]
    assert lines[2] == " ".join(printed)
    sentences = [line for line in lines if re.match(r"Sentence \d", line)]
    assert [line[:10] for line in sentences] == ["Sentence 0", "Sentence 1", "Sentence 2", "Sentence 4"]
    assert "from children (F9 could destroy" in sentences[0] and "unique) (F2 a member of" in sentences[0]
    assert "efforts (F5 to protect) children online" in sentences[1]
    assert "the (F6 children's) (F8 online) (F7 privacy) protection act" in sentences[3]
    for line, sentence in zip(sentences, (0, 1, 2, 4), strict=True):
        assert re.sub(r"\(F\d+ |\)", "", line.partition(": ")[2]) == FIGURE_3_DOCUMENT[sentence]
    # Figure 1 has "the communications subcommittee of" from (2,39) on, Section 3.5 "unique" at (0,28).
    assert "F3 (2,39)-(2,46) " in lines[-1] and lines[-1].endswith(" F9 (0,19)-(0,28)")
    assert tagged.decomposed.is_cut_and_pasted
    assert tagged.decomposed.operations == ("reduction", "combination", "transformation")


def test_figure_5_ignores_determiners():
    summary = " ".join(text for _, text in FIGURE_5_SUMMARY)
    tagged = cut_and_paste(FIGURE_5_DOCUMENT, summary, determiners=False)
    printed = [f"(F{number}:S{source} {text})" for number, (source, text) in enumerate(FIGURE_5_SUMMARY)]
    lines = figure_text(tagged).split("\n")
    assert lines[2] == " ".join(printed)
    assert "(F0 the motion for the issuance of the peremptory writ) (F3 the return)" in lines[6]


@pytest.mark.parametrize(
    ("settings", "alone"),
    [({}, set()), ({"lone_stop_words": True}, {"and", "that"})],
)
def test_two_rules_leave_stop_words_of_figure_3_that_it_does_not_have(settings, alone):
    tagged = cut_and_paste(FIGURE_3_DOCUMENT, " ".join(phrase for _, phrase in FIGURE_3_SUMMARY), **settings)
    words = tagged.decomposed.pair.summary.words
    found = [" ".join(words[slice(*phrase.summary)]) for phrase in tagged.phrases if phrase.document]
    expected = {phrase for source, phrase in FIGURE_3_SUMMARY if source >= 0}
    assert {*found} - expected == alone
