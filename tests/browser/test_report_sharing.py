"""Links, citations and files that a reader takes away from the report page."""

import csv
import io
import json

import pytest
from reports import part, wait_for
from vorlage import load_model
from vorlage.alignments.alignment import read_alignments
from vorlage.score.counts import soft_links

pytestmark = pytest.mark.slow
CLIPBOARD = {"permissions": ["clipboard-read", "clipboard-write"]}
VIEW = "#pair=sample-09&system=semihmm-relative&word=summary-20"


def copied(page, name):
    """Press a button that copies; return what was copied."""
    part(page, name).click()
    page.wait_for_function(
        "() => document.querySelector('[data-part=shared]').textContent.includes('copied')"
    )
    return page.evaluate("navigator.clipboard.readText()")


def saved(page, name):
    """Press a button that saves a file; return its name and its text."""
    with page.expect_download() as download:
        part(page, name).click()
    return download.value.suggested_filename, download.value.path().read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def alignment(sample):
    """The alignment of the pair of `VIEW`, as the align stage wrote it."""
    return next(one for one in read_alignments(sample.parent / "relative.jsonl") if one.id == "sample-09")


def test_the_copied_link_opens_the_view(open_page, sample):
    page = open_page(sample, VIEW, **CLIPBOARD)
    page.wait_for_selector(".word.active")
    part(page, "threshold").fill("0.30")
    link = copied(page, "copy-link")
    assert link == page.url and link.startswith("file://") and "word=summary-20" in link
    again = open_page(sample, "#" + link.split("#")[1])
    again.wait_for_selector(".word.active")
    assert part(again, "detail").inner_text() == part(page, "detail").inner_text()


def test_a_citation_names_the_words_their_places_and_their_sources(open_page, sample, alignment):
    page = open_page(sample, VIEW, **CLIPBOARD)
    page.wait_for_selector(".word.active")
    first, last = copied(page, "copy-citation").splitlines()[0], page.url
    assert first.startswith(f"“{alignment.summary_words[20]}” (sample-09, summary, sentence ")
    assert first.endswith("word 20)")
    assert copied(page, "copy-citation").splitlines()[-1] == last
    # A selected passage, whose source stands in the document.
    link = next(link for link in alignment.links if link.document and link.summary[1] - link.summary[0] == 2)
    (start, end), (source_start, source_end) = link.summary, link.document
    page.evaluate(
        """([start, end]) => {
            const words = document.querySelectorAll('[data-part=summary] .word');
            const range = document.createRange();
            range.setStart(words[start].firstChild, 0);
            range.setEnd(words[end - 1].firstChild, 1);
            getSelection().removeAllRanges();
            getSelection().addRange(range);
        }""",
        [start, end],
    )
    lines = copied(page, "copy-citation").splitlines()
    quote = " ".join(alignment.summary_words[start:end])
    assert lines[0].startswith(f"“{quote}” (sample-09, summary, sentence ")
    assert lines[0].endswith(f"words {start}–{end - 1})")
    assert lines[1].startswith("comes from, by semihmm-relative: “")
    assert f"words {source_start}–{source_end - 1}, posterior ≥ " in lines[1]


def test_the_saved_files_hold_the_links_that_are_shown(open_page, sample, alignment):
    page = open_page(sample, VIEW)
    name, text = saved(page, "save-json")
    content = json.loads(text)
    assert name == "sample-09.json"
    assert content["pair"] == "sample-09" and content["system"] == "semihmm-relative"
    rows = content["rows"]
    of_system = {
        (row["summary_word"], row["document_word"])
        for row in rows
        if row["system"] == "semihmm-relative" and row["document_word"] is not None
    }
    expected = soft_links(alignment.links, alignment.summary_words, alignment.document_words)
    assert of_system == {(int(i), int(j)) for i, j in expected}
    for row in rows:
        assert row["summary"] == alignment.summary_words[row["summary_word"]]
    assert {row["gold"] for row in rows} <= {"", "possible", "sure"} and any(
        row["system"] == "gold" for row in rows
    )
    assert {row["summary_word"] for row in rows} == set(range(len(alignment.summary_words)))
    # The table has the same rows.
    name, text = saved(page, "save-tsv")
    table = list(csv.DictReader(io.StringIO(text), delimiter="\t", quoting=csv.QUOTE_NONE))
    assert name == "sample-09.tsv" and len(table) == len(rows)
    assert [row["document_word"] for row in table] == [
        "" if row["document_word"] is None else str(row["document_word"]) for row in rows
    ]
    # What is filtered away is not saved, nor is gold that is hidden.
    part(page, "gold").uncheck()
    part(page, "only").select_option("without")
    page.wait_for_selector("[data-part=summary] .word.aside")
    rows = json.loads(saved(page, "save-json")[1])["rows"]
    assert {row["system"] for row in rows} == {"semihmm-relative"}
    assert {row["document_word"] for row in rows} == {None}
    assert len(rows) == part(page, "summary").locator(".word.null").count()


def test_two_systems_are_saved_together(open_page, sample):
    page = open_page(sample, "#pair=sample-02&system=semihmm-relative&rival=identity&gold=0")
    page.wait_for_selector("[data-part=rival] .word")
    content = json.loads(saved(page, "save-json")[1])
    assert content["rival"] == "identity"
    assert {row["system"] for row in content["rows"]} == {"semihmm-relative", "identity"}


def test_hostile_words_are_saved_as_text(open_page, hostile):
    page = open_page(hostile)
    for number in range(1, 9):
        wait_for(page, "place", f"{number} of")
        name, text = saved(page, "save-tsv")
        assert "/" not in name and ".." not in name and "<" not in name
        cells = [cell for line in text.splitlines() for cell in line.split("\t")]
        assert len({line.count("\t") for line in text.splitlines()}) == 1
        assert not any(cell.startswith(("=", "+", "@")) for cell in cells)
        if part(page, "next").is_enabled():
            part(page, "next").click()
    assert "'=cmd|'/c calc'!A1" in cells and page.evaluate("window.hacked") is None


def test_a_notebook_copies_and_saves_too(open_page, hostile, tmp_path):

    aligned = load_model(hostile.parent / "train/model.npz").align(
        "A boat left. Rain came.", "The boat left."
    )
    (tmp_path / "notebook.html").write_text(f"<!doctype html><title>x</title>{aligned._repr_html_()}")
    page = open_page(tmp_path / "notebook.html", selector="iframe", **CLIPBOARD)
    frame = page.frame_locator("iframe")
    frame.locator(".word.linked").nth(1).click()
    assert frame.locator("[data-part=copy-link]").is_hidden()  # the frame has no address
    with page.expect_download() as download:
        frame.locator("[data-part=save-json]").click()
    assert json.loads(download.value.path().read_text())["rows"]
    frame.locator("[data-part=copy-citation]").click()
    frame.locator("[data-part=shared]", has_text="The citation was copied.").wait_for()
    assert page.evaluate("navigator.clipboard.readText()").startswith("“boat” (")
