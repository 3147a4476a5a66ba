"""The report page in headless Chromium, used as a reader uses it."""

import itertools
import re

import pytest
from reports import part, take_screenshot, wait_for
from vorlage.alignments.alignment import read_alignments
from vorlage.score.counts import soft_links

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("which", ["sample", "mtref"])
def test_a_reader_finds_links_systems_and_pairs(request, open_page, which):
    path = request.getfixturevalue(which)
    page = open_page(path)
    listed = page.evaluate("JSON.parse(document.getElementById('index').textContent).pairs")
    ids = [pair["id"] for pair in listed]
    assert part(page, "search").input_value() == ids[0]

    # Pointing at a word shows what it is linked to.
    page.evaluate("document.querySelector('#viewer').scrollIntoView()")
    word = part(page, "summary").locator(".word.linked").nth(2)
    word.hover()
    assert part(page, "document").locator(".word.hit").count() >= 1
    assert word.inner_text() in part(page, "detail").inner_text()
    assert re.search(r"semihmm-relative: “.+” [01]\.\d\d", part(page, "detail").inner_text())
    assert part(page, "summary").locator(".word.null").count() > 0
    take_screenshot(request, page, f"{which}-viewer.png")

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

    # Only disagreements.
    part(page, "only").select_option("gold")
    colours = [
        page.locator(f"#viewer.only [data-part=summary] .word{kind}").first.evaluate(
            "e => getComputedStyle(e).color"
        )
        for kind in (".aside", ":not(.aside)")
    ]
    assert colours[0] != colours[1]
    part(page, "only").select_option("")
    wait_for(page, "place", "1 of")

    # A pair by its id, the next pair, and a pair that the page lacks.
    part(page, "search").fill(ids[3])
    part(page, "search").press("Enter")
    wait_for(page, "place", "4 of")
    part(page, "next").click()
    wait_for(page, "search", ids[4])
    part(page, "search").fill("nowhere")
    part(page, "search").press("Enter")
    assert part(page, "message").inner_text() == "This page does not show a pair with the id nowhere."

    # The worst pair first.
    part(page, "order").select_option("worst")
    scores = [pair["scores"] and pair["scores"]["semihmm-relative"] for pair in listed]
    worst = min((score, number) for number, score in enumerate(scores) if score is not None)
    wait_for(page, "search", ids[worst[1]])


def test_links_are_those_of_the_soft_rule(open_page, sample):
    page = open_page(sample)
    for alignment in itertools.islice(read_alignments(sample.parent / "relative.jsonl"), 3):
        part(page, "search").fill(alignment.id)
        part(page, "search").press("Enter")
        page.wait_for_function(
            "id => document.querySelector('[data-part=link]').hash.startsWith(`#pair=${id}&`)",
            arg=alignment.id,
        )
        hits = page.evaluate(
            """() => [...document.querySelectorAll('[data-part=summary] .word')].map((word) => {
                word.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }));
                const hits = document.querySelectorAll('[data-part=document] .word.hit');
                return [...hits].map((hit) => Number(hit.dataset.k));
            })"""
        )
        shown = {(i, j) for i, words in enumerate(hits) for j in words}
        assert shown == soft_links(alignment.links, alignment.summary_words, alignment.document_words)
        assert any(len(link.all_cells()) > len(set(link.all_cells()) & shown) for link in alignment.links)


def test_the_address_restores_the_view(open_page, sample):
    page = open_page(sample)
    part(page, "next").click()
    wait_for(page, "place", "2 of")
    part(page, "threshold").fill("0.8")
    part(page, "summary").locator(".word.linked").nth(1).click()
    address, detail = page.url, part(page, "detail").inner_text()
    again = open_page(sample, "#" + address.split("#")[1])
    again.wait_for_selector(".word.active")
    assert part(again, "search").input_value() == part(page, "search").input_value()
    assert part(again, "detail").inner_text() == detail
    assert part(again, "value").inner_text() == "0.80"


def test_an_error_of_the_table_is_shown_in_the_viewer(open_page, sample):
    page = open_page(sample)
    row = page.locator("#table-errors tbody tr").nth(3)
    pair, phrase = row.locator("td").nth(1).inner_text(), row.locator("td").nth(2).inner_text()
    row.locator("a").click()
    page.wait_for_selector(".word.active")
    assert part(page, "search").input_value() == pair
    assert page.locator(".word.active").inner_text() == phrase.split()[0]


def test_the_keyboard_is_enough(open_page, sample):
    page = open_page(sample)
    first = part(page, "summary").locator(".word").first
    first.focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.dataset.k") == "1"
    assert "summary word 1" in part(page, "detail").inner_text()
    page.keyboard.press("Enter")
    part(page, "summary").locator(".word").nth(5).hover()
    assert "summary word 1" in part(page, "detail").inner_text()  # it is pinned
    page.keyboard.press("Escape")
    page.keyboard.press("End")
    assert page.evaluate(
        "document.activeElement === [...document.querySelectorAll('[data-part=summary] .word')].pop()"
    )
    page.keyboard.press("n")
    wait_for(page, "place", "2 of")
    stops = page.locator('.word[tabindex="0"]').count()
    assert stops == 2  # one for each side, not one for each word
    named = "e => e.labels?.length || e.ariaLabel || e.textContent.trim() || e.title"
    assert page.evaluate(f"[...document.querySelectorAll('input, select, button, a')].every({named})")
    assert page.locator("img:not([alt])").count() == 0


def test_a_heading_sorts_its_table(open_page, sample):
    page = open_page(sample)
    page.locator("#table-sizes th button", has_text="links").click()
    shown = page.locator("#table-sizes tbody tr td:nth-child(2)").all_inner_texts()
    numbers = [int(text.replace(",", "")) for text in shown]
    assert numbers == sorted(numbers, reverse=True) and len(numbers) == 3


def test_the_page_has_a_dark_and_a_printed_form(request, open_page, sample):
    page = open_page(sample, color_scheme="dark")
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert dark != open_page(sample).evaluate("getComputedStyle(document.body).backgroundColor")
    take_screenshot(request, page, "sample-dark.png")
    page.emulate_media(media="print")
    assert not page.locator("nav.sections").is_visible()
    box = part(page, "document").bounding_box()
    assert box["height"] >= part(page, "document").evaluate("e => e.scrollHeight") - 1
    take_screenshot(request, page, "sample-print.png", full_page=True)


def test_the_link_to_the_view_is_there_from_the_start(open_page, sample):
    page = open_page(sample)
    assert part(page, "link").get_attribute("href") == "#pair=sample-01&system=semihmm-relative"
    anchor = "#pair=sample-02&system=identity&gold=0&word=summary-3"
    again = open_page(sample, anchor)
    again.wait_for_selector(".word.active")
    assert part(again, "link").get_attribute("href") == anchor
    assert not part(again, "gold").is_checked()
    again.keyboard.press("Escape")
    assert again.locator(".word.active").count() == 0


def test_the_order_is_that_of_the_system_in_the_address(open_page, sample):
    page = open_page(sample)
    part(page, "order").select_option("worst")
    part(page, "system").select_option("identity")
    first = page.evaluate("JSON.parse(document.getElementById('index').textContent).pairs")
    scores = {pair["id"]: pair["scores"]["identity"] for pair in first if pair["scores"]}
    best = max(scores, key=scores.get)
    part(page, "system").select_option("semihmm-relative")
    page.evaluate(f"location.hash = '#pair={best}&system=identity'")
    wait_for(page, "search", best)
    assert part(page, "place").inner_text().startswith(f"{len(scores)} of")


def test_a_link_works_when_it_is_clicked_again(open_page, sample):
    page = open_page(sample)
    link = page.locator("#table-errors a").first
    for _ in range(2):
        link.scroll_into_view_if_needed()
        link.click()
        page.wait_for_function(
            "() => Math.abs(document.querySelector('.viewer').getBoundingClientRect().top) < 100"
        )


def test_the_navigation_reaches_the_sections(open_page, sample):
    page = open_page(sample)
    for name in ("links", "corpus", "scores"):
        page.locator(f'nav.sections a[href="#{name}"]').click()
        page.wait_for_timeout(100)
        assert page.locator(f"#{name} h2").evaluate(
            "e => e.getBoundingClientRect().top >= 0 && e.getBoundingClientRect().top < innerHeight"
        )


def test_the_focus_stays_in_the_text_when_the_pair_changes(open_page, sample):
    page = open_page(sample)
    part(page, "document").locator(".word").first.focus()
    page.keyboard.press("n")
    wait_for(page, "place", "2 of")
    assert page.evaluate("document.activeElement.dataset.side") == "document"


def test_marked_words_have_enough_contrast(open_page, sample):
    """Contrast of at least 4.5 (WCAG AA) of linked, null and highlighted words, light and dark."""

    def channel(value):
        return value / 12.92 if value <= 0.03928 else ((value + 0.055) / 1.055) ** 2.4

    def luminance(colour):
        return sum(w * channel(c / 255) for w, c in zip((0.2126, 0.7152, 0.0722), colour, strict=True))

    def parsed(text):
        numbers = [float(x) for x in re.findall(r"[\d.]+", text)]
        return numbers[:3], numbers[3] if len(numbers) > 3 else 1.0

    for scheme in ("light", "dark"):
        page = open_page(sample, color_scheme=scheme)
        part(page, "threshold").fill("0.05")
        card, _ = parsed(page.evaluate("getComputedStyle(document.querySelector('.pane')).backgroundColor"))
        for strength in ("0.05", "0.5", "1"):
            for name in ("linked", "hit", "null"):
                found = page.evaluate(
                    """([name, strength]) => {
                        const word = document.querySelector('[data-part=document] .word');
                        word.className = `word ${name}`;
                        word.style.cssText = `--p: ${strength}; --hit: ${strength}`;
                        const style = getComputedStyle(word);
                        return [style.color, style.backgroundColor];
                    }""",
                    [name, strength],
                )
                (ink, _), (paint, alpha) = map(parsed, found)
                paper = [alpha * a + (1 - alpha) * b for a, b in zip(paint, card, strict=True)]
                light, dark = sorted((luminance(ink), luminance(paper)), reverse=True)
                assert (light + 0.05) / (dark + 0.05) >= 4.5, (scheme, name, strength)
