"""The app, its results and the annotation page have no finding of axe-core, in light and in dark."""

import pytest
from annotating import READY, make_page
from annotation_examples import line, link
from app_server import ROOT, running
from axe import findings
from reports import part
from test_app_view import DOCUMENT, TEXT, result
from vorlage.files.jsonl import to_line
from vorlage.files.outputs import write_lines

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def address():
    with running(str(ROOT / "data/sample/corpus.jsonl")) as (_, port, token):
        yield f"http://127.0.0.1:{port}/?token={token}"


@pytest.fixture(params=["light", "dark"])
def look(request, width):
    """The options of a page of this width and colour scheme."""
    return {"color_scheme": request.param, "viewport": {"width": width, "height": 900}}


@pytest.fixture(params=[1300, 390])
def width(request):
    return request.param


def test_a_fault_is_found(open_page, tmp_path):
    image = "<img src='data:,'>"
    for name, content in (
        ("inner", image),
        ("page", f"<iframe srcdoc=\"<html>{image}\" title='a'></iframe>"),
    ):
        (tmp_path / f"{name}.html").write_text(f"<!doctype html><title>a</title>{content}")
        page = open_page(tmp_path / f"{name}.html", selector="img, iframe")
        assert any(found.startswith("image-alt: ") for found in findings(page))


def test_the_start_page_of_the_app(open_page, address, look):
    page = open_page(address, selector="#pairs button", **look)
    assert findings(page) == []


@pytest.mark.parametrize("task", ["Attribute", "Align words"])
def test_a_result(open_page, address, look, task):
    page = open_page(address, selector="#pairs button", **look)
    page.get_by_label("Document", exact=True).fill(DOCUMENT)
    page.get_by_label("Text made from it").fill(TEXT)
    page.get_by_role("button", name=task).click()
    frame = result(page, "pasted text")
    frame.locator('[data-part="summary"] .word', has_text="Okafor").first.click()
    assert findings(page) == []


def test_the_annotation_page(open_page, tmp_path, look):
    pairs = [
        line("b", name, link((0, 1), (5, 6)), *links)
        for name, links in (("A", [link((1, 2), (1, 2))]), ("B", []))
    ]
    gold = tmp_path / "given.jsonl"
    write_lines(gold, map(to_line, pairs))
    page = open_page(make_page(tmp_path, "adjudicated", None, "--gold", str(gold)), selector=READY, **look)
    part(page, "start").select_option("A and B")
    part(page, "differences").locator("li").first.wait_for()
    for name in page.locator("aside summary").all():
        if not name.evaluate("e => e.parentNode.open"):
            name.click()
    part(page, "summary").locator(".word").first.click()
    assert findings(page) == []
