"""Every page, at a desk and on a phone, light and dark: it fits, and axe-core finds no fault.

`--screenshots docs` makes the pictures of the documentation.
"""

import json
from pathlib import Path

import pytest
from pages import READY, ROOT, part
from test_app_page import address, paste, result  # noqa: F401 - a fixture
from vorlage import load_model
from vorlage.app.annotate.stage import main as annotate
from vorlage.cli.attribute import main as attribute

pytestmark = pytest.mark.slow
SIZES = {
    "desk": {"width": 1280, "height": 800},
    "phone": {"width": 360, "height": 740},
    "wide": {"width": 1920, "height": 1080},
}
# Page, size and colours, and the picture of the documentation that it is.
LOOKS = [
    ("report", "desk", "light", "report.png"),
    ("report", "phone", "light", ""),
    ("comparison", "desk", "dark", ""),
    ("attribution", "desk", "light", "attribution-viewer.png"),
    ("attribution", "phone", "dark", ""),
    ("texts", "desk", "light", ""),
    ("texts", "wide", "dark", ""),
    ("texts", "phone", "dark", ""),
    ("annotation", "desk", "light", "annotate-desk-light.png"),
    ("annotation", "desk", "dark", ""),
    ("annotation", "phone", "light", ""),
    ("annotation", "phone", "dark", ""),
    ("app", "desk", "dark", ""),
    ("app", "desk", "light", "app.png"),
    ("app", "phone", "light", ""),
]


@pytest.fixture(scope="session")
def attribution(tmp_path_factory):
    """The page of the example of docs/attribution.md."""
    document, text = ((ROOT / f"data/example/{name}.txt").read_text() for name in ("source", "summary"))
    path = tmp_path_factory.mktemp("attribution") / "page.html"
    found = load_model().attribute(document, text, id="summary.txt")
    path.write_text(found.to_html())
    return path


@pytest.fixture(scope="session")
def texts(tmp_path_factory):
    """The report of forty texts, of which three in four fail."""
    folder = tmp_path_factory.mktemp("texts")
    document = "The mill sold 300 boats in March. Ines Okafor runs it. The union did not accept the offer."
    summaries = [
        "Ines Okafor runs the mill.",
        "It sold 500 boats.",
        "The union did accept it.",
        "A cat barked.",
    ]
    pairs = ({"id": f"answer {k}", "document": document, "summary": summaries[k % 4]} for k in range(40))
    (folder / "pairs.jsonl").write_text("".join(json.dumps(pair) + "\n" for pair in pairs))
    with pytest.raises(SystemExit):
        attribute(["--pairs", str(folder / "pairs.jsonl"), "--report", str(folder / "page.html")])
    return folder / "page.html"


@pytest.fixture(scope="session")
def annotation(tmp_path_factory):
    """A page on which A has begun the first pair, as in the bundled gold, to be adjudicated with B."""
    folder = tmp_path_factory.mktemp("annotation")
    first, *others = map(json.loads, (ROOT / "data/sample/gold.jsonl").read_text().splitlines())
    begun = first | {"alignments": first["alignments"][:39], "finished": False, "null": [0, 1, 2, 3, 4]}
    (folder / "gold.jsonl").write_text("".join(json.dumps(record) + "\n" for record in [begun, *others]))
    arguments = [str(ROOT / "data/sample/corpus.jsonl"), "--html", str(folder / "page.html")]
    annotate([*arguments, "--gold", str(folder / "gold.jsonl"), "--annotator", "A"])
    return folder / "page.html"


def open_report(open_page, request, look):
    anchor = "#pair=sample-01&system=semihmm-relative&word=summary-9"
    page = open_page(request.getfixturevalue("sample"), anchor, **look)
    page.wait_for_selector(".word.active")
    return page


def open_comparison(open_page, request, look):
    anchor = "#pair=sample-01&system=semihmm-relative&rival=identity&only=differ&word=summary-9&contains=the"
    page = open_page(request.getfixturevalue("sample"), anchor, **look)
    page.wait_for_selector(".word.active")
    page.locator("#settings summary").click()
    page.evaluate("document.querySelector('#viewer').scrollIntoView()")
    return page


def open_attribution(open_page, request, look):
    page = open_page(request.getfixturevalue("attribution"), **look)
    page.locator(".say", has_text="38 million").click()
    assert part(page, "document").locator(".word.contradicts").all_inner_texts() == ["38 million"]
    return page


def open_texts(open_page, request, look):
    page = open_page(request.getfixturevalue("texts"), **look)
    page.get_by_role("link", name="answer 22").click()
    page.wait_for_function("() => document.querySelector('[data-part=search]').value === 'answer 22'")
    assert part(page, "summary").locator(".sentence").first.is_visible()
    if look["viewport"]["width"] == 360:
        page.evaluate("scrollTo(0, 0)")
    return page


def open_annotation(open_page, request, look):
    page = open_page(request.getfixturevalue("annotation"), selector=READY, **look)
    part(page, "links").get_by_text("“with an output of”").click()
    phone = look["viewport"]["width"] < 600
    part(page, "work").evaluate("e => e.scrollIntoView()" if phone else "scrollTo(0, 0)")
    for control in [*page.get_by_role("toolbar").get_by_role("button").all(), part(page, "summary")]:
        box = control.bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= look["viewport"]["height"]
    return page


def open_app(open_page, request, look):
    page = open_page(request.getfixturevalue("address"), selector="#pairs button", **look)
    paste(page)
    page.get_by_role("button", name="Check sources").click()
    result(page, "pasted text")
    if look["viewport"]["width"] > 600:  # on a phone, the result fills the screen
        page.get_by_text("Document and text", exact=True).click()
    page.evaluate("scrollTo(0, 0)")
    return page


@pytest.mark.parametrize(("name", "size", "scheme", "picture"), LOOKS)
def test_a_page_fits_and_is_accessible(request, open_page, name, size, scheme, picture):
    look = {"viewport": SIZES[size], "color_scheme": scheme}
    page = globals()[f"open_{name}"](open_page, request, look)
    page.wait_for_timeout(300)
    folder = request.config.getoption("--screenshots")
    if folder and picture:
        page.screenshot(path=Path(folder) / picture, full_page=name == "app")
    for frame in page.frames:
        if frame.url != "about:blank":
            assert frame.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert findings(page) == []


def findings(page):
    """Return a line for each violation of a rule of axe-core, best practices included, on a page.

    Frames that show something are part of the page, each checked by itself: axe in a sandboxed frame cannot
    answer axe in the page around it. The test is skipped without the package.
    """
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed").Axe()
    options = {"resultTypes": ["violations"], "iframes": False}
    lines = []
    for frame in page.frames:
        if frame.url == "about:blank":
            continue
        # axe does not judge the contrast of what lies below another element.
        frame.evaluate("document.querySelectorAll('.curves').forEach((e) => { e.style.display = 'none'; })")
        for violation in axe.run(frame, options=options).response["violations"]:
            for node in violation["nodes"][:3]:
                lines.append(f"{violation['id']}: {violation['help']}: {node['html'][:200]}")
    return lines
