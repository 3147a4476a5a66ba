"""Hostile text in a corpus stays text in a browser."""

import json

import pytest
from reports import make_report, part, wait_for

from pipeline import export, load_model

pytestmark = pytest.mark.browser
HOSTILE = [
    "</script><script>window.hacked=1</script>",
    "<img src=x onerror=window.hacked=1>",
    "\"'><svg onload=window.hacked=1>",
    "{{ 7*7 }}",
    "javascript:window.hacked=1",
    "\u2028\u202e\u200b",
    "&lt;b&gt;",
]


@pytest.fixture(scope="session")
def hostile(tmp_path_factory):
    """The report of a corpus whose texts and ids are markup."""
    folder = tmp_path_factory.mktemp("hostile")
    pairs = [
        {
            "id": text if text.isprintable() else "odd",
            "document": f"A boat {text} left . Rain came .",
            "summary": f"The boat {text} left .",
        }
        for text in HOSTILE
    ]
    (folder / "pairs.jsonl").write_text("".join(json.dumps(pair) + "\n" for pair in pairs))
    return make_report(
        folder, folder / "pairs.jsonl", tokenized=True, name="</title><script>window.hacked=1</script>"
    )


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
