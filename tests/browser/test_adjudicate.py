"""Two annotators whose gold differs are adjudicated on the page from disk, by keyboard alone."""

import json

import pytest
from annotating import READY, download, make_page, press, shown_links
from annotation_examples import line, link
from reports import part
from vorlage.corpus.gold import read_gold, settled

pytestmark = pytest.mark.slow
# Of "Rufus received a ladder ." and "Ines gave a ladder to Rufus .": they agree on the first word alone.
RUFUS = link((0, 1), (5, 6))
GOLD = (
    line("b", "A", RUFUS, link((1, 2), (1, 2)), link((2, 3), (2, 3)), link((4, 5), (6, 7))),
    line("b", "B", RUFUS, link((1, 2), (1, 2), sure=False), link((2, 3), (0, 1)), link((3, 4), (3, 4))),
)


@pytest.fixture
def page(open_page, tmp_path):
    gold = tmp_path / "both.jsonl"
    gold.write_text("".join(json.dumps(record) + "\n" for record in GOLD))
    page = open_page(make_page(tmp_path, "adjudicated", None, "--gold", str(gold)), selector=READY)
    part(page, "start").select_option("A and B")
    part(page, "summary").locator(".word").first.focus()
    return page


def said(page):
    return part(page, "detail").inner_text()


def test_differences_are_settled_one_by_one_and_saved_as_a_third_annotator(page, tmp_path):
    assert shown_links(page) == [("“Rufus” ← “Rufus”", "sure")]
    press(page, "d")
    assert said(page) == "Difference 1 of 6: “received” ← “gave” · A: sure, B: possible"
    press(page, "d")
    assert said(page) == "Difference 2 of 6: “received” ← “gave” · B: possible, A: sure"
    press(page, "p", "d")
    assert said(page) == "Difference 3 of 6: “a” ← “Ines” · B: sure, A: not linked"
    press(page, "d")
    assert said(page) == "Difference 4 of 6: “a” ← “a” · A: sure, B: not linked"
    press(page, "Enter", "d")
    assert said(page) == "Difference 5 of 6: “ladder” ← “ladder” · B: sure, A: not linked"
    press(page, "Enter", "d")
    assert said(page) == "Difference 6 of 6: “.” ← “.” · A: sure, B: not linked"
    press(page, "n", "d")
    # What was left out comes again, until the pair is finished.
    assert said(page) == "Difference 1 of 6: “received” ← “gave” · A: sure, B: possible"
    press(page, "f")
    page.wait_for_function("() => document.querySelector('[data-part=pair]').selectedOptions[0].text === 'a'")
    [settled_gold] = download(page, tmp_path / "adjudicated.jsonl")
    assert settled_gold.annotator == "adjudicated"
    assert settled_gold.cells(sure_only=True) == {(0, 5), (2, 2), (3, 3)}
    assert settled_gold.cells(sure_only=False) == {(0, 5), (1, 1), (2, 2), (3, 3)}
    # Beside the gold of the two, it alone counts in scores.
    everyone = [gold for gold in read_gold(tmp_path / "both.jsonl")]
    assert settled([*everyone, settled_gold]) == [settled_gold]


def test_the_list_keeps_the_focus(page):
    take = part(page, "differences").get_by_role("button", name="take")
    take.nth(3).focus()
    press(page, "Enter")
    assert part(page, "differences").locator("li").nth(3).locator(".note").inner_text().endswith("taken")
    assert page.evaluate("document.activeElement.textContent") == "“a” ← “a”"
    page.get_by_role("button", name="Next difference").click()
    assert said(page).startswith("Difference 1 of 6")


def test_without_differences_it_is_said(open_page, tmp_path):
    page = open_page(make_page(tmp_path), selector=READY)
    press(page, "d")
    assert said(page) == "No difference is left."
