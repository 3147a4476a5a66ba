"""The annotation page from disk and in a notebook: what it keeps, and markup, which stays text."""

import json

import pytest
from annotating import READY, download, make_page, press, shown_links, wait_until_saved, watch_storage
from annotation_examples import line, link
from reports import part
from vorlage.viewer.viewer import notebook_frame

pytestmark = pytest.mark.slow


def test_a_page_remade_from_the_corpus_has_the_work_and_one_made_with_gold_has_the_gold(open_page, tmp_path):
    page = open_page(make_page(tmp_path), selector=READY)
    reload = watch_storage(page)
    press(page, "m", "Enter")
    wait_until_saved(page)
    make_page(tmp_path)
    reload()
    assert shown_links(page) == [("“Rufus” ← “Rufus”", "sure")]
    gold = tmp_path / "given.jsonl"
    gold.write_text(
        json.dumps(line("b", "A", link((0, 1), (0, 1), sure=False), finished=False, null=[])) + "\n"
    )
    make_page(tmp_path, "A", None, "--gold", str(gold))
    reload()
    assert shown_links(page) == [("“Rufus” ← “Ines”", "possible")]


HOSTILE = {
    "</script><script>window.hacked=1</script>": (
        "<img src=x onerror=window.hacked=1> left .",
        "</script> left .",
    ),
    "\"'><svg onload=window.hacked=1>": (
        "{{7*7}} </title> ${x} __proto__",
        "__proto__ &lt;b&gt; \u200b\u202e",
    ),
    "__proto__": ("constructor toString", "constructor"),
}


def test_markup_in_a_corpus_stays_text(open_page, tmp_path):
    name = "<b onclick=window.hacked=1>"
    page = open_page(make_page(tmp_path, name, HOSTILE), selector=READY)
    for number, (key, (document, summary)) in enumerate(HOSTILE.items()):
        part(page, "pair").select_option(str(number))
        page.wait_for_function(
            "text => document.querySelector('[data-part=document] .word').textContent === text",
            arg=document.split(" ")[0],
        )
        for side, text in (("summary", summary), ("document", document)):
            assert part(page, side).locator(".word").all_text_contents() == text.split(" ")
        part(page, "document").locator(".word").first.click()
        part(page, "summary").locator(".word").first.click()
        press(page, "Enter")
        assert part(page, "pair").locator("option:checked").text_content().startswith(key)
    wait_until_saved(page)
    assert page.evaluate("window.hacked") is None
    assert page.locator("#annotate img, #annotate script, .pane svg svg, #annotate b[onclick]").count() == 0
    download(page, tmp_path / "gold.jsonl")
    lines = [json.loads(text) for text in (tmp_path / "gold.jsonl").read_text().splitlines()]
    assert [(record["id"], record["annotator"]) for record in lines] == [(key, name) for key in HOSTILE]


def test_another_tab_with_the_page_is_noticed(open_page, tmp_path):
    path = make_page(tmp_path)
    page = open_page(path, selector=READY)
    other = page.context.new_page()
    other.goto(path.as_uri())
    other.wait_for_selector(READY)
    press(page, "m", "Enter")
    wait_until_saved(page)
    press(other, "n")
    other.wait_for_selector("[data-part=refused]:not([hidden])")
    assert "Nothing was overwritten" in part(other, "message").inner_text()
    other.get_by_role("button", name="Take the other").click()
    assert shown_links(other) == [("“Rufus” ← “Rufus”", "sure")]
    wait_until_saved(other)
    press(other, "Control+z")
    wait_until_saved(other)
    stored = [text for text in other.evaluate("Object.values(localStorage)") if text.startswith("{")]
    assert json.loads(stored[0])["null"] == [0]


def test_a_notebook_shows_the_page(open_page, tmp_path):
    page = make_page(tmp_path).read_text()
    (tmp_path / "notebook.html").write_text(f"<!doctype html><title>x</title>{notebook_frame(page, 'a')}")
    shown = open_page(tmp_path / "notebook.html", selector="iframe").frame_locator("iframe")
    shown.locator(READY).first.click()
    assert "keeps nothing" in shown.locator("[data-part=message]").inner_text()
    shown.get_by_role("button", name="Same words").click()
    shown.get_by_role("button", name="Sure").click()
    assert shown.locator("[data-part=links] li").count() == 1
