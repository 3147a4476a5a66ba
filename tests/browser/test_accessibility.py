"""axe-core finds nothing on the pages of the viewer, in light and dark, at a desk and on a phone."""

import pytest
from reports import part
from test_attribution_view import attributed

pytestmark = pytest.mark.slow
SIZES = {"desk": {"width": 1280, "height": 900}, "phone": {"width": 360, "height": 740}}


@pytest.fixture(scope="session")
def findings():
    """A function that returns what axe-core finds on a page, a line for each kind of finding."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")

    def find(page):
        # axe does not judge the contrast of what lies below another element.
        page.locator(".curves").evaluate("curves => { curves.style.display = 'none'; }")
        violations = axe.Axe().run(page).response["violations"]
        return [
            f"{violation['id']}: {violation['help']}: {node['html'][:200]} {node['failureSummary'][:300]}"
            for violation in violations
            for node in violation["nodes"][:3]
        ]

    return find


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_the_report_page(open_page, findings, sample, scheme, size):
    page = open_page(sample, color_scheme=scheme, viewport=SIZES[size])
    assert findings(page) == []
    # A pinned word, a search, and two systems side by side.
    page = open_page(
        sample,
        "#pair=sample-09&system=semihmm-relative&rival=identity&word=summary-20&contains=the",
        color_scheme=scheme,
        viewport=SIZES[size],
    )
    page.wait_for_selector(".word.active")
    assert part(page, "rival").locator(".word.differing").count() and page.locator(".word.found").count()
    page.locator("#settings summary").click()
    assert findings(page) == []
    part(page, "only").select_option("below")
    part(page, "below").wait_for()
    assert findings(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_page_without_gold(open_page, findings, without_gold, scheme):
    assert findings(open_page(without_gold, color_scheme=scheme)) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_the_page_of_an_attribution(open_page, findings, tmp_path, scheme, size):
    (tmp_path / "page.html").write_text(attributed().to_html())
    page = open_page(tmp_path / "page.html", color_scheme=scheme, viewport=SIZES[size])
    assert findings(page) == []
    part(page, "summary").get_by_text("Fog", exact=True).click()
    assert findings(page) == []
    part(page, "summary").get_by_text("83", exact=True).click()
    assert findings(page) == []


def test_faults_are_found(open_page, findings, sample):
    page = open_page(sample)
    page.evaluate(
        """() => {
            document.querySelector("figure img").removeAttribute("alt");
            document.querySelector("label [data-part=contains]").closest("label").firstChild.remove();
            document.querySelector("[data-part=contains]").removeAttribute("title");
            document.querySelector(".word").style.color = "rgb(200, 200, 200)";
        }"""
    )
    found = {finding.split(":")[0] for finding in findings(page)}
    assert {"image-alt", "label", "color-contrast"} <= found
