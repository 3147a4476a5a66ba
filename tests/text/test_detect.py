"""Languages of texts, told from a sentence."""

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


# Sentences of a few words, in which no language is sure.
SHORT = {
    "de": [
        "Die Sitzung fand am 3. Mai 2021 statt.",
        "Der Hafen wurde 1931 eröffnet.",
        "Das Museum zählte 2.400 Gäste.",
        "Im Juni sank ein Boot.",
        "Der Chor probt montags.",
        "Fünf Kinder wurden verletzt.",
    ],
    "fr": [
        "L'usine a brûlé lundi.",
        "Le port a ouvert en 1931.",
        "Trois bateaux ont coulé.",
        "Le maire a démissionné mardi.",
        "La tour mesure 40 mètres.",
        "Elle a vendu deux maisons.",
    ],
    "es": [
        "El puerto abrió en 1931.",
        "La alcaldesa dimitió el martes.",
        "Tres barcos se hundieron.",
        "El museo recibió 2.400 visitas.",
        "La fábrica ardió el lunes.",
        "Vendió dos casas en mayo.",
    ],
    "it": [
        "Il porto aprì nel 1931.",
        "La sindaca si è dimessa martedì.",
        "Tre barche sono affondate.",
        "La torre misura 40 metri.",
        "La fabbrica bruciò lunedì.",
    ],
    "pt": [
        "O porto abriu em 1931.",
        "A fábrica ardeu na segunda-feira.",
        "Três barcos afundaram.",
        "O museu recebeu 2.400 visitas.",
    ],
    "nl": [
        "De haven ging in 1931 open.",
        "De burgemeester trad dinsdag af.",
        "Drie boten zijn gezonken.",
        "De toren is 40 meter hoog.",
        "Het museum telde 2.400 gasten.",
    ],
    "da": ["Havnen åbnede i 1931.", "Tre både sank i maj.", "Borgmesteren gik af i tirsdags."],
    "sv": ["Hamnen öppnade 1931.", "Tre båtar sjönk i maj.", "Tornet är 40 meter högt."],
    "no": ["Havna åpnet i 1931.", "Tre båter sank i mai."],
    "fi": ["Satama avattiin vuonna 1931.", "Kolme venettä upposi."],
    "pl": ["Port otwarto w 1931 roku.", "Trzy łodzie zatonęły."],
    "cs": ["Přístav byl otevřen v roce 1931.", "Tři lodě se potopily."],
    "hu": ["A kikötő 1931-ben nyílt meg.", "Három hajó elsüllyedt."],
    "ro": ["Portul s-a deschis în 1931.", "Trei bărci s-au scufundat."],
    "tr": ["Liman 1931 yılında açıldı.", "Üç tekne battı."],
    "id": ["Pelabuhan dibuka pada tahun 1931.", "Tiga kapal tenggelam."],
    "vi": ["Cảng mở cửa năm 1931."],
    "ca": ["El port va obrir el 1931."],
    "zh": ["会议在5月8日举行。", "三艘船沉没了。"],
    "ja": ["港は1931年に開いた。", "三隻の船が沈んだ。"],
    "ko": ["항구는 1931년에 열렸다."],
    "ru": ["Порт открылся в 1931 году."],
    "uk": ["Порт відкрився у 1931 році."],
    "el": ["Το λιμάνι άνοιξε το 1931."],
    "ar": ["افتتح الميناء عام 1931."],
    "he": ["הנמל נפתח בשנת 1931."],
    "hi": ["बंदरगाह 1931 में खुला।"],
}
SHORT_ENGLISH = (
    "Denmark sent two ships.|Karl Brandt resigned.|Halvorsen took over Tidewater.|Shares rose 8.4 percent.|"
    "Her firm makes pumps.|Peter Holt leads it.|Trains run hourly.|Costs doubled."
)


@pytest.mark.parametrize("language", TEXTS)
def test_the_language_of_a_sentence_is_found(language):
    assert find_language(TEXTS[language]) == language
    assert find_languages(TEXTS["en"], TEXTS[language]) == ("en", language)


@pytest.mark.parametrize("text", ["", "Nein.", "83 %", "Hallo!", "Paris, Lyon, Marseille, Bordeaux, Macron"])
def test_unclear_texts_have_no_language_and_those_of_a_few_letters_the_expected_one(text):
    expected = None if text.startswith("Paris") else "en"
    assert find_language(text) is None and find_languages(text, TEXTS["en"]) == (expected, "en")


@pytest.mark.parametrize("language", SHORT)
def test_a_short_sentence_in_another_language_is_not_read_as_english(language):
    found = [find_languages(text, TEXTS["en"])[0] for text in SHORT[language]]
    assert found.count("en") == (language == "nl")  # "De haven ging in 1931 open."
    expected = {language, None, {"id": "ms"}.get(language)}
    assert set(found) <= expected | {"en"}


def test_a_short_english_sentence_is_read_as_english_beside_english():
    for text in SHORT_ENGLISH.split("|"):
        assert find_languages(text, TEXTS["en"]) == find_languages(text, text) == ("en", "en"), text


def test_a_text_in_no_clear_language_is_in_the_expected_one_if_that_is_likely():
    assert find_languages("Der Chor probt.", "Im Chor.", "de") == ("de", "de")
    assert find_languages("Der Chor probt.", "Im Chor.", "fr") != ("fr", "fr")


def test_a_short_text_beside_another_language_is_in_it_or_in_english():
    assert find_languages("It sold better than ever.", TEXTS["de"]) == ("en", "de")
    assert find_languages("Es verkaufte sich gut.", TEXTS["de"]) == ("de", "de")
    assert find_languages(TEXTS["fr"], "Le vieux pont.") == ("fr", "fr")


def test_english_needs_no_library(monkeypatch):
    monkeypatch.setattr(detect, "_identifier", None)
    assert find_languages(TEXTS["en"], TEXTS["en"]) == ("en", "en")


def test_a_repeated_word_counts_once():
    assert find_languages("Haus " * 2000, "Haus " * 2000) == find_languages("Haus", "Haus")


def test_the_model_is_read_without_a_temporary_file(monkeypatch, tmp_path):
    whole = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    whole.set_languages([code for code in whole.labels if len(code) == 2])
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "none"))
    detect._identifier.cache_clear()
    for text in TEXTS.values():
        assert detect._identifier().rank(text) == whole.rank(text)
