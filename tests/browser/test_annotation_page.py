"""The annotation page from disk and in a notebook."""

import json
import random

import pytest
from annotation_examples import TEXTS, line, link
from pages import (
    HOSTILE,
    READY,
    download,
    make_annotation_page,
    make_corpus,
    part,
    press,
    selection,
    shown_links,
    wait_for,
    wait_for_pair,
    wait_until_saved,
)
from vorlage.workflow.gold import read_gold, settled
from vorlage.workflow.score.agreement import agreement

pytestmark = pytest.mark.slow
KEYS = ("annotator", "against", "words", "kappa_sure", "kappa_possible", "pairs")
# What the page computes for a gold file, with its own data of the pairs.
COMPARE = """([lines, skip]) => {
    const texts = [...document.querySelectorAll("script.pair")].map((script) => script.textContent);
    const pairs = new Map(texts.map((text) => JSON.parse(text)).map((pair) => [pair.id, pair]));
    return compareAnnotators(lines, pairs, skip, "adjudicated");
}"""
# Of "Rufus received a ladder ." and "Ines gave a ladder to Rufus .": they agree on the first word alone.
RUFUS = link((0, 1), (5, 6))
TWO = (
    line("b", "A", RUFUS, link((1, 2), (1, 2)), link((2, 3), (2, 3)), link((4, 5), (6, 7))),
    line("b", "B", RUFUS, link((1, 2), (1, 2), sure=False), link((2, 3), (0, 1)), link((3, 4), (3, 4))),
)


def write(path, lines):
    path.write_text("".join(json.dumps(record) + "\n" for record in lines))
    return path


def said(page):
    return part(page, "detail").inner_text()


def reload(page):
    page.reload()
    page.wait_for_selector(READY)


def test_a_pair_is_annotated_by_keyboard_alone(open_page, tmp_path):
    page = open_page(make_annotation_page(tmp_path, annotator=""), selector="[data-part=annotator]:focus")
    page.wait_for_selector(READY)
    page.keyboard.type("A")
    press(page, "Enter")
    page.wait_for_function("() => !document.querySelector('[data-part=message]').textContent")
    # The most doubtful pair comes first: b, "Rufus received a ladder ." of "Ines gave a ladder to Rufus ."
    assert part(page, "pair").locator("option").all_inner_texts() == ["b", "a", "c"]
    assert selection(page, "summary") == ["Rufus"] and part(page, "left").inner_text().startswith("5 of 5")
    press(page, "m", "Enter")
    assert selection(page, "summary") == ["received"]
    assert "sure" in said(page) and "undecided" in said(page)
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
    press(page, "Control+y", "Control+Shift+Z", "Home", "Backspace")
    assert shown_links(page)[0][0] == "“received” ← “gave”"
    press(page, "Control+z", "f")
    wait_for(page, "place", "1 of 3")
    wait_for_pair(page, "a")
    # After a reload, the work is still there, and so is what is downloaded.
    reload(page)
    assert part(page, "pair").locator("option").all_inner_texts() == ["b – finished", "a", "c"]
    [gold] = download(page, tmp_path / "gold.jsonl")
    assert (gold.id, gold.annotator) == ("b", "A")
    assert gold.cells(sure_only=True) == {(0, 5), (2, 2), (3, 3)}
    assert gold.cells(sure_only=False) == {(0, 5), (1, 1), (2, 2), (3, 3)}


def test_a_pair_is_shown_before_there_is_a_name_and_what_is_marked_is_saved_with_it(open_page, tmp_path):
    path = make_annotation_page(tmp_path, annotator="")
    page = open_page(path, selector=READY)
    assert selection(page, "summary") == ["Rufus"] and part(page, "place").inner_text().startswith("0 of 3")
    part(page, "summary").locator(".word").first.click()
    press(page, "m", "Enter", "n")
    assert "Enter your name" in part(page, "message").inner_text()
    assert part(page, "saved").inner_text() == "" and download(page, tmp_path / "gold.jsonl") == []
    part(page, "summary").locator(".word").nth(2).click()
    press(page, "f", "f")  # a pair is not finished without a name: the page asks for it
    page.wait_for_selector("[data-part=annotator]:focus")
    wait_for_pair(page, "b")
    page.keyboard.type("Zoë")
    press(page, "Enter")
    wait_until_saved(page)
    wait_for(page, "place", "1 of 3")
    [gold] = download(page, tmp_path / "gold.jsonl")
    assert (gold.annotator, gold.cells(sure_only=True)) == ("Zoë", {(0, 5)})
    # Who has begun the pair before decides which version is kept.
    part(page, "annotator").fill("")
    press(page, "Enter")
    part(page, "message").get_by_text("Enter your name").wait_for()
    part(page, "summary").locator(".word").nth(1).click()
    press(page, "n")
    assert part(page, "left").inner_text() == "4 of 5 summary words undecided"
    part(page, "annotator").fill("Zoë")
    press(page, "Enter")
    page.wait_for_selector("[data-part=refused]:not([hidden])")
    page.get_by_role("button", name="Take the other").click()
    assert shown_links(page) == [("“Rufus” ← “Rufus”", "sure")]


def test_the_mouse_selects_and_lists_act(open_page, tmp_path):
    page = open_page(make_annotation_page(tmp_path), selector=READY)
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
    texts = ["“received” ← “gave a ladder”", "“a” ← “a”", "“ladder” ← “ladder”"]
    assert [text for text, _ in shown_links(page)] == texts
    # Spans of different lengths cannot be linked word by word.
    summary.nth(0).click()
    document.nth(0).click()
    page.get_by_role("button", name="Longer").click()
    page.get_by_role("button", name="Word by word").click()
    assert "as many words on both sides" in said(page)
    page.get_by_role("button", name="remove: “received”").click()
    part(page, "links").locator(".show").last.click()
    assert selection(page, "document") == ["ladder"]
    assert part(page, "curves").locator("path.curve-sure").count() == 1
    assert summary.nth(3).get_attribute("aria-label") == "ladder, sure “ladder”"
    assert download(page, tmp_path / "gold.jsonl") == []  # an unfinished pair is not gold


def test_markup_in_a_corpus_stays_text(open_page, tmp_path):
    name = "<b onclick=window.hacked=1>"
    texts = {id: (f"A {id} left .", f"{id} left .") for id in [*HOSTILE[:3], "__proto__"]}
    page = open_page(make_annotation_page(tmp_path, name, texts), selector=READY)
    for number, (id, (document, summary)) in enumerate(texts.items()):
        part(page, "pair").select_option(str(number))
        wait_for_pair(page, id)
        for side, text in (("summary", summary), ("document", document)):
            assert part(page, side).locator(".word").all_text_contents() == text.split(" ")
        part(page, "document").locator(".word").first.click()
        part(page, "summary").locator(".word").first.click()
        press(page, "Enter")
    wait_until_saved(page)
    assert page.evaluate("window.hacked") is None
    assert page.locator("#annotate img, #annotate script, .pane svg svg, #annotate b[onclick]").count() == 0
    download(page, tmp_path / "gold.jsonl")
    records = list(map(json.loads, (tmp_path / "gold.jsonl").read_text().splitlines()))
    assert [(record["id"], record["annotator"]) for record in records] == [(id, name) for id in texts]


# ---- several annotators ------------------------------------------------------------------------------------


def scored(folder, gold, skip):
    """Return the rows of `vorlage.workflow.score.agreement` for a gold file, as the page has them."""
    made = folder / "made"
    make_corpus(made, folder / "pairs.jsonl", gold, "--tokenized", "true")
    rows = agreement(made / "corpus.jsonl", made / "gold.jsonl", skip)
    rows = [row for row in rows if row["annotator"] < row["against"] and "adjudicated" not in row.values()]
    # NaN, where κ is not defined, is the only value that differs from itself.
    return [{key: row[key] if row[key] == row[key] else None for key in KEYS} for row in rows]


def random_gold(seed):
    """Return the gold of three annotators and an adjudicator, in a random order, some of it unfinished."""
    chance = random.Random(seed)
    lines = []
    for name in ("B", "a", "Zoë", "adjudicated"):
        for key, (document, summary) in TEXTS.items():
            ends = len(summary.split()), len(document.split())
            links = []
            for _ in range(chance.randrange(5)):
                spans = [sorted(chance.sample(range(end + 1), 2)) for end in ends]
                links.append(link(*spans, sure=chance.random() < 0.6))
            lines.append(line(key, name, *links, finished=chance.random() < 0.9))
    chance.shuffle(lines)
    return lines


def test_agreement_is_that_of_the_score_stage(open_page, tmp_path):
    page = open_page(make_annotation_page(tmp_path), selector=READY)
    compared = 0
    for seed in range(10):
        lines = random_gold(seed)
        gold = write(tmp_path / "gold.jsonl", lines)
        for skip in (0, 1):
            rows = page.evaluate(COMPARE, [lines, skip])
            assert rows == scored(tmp_path, gold, skip)
            compared += len(rows)
    assert compared > 50


def test_differences_are_settled_one_by_one_and_saved_as_a_third_annotator(open_page, tmp_path):
    gold = write(tmp_path / "both.jsonl", TWO)
    page = open_page(make_annotation_page(tmp_path, "adjudicated", None, "--gold", str(gold)), selector=READY)
    part(page, "start").select_option("A and B")
    assert shown_links(page) == [("“Rufus” ← “Rufus”", "sure")]
    # The list keeps the focus.
    part(page, "differences").get_by_role("button", name="take").nth(3).focus()
    press(page, "Enter")
    assert part(page, "differences").locator("li").nth(3).locator(".note").inner_text().endswith("taken")
    assert page.evaluate("document.activeElement.textContent") == "“a” ← “a”"
    part(page, "summary").locator(".word").first.focus()
    for keys, text in (
        ("d", "1 of 6: “received” ← “gave” · A: sure, B: possible"),
        ("d", "2 of 6: “received” ← “gave” · B: possible, A: sure"),
        ("pd", "3 of 6: “a” ← “Ines” · B: sure, A: not linked"),
        ("d", "5 of 6: “ladder” ← “ladder” · B: sure, A: not linked"),
        (["Enter", "d"], "6 of 6: “.” ← “.” · A: sure, B: not linked"),
        # What was left out comes again, until the pair is finished.
        ("nd", "1 of 6: “received” ← “gave” · A: sure, B: possible"),
    ):
        press(page, *keys)
        assert said(page) == f"Difference {text}"
    press(page, "f")
    wait_for_pair(page, "a")
    *both, adjudicated = download(page, tmp_path / "adjudicated.jsonl")
    assert both == list(read_gold(gold))  # the file goes on
    assert adjudicated.annotator == "adjudicated"
    assert adjudicated.cells(sure_only=True) == {(0, 5), (2, 2), (3, 3)}
    assert adjudicated.cells(sure_only=False) == {(0, 5), (1, 1), (2, 2), (3, 3)}
    # Beside the gold of the two, it alone counts in scores.
    assert settled([*read_gold(gold), adjudicated]) == [adjudicated]
