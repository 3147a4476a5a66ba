"""Texts in other languages than English."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vorlage.text.normal import remove_invisible
from vorlage.text.tokenize import _tokenizer, make_text
from vorlage.text.tokenized import Text
from vorlage.text.words import is_stop_word, stem, stop_words

SENTENCES = {
    "de": ["Am 3. Mai, z. B. in Bonn, war's ruhig.", "Die EU-Richtlinie gilt!", "„Gut“, sagte er."],
    "fr": ["L'homme qu’elle connaît est venu.", "A-t-il mangé ?"],
    "ru": ["Он пришёл домой.", "Она ушла?"],
    "ar": ["ذهب الولد إلى المدرسة.", "هل عاد؟", "نعم."],
    "hi": ["यह एक किताब है।", "वह घर गया।"],
    "zh": ["我喜欢猫。", "你呢？", "“好。”他说。"],
    "ja": ["猫が好きです。", "犬も！"],
}
TOKENS = {
    "de": "Am 3 . Mai , z . B . in Bonn , war's ruhig .",
    "fr": "L' homme qu’ elle connaît est venu .",
    "ru": "Он пришёл домой .",
    "ar": "ذهب الولد إلى المدرسة .",
    "hi": "यह एक किताब है ।",
    "zh": "我 喜 欢 猫 。",
    "ja": "猫 が 好 き で す 。",
}
# With the packages of `make languages`.
SEGMENTED = {"zh": ("rjieba", "我 喜欢 猫 。"), "ja": ("janome", "猫 が 好き です 。")}


@pytest.fixture(autouse=True)
def without_packages(monkeypatch):
    """Leave out the packages that cut Chinese and Japanese into words."""
    monkeypatch.setattr("vorlage.text.tokenize._segmenter", lambda language: None)
    _tokenizer.cache_clear()
    yield
    _tokenizer.cache_clear()


@pytest.mark.parametrize("language", SENTENCES)
def test_sentences_and_tokens_of_other_scripts(language):
    space = "" if language in ("zh", "ja") else " "
    text = make_text(space.join(SENTENCES[language]), language=language)
    found = ["".join(text.written[slice(*span)]) for span in text.sentences]
    assert found == [sentence.replace(" ", "") for sentence in SENTENCES[language]]
    assert text.written[: text.sentences[0][1]] == TOKENS[language].split()
    assert Text.from_json(text.to_json()) == text and text.to_json()["language"] == language
    sentences = make_text(SENTENCES[language], language=language)
    assert [words for words in sentences.sentence_words()] == text.sentence_words()


def test_a_number_is_no_part_of_the_characters_beside_it():
    assert make_text("会议在5月8日举行。", language="zh").words == "会 议 在 5 月 8 日 举 行 。".split()


@pytest.mark.parametrize("language", SEGMENTED)
def test_chinese_and_japanese_are_cut_into_words(language, monkeypatch):
    package, words = SEGMENTED[language]
    pytest.importorskip(package, reason=f"{package} is not installed; `make languages` installs it")
    monkeypatch.undo()
    _tokenizer.cache_clear()
    text = make_text("".join(SENTENCES[language]) + " GPT-4, 22 km", language=language)
    assert text.sentence_words()[0] == words.split() and text.words[-4:] == ["GPT-4", ",", "22", "km"]
    assert "".join("".join(text.written).split()) == "".join(text.raw.split())


@given(st.text(), st.sampled_from([*SENTENCES, "th", "xx"]))
def test_tokens_hold_every_character_but_white_space(raw, language):
    text = make_text(raw, language=language)
    visible, places = remove_invisible(raw)
    held = [raw[i] for token in text.tokens for i in range(*token) if i in set(places)]
    assert "".join("".join(held).split()) == "".join(visible.split())
    assert [t for start, end in text.sentences for t in range(start, end)] == list(range(len(text.tokens)))


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ("runs", "Running")),
        ("de", ("Häuser", "hauses")),
        ("fr", ("maisons", "maison")),
        ("ru", ("книги", "книга")),
        ("es", ("gatos", "gato")),
    ],
)
def test_forms_of_a_word_have_one_stem(language, words):
    assert stem(words[0], language) == stem(words[1], language) != words[0].lower()


def test_stop_words_are_those_of_the_language():
    assert is_stop_word("Der", "de") and not is_stop_word("the", "de") and is_stop_word("the")
    assert is_stop_word("的", "zh") and is_stop_word("。", "zh") and not is_stop_word("猫", "zh")
    assert is_stop_word("…", "xx") and not stop_words("xx")
