"""Attribution by a trained model: from strings, lists and several documents to sources, and bad inputs."""

import json
from time import process_time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from vorlage import InputError, load_model
from vorlage.semihmm.decode.load import SHIPPED
from vorlage.views.tables import COLUMNS, by_gravity, source_rows

DOCUMENT = "The fast printer of Acme ships in June. It sells the old printer for less. No one asked."


@pytest.fixture(scope="module")
def model():
    return load_model(SHIPPED / "without-encoder.npz")


def test_a_text_is_its_own_source(model):
    found = model.attribute(DOCUMENT, DOCUMENT)
    assert not found.unsupported
    for number, sentence in enumerate(found.sentences):
        assert sentence.sources[0].sentence == number and sentence.sources[0].document == sentence.text
        assert sentence.linked > 0.9 and sentence.verdict == "supported"
    assert all(span.sources[0].quote == span.quote for span in found.spans)


def test_equal_words_are_looked_up_at_once(model):
    """Each is looked for among all others: 4 million places."""
    model.attribute("dog " * 600, "dog " * 600)  # compiles
    start = process_time()
    found = model.attribute("dog " * 2000, "dog " * 2000)
    assert process_time() - start < 10
    assert {word.state for word in found.words} <= {"elsewhere", "sourced"}


def test_several_documents_are_one_with_places_in_each(model):
    first, second = DOCUMENT[:39], DOCUMENT[40:]
    text = "Acme ships a fast printer in July. It sells the old printer. No one came."
    several = model.attribute({"a": first, "b": second}, text, id="x").to_json()
    one = model.attribute(f"{first}\n{second}", text, id="x").to_json()
    parts = [source for part in (*one["sentences"], *one["spans"]) for source in part["sources"]]
    for part in (*parts, *(part for part in one["unsupported"] if "document" in part)):
        later = part["document"][0] >= 40
        part["name"] = "b" if later else "a"
        if later:
            part["document"] = [place - 40 for place in part["document"]]
            if "sentence" in part:
                part["sentence"] -= 1
    assert several == one
    retrieved = [{"text": first, "metadata": {"source": "a"}}, {"text": second, "metadata": {"source": "b"}}]
    assert model.attribute(retrieved, text, id="x").to_json() == several
    assert {source["name"] for source in parts} == {"a", "b"}


def test_the_viewer_has_the_first_sentence_of_each_page(model):
    documents = {"a.pdf": f"{DOCUMENT}\n\fIt rained.\n\f\fIt snowed.", "b.txt": "It was hot."}
    data = model.attribute(documents, "Acme ships a printer. It snowed.").viewer_data()
    last = len(data["d"]["b"]) - 1
    assert data["d"]["pages"] == [(0, 1), (last - 2, 2), (last - 1, 4), (last, None)]


def test_rows_of_sources_and_findings_have_the_page(model):
    document = "It was hot.\n\fThe mill sold 300 boats.\n\f\fIt snowed."
    found = model.attribute(document, "The mill sold 500 boats. It snowed.")
    rows = [dict(zip(COLUMNS, row, strict=True)) for row in source_rows(found)]
    assert {(row["kind"], row["page"]) for row in rows} == {(None, 2), ("number", 2), (None, 4)}


def check_viewer_data(found):
    """Check that the viewer gets the places of an attribution: their pieces are their quotes."""
    data = json.loads(json.dumps(found.viewer_data()))

    def quote(side, place):
        pieces = range(*place)
        gaps = [" " * (side["g"][k] == "1" and k > place[0]) for k in pieces]
        return "".join(gap + side["w"][k] for gap, k in zip(gaps, pieces, strict=True)).split()

    for shown, part in zip(data["sentences"], found.sentences, strict=True):
        first = data["s"]["b"][shown["sentence"] - 1] if shown["sentence"] else 0
        place = first, data["s"]["b"][shown["sentence"]]
        assert quote(data["s"], place) == found.text.raw[slice(*part.text)].split()
        for source, expected in zip(shown["sources"], part.sources, strict=True):
            ends = [0, *data["d"]["b"]]
            place = ends[source["sentence"]], ends[source["sentence"] + 1]
            assert quote(data["d"], place) == expected.quote.split()
            started = [name for sentence, name in data["d"]["names"] if sentence <= source["sentence"]]
            assert (started or [None])[-1] == expected.name
    for shown, part in zip(data["spans"], found.spans, strict=True):
        assert quote(data["s"], shown["text"]) == part.quote.split()
        assert shown["null"] == pytest.approx(part.null, abs=0.0006)
        for source, expected in zip(shown["sources"], part.sources, strict=True):
            assert quote(data["d"], source["document"]) == expected.quote.split()
            assert source["probability"] == pytest.approx(expected.probability, abs=0.0006)
    for shown, part in zip(data["unsupported"], by_gravity(found.unsupported), strict=True):
        assert quote(data["s"], shown["text"]) == part.quote.split()
        assert (shown["document"] is None) == (part.reason == "no source")


def test_the_viewer_gets_the_places_of_an_attribution(model):
    text = "Acme  ships a fast printer in July. It does not sell\tone. 𝒜 robot! No one asked."
    for found in (
        model.attribute(DOCUMENT, text),
        model.attribute(DOCUMENT, text, span=(5, 40)),
        model.attribute({"a": "𝒜 robot. June.", "b": DOCUMENT}, ["No\none.", "Acme ships."]),
    ):
        assert found.spans
        check_viewer_data(found)


WORDS = st.sampled_from(
    ["Acme", "38", "１２", "٣٤", "$", "5m", "0.0", "not", "İstanbul", "\u200b", "No.", "ﬁve"]
)
TEXTS = st.lists(WORDS | st.text(max_size=4), min_size=1, max_size=8).map(" ".join)


@given(TEXTS, TEXTS)
# Digits that only newer tables of Unicode have.
@example(DOCUMENT, "\U000116d0 boats came in March 20\U000116d0\U000116d0, the \U000116d0th.")
def test_any_text_is_attributed_or_refused(model, document, text):
    try:
        found = model.attribute({"a": DOCUMENT, "b": document}, text)
    except InputError:
        return
    assert json.loads(json.dumps(found.to_json(), allow_nan=False)) == found.to_json()
    for span in found.spans:
        assert text[slice(*span.text)] == span.quote
        for source in span.sources:
            assert {"a": DOCUMENT, "b": document}[source.name][slice(*source.document)] == source.quote
    check_viewer_data(found)


@pytest.mark.parametrize("processes", [1, 2])
def test_many_attributions_are_those_of_each_in_order(model, processes):
    objects = [
        {"id": "a", "document": DOCUMENT, "summary": "Acme ships in May."},
        {"id": "b", "document": {"x": DOCUMENT, "y": "June came ."}, "summary": "June came."},
        {"id": "c", "document": ["June came.", "It went."], "summary": ["No one asked."]},
    ]
    expected = [model.attribute(p["document"], p["summary"], id=p["id"]) for p in objects * 7]
    assert list(model.attribute_many(iter(objects * 7), processes=processes)) == expected
    (attribution,) = model.attribute_many([("No. 3 is here .", "No. 3 .")], tokenized=True)
    assert attribution == model.attribute("No. 3 is here .", "No. 3 .", id="1", tokenized=True)
    with pytest.raises(InputError, match="^pair 2: `document` 'x' must be a string"):
        wrong = {"document": {"x": 3}, "summary": "one"}
        list(model.attribute_many([("June.", "June."), wrong], processes=processes))


def test_many_attributions_take_pairs_as_they_are_needed(model):
    taken = []
    next(model.attribute_many(taken.append(n) or (DOCUMENT, "June.") for n in range(3)))
    assert taken == [0]


DOCUMENTS = {
    "a.txt": "The fast printer of Acme ships in June.",
    "b.txt": "It sells 38 *old* printers for less. No one asked.",
}
TEXT = "Acme ships a fast printer in July.\nIt sells 83 *old* printers."


@pytest.fixture(scope="module")
def found():
    return load_model(SHIPPED / "without-encoder.npz").attribute(DOCUMENTS, TEXT)


def test_print_shows_what_the_terminal_shows(found):
    lines = str(found).splitlines()
    assert lines[0] == "0 of 2 statements supported; 2 to check"
    assert lines[2].startswith("✗ Acme ships a fast printer in [July].")
    assert max(map(len, lines)) <= 80 and "\x1b" not in str(found)


def test_markdown_has_footnotes_for_findings_and_sources(found):
    title, first, second, *notes = found.to_markdown().strip().split("\n\n")
    assert title == "**0 of 2 statements supported; 2 to check**"
    assert first.startswith("✗ Acme ships a fast printer in July[^1].[^2]")
    assert second.startswith("✗ It sells 83[^") and r"\*old\* printers" in second
    assert [note.split(":")[0] for note in notes] == [f"[^{n}]" for n in range(1, len(notes) + 1)]
    assert notes[0].startswith("[^1]: differs (date): “July” ≠ “June”")
    assert notes[1].startswith("[^2]: source: a.txt:1 (0.")
    assert r"sells 38 \*old\* printers for less.”" in notes[-1]


def test_a_table_has_a_row_for_each_word(found):
    table = found.to_dataframe()
    assert list(table["word"]) == [TEXT[slice(*word.text)] for word in found.words]
    assert list(table["state"]) == [word.state for word in found.words]
    row = table[table["word"] == "83"].iloc[0]
    assert (row["kind"], row["severity"], row["document"], row["source"]) == ("number", 3, "b.txt", "38")
    assert (row["sentence"], row["verdict"]) == (1, "unsupported")
    assert table[table["word"] == "Acme"]["kind"].isna().all()


@pytest.mark.parametrize(
    ("text", "verdicts"),
    [
        (
            "Sure, here is a summary:\n\n# The mill\n\n- The mill closed in May [1].",
            ["no statement"] * 2 + ["supported"],
        ),
        ("**The mill did not close in May.**", ["unsupported"]),
        ("```\nThe mill did not close in May.\n```", ["no statement", "unsupported", "no statement"]),
        ("Thanks to the mill the town grew in Oslo.", ["unsupported"]),
        ("I could not find the answer in the text.", ["no statement"]),
    ],
)
def test_what_states_nothing_has_no_verdict(text, verdicts):
    found = load_model(SHIPPED / "without-encoder.npz").attribute(
        "The mill closed in May. The town grew.", text
    )
    assert [sentence.verdict for sentence in found.sentences] == verdicts
    assert ("nothing to check: the text states nothing" in found.notes) == (set(verdicts) == {"no statement"})


# Short pairs in languages that the model does not read: document, text, and what differs.
UNREAD = [
    ("L'usine de Lyon a brûlé lundi.", "L'usine de Lyon a brûlé lundi.", []),
    ("L'usine de Lyon a brûlé lundi.", "L'usine de Metz a brûlé lundi.", ["Metz"]),
    ("Die Sitzung fand am 3. Mai 2021 statt.", "Die Sitzung fand am 3. Mai 2021 statt.", []),
    ("Die Sitzung fand am 3. Mai 2021 statt.", "Die Sitzung fand am 4. Mai 2021 statt.", ["4"]),
    ("Die Reederei kaufte 1.500 Boote.", "Die Reederei kaufte 1500 Boote.", []),
    ("Die Reederei kaufte 1.500 Boote.", "Die Reederei kaufte 15.000 Boote.", ["15.000"]),
    ("Satama avattiin vuonna 1931.", "Satama avattiin vuonna 1931.", []),
    ("Satama avattiin vuonna 1931.", "Satama avattiin vuonna 1913.", ["1913"]),
    ("El museo de Orm recibió 2.400 visitas.", "El museo de Orm recibió 2.400 visitas.", []),
    ("El museo de Orm recibió 2.400 visitas.", "El museo de Sund recibió 2.400 visitas.", ["Sund"]),
    ("会议在5月8日举行。", "会议在5月8日举行。", []),
    ("会议在5月8日举行。", "会议在5月3日举行。", ["3"]),
]


@pytest.mark.parametrize(("document", "text", "expected"), UNREAD)
def test_a_short_text_in_another_language_is_compared_as_characters_and_never_supported(
    model, document, text, expected
):
    found = model.attribute(document, text)
    assert [each.quote for each in found.unsupported if each.severity > 1] == expected
    assert {sentence.verdict for sentence in found.sentences} == {"unsupported" if expected else "unclear"}
    assert "no sentence is called supported" in found.notes[0]


def test_a_lowered_digit_is_a_digit(model):
    document = "The works saved 300 tonnes of CO₂ and much H₂O last year."
    found = model.attribute(document, "The works saved 300 tonnes of CO2 and much H2O last year.")
    assert not found.unsupported and found.sentences[0].verdict == "supported"


@pytest.mark.parametrize(
    ("document", "text"),
    [
        ("Non lo so, Tom.", "Lo so, Tom."),
        ("Han kom ikke i går.", "Han kom i går."),
        ("Tom non ride.", "Tom ride."),
    ],
)
def test_a_text_of_a_few_words_is_read_beside_its_document(model, document, text):
    assert model.attribute(document, text).sentences[0].verdict != "supported"


def test_a_named_language_is_that_of_a_text_in_no_clear_one(model):
    text = "Berlin: 9 Mio. Euro."
    assert model.attribute(text, text, language="en").sentences[0].verdict == "supported"


def test_a_place_and_a_year_in_brackets_are_a_statement(model):
    found = model.attribute(
        "The treaty (Rome 1957) was signed by Holt.", "The treaty (Paris 1951) was signed by Holt."
    )
    assert [part.quote for part in found.unsupported if part.severity > 1] == ["Paris", "1951"]
