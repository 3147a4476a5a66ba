"""Links, citations and files that a reader takes away from a page, and hostile words, which stay text."""

import csv
import io
import json

import pytest
from pages import HOSTILE, made_pair, part, press, read_links, wait_for
from vorlage.alignments.alignment import read_alignments
from vorlage.views.viewer import viewer_page

pytestmark = pytest.mark.slow
VIEW = "#pair=sample-09&system=semihmm-relative&word=summary-20"


def saved(page, name):
    """Press a button that saves a file; return its name and its text."""
    with page.expect_download() as download:
        part(page, name).click()
    return download.value.suggested_filename, download.value.path().read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def alignment(results):
    """The alignment of the pair of `VIEW`, as the align stage wrote it."""
    alignments = read_alignments(results / "align/semihmm-relative/alignments.jsonl")
    return next(alignment for alignment in alignments if alignment.id == "sample-09")


def test_the_saved_files_hold_the_links_that_are_shown(open_page, results, sample, alignment):
    page = open_page(sample, VIEW)
    name, text = saved(page, "save-json")
    content = json.loads(text)
    assert (name, content["pair"], content["system"]) == ("sample-09.json", "sample-09", "semihmm-relative")
    rows = content["rows"]
    links = {
        (row["summary_word"], row["document_word"])
        for row in rows
        if row["system"] == "semihmm-relative" and row["document_word"] is not None
    }
    assert links == read_links(results)["sample-09"]["semihmm-relative"]
    assert all(row["summary"] == alignment.summary_words[row["summary_word"]] for row in rows)
    assert "gold" in {row["system"] for row in rows}
    # The table has the same rows.
    name, text = saved(page, "save-tsv")
    table = list(csv.DictReader(io.StringIO(text), delimiter="\t", quoting=csv.QUOTE_NONE))
    assert name == "sample-09.tsv" and [row["summary"] for row in table] == [row["summary"] for row in rows]
    # What is filtered away is not saved, nor is gold that is hidden; both systems that are shown are.
    part(page, "gold").uncheck()
    part(page, "rival-system").select_option("identity")
    part(page, "only").select_option("differ")
    page.wait_for_selector("[data-part=summary] .word.aside")
    shown = page.locator("[data-part=summary] .word:not(.aside)").count()
    content = json.loads(saved(page, "save-json")[1])
    assert content["rival"] == "identity"
    assert {row["system"] for row in content["rows"]} == {"semihmm-relative", "identity"}
    assert len({row["summary_word"] for row in content["rows"]}) == shown


def test_hostile_words_stay_text_on_the_page_and_in_files(open_page, tmp_path):
    pairs = [
        made_pair(word, f"A boat {word} left .", f"The {word} left .", [(1, 2, 0.9)], f"s {word}")
        for word in HOSTILE
    ]
    (tmp_path / "page.html").write_text(viewer_page(HOSTILE[0], pairs))
    page = open_page(tmp_path / "page.html")
    for number, word in enumerate(HOSTILE, start=1):
        wait_for(page, "place", f"{number} of")
        part(page, "system").select_option(f"s {word}")
        assert part(page, "search").input_value() == word
        assert part(page, "document").locator(".word").all_text_contents() == f"A boat {word} left .".split(
            " "
        )
        part(page, "document").locator(".word.linked").first.click()
        assert word in part(page, "detail").inner_text()
        name, text = saved(page, "save-tsv")
        assert not {"/", "<"} & set(name)
        lines = [line.split("\t") for line in text.splitlines()]
        assert len({len(line) for line in lines}) == 1
        assert not any(cell.startswith(("=", "+", "@")) for line in lines for cell in line)
        press(page, "n")
    assert page.locator("h1").text_content() == HOSTILE[0] and page.title() == f"{HOSTILE[0]} – links"
    assert page.evaluate("window.hacked") is None
    assert page.locator(".viewer img, .viewer svg svg, .pane svg").count() == 0
