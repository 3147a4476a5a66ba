"""Numbers, dates, names and negation that differ from their source are found, and paraphrases are not."""

import pytest
from vorlage.attribution.findings.differences import find_differences
from vorlage.attribution.findings.facts import read_fact
from vorlage.attribution.findings.linked import Linked
from vorlage.attribution.findings.relations import relation
from vorlage.text.tokenize import join_sentences, make_text
from vorlage.text.words import stem


def differences(text, document, *more):
    """The differences as words, where equal words are linked, and the places of `more`."""
    sides = [join_sentences(side.split("\n"), tokenized=True) for side in (text, document)]
    S, D = (side.words for side in sides)
    linked = {t: {j for j, b in enumerate(D) if a.lower() == b.lower()} for t, a in enumerate(S)}
    for a, b in more:
        linked[S.index(a)].add(D.index(b))
    found = find_differences(Linked(*sides, linked))
    return [
        (" ".join(S[slice(*f.text)]), " ".join(D[slice(*(f.document or (0, 0)))]))
        for f in found
        if f.kind not in ("replacement", "addition")
    ]


@pytest.mark.parametrize(
    ("text", "document", "expected"),
    [
        ("It sold 83 ships last year .", "It sold 38 ships last year .", [("83", "38")]),
        ("It opened in October .", "It opened a depot in September .", [("October", "September")]),
        # Too few words around for a counterpart.
        ("It ended in October .", "It opened a depot in September .", [("October", "")]),
        ("The depot opened on Monday .", "The depot opened on Friday .", [("Monday", "Friday")]),
        ("The mayor Karl Lind resigned .", "The mayor Karl Brandt resigned .", [("Lind", "Brandt")]),
        ("Sales rose to $ 5 billion .", "Sales rose to $ 5 million .", [("$ 5 billion", "$ 5 million")]),
        ("The depot opened in 1998 .", "The depot opened in 1997 .", [("1998", "1997")]),
        ("It came 13th of them all .", "It came 21st of them all .", [("13th", "21st")]),
        ("A 19-inch screen is sold .", "A 21-inch screen is sold .", [("19-inch", "21-inch")]),
        ("A 19-inch screen is sold .", "A 21-year-old screen is sold .", [("19-inch", "")]),
        ("It sold 0 ships last year .", "It sold 5 ships last year .", [("0", "5")]),
        ("It sold 1" + "0" * 400 + " ships there .", "It sold 38 ships there .", []),
        # What agrees, or may.
        ("It sold 38 ships last year .", "It sold thirty-eight ships last year .", []),
        ("It sold 40 ships last year .", "It sold 38 ships last year .", []),
        ("It sold 1.5 million ships last year .", "It sold 1,498,322 ships last year .", []),
        ("It sold two dozen ships there .", "It sold 24 ships there .", []),
        ("It sold ships for $ 38 there .", "It sold ships for 41 % there .", [("$ 38", "")]),
        ("The mayor Karl Brand resigned .", "The mayor Karl Brandt resigned .", []),
        ("Mayor Brandt resigned there .", "President Brandt resigned there .", []),
        # The same number elsewhere in the sentence, of something else.
        ("It sold 83 ships last year .", "It sold 38 ships last year , not 83 .", [("83", "38 ships")]),
        ("Nothing here is 83 like that .", "It sold 38 ships last year .", [("83", "")]),
    ],
)
def test_facts(text, document, expected):
    assert differences(text, document) == expected


@pytest.mark.parametrize(
    ("text", "document", "expected"),
    [
        ("The union did not accept it .", "The union did accept it .", [("not accept", "accept")]),
        ("The union did accept it .", "The union did not accept it .", [("accept", "not accept")]),
        ("The union did not accept it .", "The union did never accept it .", []),
        ("Unsafe bridges there .", "Not safe bridges there .", []),
        ("They not only met .", "They met .", []),
        ("The bridge is not safe now .", "The bridge is unsafe now .", []),
        ("The union did not , they said , accept .", "The union did , they said , accept .", []),
    ],
)
def test_negation(text, document, expected):
    assert differences(text, document) == expected


def kinds(text, document):
    """The kinds of the differences of two texts, where words with a common stem are linked in order."""
    here, there = make_text(text), make_text(document)
    linked = {
        t: {j for j, b in enumerate(there.words) if stem(a) == stem(b)} for t, a in enumerate(here.words)
    }
    return {found.kind for found in find_differences(Linked(here, there, linked)) if found.severity > 1}


PORT = """The harbour board has not yet approved the dredging. Mrs Quill criticised Mr Adeyemi over the noise.
Mr Adeyemi apologised. No seals were harmed. The crane lifted eleven containers an hour, down from nineteen
barges in March. Traffic rose by 4.5 percent. The lease runs for six months and costs 90 million euros. Some
pilots signed the letter. The new pier is longer than the old quay. The tunnel may open in June. The chair
is Odile Marchand.""".replace("\n", " ")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The harbour board has approved the dredging.", {"negation"}),
        ("The harbour board has yet to approve the dredging.", set()),
        ("Seals were harmed.", {"negation"}),
        ("Mr Adeyemi criticised Mrs Quill over the noise.", {"role"}),
        ("Mrs Quill apologised.", {"role"}),
        ("The old quay is longer than the new pier.", {"role"}),
        ("Traffic fell by 4.5 percent.", {"opposite"}),
        ("The new pier is shorter than the old quay.", {"opposite"}),
        ("The lease runs for six years.", {"unit"}),
        ("The lease costs 90 million dollars.", {"unit"}),
        ("The lease costs 90 billion euros.", {"number"}),
        ("The crane lifted nineteen containers an hour.", {"number"}),
        ("All pilots signed the letter.", {"quantity"}),
        ("The tunnel opens in June.", {"hedge"}),
        ("The tunnel may open in June.", set()),
        ("The chair is Denise Marchand.", {"name"}),
        ("The crane is 37 years old.", {"number"}),
    ],
)
def test_kinds_of_differences(text, expected):
    assert kinds(text, PORT) == expected


@pytest.mark.parametrize(
    ("word", "other", "expected"),
    [
        ("rose", "fell", "antonym"),
        ("unfair", "fair", "antonym"),
        ("larger", "smaller", "antonym"),
        ("opened", "close", "antonym"),
        ("asked", "asking", "same"),
        ("inquired", "asked", "synonym"),
        ("vehicle", "lorry", "broader"),
        ("lorry", "vehicle", "narrower"),
        ("seal", "euro", "none"),
    ],
)
def test_relations_of_words(word, other, expected):
    assert relation(word, other) == expected


def test_a_name_spelled_differently_is_found():
    link = ("Marchant", "Marchand")
    assert differences("It was Marchant .", "It was Marchand .", link) == [link]


def test_neighbours_are_one_difference():
    text, document = "The mayor Erik Lind resigned in May .", "The mayor Karl Brandt resigned in May ."
    assert differences(text, document) == [("Erik Lind", "Karl Brandt")]


def test_other_languages_have_numbers_and_dates_only():
    text = join_sentences(["Der Chef Karl Lind verkaufte 83 Schiffe im Oktober ."], True, "de")
    document = join_sentences(["Der Chef Karl Brandt verkaufte 38 Schiffe im September ."], True, "de")
    linked = {t: {t} for t in range(10) if text.words[t] == document.words[t]}
    assert [found.text for found in find_differences(Linked(text, document, linked))] == [(5, 6), (8, 9)]


@pytest.mark.parametrize(
    ("words", "kind", "value", "unit"),
    [
        (["38"], "number", 38, 1),
        (["1,200"], "number", 1200, 100),
        (["$", "4.2", "million"], "amount", 4.2e6, 1e5),
        (["£2,000"], "amount", 2000, 1000),
        (["$5m"], "amount", 5e6, 1e6),
        (["5bn"], "number", 5e9, 1e9),
        (["eight", "hundred", "thousand"], "number", 800000, 1e5),
        (["thirty-eight", "percent"], "percentage", 38, 1),
        (["38", "per", "cent"], "percentage", 38, 1),
        (["1997"], "year", 1997, 0),
        (["21st"], "ordinal", 21, 1),
        (["27-year-old"], "number-year-old", 27, 1),
        (["one"], None, None, None),
        (["Sept."], "month", 8, 0),
        (["may"], None, None, None),
        (["tuesday"], "weekday", 1, 0),
        (["A", "Brandt"], "name", "brandt", 0),
        (["Brandt"], None, None, None),  # every sentence starts with a capital
    ],
)
def test_what_a_word_states(words, kind, value, unit):
    place = next((place for place, word in enumerate(words) if word not in ("$", "A")), 0)
    fact = read_fact(words, place, 0, "en")
    assert (fact is None) == (kind is None)
    if fact:
        assert fact[:2] == (kind, value)
        assert fact.unit == pytest.approx(unit)


@pytest.mark.parametrize(
    ("language", "document", "text", "different"),
    [
        ("de", "Die Reparatur kostet 1,4 Millionen Euro", "The repair costs €1.4 million", []),
        ("de", "Die Reparatur kostet 1,4 Millionen Euro", "The repair costs 2.4 million euros", [(3, 5)]),
        ("de", "Die Stadt hat 12.500 Einwohner", "The town has 12,500 inhabitants", []),
        ("de", "Es kamen im Juni zwölf Leute", "Twelve people came in July", [(4, 5)]),
        ("fr", "La ville compte 12 500 habitants", "The town has 12,500 inhabitants", []),
        ("fr", "La ville compte 12 600 habitants", "The town has 12,500 inhabitants", [(3, 4)]),
        ("zh", "维修 费用 为 140 万 欧元", "The repair costs 1.4 million euros", []),
    ],
)
def test_numbers_and_dates_are_compared_across_languages(language, document, text, different):
    sides = join_sentences([text], True), join_sentences([document], True, language)
    ends = len(sides[0].words) - 1, len(sides[1].words) - 1
    linked = {0: {0}, 1: {1}, 2: {2}, ends[0]: {ends[1]}}
    assert [found.text for found in find_differences(Linked(*sides, linked))] == different


def test_scales_of_unknown_languages_do_not_count():
    text, document = ["It costs 1.4 million"], ["Es kostet 1,4 Millionen"]
    sides = join_sentences(text, True), join_sentences(document, True, "xx")
    assert not list(find_differences(Linked(*sides, {0: {0}, 1: {1}, 3: {3}})))


@pytest.mark.parametrize(
    ("language", "words", "kind", "value"),
    [
        ("de", "12.500", "number", 12500),
        ("de", "drei Millionen", "number", 3e6),
        ("de", "einundzwanzig", "number", 21),
        ("de", "März", "month", 2),
        ("fr", "12 500", "number", 12500),
        ("fr", "quatre-vingts", "number", 80),
        ("fr", "vingt et un", "number", 21),
        ("es", "treinta y cinco", "number", 35),
        ("ro", "20 de milioane", "number", 2e7),
        ("ja", "三 十 五", "number", 35),
        ("ja", "7 月", "month", 6),
        ("zh", "140 万", "number", 1.4e6),
        ("zh", "七月", "month", 6),
        ("la", "viginti", None, None),
        ("xx", "12", "number", 12),
    ],
)
def test_numbers_and_dates_are_read_as_their_language_writes_them(language, words, kind, value):
    facts = (read_fact(words.split(), place, 0, language) for place in range(len(words.split())))
    first, *rest = facts
    assert (first and first[:2]) == (kind and (kind, value))
    assert not any(fact and fact.kind == kind for fact in rest)
