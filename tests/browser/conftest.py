"""Reports in headless Chromium; `pytest tests/browser --screenshots FOLDER` keeps pictures of them."""

import json
import os
import shutil
from pathlib import Path

import pytest
from once import build_once
from reports import HOSTILE, make_report

ROOT = Path(__file__).parents[2]
DATA = ROOT / "../shared/data"
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
        context = browser.new_context(
            **{"viewport": {"width": 1300, "height": 900}, "reduced_motion": "reduce"} | options
        )
        context.set_default_timeout(20000)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: faults.append(message.text))
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("dialog", lambda dialog: faults.append(dialog.message))
        address = path.as_uri() if isinstance(path, Path) else path
        own = (
            ("file:", "data:", "about:")
            if isinstance(path, Path)
            else ("data:", "blob:", address.split("?")[0])
        )
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
def sample(tmp_path_factory):
    """The report of the bundled corpus, with the gold of all pairs but one."""
    data = ROOT / "data/sample"

    def make(folder):
        gold = (data / "gold.jsonl").read_text().splitlines(keepends=True)
        some = folder / "some.jsonl"
        some.write_text("".join(line for line in gold if '"id": "sample-02"' not in line))
        make_report(folder, data / "corpus.jsonl", some, iterations=10, name="sample")

    return build_once(tmp_path_factory, "sample", make) / "index.html"


@pytest.fixture(scope="session")
def without_gold(tmp_path_factory):
    """The report of three pairs of the bundled corpus, without their gold."""

    def make(folder):
        lines = (ROOT / "data/sample/corpus.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
        (folder / "pairs.jsonl").write_text("".join(lines[:3]), encoding="utf-8")
        make_report(folder, folder / "pairs.jsonl")

    return build_once(tmp_path_factory, "without_gold", make) / "index.html"


@pytest.fixture(scope="session")
def hostile(tmp_path_factory):
    """The report of a corpus whose texts and ids are markup."""
    pairs = [
        {
            "id": text if text.isprintable() else "odd",
            "document": f"A boat {text} left . Rain came .",
            "summary": f"The boat {text} left .",
        }
        for text in HOSTILE
    ]

    def make(folder):
        (folder / "pairs.jsonl").write_text("".join(json.dumps(pair) + "\n" for pair in pairs))
        make_report(
            folder, folder / "pairs.jsonl", tokenized=True, name="</title><script>window.hacked=1</script>"
        )

    return build_once(tmp_path_factory, "hostile", make) / "index.html"


@pytest.fixture(scope="session")
def mtref(tmp_path_factory):
    """The report of mtref-dev, which we may not distribute; its tests are skipped without it."""
    data = DATA / "mtref-dev"
    if not data.exists():
        pytest.skip(f"{data} is missing")

    def make(folder):
        given = data / "corpus.jsonl", data / "gold.jsonl"
        make_report(folder, *given, tokenized=True, whole=True, name="mtref-dev")

    return build_once(tmp_path_factory, "mtref", make) / "index.html"
