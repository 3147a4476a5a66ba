"""Languages of texts, told from a sentence."""

import sys
import tempfile

import pytest
from py3langid.langid import MODEL_FILE, LanguageIdentifier
from vorlage.text import detect
from vorlage.text.detect import find_language, find_languages

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


def test_english_and_repeated_words_need_no_library(monkeypatch):
    from vorlage.text import detect

    detect._identifier.cache_clear()
    monkeypatch.setitem(sys.modules, "py3langid.langid", None)
    assert find_languages(TEXTS["en"], TEXTS["en"]) == ("en", "en")
    assert find_languages("dog " * 2000, "dog " * 2000) == (None, None)


def test_the_model_is_read_without_a_temporary_file(monkeypatch, tmp_path):
    whole = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    whole.set_languages([code for code in whole.labels if len(code) == 2])
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "none"))
    detect._identifier.cache_clear()
    for text in TEXTS.values():
        assert detect._identifier().rank(text) == whole.rank(text)
