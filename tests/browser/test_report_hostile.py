"""Hostile text in a corpus stays text in a browser."""

import pytest
from reports import HOSTILE, part, wait_for
from vorlage import load_model
from vorlage.alignments import export

pytestmark = pytest.mark.slow


def test_markup_in_a_corpus_stays_text(open_page, hostile):
    page = open_page(hostile)
    for number, text in enumerate(HOSTILE):
        part(page, "search").fill(text if text.isprintable() else "odd")
        part(page, "search").press("Enter")
        wait_for(page, "place", f"{number + 1} of")
        words = part(page, "document").locator(".word").all_text_contents()
        assert words == f"A boat {text} left . Rain came .".split(" ")
        part(page, "document").locator(".word").nth(2).hover()
    assert page.locator("h1").text_content() == "Alignments of </title><script>window.hacked=1</script>"
    assert page.evaluate("window.hacked") is None
    assert page.locator(".viewer img, .viewer script, .pane svg").count() == 0


def test_the_page_of_one_pair_shows_its_links(open_page, hostile, tmp_path):
    folder = hostile.parent
    export.main(
        ["--alignments", str(folder / "relative.jsonl"), "--corpus", str(folder / "corpus/corpus.jsonl")]
        + ["--format", "html", "--id", HOSTILE[1], "--output", str(tmp_path / "one.html")]
    )
    page = open_page(tmp_path / "one.html")
    assert page.title() == HOSTILE[1]
    part(page, "summary").locator(".word.linked").first.hover()
    assert part(page, "document").locator(".word.hit").count() == 1
    assert page.evaluate("window.hacked") is None


def test_a_notebook_shows_the_viewer(open_page, hostile, tmp_path):
    model = load_model(hostile.parent / "train/model.npz")
    aligned = model.align("A boat left. Rain came.", "The boat left.")
    (tmp_path / "notebook.html").write_text(f"<!doctype html><title>x</title>{aligned._repr_html_()}")
    page = open_page(tmp_path / "notebook.html", selector="iframe")
    frame = page.frame_locator("iframe")
    frame.locator(".word.linked").nth(1).click()
    assert frame.locator('[data-part="document"] .word.hit').count() == 1
    assert "summary word" in frame.locator('[data-part="detail"]').inner_text()
