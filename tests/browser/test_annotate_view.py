"""The annotation page with a pair of the bundled corpus: it fits, wide and narrow, light and dark."""

import json

import pytest
from annotating import READY
from app_server import ROOT
from reports import part, take_screenshot
from vorlage.app.annotate.stage import main as annotate

pytestmark = pytest.mark.slow
SAMPLE = ROOT / "data/sample"
SIZES = {"desk": (1280, 860), "phone": (390, 844)}


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """A page on which A has begun the first pair, as in the bundled gold."""
    folder = tmp_path_factory.mktemp("view")
    first, *others = map(json.loads, (SAMPLE / "gold.jsonl").read_text().splitlines())
    begun = first | {"alignments": first["alignments"][:39], "finished": False, "null": [0, 1, 2, 3, 4]}
    gold = folder / "gold.jsonl"
    gold.write_text("".join(json.dumps(record) + "\n" for record in [begun, *others]))
    arguments = [str(SAMPLE / "corpus.jsonl"), "--html", str(folder / "page.html")]
    annotate([*arguments, "--gold", str(gold), "--annotator", "A"])
    return folder / "page.html"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_everything_fits(request, open_page, path, size, scheme):
    """`--screenshots docs` makes the pictures of the documentation."""
    width, height = SIZES[size]
    viewport = {"width": width, "height": height}
    page = open_page(path, selector=READY, viewport=viewport, color_scheme=scheme)
    part(page, "links").get_by_text("“with an output of”").click()
    part(page, "work").evaluate("e => e.scrollIntoView()" if size == "phone" else "scrollTo(0, 0)")
    assert part(page, "curves").locator("path").count() == 1
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for name in ("summary", "document", "detail"):
        box = part(page, name).bounding_box()
        assert box["height"] > 20 and box["y"] >= 0 and box["y"] + box["height"] <= height
    for button in page.get_by_role("toolbar").get_by_role("button").all():
        box = button.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= width
        assert box["y"] >= 0 and box["y"] + box["height"] <= height
    take_screenshot(request, page, f"annotate-{size}-{scheme}.png")
