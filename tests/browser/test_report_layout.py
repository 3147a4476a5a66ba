"""What a reader of the report page sees at first: the order of its parts, its tables, its permalinks."""

import pytest
from reports import part

pytestmark = pytest.mark.slow


def test_the_viewer_comes_first_and_the_settings_are_folded(open_page, sample):
    page = open_page(sample)
    sections = page.locator("main > section").evaluate_all("all => all.map((section) => section.id)")
    assert sections[:2] == ["viewer-section", "scores"] and sections[-1] == "settings"
    assert page.locator(".viewer").bounding_box()["y"] < 450
    settings = page.locator("#settings pre")
    assert not settings.is_visible()
    page.locator("#settings summary").click()
    assert settings.is_visible()


@pytest.mark.parametrize("size", [(360, 740), (1280, 800), (2560, 1300)])
def test_a_permalink_opens_at_its_pair_and_word(open_page, sample, size):
    viewport = dict(zip(("width", "height"), size, strict=True))
    page = open_page(sample, "#pair=sample-09&system=semihmm-relative&word=summary-20", viewport=viewport)
    page.wait_for_selector(".word.active")
    page.wait_for_timeout(300)
    assert part(page, "search").input_value() == "sample-09"
    word = page.locator(".word.active")
    assert word.get_attribute("data-k") == "20"
    seen = """element => {
        const box = element.getBoundingClientRect();
        return box.top >= 0 && box.bottom <= innerHeight;
    }"""
    assert word.evaluate(seen)
    # The word is not behind the navigation, which sticks to the top.
    above = page.locator("nav.sections").bounding_box()
    assert word.bounding_box()["y"] >= above["y"] + above["height"]


@pytest.mark.parametrize("width", [360, 1280, 2560])
def test_tables_scroll_beside_their_first_column(open_page, sample, width):
    page = open_page(sample, viewport={"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") == width
    box = page.locator(".scroll:has(#table-jumps)")
    first = page.locator("#table-jumps tbody td:first-child").first
    before = first.bounding_box()["x"]
    box.evaluate("element => { element.scrollLeft = 10000; }")
    assert first.bounding_box()["x"] == before
    if width == 360:
        assert box.evaluate("element => element.scrollLeft") > 0
    # Captions stand outside of what scrolls, and are not wider than the window.
    assert page.locator(".scroll .caption, .scroll caption").count() == 0
    for caption in page.locator(".caption").all():
        if caption.is_visible():
            assert caption.bounding_box()["x"] + caption.bounding_box()["width"] <= width


def test_only_a_page_with_gold_has_controls_for_it(open_page, sample, without_gold):
    for path, has_gold in ((sample, True), (without_gold, False)):
        page = open_page(path)
        assert part(page, "gold").is_visible() == has_gold
        assert ("gold" in page.locator(".legend").inner_text()) == has_gold
        assert page.locator(".legend .missed").count() == has_gold


def test_figures_are_whole(open_page, sample):
    page = open_page(sample, viewport={"width": 360, "height": 800})
    for image in page.locator("figure img").all():
        image.scroll_into_view_if_needed()
        box = image.bounding_box()
        assert box["width"] <= 360 - 2 * 15
        ratio = image.evaluate("image => image.naturalWidth / image.naturalHeight")
        assert box["width"] / box["height"] == pytest.approx(ratio, rel=0.02)
