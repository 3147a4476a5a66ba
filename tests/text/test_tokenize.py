"""Sentences and tokens: exact offsets for any text, sensible splits for English."""

import json

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from nltk.tokenize import NLTKWordTokenizer
from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer
from vorlage.text.marks import find_marks
from vorlage.text.normal import remove_invisible
from vorlage.text.tokenize import (
    ABBREVIATIONS,
    SENTENCE_STARTERS,
    _punkt,
    make_text,
    split_text,
    split_tokenized,
)
from vorlage.text.tokenized import Text

# Any text, and texts thick with what sentence splitters and Treebank tokenizers treat specially.
ODD = "ab'\"`.,:;!?()[]<>{}-%$#@&*’‘“”«»…—\u2028\u2029\x85\xa0\x1c\x0b\f\r \t\nSstdDnNmM09/"
texts = st.text() | st.text(alphabet=ODD)
tokens = st.text(st.characters(exclude_characters=" \t\r\n", exclude_categories=["Cs"]), min_size=1)


def check(text):
    """Tokens are ordered, apart, visible and hold every visible character; sentences tile the tokens."""
    held, last = [], 0
    for start, end in text.tokens:
        assert last <= start < end <= len(text.raw)
        held.extend(range(start, end))
        last = end
    seen = set(remove_invisible(text.raw)[1])
    visible = [i for i, character in enumerate(text.raw) if not character.isspace() and i in seen]
    assert [i for i in held if i in seen] == visible
    assert [i for start, end in text.sentences for i in range(start, end)] == list(range(len(text.tokens)))
    assert all(start < end for start, end in text.sentences)


def sentences(text):
    return [text.raw[text.tokens[a][0] : text.tokens[b - 1][1]] for a, b in text.sentences]


@settings(max_examples=1000)
@given(texts)
@example("''good muffins\"")
@example("\"''`` \"a''\"")
@example("cannot 'tis don’t \"''")
def test_a_raw_text_keeps_every_character_at_its_offset(raw):
    text = split_text(raw)
    assert text.raw == raw
    check(text)
    assert Text.from_json(text.to_json()) == text


@settings(max_examples=500)
@given(st.lists(texts))
def test_joined_sentences_keep_the_offsets_of_the_joined_string(parts):
    text = make_text(parts)
    check(text)
    joined = "\n".join(parts)
    assert len(text.raw) == len(joined)
    assert all(a == b or (a == " " and b.isspace()) for a, b in zip(text.raw, joined, strict=True))
    # No sentence is cut or joined to the next; parts without a token are not sentences.
    assert len(text.sentences) == sum(bool(remove_invisible(part)[0].strip()) for part in parts)


@given(st.lists(st.lists(tokens, min_size=1)))
def test_tokenized_sentences_keep_their_tokens(parts):
    sentences = [" ".join(part) for part in parts]
    for text in (make_text(sentences, tokenized=True), make_text("\n".join(sentences), tokenized=True)):
        assert text.written == [token for part in parts for token in part]
        assert [end - start for start, end in text.sentences] == [len(part) for part in parts]
        assert text.raw == "\n".join(sentences)


OPENING = ["", "", "", *'( [ " `` “ $ # -'.split()]
WORDS = """aB1 é n it o'clock 3.5 5,000 U.S a-b -- a..b a,,b can cannot don't d'ye Gonna 'tis 'em 't x_y a…b
    -cannot @ * a&b 1:2 a:b""".split()
ENDINGS = ["", "", "", *"'s 'S 're 'D ' '' , : ; . ... ? \" ) .\" %".split()]
pieces = st.tuples(*(st.sampled_from(part) for part in (OPENING, WORDS, ENDINGS))).map("".join)


@settings(max_examples=2000)
@given(st.lists(pieces).map(" ".join))
def test_tokens_are_those_of_the_treebank_tokenizer(raw):
    text = make_text([raw])
    assert text.written == [raw[start:end] for start, end in NLTKWordTokenizer().span_tokenize(raw)]


SENTENCE_PARTS = [
    *"aBé1.,?!)'",
    *[" "] * 8,
    "dr",
    "Dr. ",
    "U.S. ",
    "end. ",
    "The",
    "(",
    '"',
    "...",
    "Word. Next",
]


@settings(max_examples=1000)
@given(st.lists(st.sampled_from(SENTENCE_PARTS)).map("".join))
def test_sentences_are_those_of_punkt(raw):
    parameters = PunktParameters()
    parameters.abbrev_types, parameters.sent_starters = set(ABBREVIATIONS), set(SENTENCE_STARTERS)
    assert list(_punkt("en")(raw)) == list(PunktSentenceTokenizer(parameters).span_tokenize(raw))


def test_tokenized_text_is_cut_at_spaces_alone():
    text = split_tokenized("can't  stop\u00a0it .\r\n\n a \x85 b\n")
    assert text.words == ["can't", "stop\u00a0it", ".", "a", "\x85", "b"]
    assert text.sentences == ((0, 3), (3, 6))


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ("It can't be Bob's.", "It ca n't be Bob 's ."),
        ("It can’t be Bob’s ‘own’.", "It ca n’t be Bob ’s ‘ own ’ ."),
        ('He said, "Go (now)!"', 'He said , " Go ( now ) ! "'),
        ("`Old'' quotes ''here''.", "` Old '' quotes '' here '' ."),
        ("A $1,200.50 PC, 30% off", "A $ 1,200.50 PC , 30 % off"),
        ("They cannot -- or will not -- wait...", "They can not -- or will not -- wait ..."),
    ],
)
def test_tokens(raw, words):
    assert split_text(raw).written == words.split()


@pytest.mark.parametrize(
    "expected",
    [
        ["Dr. Amberg of Vantrell Corp. met Mr. J. R. Tillinghast.", "He left at 5 p.m. on Monday."],
        ["The U.S. Senate and the U.K. agreed.", "The vote, vs. last year's, was close."],
        ["It ships in the U.S.", "The price fell to $2.5 million in Jan. 1990."],
        ['"Why wait?" he asked.', '"Buy now!"', "She did."],
        ["Yahoo! shares rose.", "Who knew?", "Nobody!"],
        ["The viz. approx. five others stayed.", "I. M. Pei came."],
        ["the first.", "now the second?", "yes."],
        ["A headline without a stop\n", "The story begins.", " It goes on.\r\n\r\n", "The end\n"],
    ],
)
def test_sentences(expected):
    assert sentences(split_text(" ".join(expected))) == [sentence.strip() for sentence in expected]


SECTIONED = {"text": "a b c", "tokens": [[0, 1], [2, 3], [4, 5]], "sentences": [[0, 1], [1, 2], [2, 3]]}


def test_sections_are_stored_with_a_text():
    stored = SECTIONED | {"sections": [[0, "1 One"], [2, ""]]}
    text = Text.from_json(stored)
    assert text.sections == ((0, "1 One"), (2, ""))
    assert json.loads(json.dumps(text.to_json())) == stored
    assert Text.from_json(SECTIONED).sections == () and "sections" not in Text.from_json(SECTIONED).to_json()


@pytest.mark.parametrize(
    ("raw", "sentences"),
    [
        ("Prof. A. Brook et al. (2019) left at 6 p.m. on Feb. 2. It snowed.", [54]),
        ("The dam held [4]. The gate fell.[5] It rained.[6][7] We left.", [17, 35, 52]),
        ("It did.¹ We left.", [8]),
        ("She sang.He slept. It rained.", [9, 18]),
        ("1. Open the lid.\n2) Wait.\n(3) Close it.", [16, 25]),
        ("Use Node.js or draft.Txt2 now.", []),
    ],
)
def test_sentence_ends(raw, sentences):
    text = split_text(raw)
    assert [text.characters(sentence)[1] for sentence in text.sentences[:-1]] == sentences


@pytest.mark.parametrize(
    ("written", "words"),
    [
        (
            "re\xadopened ca\u0301fe\u0301 \ufb01le \uff21\uff11 \xb5g \u2011 \u22125",
            "reopened cáfé file A1 μg - -5",
        ),
        ("m² ½ 10⁵ … ´", "m² ½ 10⁵ ... ´"),
        ("\xad", "\xad"),
    ],
)
def test_normal_forms(written, words):
    text = split_tokenized(written)
    assert (text.words, text.written) == (words.split(" "), written.split(" "))


def test_marks_state_nothing():
    raw = """# The dam
- **Result:** it held [1, 2].¹ It was 5 m², wet (3).
| part | state |
|---|---|
| gate | open |
```
code()
```
Step 2: rest【4†a】"""
    marks = [raw[start:end].strip() for start, end in find_marks(raw)]
    assert [mark for mark in marks if mark] == [
        *["# The dam", "- **Result:**", "[1, 2]", "¹", "(3)", "| part | state |", "|---|---|", "|", "|", "|"],
        *["```", "```", "Step 2:", "【4†a】"],
    ]
