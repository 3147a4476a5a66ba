"""Files and folders that are opened from the page of the app, in headless Chromium."""

import json

import pytest
from app_server import running
from test_app_view import DOCUMENT, DROP, TEXT, result
from vorlage.cli.main import main

pytestmark = pytest.mark.slow
PAIRS = [
    {"id": "ferry", "document": "Fog came . The ferry was late .", "summary": "The ferry was late ."},
    {"id": "board", "document": DOCUMENT, "summary": TEXT},
]
ALIGNED = {
    "id": "ferry",
    "system": "toy",
    "log_likelihood": None,
    "document_tokens": PAIRS[0]["document"].split(),
    "summary_tokens": PAIRS[0]["summary"].split(),
    "alignments": [{"summary": [1, 2], "document": [4, 5], "posterior": 0.5}],
}


def lines(*records):
    return "".join(json.dumps(record) + "\n" for record in records).encode()


@pytest.fixture
def page(own_ports, open_page):
    """An app in which nothing is opened yet."""
    with running(own_ports) as (_, port, token):
        page = open_page(f"http://127.0.0.1:{port}/?token={token}", selector="#open-files")
        page.locator("#opened").wait_for(state="hidden")
        yield page
    # The browser reports that a file was refused.
    open_page.faults[:] = [fault for fault in open_page.faults if "status of 400" not in fault]


def choose(page, name, content):
    page.get_by_label("files", exact=True).set_input_files(
        {"name": name, "mimeType": "application/json", "buffer": content}
    )


def opened(page, *names):
    """Wait until the list of corpora has these names."""
    page.wait_for_function(
        "names => [...document.querySelectorAll('#corpus option')].map((o) => o.text).join() === names",
        arg=",".join(names),
    )


def test_chosen_pairs_and_dropped_alignments_are_shown(page):
    choose(page, "pairs.jsonl", lines(*PAIRS))
    opened(page, "pairs.jsonl (2 pairs)")
    on_page = DROP.replace("document.getElementById(side)", "document.querySelector('h1')")
    page.evaluate(on_page, ["", "toy.jsonl", list(lines(ALIGNED))])
    opened(page, "pairs.jsonl (2 pairs, 1 system)")
    page.get_by_role("button", name="ferry").click()
    frame = result(page, "ferry")
    assert frame.locator('[data-part="system"]').input_value() == "toy"
    assert frame.locator('[data-part="summary"] .word.linked').all_inner_texts() == ["ferry"]
    choose(page, "notes.txt", b"The ferry was late.")
    page.get_by_role("alert").get_by_text("notes.txt, line 1: not valid JSON").wait_for()


def drop(page, path):
    """Drop a file or a folder of the disk beside the texts, as a mouse does."""
    session = page.context.new_cdp_session(page)
    data = {"items": [], "files": [str(path)], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        session.send("Input.dispatchDragEvent", {"type": kind, "x": 600, "y": 20, "data": data})


@pytest.mark.parametrize("dropped", [False, True])
def test_a_folder_of_results_is_opened(page, tmp_path, dropped):
    folder = tmp_path / "mill"
    for name, content in (
        ("corpus/corpus.jsonl", lines(*PAIRS)),
        ("align/toy/alignments.jsonl", lines(ALIGNED)),
        ("logs/align.log", b"no JSON"),
    ):
        (folder / name).parent.mkdir(parents=True)
        (folder / name).write_bytes(content)

    def give(path):
        if dropped:
            drop(page, path)
        else:
            page.get_by_label("a folder of results").set_input_files(path)

    give(folder)
    opened(page, "mill (2 pairs, 1 system)")
    page.get_by_role("button", name="ferry").click()
    result(page, "ferry")
    give(folder / "logs")
    page.get_by_role("alert").get_by_text("This folder has no corpus/corpus.jsonl").wait_for()


def test_sources_of_pasted_texts_are_shown(page, tmp_path):
    for name, text in (("document", DOCUMENT), ("text", TEXT)):
        (tmp_path / name).write_text(text)
    main(
        ["attribute", str(tmp_path / "document"), str(tmp_path / "text"), "--json", "--output"]
        + [str(tmp_path / "found.json")]
    )
    found = (tmp_path / "found.json").read_bytes()
    choose(page, "found.json", found)
    page.get_by_role("alert").get_by_text("put the document and the text into the page first").wait_for()
    page.get_by_label("Document", exact=True).fill(DOCUMENT)
    page.get_by_label("Text made from it").fill(TEXT)
    choose(page, "found.json", found)
    frame = result(page, "pasted text")
    assert "“83” differs: “88” in the source" in frame.locator('[data-part="findings"]').inner_text()
    assert page.locator("#opened").is_hidden()


def test_a_file_that_is_too_large_is_not_sent(page):
    page.evaluate(
        """() => {
            const files = new DataTransfer();
            files.items.add(new File([new Uint8Array(33 << 20)], "large.jsonl"));
            document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: files, bubbles: true }));
        }"""
    )
    page.get_by_role("alert").get_by_text("more than 32 MB").wait_for()
