"""Reports in headless Chromium; ``pytest tests/browser --screenshots FOLDER`` keeps pictures of them."""

import os
import shutil
from pathlib import Path

import pytest
from reports import make

ROOT = Path(__file__).parents[2]
DATA = ROOT / "../shared/data"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")


@pytest.fixture(scope="session")
def browser():
    """Headless Chromium; skipped, with the reason, where there is none."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    with playwright.sync_playwright() as started:
        options = ["--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"]
        try:
            chromium = started.chromium.launch(
                executable_path=path, args=options + ["--no-sandbox"] * (os.geteuid() == 0)
            )
        except playwright.Error as error:
            pytest.skip(f"no Chromium to be had: {error.message.splitlines()[0]}")
        yield chromium
        chromium.close()


@pytest.fixture
def opened(browser):
    """A function that opens a page file and returns it; at the end nothing may have gone wrong in any."""
    faults, contexts = [], []

    def load(path, anchor="", wanted=".word.linked", **options):
        context = browser.new_context(
            viewport={"width": 1300, "height": 900}, reduced_motion="reduce", **options
        )
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: faults.append(message.text))
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("dialog", lambda dialog: faults.append(dialog.message))
        page.on(
            "request",
            lambda request: (
                request.url.startswith(("file:", "data:", "about:")) or faults.append(request.url)
            ),
        )
        page.goto(path.as_uri() + anchor)
        page.wait_for_selector(wanted)
        return page

    yield load
    for context in contexts:
        context.close()
    assert not faults


@pytest.fixture(scope="session")
def sample(tmp_path_factory):
    """The report of the bundled corpus."""
    data = ROOT / "data/sample"
    folder = tmp_path_factory.mktemp("sample")
    return make(folder, data / "corpus.jsonl", data / "gold.jsonl", iterations=10, name="sample")


@pytest.fixture(scope="session")
def mtref(tmp_path_factory):
    """The report of mtref-dev, which is not ours to distribute."""
    data = DATA / "mtref-dev"
    if not data.exists():
        pytest.skip(f"no {data}")
    folder = tmp_path_factory.mktemp("mtref")
    return make(
        folder, data / "corpus.jsonl", data / "gold.jsonl", tokenized=True, whole=True, name="mtref-dev"
    )
