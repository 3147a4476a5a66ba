"""The annotation page in headless Chromium: keys, mouse, finger, clock."""

import json

import pytest
from annotating import (
    READY,
    download,
    make_page,
    press,
    selection,
    shown_links,
    wait_until_saved,
    watch_storage,
)
from reports import part
from vorlage.app.annotate.stage import main as annotate
from vorlage.corpus.stage import main as corpus
from vorlage.score.stage import main as score

pytestmark = pytest.mark.slow


def test_a_pair_is_annotated_by_keyboard_alone_and_scored(open_page, tmp_path):
    page = open_page(make_page(tmp_path, annotator=""), selector="[data-part=annotator]:focus")
    page.keyboard.type("A")
    press(page, "Enter")
    page.wait_for_selector(READY)
    reload = watch_storage(page)
    # The most doubtful pair comes first: b, "Rufus received a ladder ." of "Ines gave a ladder to Rufus ."
    assert part(page, "pair").locator("option").all_inner_texts() == ["b", "a", "c"]
    assert selection(page, "summary") == ["Rufus"] and part(page, "left").inner_text().startswith("5 of 5")
    press(page, "m", "Enter")
    assert selection(page, "summary") == ["received"]
    assert "sure" in part(page, "detail").inner_text() and "undecided" in part(page, "detail").inner_text()
    # Tab goes to the document, whose cursor waits behind the last link; "gave" is five words before.
    press(page, "Tab", "Control+Home", "ArrowRight", "p")
    assert selection(page, "summary") == ["a"] and selection(page, "document") == []
    # Two equal words at once become two links.
    press(page, "Shift+ArrowRight", "Tab")
    assert selection(page, "document") == ["a"]
    press(page, "Shift+ArrowRight", "Enter")
    assert shown_links(page) == [
        ("“Rufus” ← “Rufus”", "sure"),
        ("“received” ← “gave”", "possible"),
        ("“a” ← “a”", "sure"),
        ("“ladder” ← “ladder”", "sure"),
    ]
    press(page, "n")
    assert part(page, "left").inner_text() == "0 of 5 summary words undecided"
    # Undo and redo, remove and undo.
    press(page, "Control+z", "Control+z")
    assert len(shown_links(page)) == 2
    press(page, "Control+y", "Control+Shift+Z")
    press(page, "Home", "Backspace")
    assert [text for text, _ in shown_links(page)][0] == "“received” ← “gave”"
    press(page, "Control+z")
    press(page, "f")
    page.wait_for_function(
        "() => document.querySelector('[data-part=place]').textContent.startsWith('1 of 3')"
    )
    assert part(page, "pair").locator("option:checked").inner_text() == "a"

    # After a reload, the work is still there, and so is what is downloaded.
    reload()
    assert part(page, "pair").locator("option").all_inner_texts() == ["b – finished", "a", "c"]
    [gold] = download(page, tmp_path / "gold.jsonl")
    assert (gold.id, gold.annotator) == ("b", "A")
    assert gold.cells(sure_only=True) == {(0, 5), (2, 2), (3, 3)}
    assert gold.cells(sure_only=False) == {(0, 5), (1, 1), (2, 2), (3, 3)}

    made = tmp_path / "made"
    corpus(
        ["--reader", "jsonl", "--path", str(tmp_path / "pairs.jsonl"), "--tokenized", "true"]
        + ["--gold", str(tmp_path / "gold.jsonl"), "--output", str(made)]
    )
    score(
        ["--corpus", str(made / "corpus.jsonl"), "--gold", str(made / "gold.jsonl")]
        + ["--alignments", str(tmp_path / "toy.jsonl"), "--output", str(tmp_path / "scores.tsv")]
    )
    # The system links Rufus, a, ladder and the full stop.
    row = (tmp_path / "scores.tsv").read_text().splitlines()[1].split("\t")
    assert [float(value) for value in row[2:4]] == [0.75, 1.0]


def test_a_key_goes_from_sentence_to_sentence(open_page, tmp_path):
    pairs, page = tmp_path / "pairs.jsonl", tmp_path / "page.html"
    pairs.write_text(
        json.dumps({"id": "a", "document": ["Fog came.", "It left.", "So did we."], "summary": "We left."})
    )
    annotate([str(pairs), "--html", str(page), "--annotator", "A"])
    page = open_page(page, selector=READY)
    press(page, "Tab", "ArrowRight")
    found = []
    for key in ("PageDown", "PageDown", "PageDown", "ArrowRight", "PageUp", "PageUp", "PageUp", "PageUp"):
        press(page, key)
        found += selection(page, "document")
    assert found == ["It", "So", "So", "did", "So", "It", "Fog", "Fog"]
    press(page, "PageDown", "Shift+PageDown")
    assert selection(page, "document") == ["It", "left", ".", "So"]


def test_a_start_from_a_system_can_be_undone_and_is_noted(open_page, tmp_path):
    page = open_page(make_page(tmp_path), selector=READY)
    part(page, "start").select_option("toy")
    assert [note for _, note in shown_links(page)] == ["possible"] * 4  # their posterior is 0.4
    page.get_by_role("button", name="Undo").click()
    assert shown_links(page) == []
    page.get_by_role("button", name="Redo").click()
    part(page, "summary").locator(".word").first.focus()
    press(page, "f")
    page.wait_for_function("() => document.querySelector('[data-part=pair]').selectedOptions[0].text === 'a'")
    # The next pair starts in the same way, but is not saved before the annotator does something.
    assert len(shown_links(page)) == 4
    gold = [json.loads(text) for text in page.evaluate("Object.values(localStorage)") if text.startswith("{")]
    assert [(record["id"], record["start"]) for record in gold] == [("b", "toy")]


def test_the_mouse_selects_and_lists_act(open_page, tmp_path):
    page = open_page(make_page(tmp_path), selector=READY)
    summary, document = (part(page, side).locator(".word") for side in ("summary", "document"))
    summary.nth(1).click()
    document.nth(1).click()
    document.nth(3).click(modifiers=["Shift"])
    assert selection(page, "document") == ["gave", "a", "ladder"]
    page.get_by_role("button", name="Possible").click()
    summary.nth(2).hover()
    page.mouse.down()
    summary.nth(3).hover()
    page.mouse.up()
    document.nth(2).click()
    page.get_by_role("button", name="Longer").click()
    page.get_by_role("button", name="Word by word").click()
    assert [text for text, _ in shown_links(page)] == [
        "“received” ← “gave a ladder”",
        "“a” ← “a”",
        "“ladder” ← “ladder”",
    ]
    # Spans of different lengths cannot be linked word by word.
    summary.nth(0).click()
    document.nth(0).click()
    page.get_by_role("button", name="Longer").click()
    page.get_by_role("button", name="Word by word").click()
    assert "as many words on both sides" in part(page, "detail").inner_text()
    page.get_by_role("button", name="remove: “received”").click()
    part(page, "links").locator(".show").last.click()
    assert (
        selection(page, "document") == ["ladder"] and document.nth(3).get_attribute("aria-selected") == "true"
    )
    assert summary.nth(3).get_attribute("aria-label") == "ladder, sure “ladder”"
    assert download(page, tmp_path / "gold.jsonl") == []  # an unfinished pair is not gold
    assert json.loads((tmp_path / "gold.jsonl").read_text())["finished"] is False


def test_a_finger_selects_and_the_buttons_link(open_page, tmp_path):
    page = open_page(make_page(tmp_path), selector=READY, has_touch=True)
    part(page, "summary").locator(".word").nth(2).tap()
    part(page, "document").locator(".word").nth(2).tap()
    for side in ("summary", "document"):
        assert selection(page, side) == ["a"]
    page.get_by_role("button", name="Longer").tap()
    assert selection(page, "document") == ["a", "ladder"]
    page.get_by_role("button", name="Possible").tap()
    assert shown_links(page) == [("“a” ← “a ladder”", "possible")]
    assert selection(page, "summary") == ["ladder"]


def test_the_clock_counts_the_time_of_work(open_page, tmp_path):
    page = open_page(make_page(tmp_path), selector=READY)
    page.clock.install()
    page.reload()
    page.wait_for_selector(READY)
    page.clock.run_for(15_000)
    press(page, "n")
    page.clock.run_for(200_000)  # the annotator does nothing for more than three minutes
    assert part(page, "time").inner_text() == "1:15"
    press(page, "n")
    page.clock.run_for(2_000)
    wait_until_saved(page)
    stored = [text for text in page.evaluate("Object.values(localStorage)") if text.startswith("{")]
    assert 75 <= json.loads(stored[0])["seconds"] <= 77
