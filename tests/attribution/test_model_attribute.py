"""Attribution by a trained model: from strings, lists and several documents to sources, and bad inputs."""

import json
import re
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vorlage import InputError, load_model
from vorlage.corpus import stage as corpus
from vorlage.extract import stage as extract
from vorlage.semihmm.train import stage as train

DOCUMENT = "The fast printer of Acme ships in June. It sells the old printer for less. No one asked."
PAIRS = [
    {
        "id": f"p{number}",
        "document": DOCUMENT.replace("Acme", maker).replace("fast", kind),
        "summary": f"{maker} will ship a {kind} printer in June.",
    }
    for number, (kind, maker) in enumerate(
        (k, m) for k in ("fast", "cheap") for m in ("Acme", "Bolt", "Crane")
    )
]


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("attribution")
    (folder / "pairs.jsonl").write_text("".join(json.dumps(pair) + "\n" for pair in PAIRS))
    corpus.main(
        ["--reader", "jsonl", "--path", str(folder / "pairs.jsonl"), "--output", str(folder / "corpus")]
    )
    both = ["--corpus", str(folder / "corpus/corpus.jsonl"), "--extracts", str(folder / "extracts.jsonl")]
    extract.main([*both[:2], "--output", both[3], "--enabled", "false"])
    train.main(
        ["--jump", "relative", *both, "--wordnet", "false", "--encoder", "false", "--iterations", "3"]
        + ["--model", str(folder / "model.npz"), "--em", str(folder / "em.tsv")]
    )
    return load_model(folder / "model.npz")


def test_a_text_is_its_own_source(model):
    found = model.attribute(DOCUMENT, DOCUMENT)
    assert not found.unsupported
    for number, sentence in enumerate(found.sentences):
        assert sentence.sources[0].sentence == number and sentence.sources[0].document == sentence.text
        assert sentence.supported > 0.9
    assert all(span.sources[0].quote == span.quote for span in found.spans)


def test_a_text_of_one_word(model):
    (sentence,) = model.attribute("Printers sell.", "June").sentences
    assert sentence.text == (0, 4)
    (span,) = model.attribute("June", "June").spans
    assert [(source.document, source.quote) for source in span.sources] == [((0, 4), "June")]


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
    assert {source["name"] for source in parts} == {"a", "b"}


def test_lists_count_in_their_sentences_joined(model):
    sentences = ["Acme ships in June.", "It sells\nthe old printer."]
    found = model.attribute(DOCUMENT, sentences)
    joined = "\n".join(sentences)
    assert [joined[slice(*sentence.text)] for sentence in found.sentences] == sentences
    assert all(span.quote == joined[slice(*span.text)] for span in found.spans)
    tokenized = model.attribute(["A printer ."], ["A printer ."], tokenized=True)
    assert tokenized.spans[0].quote == "A printer"


def test_the_words_of_a_span(model):
    found = model.attribute(DOCUMENT, "Acme ships a printer in June.", span=(21, 28))
    assert [(span.quote, span.sources[0].quote) for span in found.spans] == [("in June", "in June")]


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
    for shown, part in zip(data["unsupported"], found.unsupported, strict=True):
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


def test_a_page_and_its_notebook_view(model):
    found = model.attribute(DOCUMENT, "Acme ships.", id="</title>")
    assert "<title>&lt;/title&gt;</title>" in found.to_html()
    assert found.to_html() == model.attribute(DOCUMENT, "Acme ships.", id="</title>").to_html()
    frame = re.fullmatch(
        r'<iframe srcdoc="([^"]*)" sandbox="allow-scripts allow-downloads" [^<>]*></iframe>',
        found._repr_html_(),
    )
    assert unescape(frame[1]) == found.to_html()


WORDS = st.sampled_from(
    ["Acme", "38", "１２", "٣٤", "$", "5m", "0.0", "not", "İstanbul", "\u200b", "No.", "ﬁve"]
)
TEXTS = st.lists(WORDS | st.text(max_size=4), min_size=1, max_size=8).map(" ".join)


@given(TEXTS, TEXTS)
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


@pytest.mark.parametrize(
    ("document", "text", "span", "message"),
    [
        (DOCUMENT, " ", None, "pair x: the text is unusable: empty text; give some text"),
        ("", "Text.", None, "pair x: the document is unusable: empty text; give some text"),
        ({"a": ""}, "Text.", None, "pair x: the document 'a' is unusable: empty text; give some text"),
        ({}, "Text.", None, "pair x: no documents; give at least one"),
        (DOCUMENT, "Text.", (2, 9), "pair x: the span .* is outside of the text, which has 5 characters"),
        (DOCUMENT, 5, None, "pair x: the text must be a string or a list of strings"),
    ],
)
def test_invalid_input_is_an_error(model, document, text, span, message):
    with pytest.raises(InputError, match=message) as error:
        model.attribute(document, text, id="x", span=span)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("processes", [1, 2])
def test_many_attributions_are_those_of_each_in_order(model, processes):
    pairs = [
        (DOCUMENT, "Acme ships in May."),
        {"id": "b", "document": {"x": DOCUMENT, "y": "June came ."}, "summary": "June came."},
        {"id": "c", "document": [DOCUMENT], "summary": ["No one asked."]},
    ] * 7
    given = [
        {"id": str(n), **({"document": p[0], "summary": p[1]} if isinstance(p, tuple) else p)}
        for n, p in enumerate(pairs, start=1)
    ]
    expected = [model.attribute(p["document"], p["summary"], id=p["id"]) for p in given]
    assert list(model.attribute_many(iter(pairs), processes=processes)) == expected
    (found,) = model.attribute_many([("No. 3 is here .", "No. 3 .")], tokenized=True)
    assert found == model.attribute("No. 3 is here .", "No. 3 .", id="1", tokenized=True)


def test_many_attributions_take_pairs_as_they_are_needed(model):
    taken = []
    found = model.attribute_many(taken.append(n) or (DOCUMENT, "June.") for n in range(3))
    next(found)
    assert taken == [0]


@pytest.mark.parametrize(
    ("pair", "says"),
    [
        (("one",), r"pair 2: give \(document, summary\)"),
        ({"document": "one"}, "pair 2: no `summary`"),
        ({"document": {"x": 3}, "summary": "one"}, "pair 2: the document 'x' must be a string"),
        ({"document": {}, "summary": "one"}, "pair 2: no documents"),
        (("one", " "), "pair 2: empty summary"),
    ],
)
@pytest.mark.parametrize("processes", [1, 2])
def test_a_wrong_pair_among_many_is_an_error(model, pair, says, processes):
    with pytest.raises(InputError, match=says):
        list(model.attribute_many([("June.", "June."), pair], processes=processes))
