"""Pages in headless Chromium, and the results of the bundled corpus."""

import os
import shutil
from pathlib import Path

import pytest
from once import build_once
from pages import ROOT, make_report

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")


@pytest.fixture(scope="session")
def browser():
    """Headless Chromium; its tests are skipped if playwright or Chromium is missing."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    with playwright.sync_playwright() as started:
        options = ["--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"]
        try:
            chromium = started.chromium.launch(
                executable_path=path, args=options + ["--no-sandbox"] * (os.geteuid() == 0)
            )
        except playwright.Error as error:
            pytest.skip(f"Chromium does not start: {error.message.splitlines()[0]}")
        yield chromium
        chromium.close()


@pytest.fixture
def open_page(browser):
    """A function that opens a file or an address; the test fails if the page logs an error, or loads from
    anywhere but itself. A test that expects an error removes it from `faults` of the function.
    """
    faults, contexts = [], []

    def load(path, anchor="", selector=".word.linked:visible", **options):
        look = {"viewport": {"width": 1300, "height": 900}, "reduced_motion": "reduce"}
        context = browser.new_context(**look | options)
        context.set_default_timeout(20000)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: faults.append(message.text))
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("dialog", lambda dialog: faults.append(dialog.message))
        address = path.as_uri() if isinstance(path, Path) else path
        own = ("file:", "data:", "about:") if isinstance(path, Path) else ("data:", "blob:", address[:22])
        page.on("request", lambda request: request.url.startswith(own) or faults.append(request.url))
        page.goto(address + anchor)
        page.wait_for_selector(selector)
        return page

    load.faults = faults
    yield load
    for context in contexts:
        context.close()
    assert not faults


@pytest.fixture(scope="session")
def results(tmp_path_factory):
    """The results of the bundled corpus, with the gold of all pairs but one."""

    def make(folder):
        gold = (ROOT / "data/sample/gold.jsonl").read_text().splitlines(keepends=True)
        some = folder / "some.jsonl"
        some.write_text("".join(line for line in gold if '"id": "sample-02"' not in line))
        make_report(folder / "sample", ROOT / "data/sample/corpus.jsonl", some)

    return build_once(tmp_path_factory, "results", make) / "sample"


@pytest.fixture(scope="session")
def sample(results):
    """The report of the bundled corpus."""
    return results / "report/index.html"
