"""How fast a report page of many pairs opens in Chromium: `python benchmarks/report_page.py --help`.

The pairs are those of a folder of results, again and again under new ids. A page counts as open when it shows
its first pair. Each value is the median of several openings, each in a new window.
"""

import argparse
import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from statistics import median

import psutil
from measure import Row, children_of, print_machine, print_table
from playwright.sync_api import Browser, sync_playwright
from vorlage.report.stage import main as report

ROUNDS = 5
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
# Notes when the page shows its first pair, in milliseconds from the start of the navigation.
WATCH = """new MutationObserver((_, observer) => {
    if (!document.querySelector('[data-part=document] .word.linked')) return;
    requestAnimationFrame(() => setTimeout(() => { window.firstShown ??= performance.now(); }));
    observer.disconnect();
}).observe(document, { subtree: true, childList: true, attributes: true });"""
# Opens a pair by its id, and resolves with the milliseconds until it is shown.
OPEN = """(id) => new Promise((resolve) => {
    const search = document.querySelector('[data-part=search]'), start = performance.now();
    new MutationObserver((_, observer) => {
        observer.disconnect();
        resolve(performance.now() - start);
    }).observe(document.querySelector('[data-part=status]'), { childList: true });
    search.value = id;
    search.dispatchEvent(new Event('change'));
})"""
# Searches for a text that no pair has, and resolves with the milliseconds that this takes.
SEARCH = """() => new Promise((resolve) => {
    const contains = document.querySelector('[data-part=contains]'), start = performance.now();
    new MutationObserver((_, observer) => {
        observer.disconnect();
        resolve(performance.now() - start);
    }).observe(document.querySelector('[data-part=message]'), { childList: true });
    contains.value = 'no pair has these words';
    contains.dispatchEvent(new Event('change'));
})"""


def repeat_records(path: Path, pairs: int, to: Path) -> None:
    """Write the records of a file again and again, `pairs` of them, with new ids."""
    records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    with to.open("w", encoding="utf-8") as out:
        for number, record in enumerate(islice(cycle(records), pairs)):
            out.write(json.dumps(record | {"id": f"pair-{number:06d}"}, ensure_ascii=False) + "\n")


def make_page(results: Path, systems: list[str], pairs: int, folder: Path) -> Path:
    """Make a page of `pairs` pairs without gold; return its path."""
    repeat_records(results / "corpus/corpus.jsonl", pairs, folder / "corpus.jsonl")
    for system in systems:
        repeat_records(results / f"align/{system}/alignments.jsonl", pairs, folder / f"{system}.jsonl")
    page = folder / "index.html"
    report(
        ["--corpus", str(folder / "corpus.jsonl"), "--pairs", str(pairs), "--name", f"{pairs} pairs"]
        + ["--alignments", *(str(folder / f"{system}.jsonl") for system in systems)]
        + ["--scores", str(results / "score"), "--figures", str(results / "report/figures")]
        + ["--statistics", str(results / "corpus/statistics.tsv"), "--output", str(page)]
    )
    return page


def openings(browser: Browser, page: Path, last: str) -> Iterator[Row]:
    """Yield what each opening of the page takes, in seconds and megabytes."""
    for _ in range(ROUNDS):
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        tab = context.new_page()
        tab.add_init_script(WATCH)
        tab.goto(page.as_uri(), wait_until="load")
        tab.wait_for_function("() => window.firstShown")
        loaded = "performance.getEntriesByType('navigation')[0].loadEventEnd"
        yield {
            "first pair": tab.evaluate("window.firstShown") / 1e3,
            "page read": tab.evaluate(loaded) / 1e3,
            "MB": max(process.memory_info().rss for process in children_of(psutil.Process())) / 1e6,
            "last pair": tab.evaluate(OPEN, last) / 1e3,
            "search": tab.evaluate(SEARCH) / 1e3,
        }
        context.close()


def rows(results: Path, systems: list[str], sizes: list[int]) -> list[Row]:
    """Return a row for each number of pairs."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    found: list[Row] = []
    with sync_playwright() as started:
        for pairs in sizes:
            with tempfile.TemporaryDirectory() as name:
                page = make_page(results, systems, pairs, Path(name))
                options = ["--no-sandbox"] * (os.geteuid() == 0)
                browser = started.chromium.launch(executable_path=path, args=options)
                measured = list(openings(browser, page, f"pair-{pairs - 1:06d}"))
                browser.close()
                size = page.stat().st_size / 1e6
            found.append(
                {"pairs": pairs, "MB file": size}
                | {key: median(row[key] for row in measured) for key in measured[0]}
            )
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[1])
    parser.add_argument("--results", type=Path, default=Path("results/sample"), help="folder of results")
    parser.add_argument("--systems", nargs="+", default=["semihmm-relative", "hmm-doc", "cutpaste"])
    parser.add_argument("--pairs", nargs="+", type=int, default=[32, 1000, 10000])
    options = parser.parse_args()
    print_machine()
    print_table(
        "Seconds to open a report page, and memory", rows(options.results, options.systems, options.pairs)
    )


if __name__ == "__main__":
    main()
