"""The report page, used as a reader uses it: links, systems, keyboard, addresses, tables."""

import re
import zipfile

import pytest
from pages import numbers, part, press, read_links, wait_for

pytestmark = pytest.mark.slow


def test_a_reader_finds_links_systems_and_pairs(open_page, sample):
    page = open_page(sample)
    listed = page.evaluate("JSON.parse(document.getElementById('index').textContent).pairs")
    ids = [pair["id"] for pair in listed]
    assert part(page, "search").input_value() == ids[0]

    # Pointing at a word shows what it is linked to.
    word = part(page, "summary").locator(".word.linked").nth(2)
    word.hover()
    assert part(page, "document").locator(".word.hit").count() >= 1
    assert word.inner_text() in part(page, "detail").inner_text()
    assert re.search(r"semihmm-relative: “.+” [01]\.\d\d", part(page, "detail").inner_text())
    assert part(page, "summary").locator(".word.null").count() > 0

    # Another system has other links, and without posteriors there is no threshold.
    before = part(page, "status").inner_text()
    part(page, "system").select_option("identity")
    assert part(page, "status").inner_text() != before
    assert part(page, "threshold").is_disabled()
    part(page, "system").select_option("semihmm-relative")
    assert part(page, "status").inner_text() == before

    # A higher threshold shows fewer links; one below that of the decoder adds the candidates.
    def linked(threshold):
        part(page, "threshold").fill(str(threshold))
        return part(page, "summary").locator(".word.linked").count()

    counts = [linked(threshold) for threshold in (0.05, 0.5, 0.99)]
    assert counts[0] > counts[1] > counts[2]
    part(page, "reset").click()
    assert part(page, "status").inner_text() == before

    # A pair by its id, the next pair, and a pair that the page lacks.
    part(page, "search").fill("-1")
    offered = page.locator("#ids option").evaluate_all("all => all.map((option) => option.value)")
    assert offered == [id for id in ids if "-1" in id]
    part(page, "search").fill(ids[3])
    part(page, "search").press("Enter")
    wait_for(page, "place", "4 of")
    part(page, "next").click()
    wait_for(page, "search", ids[4])
    part(page, "search").fill("nowhere")
    part(page, "search").press("Enter")
    assert part(page, "message").inner_text() == "This page does not show a pair with the id nowhere."


def test_links_are_those_of_the_soft_rule(open_page, results, sample):
    page, links = open_page(sample), read_links(results)
    for number in range(1, 4):
        wait_for(page, "place", f"{number} of")
        id = part(page, "search").input_value()
        hits = page.evaluate(
            """() => [...document.querySelectorAll('[data-part=summary] .word')].map((word) => {
                word.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }));
                const hits = document.querySelectorAll('[data-part=document] .word.hit');
                return [...hits].map((hit) => Number(hit.dataset.k));
            })"""
        )
        assert {(i, j) for i, words in enumerate(hits) for j in words} == links[id]["semihmm-relative"]
        part(page, "next").click()


def test_the_keyboard_is_enough(open_page, sample):
    page = open_page(sample)
    assert page.locator('.word[tabindex="0"]').count() == 2  # one for each side, not one for each word
    part(page, "summary").locator(".word").first.focus()
    press(page, "ArrowRight")
    assert page.evaluate("document.activeElement.dataset.k") == "1"
    press(page, "Enter")
    part(page, "summary").locator(".word").nth(5).hover()
    assert "summary word 1" in part(page, "detail").inner_text()  # it is pinned
    press(page, "Escape", "End")
    last = part(page, "summary").locator(".word").last
    assert last.evaluate("word => word === document.activeElement")
    part(page, "document").locator(".word").first.focus()
    press(page, "n")
    wait_for(page, "place", "2 of")
    assert page.evaluate("document.activeElement.dataset.side") == "document"


@pytest.mark.parametrize("width", [360, 1280])
def test_the_address_restores_the_view(open_page, sample, width):
    page = open_page(sample)
    assert part(page, "link").get_attribute("href") == "#pair=sample-01&system=semihmm-relative"
    anchor = "#pair=sample-09&system=semihmm-relative&threshold=0.80&gold=0&word=summary-20"
    page = open_page(sample, anchor, viewport={"width": width, "height": 800})
    page.wait_for_selector(".word.active")
    page.wait_for_timeout(300)
    assert part(page, "link").get_attribute("href") == anchor and not part(page, "gold").is_checked()
    assert part(page, "search").input_value() == "sample-09" and part(page, "value").inner_text() == "0.80"
    word = page.locator(".word.active").bounding_box()
    above = page.locator("nav.sections").bounding_box()
    assert above["y"] + above["height"] <= word["y"] <= 800 - word["height"]
    press(page, "Escape")
    assert page.locator(".word.active").count() == 0


def test_the_first_lines_name_the_worst_pairs_and_hold_all_tables(open_page, results, sample):
    page = open_page(sample)
    summary = page.locator("ul.summary")
    assert "Best system: semihmm-relative, SoftF" in summary.inner_text()
    assert re.search(r"95 % interval 0\.\d+–0\.\d+ over 31 pairs with gold", summary.inner_text())
    assert "in 32 pairs, 31 of them with gold" in page.locator("header").inner_text()
    worst = summary.locator("a").first.inner_text()
    summary.locator("a").first.click()
    wait_for(page, "search", worst)
    pairs = page.evaluate("JSON.parse(document.getElementById('index').textContent).pairs")
    scores = {pair["id"]: pair["scores"]["semihmm-relative"] for pair in pairs if pair["scores"]}
    assert worst == min(scores, key=scores.get)
    with page.expect_download() as download:
        page.get_by_text("Download all tables").click()
    with zipfile.ZipFile(download.value.path()) as archive:
        assert archive.read("scores.tsv") == (results / "score/scores.tsv").read_bytes()
        assert "statistics.tsv" in archive.namelist()


@pytest.mark.parametrize("width", [1280, 1920])
def test_tables_figures_and_captions_share_the_width(open_page, sample, width):
    page = open_page(sample, viewport={"width": width, "height": 900})
    table, figure = (page.locator(f"#{kind}-scores").bounding_box() for kind in ("table", "figure"))
    assert table["x"] + table["width"] <= figure["x"] and abs(table["y"] - figure["y"]) < 20
    assert figure["x"] + figure["width"] > 0.7 * width
    caption = page.locator("#caption-systems").bounding_box()
    assert page.locator("#table-systems").bounding_box()["x"] < caption["x"]


# ---- two systems side by side ------------------------------------------------------------------------------


def differing(of_pair):
    """Return the summary words whose links differ between the two systems."""
    return {i for i, _ in of_pair["semihmm-relative"] ^ of_pair["identity"]}


def test_two_systems_are_compared(open_page, results, sample):
    page, links = open_page(sample), read_links(results)
    assert part(page, "rival-pane").is_hidden()
    part(page, "rival-system").select_option("identity")
    part(page, "rival-pane").wait_for()
    of_pair = links["sample-01"]
    for pane, name in (("summary", "semihmm-relative"), ("rival", "identity")):
        assert numbers(page, pane, "differing") == differing(of_pair)
        assert numbers(page, pane, "linked") == {i for i, _ in of_pair[name]}
    assert f"{len(differing(of_pair))} summary words differ" in part(page, "status").inner_text()
    # A word of a summary shows the links of both systems, and a word of the document leads to both.
    k = min(differing(of_pair) & {i for i, _ in of_pair["semihmm-relative"]})
    for pane in ("summary", "rival"):
        part(page, pane).locator(".word").nth(k).hover()
        assert page.locator(".word.active").count() == 2
        for name, mark in (("semihmm-relative", "hit"), ("identity", "rival-hit")):
            assert numbers(page, "document", mark) == {j for i, j in of_pair[name] if i == k}
    j = min(j for _, j in of_pair["semihmm-relative"] & of_pair["identity"])
    part(page, "document").locator(".word").nth(j).hover()
    for pane, name in (("summary", "semihmm-relative"), ("rival", "identity")):
        assert numbers(page, pane, "hit") == {i for i, of_word in of_pair[name] if of_word == j}
    # A system is not compared with itself.
    part(page, "system").select_option("identity")
    part(page, "rival-pane").wait_for(state="hidden")
    assert part(page, "rival-system").locator("option:text-is('identity')").is_disabled()
