"""Texts in other languages than English."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vorlage.text.detect import find_language, find_languages
from vorlage.text.tokenize import _tokenizer, make_text
from vorlage.text.tokenized import Text
from vorlage.text.words import is_stop_word, stem, stop_words

SENTENCES = {
    "de": ["Am 3. Mai, z. B. in Bonn, war's ruhig.", "Die EU-Richtlinie gilt!", "„Gut“, sagte er."],
    "fr": ["L'homme qu’elle connaît est venu.", "A-t-il mangé ?"],
    "ru": ["Он пришёл домой.", "Она ушла?"],
    "ar": ["ذهب الولد إلى المدرسة.", "هل عاد؟", "نعم."],
    "hi": ["यह एक किताब है।", "वह घर गया।"],
    "zh": ["我喜欢猫。", "你呢？", "“好。”", "他说。"],
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
    found = ["".join(words) for words in text.sentence_words()]
    assert found == [sentence.replace(" ", "") for sentence in SENTENCES[language]]
    assert text.sentence_words()[0] == TOKENS[language].split()
    assert Text.from_json(text.to_json()) == text and text.to_json()["language"] == language
    sentences = make_text(SENTENCES[language], language=language)
    assert [words for words in sentences.sentence_words()] == text.sentence_words()


@pytest.mark.parametrize("language", SEGMENTED)
def test_chinese_and_japanese_are_cut_into_words(language, monkeypatch):
    package, words = SEGMENTED[language]
    pytest.importorskip(package, reason=f"{package} is not installed; `make languages` installs it")
    monkeypatch.undo()
    _tokenizer.cache_clear()
    text = make_text("".join(SENTENCES[language]) + " GPT-4, 22 km", language=language)
    assert text.sentence_words()[0] == words.split() and text.words[-4:] == ["GPT-4", ",", "22", "km"]
    assert "".join("".join(text.words).split()) == "".join(text.raw.split())


@given(st.text(), st.sampled_from([*SENTENCES, "th", "xx"]))
def test_tokens_hold_every_character_but_white_space(raw, language):
    text = make_text(raw, language=language)
    assert "".join("".join(text.words).split()) == "".join(raw.split())
    assert [text.raw[start:end] for start, end in text.tokens] == text.words
    covered = [word for words in text.sentence_words() for word in words]
    assert covered == text.words


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


TEXTS = {
    "en": "Die-casting firm Mueller said on Tuesday that it was to sell the plant in Bonn to its rival.",
    "de": "Der Stadtrat hat am Dienstag beschlossen, die alte Brücke nicht abzureißen.",
    "fr": "Le conseil municipal a décidé mardi de ne pas démolir le vieux pont.",
    "es": "El ayuntamiento decidió el martes no derribar el viejo puente.",
    "nl": "De gemeenteraad heeft dinsdag besloten de oude brug niet te slopen.",
    "pl": "Rada miasta postanowiła we wtorek nie burzyć starego mostu.",
    "ru": "Городской совет во вторник решил не сносить старый мост.",
    "ar": "قرر المجلس البلدي يوم الثلاثاء عدم هدم الجسر القديم بل إصلاحه.",
    "hi": "नगर परिषद ने मंगलवार को पुराने पुल की मरम्मत करने का निर्णय लिया।",
    "zh": "改建工程预计花费一亿两千万元，明年九月完工。",
    "ja": "市議会は火曜日、古い橋を取り壊さないことを決めた。",
    "ko": "시의회는 화요일에 오래된 다리를 철거하지 않기로 결정했다.",
}


@pytest.mark.parametrize("language", TEXTS)
def test_the_language_of_a_sentence_is_found(language):
    assert find_language(TEXTS[language]) == language
    assert find_languages(TEXTS["en"], TEXTS[language]) == ("en", language)


@pytest.mark.parametrize(
    "text", ["", "Nein, danke.", "83 %", "Paris, Lyon, Marseille, Bordeaux, Macron, Mélenchon"]
)
def test_short_and_unclear_texts_have_no_language(text):
    assert find_language(text) is None and find_languages(text, TEXTS["en"]) == (None, "en")


def test_a_short_text_beside_another_language_is_in_it_or_in_english():
    assert find_languages("It sold better than ever.", TEXTS["de"]) == ("en", "de")
    assert find_languages("Es verkaufte sich gut.", TEXTS["de"]) == ("de", "de")
    assert find_languages(TEXTS["fr"], "Le vieux pont.") == ("fr", "fr")
