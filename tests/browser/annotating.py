"""Helps tests to make an annotation page and to work on it."""

import pytest
from annotate.examples import write_corpus, write_system
from reports import part

from pipeline.annotate.__main__ import main as annotate
from pipeline.corpus.gold import read_gold

READY = ".word.selected"


def make_page(folder, annotator="A", texts=None, *options):
    """Write a standalone page of the small corpus; return its path."""
    pairs = write_corpus(folder / "pairs.jsonl", texts)
    system = write_system(folder / "toy.jsonl", texts=texts)
    arguments = [str(pairs), "--tokenized", "--html", str(folder / "page.html"), "--annotator", annotator]
    annotate([*arguments, "--alignments", str(system), *options])
    return folder / "page.html"


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def watch_storage(page):
    """Store an entry of the test, by which :func:`reload` sees whether the browser has kept its storage."""
    page.evaluate("localStorage.setItem('test', 'kept')")


def reload(page):
    """Load the page again; skip the test if the browser has lost its storage meanwhile.

    Chromium keeps the storage of a test in the memory of another process; if that ends, the storage is lost.
    """
    page.reload()
    if page.evaluate("localStorage.getItem('test')") != "kept":
        pytest.skip("Chromium has lost its storage: the process that has it ended")
    page.wait_for_selector(READY)


def selection(page, side):
    return part(page, side).locator(".word.selected").all_inner_texts()


def shown_links(page):
    rows = part(page, "links").locator("li")
    return [(row.locator(".show").inner_text(), row.locator(".note").inner_text()) for row in rows.all()]


def wait_until_saved(page):
    page.wait_for_function(
        "() => document.querySelector('[data-part=saved]').className === 'saved done'"
        " && !document.querySelector('[data-part=message]').textContent"
    )


def download(page, path):
    with page.expect_download() as started:
        page.get_by_role("button", name="Download gold.jsonl").click()
    started.value.save_as(path)
    return [gold for _, gold in read_gold(path)]
