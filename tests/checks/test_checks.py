"""Numbers, dates, names and negation that differ from their source are found, and paraphrases are not."""

from difflib import SequenceMatcher

import pytest
from vorlage.attribution.reading import read_pair
from vorlage.checks.check import check
from vorlage.checks.dates import Code, Date, Time
from vorlage.checks.facts import read_statements
from vorlage.checks.names import Name
from vorlage.checks.quantities import Quantity
from vorlage.checks.relations import relation
from vorlage.text.tokenize import make_text
from vorlage.text.words import stem


def links(text, document):
    """Link equal words, and those of stretches of one length that stand in each other's place."""
    T, D = ([stem(word) for word in side] for side in (text, document))
    linked = {t: {j for j, b in enumerate(D) if a == b} for t, a in enumerate(T)}
    for kind, first, end, start, stop in SequenceMatcher(None, T, D, autojunk=False).get_opcodes():
        if kind == "replace" and end - first == stop - start:
            for t, j in zip(range(first, end), range(start, stop), strict=True):
                linked[t] = linked[t] or {j}
    return linked


def differences(text, document):
    """The words that differ, and what they differ from."""
    sides = [make_text(side.split("\n"), tokenized=True) for side in (text, document)]
    S, D = (side.words for side in sides)
    return [
        (" ".join(S[slice(*f.text)]), " ".join(D[slice(*(f.document or (0, 0)))]))
        for f in check(read_pair(*sides, links(S, D)))
        if f.kind not in ("replacement", "addition", "frame")
    ]


@pytest.mark.parametrize(
    ("text", "document", "expected"),
    [
        ("It sold 83 ships last year .", "It sold 38 ships last year .", [("83", "38")]),
        ("It opened in October .", "It opened a depot in September .", [("October", "September")]),
        ("The depot opened on Monday .", "The depot opened on Friday .", [("Monday", "Friday")]),
        ("The mayor Karl Lind resigned .", "The mayor Karl Brandt resigned .", [("Lind", "Brandt")]),
        ("Sales rose to $ 5 billion .", "Sales rose to $ 5 million .", [("$ 5 billion", "$ 5 million")]),
        ("The depot opened in 1998 .", "The depot opened in 1997 .", [("1998", "1997")]),
        ("It came 13th of them all .", "It came 21st of them all .", [("13th", "21st")]),
        ("A 19-inch screen is sold .", "A 21-inch screen is sold .", [("19-inch", "21-inch")]),
        ("A 19-inch screen is sold .", "A 21-year-old screen is sold .", []),
        ("It sold 0 ships last year .", "It sold 5 ships last year .", [("0", "5")]),
        ("It sold 1" + "0" * 400 + " ships there .", "It sold 38 ships there .", []),
        # What agrees, or may.
        ("It sold 38 ships last year .", "It sold thirty-eight ships last year .", []),
        ("It sold 40 ships last year .", "It sold 38 ships last year .", [("40", "38")]),
        ("It sold about 40 ships last year .", "It sold 38 ships last year .", []),
        ("It sold 1.5 million ships last year .", "It sold 1,498,322 ships last year .", []),
        ("It sold two dozen ships there .", "It sold 24 ships there .", []),
        ("It sold ships for $ 38 there .", "It sold ships for 41 % there .", []),
        ("The mayor Karl Brand resigned .", "The mayor Karl Brandt resigned .", []),
        ("Mayor Brandt resigned there .", "President Brandt resigned there .", []),
        # The same number elsewhere in the sentence, of something else.
        ("It sold 83 ships last year .", "It sold 38 ships last year , not 83 .", [("83", "38")]),
        ("It sold 83 of them .", "It sold ships there last year .", [("83", "")]),
        # Names at the beginning, before the same last name, and of the document elsewhere.
        ("Norway sent two ships .", "Denmark sent two ships .", [("Norway", "Denmark")]),
        ("Peter Brandt resigned there .", "Karl Brandt resigned there .", [("Peter", "Karl")]),
        (
            "The quay of Sella was paid for .",
            "The quay of Marle was paid for .\nSella slept .",
            [("Sella", "Marle")],
        ),
        ("A Danish firm sent two ships .", "A firm from Denmark sent two ships .", []),
        ("The guards of Orm slept .", "The watchmen of Orm slept .", []),
    ],
)
def test_facts(text, document, expected):
    assert differences(text, document) == expected


@pytest.mark.parametrize(
    ("text", "document", "expected"),
    [
        ("The union did not accept it .", "The union did accept it .", [("not accept", "accept")]),
        ("The union did accept it .", "The union did not accept it .", [("did accept", "not accept")]),
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
    """The kinds of the differences of two texts."""
    here, there = make_text(text), make_text(document)
    found = check(read_pair(here, there, links(here.words, there.words)))
    return {each.kind for each in found if each.severity > 1}


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
        ("rose", "fell", "opposite"),
        ("unfair", "fair", "opposite"),
        ("larger", "smaller", "opposite"),
        ("opened", "close", "opposite"),
        ("asked", "asking", "same"),
        ("inquired", "asked", "synonym"),
        ("vehicle", "lorry", "broader"),
        ("lorry", "vehicle", "narrower"),
        ("seal", "euro", "none"),
        ("small", "massive", "opposite"),
        ("mrs.", "mr.", "opposite"),
        ("week", "month", "exclusive"),
        ("violin", "cello", "exclusive"),
        ("pump.log", "valve.log", "exclusive"),
        ("max_depth", "min_depth", "exclusive"),
        ("short-term", "long-term", "opposite"),
        ("café", "cafe", "same"),
    ],
)
def test_relations_of_words(word, other, expected):
    assert relation(word, other) == expected


def test_a_name_spelled_differently_is_found():
    assert differences("It was Marchant .", "It was Marchand .") == [("Marchant", "Marchand")]


@pytest.mark.parametrize(
    ("name", "source", "is_respelled"),
    [("kiev", "kyiv", True), ("zurich", "zürich", True), ("oeuvre", "œuvre", True), ("lee", "lie", False)],
)
def test_transliterations_and_accents_are_spelling(name, source, is_respelled):
    assert Name(name).is_respelled(Name(source)) == is_respelled


def test_neighbours_are_one_difference():
    text, document = "The mayor Erik Lind resigned in May .", "The mayor Karl Brandt resigned in May ."
    assert differences(text, document) == [("Erik Lind", "Karl Brandt")]


def test_other_languages_have_numbers_and_dates_only():
    text = make_text(["Der Chef Karl Lind verkaufte 83 Schiffe im Oktober ."], True, "de")
    document = make_text(["Der Chef Karl Brandt verkaufte 38 Schiffe im September ."], True, "de")
    linked = {t: {t} for t in range(10)}
    assert [found.text for found in check(read_pair(text, document, linked))] == [(5, 6), (8, 9)]


def read(sentence, language="en"):
    """What a sentence states."""
    text = make_text([sentence], language != "en", language)
    return [fact.value for fact in read_statements(read_pair(text, text, {})).text.facts]


@pytest.mark.parametrize(
    ("written", "value", "unit"),
    [
        ("38 ships", 38, ""),
        ("1,200 ships", 1200, ""),
        ("1\u202f200 ships", 1200, ""),
        ("$4.2 million", 4.2e6, "dollar"),
        ("\xa32,000", 2000, "pound"),
        ("\u20ac5m", 5e6, "euro"),
        ("five euros", 5, "euro"),
        ("5bn", 5e9, ""),
        ("12.4k", 12400, ""),
        ("eight hundred thousand", 800000, ""),
        ("one hundred and five", 105, ""),
        ("half a million", 5e5, ""),
        ("two dozen", 24, ""),
        ("thirty-eight percent", 38, "%"),
        ("38 per cent", 38, "%"),
        ("two thirds of it", 200 / 3, "%"),
        ("3/4 of it", 75, "%"),
        ("it doubled", 100, "%"),
        ("one in five", 20, "%"),
        ("2\u00bd hours", 2.5, "hour"),
        ("an hour and a half", 1.5, "hour"),
        ("an eighth of them", 12.5, "%"),
        ("2000 euros", 2000, "euro"),
        ("a 27-year-old", 27, "year"),
        ("\u22125 degrees", -5, "degree"),
        ("250 \xb5g", 250, "mcg"),
        ("68 \xb0F", 68, "\xb0f"),
    ],
)
def test_quantities(written, value, unit):
    (quantity,) = read(written)
    assert isinstance(quantity, Quantity)
    assert (quantity.value, quantity.unit) == (pytest.approx(value), unit)


@pytest.mark.parametrize(
    ("text", "source", "agree"),
    [
        ("0.25 g", "250 mg", True),
        ("250 mcg", "250 mg", False),
        ("24 months", "two years", True),
        ("20 \xb0C", "68 \xb0F", True),
        ("five euros", "$5", False),
        ("25 percent", "a quarter of it", True),
        ("nearly 12,500", "12,400", True),
        ("fewer than 13,000", "12,400", True),
        ("fewer than 12,000", "12,400", False),
        ("at least 40", "up to 40", False),
        ("40", "at least 40", True),
        ("more than 30", "at least 40", True),
        ("over 1,400", "over 14,000", False),
        ("1.4 million", "1,380,000", True),
        ("ten", "nine", False),
        ("50", "47", False),
        ("about 50", "47", True),
        ("around 3,000", "around 2,900", False),
        ("\xa340", "from 25 to 40 pounds", True),
        ("every day", "twice a week", False),
        ("daily", "seven times a week", True),
        ("7 million", "between 5 and 10 million", True),
        ("3-5 days", "3 to 5 weeks", False),
        ("0 to 5 km", "3 km", False),
        ("18 to 35 percent", "18 to 25 percent", False),
        ("18-25 percent", "18 to 25 percent", True),
        ("5 percent", "5 percentage points", False),
        ("40 m\xb2", "40 m\xb3", False),
        ("by 44 crowns", "to 44 crowns", False),
        ("40 litres an hour", "40 litres a second", False),
        ("900 euros per tree", "900 euros per hectare", False),
        ("250mg/10ml", "250mg/5ml", False),
        ("twice daily", "every twelve hours", True),
        ("every other day", "every two days", True),
        ("about 12 million litres", "about 12,000 cubic metres", True),
        ("hundreds", "some 230", True),
        ("thousands", "some 230", False),
        ("not longer than two metres", "two metres or less", True),
    ],
)
def test_quantities_that_agree(text, source, agree):
    assert read(text)[0].agrees(read(source)[0]) == agree


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("It was 2021-03-04", Date(2021, 2, 4)),
        ("on 4 March 2021", Date(2021, 2, 4)),
        ("on March 4, 2021", Date(2021, 2, 4)),
        ("on 3/4/21", Date(2021, 3, 3, swapped=True)),
        ("in Sept. 2020", Date(2020, 8)),
        ("in the 1980s", Date(decade=1980)),
        ("in the third quarter of 2020", Date(2020, quarter=3)),
        ("on Tuesdays", Date(weekday=1)),
        ("in 1997", Date(1997)),
        ("at 5.30 pm", Time(17 * 60 + 30, False)),
        ("at half past five", Time(5 * 60 + 30, True)),
        ("the 21st", Code("ordinal", "21")),
        ("it won 3\u20131", Code("-", "3-1")),
        ("flight BA123", Code("ba", "ba123")),
        ("King Henry VIII ruled", Code("henry", "viii")),
        ("on the twenty-first of May", Date(month=4, day=21)),
        ("from 2007\u201311", Date(2007, end=2011)),
        ("it came third", Code("ordinal", "3")),
        ("so Brandt came", Name("brandt")),
        ("Brandt came", Name("brandt")),
    ],
)
def test_dates_times_codes_and_names(written, value):
    assert read(written)[-1] == value


@pytest.mark.parametrize(
    "written", ["one of us", "may it be", "they won games", "Nurses sat", "it IS so", "[1] so"]
)
def test_what_states_no_value(written):
    assert read(written) == []


@pytest.mark.parametrize(
    ("text", "source", "agree"),
    [
        ("on 4 April 2021", "on 2021-03-04", False),
        ("in March 2021", "on 4/3/2021", True),
        ("in the 1990s", "in 1994", True),
        ("in May 2020", "in the second quarter", True),
        ("at 17:30", "at 5.30 p.m.", True),
        ("at 5 am", "at 5 pm", False),
        ("won 1-3", "won 3-1", False),
        ("in 2012-14", "in 2012\u201313", False),
        ("last week", "next week", False),
        ("tomorrow", "two years ago", False),
        ("a week ago", "last week", True),
    ],
)
def test_dates_that_agree(text, source, agree):
    assert read(text)[-1].agrees(read(source)[-1]) == agree


@pytest.mark.parametrize(
    ("language", "document", "text", "different"),
    [
        ("de", "Die Reparatur kostet 1,4 Millionen Euro", "The repair costs €1.4 million", []),
        ("de", "Die Reparatur kostet 1,4 Millionen Euro", "The repair costs 2.4 million euros", [(3, 6)]),
        ("de", "Die Stadt hat 12.500 Einwohner", "The town has 12,500 inhabitants", []),
        ("de", "Es kamen zwölf Leute im Juni", "Twelve people came in July", [(4, 5)]),
        ("fr", "La ville compte 12 500 habitants", "The town has 12,500 inhabitants", []),
        ("fr", "La ville compte 12 600 habitants", "The town has 12,500 inhabitants", [(3, 4)]),
        ("zh", "维修 费用 为 140 万 欧元", "The repair costs 1.4 million euros", []),
    ],
)
def test_numbers_and_dates_are_compared_across_languages(language, document, text, different):
    sides = make_text([text], True), make_text([document], True, language)
    ends = len(sides[0].words) - 1, len(sides[1].words) - 1
    linked = {0: {0}, 1: {1}, 2: {2}, 3: {3}, 4: {4}, ends[0]: {ends[1]}}
    assert [found.text for found in check(read_pair(*sides, linked))] == different


def test_scales_of_unknown_languages_do_not_count():
    text, document = ["It costs 1.4 million"], ["Es kostet 1,4 Millionen"]
    sides = make_text(text, True), make_text(document, True, "xx")
    assert not list(check(read_pair(*sides, {0: {0}, 1: {1}, 3: {3}})))


@pytest.mark.parametrize(
    ("language", "words", "value"),
    [
        ("de", "12.500", 12500),
        ("de", "drei Millionen", 3e6),
        ("de", "einundzwanzig", 21),
        ("de", "M\u00e4rz", Date(month=2)),
        ("fr", "12 500", 12500),
        ("fr", "quatre-vingts", 80),
        ("fr", "vingt et un", 21),
        ("es", "treinta y cinco", 35),
        ("ro", "20 de milioane", 2e7),
        ("ja", "\u4e09 \u5341 \u4e94", 35),
        ("ja", "7 \u6708", Date(month=6)),
        ("zh", "140 \u4e07", 1.4e6),
        ("zh", "\u4e03\u6708", Date(month=6)),
        ("la", "viginti", None),
        ("xx", "12", 12),
    ],
)
def test_numbers_and_dates_are_read_as_their_language_writes_them(language, words, value):
    values = [each.value if isinstance(each, Quantity) else each for each in read(words, language)]
    assert values == ([] if value is None else [value])


@pytest.mark.parametrize(
    ("text", "document", "is_equal"),
    [
        ("a third", "33 percent", True),
        ("33 percent", "a third", True),
        ("67 percent", "two thirds", True),
        ("66.7 percent", "two thirds", True),
        ("1/3", "33%", True),
        ("half", "50%", True),
        ("two thirds", "57 percent", False),
        ("66.4 percent", "two thirds", False),
        ("a third", "30 percent", False),
        ("a quarter", "30 percent", False),
        ("a third", "a third", True),
        ("a fifth", "a sixth", False),
        ("32 percent", "1/3", False),
    ],
)
def test_a_fraction_is_a_percentage_that_rounds_it(text, document, is_equal):
    found = differences(f"Sales fell by {text} in May .", f"Sales fell by {document} in May .")
    assert (found == []) == is_equal


@pytest.mark.parametrize(
    ("text", "document", "expected"),
    [
        ("It sold 25 fewer ships", "It sold 335 ships in May and 310 in June .", "calculated"),
        ("It sold 35 fewer ships", "It sold 335 ships in May and 310 in June .", "number"),
        ("The price fell by 380 in May .", "The price fell from 900 to 520 in May .", "calculated"),
        ("The price fell by 520 in May .", "The price fell from 900 to 520 in May .", "number"),
        ("Nearly two thirds of the ships were sold", "Of the 94 ships , 60 were sold .", "calculated"),
        ("The ship sails in April 2030", "In April 2027 the ship was sold for three years .", "calculated"),
        ("It sold 335 ships", "It sold 335 ships in May and 310 in June .", None),
    ],
)
def test_what_follows_by_arithmetic_is_calculated(text, document, expected):
    here, there = make_text(text), make_text(document)
    found = check(read_pair(here, there, links(here.words, there.words)))
    kinds = {each.kind for each in found if each.kind in ("calculated", "number", "date")}
    assert kinds == ({expected} if expected else set())


def test_a_third_party_is_no_fraction():
    text, document = (f"It was sold by a {nth} party in May ." for nth in ("third", "second"))
    assert differences(text, document) == [("third", "second")]


@pytest.mark.parametrize(
    ("name", "source", "is_misspelled"),
    [
        ("canada", "canadian", False),
        ("mexican", "mexico", False),
        ("rome", "roman", False),
        ("morocco", "moroccan", False),
        ("kenya", "kenyan", False),
        ("peruvian", "peru", False),
        ("regan", "reagan", True),
        ("brandt", "bramdt", True),
        ("mexcio", "mexico", True),
        ("maria", "marie", True),
        ("canadien", "canadian", True),
        ("belgian", "belgium", False),
    ],
)
def test_the_name_of_a_people_is_no_spelling_of_its_place(name, source, is_misspelled):
    assert Name(name).is_misspelled(Name(source)) == is_misspelled
