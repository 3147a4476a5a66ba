"""The report page at a desk and on a phone; `--screenshots docs` makes the pictures of docs/report.md."""

import pytest
from reports import part, take_screenshot

pytestmark = pytest.mark.slow
WORD = "#pair=sample-01&system=semihmm-relative&word=summary-9"
# The name of each picture: the view, the colours, and the size of the window.
PICTURES = {
    "report.png": (WORD, "light", (1280, 860)),
    "report-dark.png": (WORD + "&rival=identity&only=differ", "dark", (1280, 860)),
    "report-phone.png": (WORD, "light", (390, 844)),
}


@pytest.mark.parametrize("name", PICTURES)
def test_the_page_fits_its_window(request, open_page, sample, name):
    anchor, scheme, (width, height) = PICTURES[name]
    page = open_page(sample, anchor, color_scheme=scheme, viewport={"width": width, "height": height})
    page.wait_for_selector(".word.active")
    page.wait_for_timeout(300)
    take_screenshot(request, page, name)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    # Nothing of the controls is cut off by the window.
    for control in page.locator(".viewer :is(button, select, input, label)").all():
        if control.is_visible():
            box = control.bounding_box()
            assert box["x"] >= 0 and box["x"] + box["width"] <= width
    assert part(page, "summary").is_visible() and part(page, "document").is_visible()
