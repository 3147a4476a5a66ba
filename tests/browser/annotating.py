"""Helps tests to make an annotation page and to work on it."""

import psutil
import pytest
from annotation_examples import write_corpus, write_system
from reports import part
from vorlage.app.annotate.stage import main as annotate
from vorlage.corpus.gold import read_gold

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


def storage_processes():
    """Return the numbers of the processes in whose memory Chromium keeps the storage of a test."""
    found = psutil.Process().children(recursive=True)
    return {process.pid for process in found if any("StorageService" in part for part in process.cmdline())}


def watch_storage(page):
    """Return a function that loads the page again; it skips the test if the page's storage was lost.

    Chromium goes on with an empty storage when the process that had it has ended.
    """
    before = storage_processes()

    def reload():
        page.reload()
        if before - storage_processes():
            pytest.skip("the process of Chromium that had the page's storage has ended")
        page.wait_for_selector(READY)

    return reload


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
    return [gold for gold in read_gold(path)]
