"""How a reader finds pairs on the report page: filters, search in the texts, orders."""

import json
import re
from pathlib import Path

import pytest
from reports import make_report, part, wait_for

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]
INDEX = "JSON.parse(document.getElementById('index').textContent)"


@pytest.fixture(scope="module")
def some_gold(tmp_path_factory):
    """The report of two pairs of the bundled corpus, the first of them with gold."""
    folder = tmp_path_factory.mktemp("some_gold")
    lines = (ROOT / "data/sample/corpus.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    golds = (ROOT / "data/sample/gold.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    first = json.loads(lines[0])["id"]
    (folder / "pairs.jsonl").write_text("".join(lines[:2]), encoding="utf-8")
    (folder / "gold.jsonl").write_text("".join(gold for gold in golds if json.loads(gold)["id"] == first))
    return make_report(folder, folder / "pairs.jsonl", folder / "gold.jsonl")


def listed(page):
    """Return the ids of the pairs of the list, in order, by stepping through it from its first pair."""
    page.evaluate("document.activeElement.blur()")
    for _ in page.evaluate(INDEX)["pairs"]:
        page.keyboard.press("p")
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


def test_text_is_found_in_both_sides_across_words_and_lines(open_page, sample):
    lines = (sample.parent / "corpus/corpus.jsonl").read_text(encoding="utf-8").splitlines()
    texts = {record["id"]: record for record in map(json.loads, lines)}

    def joined(record, side):
        return " ".join(record[side]["text"].split()).lower()

    page = open_page(sample)
    for wanted in ("last week", "LAST   Week", "inch", "$2,195"):
        plain = " ".join(wanted.split()).lower()
        expected = {
            name
            for name, record in texts.items()
            if any(plain in joined(record, side) for side in ("summary", "document"))
        }
        part(page, "contains").fill(wanted)
        part(page, "contains").press("Enter")
        wait_for_count(page, len(expected))
        assert 0 < len(expected) < len(texts)
        found = listed(page)
        assert set(found) == expected and len(found) == len(expected)
        marked = page.locator(".word.found").all_inner_texts()
        assert marked and all(word.lower() in plain or plain in word.lower() for word in marked)
        part(page, "contains").fill("")
        part(page, "contains").press("Enter")
        page.wait_for_function(
            "() => !document.querySelector('[data-part=place]').textContent.includes('all')"
        )
    part(page, "contains").fill("no such words")
    part(page, "contains").press("Enter")
    wait_for(page, "message", "Nothing passes the filters.")


def test_a_filter_lists_the_pairs_that_have_such_words(open_page, sample):
    page = open_page(sample)
    pairs = page.evaluate(INDEX)["pairs"]
    first_system = 0
    lowest = {pair["id"]: pair["numbers"][first_system][2] for pair in pairs}
    part(page, "only").select_option("below")
    for below in (0.1, 0.3, 0.9):
        part(page, "below").fill(str(below))
        part(page, "below").press("Enter")
        expected = sum(value < below for value in lowest.values())
        if not expected:
            wait_for(page, "message", "Nothing passes the filters.")
            continue
        wait_for_count(page, expected)
        aside = part(page, "summary").locator(".word.aside").count()
        assert 0 < aside < part(page, "summary").locator(".word").count() or below == 0.9
    part(page, "only").select_option("without")
    assert part(page, "below").is_hidden()
    kept = part(page, "summary").locator(".word:not(.aside)")
    assert kept.count() == part(page, "summary").locator(".word.null").count() > 0


def test_the_page_counts_as_the_index_does(open_page, sample):
    """The numbers that Python puts into the index are those that the scripts find in the links."""
    page = open_page(sample)
    index = page.evaluate(INDEX)
    for number, pair in enumerate(index["pairs"][:14], start=1):
        wait_for(page, "place", f"{number} of")
        for system, numbers in zip(index["systems"], pair["numbers"], strict=True):
            part(page, "system").select_option(system)
            status = part(page, "status").inner_text()
            linked, words = map(int, re.match(r"(\d+) of (\d+) summary words", status).groups())
            assert numbers[1] == words - linked
            if pair["scores"]:
                wrong, missed = map(int, re.search(r"(\d+) wrong and (\d+) missed", status).groups())
                assert numbers[3] == wrong + missed
            else:
                assert numbers[3] == 0
        part(page, "next").click()


def test_pairs_are_ordered_by_their_errors_or_their_doubts(open_page, sample, without_gold):
    page = open_page(sample)
    pairs = page.evaluate(INDEX)["pairs"]
    for order, key in (
        ("worst", lambda pair: pair["scores"]["semihmm-relative"] if pair["scores"] else 2),
        ("doubt", lambda pair: -pair["numbers"][0][0]),
    ):
        part(page, "order").select_option(order)
        expected = [pair["id"] for pair in sorted(pairs, key=key)]
        wait_for(page, "search", expected[0])
        assert listed(page) == expected
    page = open_page(without_gold)
    assert part(page, "order").locator("option").all_inner_texts() == ["as listed", "most doubtful first"]


def test_a_permalink_keeps_the_filters(open_page, sample):
    page = open_page(sample)
    part(page, "only").select_option("below")
    part(page, "below").fill("0.2")
    part(page, "below").press("Enter")
    part(page, "contains").fill("the")
    part(page, "contains").press("Enter")
    page.wait_for_function("() => location.hash.includes('contains=the')")
    page.wait_for_timeout(500)
    place = part(page, "place").inner_text()
    again = open_page(sample, "#" + page.url.split("#")[1])
    again.wait_for_timeout(500)
    assert part(again, "place").inner_text() == place
    assert part(again, "only").input_value() == "below" and part(again, "below").input_value() == "0.20"
    # Addresses of earlier versions name the filter by 1.
    old = open_page(sample, "#pair=sample-04&only=1")
    assert part(old, "only").input_value() == "gold"


def test_a_filter_does_not_hide_a_pair_without_gold(open_page, some_gold):
    page = open_page(some_gold)
    part(page, "only").select_option("gold")
    ids = {bool(pair["scores"]): pair["id"] for pair in page.evaluate(INDEX)["pairs"]}
    wait_for(page, "search", ids[True])
    part(page, "search").fill(ids[False])
    part(page, "search").press("Enter")
    wait_for(page, "place", "not among 1 (all: 2)")
    assert part(page, "gold").is_disabled()
    assert part(page, "summary").locator(".sentence:visible").count() > 0


def test_the_search_for_a_pair_suggests_ids(open_page, sample):
    page = open_page(sample)
    part(page, "search").fill("-1")
    ids = [pair["id"] for pair in page.evaluate(INDEX)["pairs"]]
    offered = page.locator("#ids option").evaluate_all("all => all.map((option) => option.value)")
    assert offered == [name for name in ids if "-1" in name]
