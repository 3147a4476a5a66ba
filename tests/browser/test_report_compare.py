"""Two systems side by side on the report page."""

import pytest
from reports import part, take_screenshot, wait_for
from vorlage.alignments.alignment import read_alignments
from vorlage.score.counts import soft_links

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def links(sample):
    """The word links of each pair by system, from the files of the align stage."""
    found = {}
    for name in ("relative", "identity"):
        for alignment in read_alignments(sample.parent / f"{name}.jsonl"):
            cells = soft_links(alignment.links, alignment.summary_words, alignment.document_words)
            found.setdefault(alignment.id, {})[name] = {(int(i), int(j)) for i, j in cells}
    return found


def differing(of_pair):
    """Return the summary words whose links differ between the two systems."""
    return {i for i, _ in of_pair["relative"] ^ of_pair["identity"]}


def test_the_words_that_two_systems_link_differently_are_marked(request, open_page, sample, links):
    page = open_page(sample)
    assert part(page, "rival-pane").is_hidden()
    part(page, "rival-system").select_option("identity")
    part(page, "rival-pane").wait_for()
    take_screenshot(request, page, "sample-compare.png")
    for number in range(1, 4):
        wait_for(page, "place", f"{number} of")
        of_pair = links[part(page, "search").input_value()]
        for pane, name in (("summary", "relative"), ("rival", "identity")):
            words = part(page, pane).locator(".word")
            marked = words.evaluate_all(
                "all => all.flatMap((word, k) => (word.classList.contains('differing') ? [k] : []))"
            )
            assert set(marked) == differing(of_pair)
            linked = words.evaluate_all(
                "all => all.flatMap((word, k) => (word.classList.contains('linked') ? [k] : []))"
            )
            assert set(linked) == {i for i, _ in of_pair[name]}
        assert f"{len(differing(of_pair))} summary words differ" in part(page, "status").inner_text()
        part(page, "next").click()


def test_a_word_shows_the_links_of_both_systems(open_page, sample, links):
    page = open_page(sample, "#pair=sample-01&system=semihmm-relative&rival=identity")
    of_pair = links["sample-01"]
    k = min(differing(of_pair) & {i for i, _ in of_pair["relative"]})
    for pane in ("summary", "rival"):
        part(page, pane).locator(".word").nth(k).hover()
        assert page.locator(".word.active").count() == 2
        for name, mark in (("relative", "hit"), ("identity", "rival-hit")):
            hits = page.locator(f"[data-part=document] .word.{mark}")
            shown = hits.evaluate_all("all => all.map((word) => Number(word.dataset.k))")
            assert set(shown) == {j for i, j in of_pair[name] if i == k}
        detail = part(page, "detail").inner_text()
        assert "semihmm-relative: “" in detail and "identity: " in detail
    # A word of the document leads to both summaries.
    j = min(j for _, j in of_pair["relative"] & of_pair["identity"])
    part(page, "document").locator(".word").nth(j).hover()
    for pane, name in (("summary", "relative"), ("rival", "identity")):
        hits = part(page, pane).locator(".word.hit")
        shown = hits.evaluate_all("all => all.map((word) => Number(word.dataset.k))")
        assert set(shown) == {i for i, of_word in of_pair[name] if of_word == j}


def test_the_list_can_be_of_pairs_that_differ(open_page, sample, links):
    page = open_page(sample, "#pair=sample-01&system=semihmm-relative&rival=identity")
    part(page, "only").select_option("differ")
    expected = sum(bool(differing(of_pair)) for of_pair in links.values())
    page.wait_for_selector("[data-part=rival] .word.aside")
    wait_for(page, "place", f"1 of {expected}")
    kept = part(page, "rival").locator(".word:not(.aside)")
    assert kept.count() == len(differing(links["sample-01"]))
    address = page.url
    assert "rival=identity" in address and "only=differ" in address
    again = open_page(sample, "#" + address.split("#")[1])
    again.wait_for_selector("[data-part=rival] .word.differing:visible")
    assert part(again, "only").input_value() == "differ"
    # Without a second system there is nothing to differ from.
    part(page, "rival-system").select_option("")
    part(page, "rival-pane").wait_for(state="hidden")
    assert part(page, "only").input_value() == ""
    assert "differ" not in part(page, "status").inner_text()


def test_a_system_is_not_compared_with_itself(open_page, sample):
    page = open_page(sample, "#pair=sample-01&system=semihmm-relative&rival=identity")
    part(page, "system").select_option("identity")
    part(page, "rival-pane").wait_for(state="hidden")
    own = part(page, "rival-system").locator("option[value=identity], option:text-is('identity')")
    assert own.is_disabled()
    # A page of one system offers no comparison.
    assert part(open_page(sample, "#pair=nowhere&rival=nowhere"), "rival-pane").is_hidden()


def test_the_keyboard_reaches_both_summaries(open_page, sample):
    page = open_page(sample, "#pair=sample-01&system=semihmm-relative&rival=identity&word=rival-3")
    page.wait_for_selector(".word.active")
    assert page.locator(".word[tabindex='0']").count() == 3
    part(page, "rival").locator(".word[tabindex='0']").focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.dataset.side") == "rival"


def test_a_pinned_word_stays_when_systems_change(open_page, sample):
    page = open_page(sample, "#pair=sample-02&system=semihmm-relative&word=summary-4")
    page.wait_for_selector(".word.active")
    part(page, "rival-system").select_option("identity")
    assert page.locator(".word.active").count() == 2
    assert "identity: " in part(page, "detail").inner_text()
    part(page, "rival-system").select_option("")
    part(page, "system").select_option("identity")
    assert page.locator(".word.active").get_attribute("data-k") == "4"
    assert "word=summary-4" in page.url and "system=identity" in page.url
    assert part(page, "detail").inner_text().count("identity: ") == 1
