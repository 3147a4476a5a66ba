"""The view of attributions: sources of a text, and what is unsupported."""

import json
from dataclasses import replace

import pytest
from pages import marked, part, press, wait_for
from vorlage.alignments.sources import AttributedSpan, Source
from vorlage.api.trained_model import Attribution
from vorlage.attribution.result import (
    AttributedSentence,
    AttributedWord,
    Citation,
    Documents,
    Unsupported,
)
from vorlage.text.tokenize import make_text
from vorlage.views.viewer import viewer_page

pytestmark = pytest.mark.slow
FILLER = "Nothing else happened on that day. " * 60
DOCUMENTS = {
    "first.txt": f"The ferry left at 38. {FILLER}Fog came.",
    "second.txt": f"{FILLER}The boat was late.",
}
TEXT = "The ferry left at 83. Fog made it late. Nobody cheered."


def attributed(id="one", names=tuple(DOCUMENTS), ferry="ferry"):
    """Return an attribution made by hand: 83 differs, and the last sentence has no source."""
    texts = [document.replace("ferry", ferry) for document in DOCUMENTS.values()]
    documents, text = dict(zip(names, texts, strict=True)), TEXT.replace("ferry", ferry)

    def source(name, quote, sentence, probability):
        start = documents[name].index(quote)
        return Source(name, (start, start + len(quote)), quote, sentence, probability)

    def span(quote):
        start = text.index(quote)
        return start, start + len(quote)

    first, second = documents
    ends = [text.index(". ") + 1, text.rindex(". ") + 1, len(text)]
    fog = source(first, "Fog", 61, 0.55), source(second, "late", 60, 0.25)
    left = source(first, f"{ferry} left at 38", 0, 0.9)
    sentences = (
        AttributedSentence(
            (0, ends[0]), 0.1, 0.95, "unsupported", (source(first, f"The {ferry} left at 38.", 0, 0.95),)
        ),
        AttributedSentence(
            (ends[0] + 1, ends[1]), 0.9, 0.8, "supported", (source(first, "Fog came.", 61, 0.5),)
        ),
        AttributedSentence((ends[1] + 1, ends[2]), 0.4, 0.07, "unclear", ()),
    )
    spans = (
        AttributedSpan(span(f"{ferry} left at 83"), f"{ferry} left at 83", 0.1, (left,)),
        AttributedSpan(span("Fog"), "Fog", 0.2, fog),
    )
    place = documents[first].index("38")
    unsupported = (
        Unsupported(
            *(span("83"), "83", 0.1, "differs", "number", 3, "“83” ≠ “38”", first, (place, place + 2))
        ),
        Unsupported(span("Nobody cheered"), "Nobody cheered", 0.93, "no source", "no source", 1, "no source"),
    )
    words = (
        AttributedWord(span("made"), "elsewhere", 0.5, second, 60),
        AttributedWord(span("83"), "differs", 0.1),
    )
    attributed = sentences, spans, words, unsupported
    return Attribution(id, 0.1, *attributed, (), make_text(text), Documents.merge(documents))


@pytest.fixture
def page(open_page, tmp_path):
    (tmp_path / "page.html").write_text(attributed().to_html())
    return open_page(tmp_path / "page.html")


def is_in_view(element):
    return element.evaluate(
        """e => {
            const box = e.getBoundingClientRect(), pane = e.closest(".reading").getBoundingClientRect();
            return box.top >= Math.max(pane.top, 0) && box.bottom <= Math.min(pane.bottom, innerHeight);
        }"""
    )


def test_a_click_shows_the_sources_of_a_passage(page, open_page, tmp_path):
    part(page, "summary").get_by_text("Fog", exact=True).click()
    hits, detail = part(page, "document").locator(".word.hit"), part(page, "detail")
    assert hits.all_inner_texts() == ["Fog", "late"]
    assert is_in_view(hits.first) and not is_in_view(hits.last)
    assert [line.split() for line in detail.locator("li").all_inner_texts()] == [
        ["0.55", "“Fog”", "first.txt:62"],
        ["0.25", "“late”", "second.txt:61"],
        ["0.20", "no", "source"],
    ]
    detail.get_by_role("button", name="late").click()
    assert is_in_view(hits.last) and not is_in_view(hits.first)
    # The address restores the passage, which stays until another one is chosen.
    again = open_page(tmp_path / "page.html", "#" + page.url.split("#")[1])
    again.wait_for_selector(".word.active")
    assert part(again, "detail").inner_text() == detail.inner_text()
    part(page, "summary").get_by_text("ferry left at").hover()
    assert "“Fog” comes from" in detail.inner_text()
    press(page, "Escape")
    assert hits.count() == 0


def test_what_is_unsupported_is_listed_with_its_places(page):
    assert part(page, "status").inner_text() == "1 of 3 statements supported; 2 to check"
    findings = page.locator(".sentence .say")
    page.get_by_text("words to check: “Nobody cheered”").click()
    texts = [" ".join(text.split()) for text in findings.all_inner_texts()]
    assert texts == ["●●● differs “83” ≠ “38”", "●○○ to check “Nobody cheered”"]
    assert page.get_by_role("img", name="severity 3 of 3").count() == 1
    assert part(page, "summary").get_by_text("made", exact=True).get_attribute("title") == (
        "stands elsewhere: second.txt:61"
    )
    findings.first.click()
    assert marked(page, "contradicts", "document") == ["38"]
    assert page.evaluate("document.activeElement.textContent") == "83"
    assert marked(page, "active", "summary") == ["ferry left at", "83"]
    findings.last.click()
    assert marked(page, "active", "summary") == ["Nobody cheered"]
    assert part(page, "document").locator(".hit, .contradicts").count() == 0


def test_sentences_have_their_support_and_sources(page):
    lines = part(page, "summary").locator(".support")
    assert [" ".join(text.split()) for text in lines.all_inner_texts()] == [
        "✗ supported 0.10 95 % sourced first.txt:1 0.95",
        "✓ supported 0.90 80 % sourced first.txt:62 0.50",
        "? supported 0.40 7 % sourced",
    ]
    # A bar is as long as the probability, and marks where a sentence begins to be unclear.
    gauges = lines.locator(".gauge")
    scale = "all => all.map(e => ['--share', '--least'].map(name => e.style.getPropertyValue(name)))"
    assert gauges.evaluate_all(scale) == [["0.1", "0.35"], ["0.9", "0.35"], ["0.4", "0.35"]]
    # What does not reach it is marked, whatever the verdict.
    assert lines.locator(".weak").all_inner_texts() == ["supported  0.10", "7 % sourced"]
    assert part(page, "document").locator(".name").all_inner_texts() == list(DOCUMENTS)
    lines.nth(1).locator(".source").click()
    assert "".join(marked(page, "hit", "document")) == "Fogcame."
    assert is_in_view(part(page, "document").locator(".hit").first)
    assert "sentence 2 comes from" in part(page, "detail").inner_text()


def test_decisions_are_kept_and_saved(page, open_page, tmp_path):
    # The buttons are those of the finding that is opened.
    decide = page.locator(".decide:visible")
    assert decide.count() == 0
    page.locator(".say").first.click()
    assert decide.all_inner_texts() == ["real error", "not an error"]
    page.get_by_label("not an error: “83”").click()
    assert page.evaluate("document.activeElement.ariaLabel") == "not an error: “83”"
    assert part(page, "status").inner_text() == "2 of 3 statements supported; 1 to check"
    note = page.get_by_label("note on “83”")
    note.fill("a *typo*")
    page.get_by_text("words to check: “Nobody cheered”").click()  # while the note has the focus
    page.locator(".say").last.click()
    assert decide.count() == 2 and not note.is_visible()
    page.get_by_label("real error: “Nobody cheered”").click()
    page.reload()
    page.wait_for_selector(".finding.not-an-error")
    assert page.locator(".finding.real-error").count() == 1
    assert page.locator(".say").first.inner_text().endswith("not an error: a *typo*")
    assert note.input_value() == "a *typo*"
    assert page.locator(".sentence .mark").all_inner_texts() == ["✓", "✓", "?"]

    def saved(name):
        with page.expect_download() as download:
            part(page, name).click()
        return download.value.path().read_text(encoding="utf-8")

    (row,) = [row for row in json.loads(saved("save-json"))["rows"] if row["kind"] == "number"]
    assert (row["decision"], row["note"], row["text"]) == ("not an error", "a *typo*", "83")
    text = saved("save-markdown")
    assert text.startswith("**2 of 3 statements supported; 1 to check**\n\n✓ The ferry left at 83[^1].[^2]\n")
    assert "\n[^1]: differs (number): “83” ≠ “38” — not an error: a \\*typo\\*\n" in text
    assert "\n[^2]: source: first.txt:1 (0.95): “The ferry left at 38.”\n" in text


def test_the_keyboard_is_enough_to_read_sources(page):
    assert page.locator('.stop[tabindex="0"]').count() == 2  # one in each pane
    focused = "document.activeElement.textContent"
    while page.evaluate(focused) != "ferry left at":
        press(page, "Tab")
    press(page, "ArrowDown", "Enter")
    assert marked(page, "hit", "document") == ["Fog", "late"]
    press(page, *["ArrowRight"] * 3)
    assert page.evaluate(focused) == "Nobody cheered"
    for key, text in (
        ("Home", "ferry left at"),
        ("ArrowRight", "83"),
        ("ArrowRight", "✗"),
        ("ArrowRight", "first.txt:1 0.95"),
    ):
        press(page, key)
        assert page.evaluate(focused) == text


def test_what_a_single_pair_contains_is_marked_and_counted(page):
    part(page, "contains").fill("late")
    part(page, "contains").press("Enter")
    page.wait_for_selector(".word.found")
    assert part(page, "place").inner_text() == "2 words found"
    assert marked(page, "found", "document") == ["late"] and len(marked(page, "found", "summary")) == 1
    assert is_in_view(part(page, "document").locator(".found"))
    part(page, "contains").fill("zebra")
    part(page, "contains").press("Enter")
    page.wait_for_function("() => !document.querySelector('.word.found')")
    assert part(page, "message").inner_text() == "Nothing passes the filters."


@pytest.mark.parametrize(("width", "height", "scrolling"), [(1280, 800, 1), (1920, 1080, 1), (360, 740, 0)])
def test_findings_stand_by_their_sentence_and_only_one_thing_scrolls(
    open_page, tmp_path, width, height, scrolling
):
    found = attributed()
    many = replace(found, unsupported=found.unsupported[:1] * 60)
    (tmp_path / "page.html").write_text(many.to_html())
    page = open_page(tmp_path / "page.html", viewport={"width": width, "height": height})
    first = page.locator(".sentence").first
    assert first.locator(".finding").count() == 60
    text, finding = first.locator(".word").first.bounding_box(), first.locator(".say").first.bounding_box()
    assert text["y"] < height / 2 and (text["y"] < finding["y"] or text["x"] < finding["x"])
    scrolls = """e => {
        let count = 0;
        for (; e !== document.documentElement; e = e.parentElement) {
            count += e.scrollHeight > e.clientHeight && getComputedStyle(e).overflowY === "auto";
        }
        return count;
    }"""
    assert first.locator(".say").first.evaluate(scrolls) == scrolling
    if scrolling:  # the pane scrolls, and the page does not
        assert page.evaluate("document.documentElement.scrollHeight") == height


def test_only_what_is_to_check_is_shown_on_request(open_page, tmp_path):
    one = attributed("one", ferry="barge")
    fine = replace(one, id="two", sentences=one.sentences[1:2])
    wrong_mark = Citation((21, 24), (22, 27), ("first.txt",), "misattributed", ("second.txt",))
    marked_wrong = replace(fine, id="three", citations=(wrong_mark,))
    pairs = [each.viewer_data() for each in (one, fine, marked_wrong)]
    (tmp_path / "page.html").write_text(viewer_page("texts", pairs, "attribution"))
    page = open_page(tmp_path / "page.html")
    shown = page.locator("[data-part=summary] .sentence:visible .number")
    assert shown.all_inner_texts() == ["1", "2", "3"]
    page.get_by_label("only what is to check").check()
    wait_for(page, "place", "1 of 2")
    assert shown.all_inner_texts() == ["1", "3"]
    page.locator("[data-part=summary] .stop").first.focus()
    press(page, "ArrowDown")
    assert page.evaluate("document.activeElement.textContent") == "Nobody cheered"
    # A decision takes nothing away from what is shown.
    page.locator(".say").first.click()
    page.get_by_label("not an error: “83”").click()
    assert shown.all_inner_texts() == ["1", "3"]
    with page.expect_download() as download:
        part(page, "save-json").click()
    content = json.loads(download.value.path().read_text(encoding="utf-8"))
    assert content["only"] == "failing" and {row["sentence"] for row in content["rows"]} == {1, 3}
    part(page, "next").click()
    wait_for(page, "search", "three")
    again = open_page(tmp_path / "page.html", "#" + page.url.split("#")[1])
    wait_for(again, "place", "2 of 2")
    assert again.get_by_label("only what is to check").is_checked()


def test_a_phone_shows_the_source_of_what_is_chosen(open_page, tmp_path):
    (tmp_path / "page.html").write_text(attributed().to_html())
    page = open_page(tmp_path / "page.html", viewport={"width": 360, "height": 740})
    sentence, finding = page.locator(".sentence p").first, page.locator(".say").first
    assert sentence.bounding_box()["y"] < finding.bounding_box()["y"] < 740
    finding.click()
    box, source = part(page, "detail").bounding_box(), part(page, "detail").locator("li").first.bounding_box()
    assert source["y"] + source["height"] <= box["y"] + box["height"]
    assert box["height"] < 150 and box["y"] + box["height"] <= 740
    chosen = part(page, "summary").locator(".active").first.bounding_box()
    assert chosen["y"] >= 0 and chosen["y"] + chosen["height"] <= box["y"]


def test_marks_of_citations_are_beside_their_sentence(open_page, tmp_path):
    citation = Citation((21, 24), (0, 21), ("first.txt",), "misattributed", ("second.txt",))
    (tmp_path / "page.html").write_text(replace(attributed(), citations=(citation,)).to_html())
    page = open_page(tmp_path / "page.html")
    assert "misattributed: see second.txt" in part(page, "summary").locator(".support").first.inner_text()
