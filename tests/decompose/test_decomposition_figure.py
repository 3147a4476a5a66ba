"""The figures of a decomposition: those of the paper, phrases of any links, text and page."""

import re
from html import unescape
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jing_figures import FIGURE_3_DOCUMENT, FIGURE_3_SUMMARY, FIGURE_5_DOCUMENT, FIGURE_5_SUMMARY
from vorlage.alignments.alignment import Alignment, Link, soft_links, write_alignments
from vorlage.baselines import cutpaste
from vorlage.corpus.pair import Pair, write_pairs
from vorlage.decompose import figure
from vorlage.decompose.borrowed import NOWHERE, borrowed_phrases
from vorlage.decompose.figure import figure_text
from vorlage.decompose.operations import decompose
from vorlage.extract.extracts import Extract
from vorlage.settings import CutPaste
from vorlage.text.tokenize import make_text

# Her figures have no phrase of one stop word, which her two rules of post-editing do not say.
SETTINGS = {"stem": False, "run": 1, "lone_stop_words": False}


def cut_and_paste(document, summary, **settings):
    """Return the figure of a tokenized summary sentence by the HMM of the paper."""
    pair = Pair("figure", make_text(document, tokenized=True), make_text([summary], tokenized=True))
    extract = Extract("figure", tuple(range(len(document))), ())
    links = cutpaste.align(CutPaste(**SETTINGS | settings), False, pair, extract)
    alignment = Alignment("figure", "cutpaste", None, pair.document.words, pair.summary.words, links)
    (tagged,) = figure.tag_sentences(pair, alignment, None)
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


DOCUMENT = "Two boats left at dawn.\nThe wind, officials\tsaid, was strong.\n"
SUMMARY = "Officials said the strong wind, at dawn, took two ships away."
PAIR = Pair("a<b>", make_text(DOCUMENT), make_text(SUMMARY))


def span(text, phrase):
    words = phrase.split()
    at = next(i for i in range(len(text.words)) if text.words[i : i + len(words)] == words)
    return at, at + len(words)


def link(summary, document):
    return Link(span(PAIR.summary, summary), span(PAIR.document, document))


LINKS = [
    link("Officials said", "officials said"),
    link("strong", "strong"),
    link("wind", "wind"),
    link("at dawn", "at dawn"),
    link("two", "Two"),
    link("ships away", "boats left"),
    link("the", "The"),
]
ALIGNMENT = Alignment("a<b>", "s", None, PAIR.document.words, PAIR.summary.words, LINKS)


@pytest.fixture
def files(tmp_path):
    write_pairs(tmp_path / "corpus.jsonl", [PAIR])
    write_alignments(tmp_path / "alignments.jsonl", [ALIGNMENT])
    return tmp_path


def run(folder, *more, key="a<b>"):
    files = [str(folder / name) for name in ("corpus.jsonl", "alignments.jsonl")]
    figure.main(["--corpus", files[0], "--alignments", files[1], "--id", key, *more])


def test_the_text_of_any_links(files, capsys):
    run(files)
    lines = capsys.readouterr().out.split("\n")
    assert lines[2] == (
        "(F0:S1 Officials said) (F1:S1 the) (F2:S1 strong) (F3:S1 wind), (F4:S0 at dawn), (F5:S-1 took) "
        "(F6:S0 two ships away)."
    )
    assert lines[6:9:2] == [
        "Sentence 0: (F6 Two boats left) (F4 at dawn).",
        "Sentence 1: (F1 The) (F3 wind), (F0 officials said), was (F2 strong).",
    ]
    run(files, "--sentence", "0", "--output", str(files / "out"))
    assert (files / "out").read_text().split("\n") == lines


def test_a_page_shows_the_texts_and_the_path(files):
    run(files, "--html", str(files / "out.html"))
    html = (files / "out.html").read_text()
    assert "a&lt;b&gt;" in html and "a<b>" not in html and "<script" not in html
    assert not re.search(r"https?://", html)
    shown = unescape(re.sub(r"<sub>.*?</sub>|<[^>]+>", "", html))
    assert SUMMARY in shown and DOCUMENT.split("\n")[0] in shown
    points = re.findall(r'cx="([\d.]+)" cy="([\d.]+)" r="4"><title>([^<]+)', html)
    # A point for each word with a source, from left to right, as high as its sentence.
    assert [label for *_, label in points] == [
        *("Officials (1,3)", "said (1,4)", "the (1,0)", "strong (1,7)", "wind (1,1)"),
        *("at (0,3)", "dawn (0,4)", "two (0,0)", "ships (0,1)", "away (0,2)"),
    ]
    assert [float(x) for x, *_ in points] == sorted(float(x) for x, *_ in points)
    assert [float(y) > figure.LANE for _, y, _ in points] == [True] * 5 + [False] * 5


@pytest.mark.parametrize(
    ("key", "sentence", "message"),
    [
        ("b", "0", "corpus.jsonl: has no pair with the id b"),
        ("a<b>", "1", "has 1 sentences; choose one from 0 to 0"),
    ],
)
def test_bad_choices(files, capsys, key, sentence, message):
    with pytest.raises(SystemExit) as stop:
        run(files, "--sentence", sentence, key=key)
    assert stop.value.code == 1 and message in capsys.readouterr().err


def test_control_characters_do_not_reach_the_terminal():
    pair = Pair("a", *(make_text("a \x1b[31m red boat left\x07 early", tokenized=True) for _ in range(2)))
    words = pair.summary.words
    links = [Link((0, len(words)), (0, len(words)))]
    (tagged,) = figure.tag_sentences(pair, Alignment("a", "s", None, words, words, links), None)
    assert figure_text(tagged).replace("\n", "").isprintable()


def phrases_of(summary, links):
    """Return the phrases of a summary of a document of two sentences, `a … h` and `i … p`."""
    texts = ["a b c d e f g h", "i j k l m n o p"], [" ".join(summary)]
    pair = Pair("a", *(make_text(text, tokenized=True) for text in texts))
    (decomposed,) = decompose(pair, soft_links(links, pair.summary.words, pair.document.words))
    return borrowed_phrases(decomposed, links)


@pytest.mark.parametrize(
    ("summary", "links", "expected"),
    [
        # Both sentences are sources; "c" is taken first, and then "d" continues it.
        (
            "cd",
            [((0, 1), (2, 3)), ((1, 2), (11, 12)), ((1, 2), (3, 4)), ((0, 1), (10, 11))],
            [((0, 2), (2, 4), 0)],
        ),
        # The longest link from the first word, then what is left of the other, clipped on both sides.
        (
            "bcdk",
            [((0, 3), (1, 4)), ((2, 4), (9, 11)), ((1, 2), (0, 1))],
            [((0, 3), (1, 4), 0), ((3, 4), (10, 11), 1)],
        ),
        ("xyzd", [((0, 3), (1, 3)), ((3, 4), (3, 4))], [((0, 4), (1, 4), 0)]),
    ],
)
def test_phrases(summary, links, expected):
    assert phrases_of(summary, [Link(*link) for link in links]) == expected


LETTERS = "abcdefghijklmnop"


@given(
    st.text(LETTERS, min_size=1, max_size=8),
    st.lists(
        st.tuples(*[st.integers(0, 7), st.integers(1, 3), st.integers(0, 15), st.integers(1, 3)]), max_size=8
    ),
)
def test_phrases_cover_the_sentence(summary, numbers):
    links = [
        Link((i, min(i + m, len(summary))), (j, min(j + n, 8 if j < 8 else 16)))
        for i, m, j, n in numbers
        if i < len(summary)
    ]
    phrases = phrases_of(summary, links)
    assert [token for phrase in phrases for token in range(*phrase.summary)] == list(range(len(summary)))
    for phrase in phrases:
        if phrase.source == NOWHERE:
            assert phrase.document is None and phrase.place(phrase.summary[0]) is None
            continue
        start, end = phrase.document
        assert 8 * phrase.source <= start < end <= 8 * phrase.source + 8
        # Every word has a link that reaches a word of the place of its phrase.
        for token in range(*phrase.summary):
            places = [link.document for link in links if token in range(*link.summary)]
            assert any(first < end and last > start for first, last in places)
    for phrase, following in pairwise(phrases):
        assert phrase.source != following.source or phrase.document[1] != following.document[0]
