"""How a reader finds pairs on the report page: filters, search in the texts, orders."""

import json

import pytest
from pages import part, press, wait_for

pytestmark = pytest.mark.slow
INDEX = "JSON.parse(document.getElementById('index').textContent)"


def listed(page):
    """Return the ids of the pairs of the list, in order, by stepping through it from its first pair."""
    page.evaluate("document.activeElement.blur()")
    press(page, *("p" for _ in page.evaluate(INDEX)["pairs"]))
    wait_for(page, "place", "1 of")
    ids = [part(page, "search").input_value()]
    while part(page, "next").is_enabled():
        part(page, "next").click()
        wait_for(page, "place", f"{len(ids) + 1} of")
        ids.append(part(page, "search").input_value())
    return ids


def wait_for_count(page, count):
    """Wait until the list has so many pairs."""
    page.wait_for_function(
        "count => ` ${document.querySelector('[data-part=place]').textContent},`.match(`of ${count}[ ,]`)",
        arg=count,
    )


def enter(page, name, text):
    part(page, name).fill(str(text))
    part(page, name).press("Enter")


def test_text_is_found_in_both_sides_across_words_and_lines(open_page, results, sample):
    lines = (results / "corpus/corpus.jsonl").read_text(encoding="utf-8").splitlines()
    texts = {
        record["id"]: [" ".join(record[side]["text"].split()).lower() for side in ("summary", "document")]
        for record in map(json.loads, lines)
    }
    page = open_page(sample)
    for phrase in ("LAST   Week", "inch", "$2,195"):
        plain = " ".join(phrase.split()).lower()
        expected = {id for id, sides in texts.items() if any(plain in side for side in sides)}
        enter(page, "contains", phrase)
        wait_for_count(page, len(expected))
        assert 0 < len(expected) < len(texts) and set(listed(page)) == expected
        found = page.locator(".word.found").all_inner_texts()
        assert found and all(word.lower() in plain or plain in word.lower() for word in found)
        enter(page, "contains", "")
        page.wait_for_function(
            "() => !document.querySelector('[data-part=place]').textContent.includes('all')"
        )
    enter(page, "contains", "no such words")
    wait_for(page, "message", "Nothing passes the filters.")


def test_a_filter_lists_the_pairs_that_have_such_words_and_stays_in_the_address(open_page, sample):
    page = open_page(sample)
    lowest = [pair["numbers"][0][2] for pair in page.evaluate(INDEX)["pairs"]]
    part(page, "only").select_option("without")
    kept = part(page, "summary").locator(".word:not(.aside)")
    assert kept.count() == part(page, "summary").locator(".word.null").count() > 0
    part(page, "only").select_option("below")
    enter(page, "below", 0.3)
    wait_for_count(page, sum(value < 0.3 for value in lowest))
    aside = part(page, "summary").locator(".word.aside").count()
    assert 0 < aside < part(page, "summary").locator(".word").count()
    enter(page, "contains", "the")
    page.wait_for_function("() => location.hash.includes('contains=the')")
    page.wait_for_timeout(500)
    again = open_page(sample, "#" + page.url.split("#")[1])
    again.wait_for_timeout(500)
    assert part(again, "place").inner_text() == part(page, "place").inner_text()
    assert part(again, "only").input_value() == "below" and part(again, "below").input_value() == "0.30"
