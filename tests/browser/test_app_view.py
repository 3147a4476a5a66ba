"""The app in headless Chromium: paste, drop, attribute, align, open a pair."""

import json

import pytest
from annotation_examples import write_corpus, write_system
from app_server import ROOT, running
from reports import take_screenshot
from sample_files import PAGE, make_pdf

pytestmark = pytest.mark.slow
DOCUMENT = (
    "Lumen Freight reported its results for the third quarter on Thursday. Revenue rose 12 percent to $88 "
    "million, and the company said that demand from retailers had been stronger than expected.\n"
    "The board met on Friday in Rotterdam. It named Ines Okafor chief executive from May; she joined the "
    "company in 2011 and has run its rail business since 2019.\n"
    "Analysts had expected a candidate from outside. The shares rose by 3 percent on Friday, to their "
    "highest level since January."
)
TEXT = (
    "Lumen Freight named Ines Okafor, the head of its rail business, chief executive from May. Revenue grew "
    "12 percent to $83 million, and profit doubled. The shares climbed 3 percent."
)
HOSTILE = "</script><img src=x onerror=window.hacked=1>"
# Puts a file into the drop zone of a side, as a mouse would.
DROP = """([side, name, bytes]) => {
    const files = new DataTransfer();
    files.items.add(new File([new Uint8Array(bytes)], name));
    const area = document.getElementById(side);
    for (const type of ["dragenter", "dragover", "drop"]) {
        area.dispatchEvent(new DragEvent(type, { dataTransfer: files, bubbles: true, cancelable: true }));
    }
}"""


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """The address of an app with the bundled corpus, and a hostile one with alignments."""
    folder = tmp_path_factory.mktemp("app")
    hostile = {"id": HOSTILE, "system": HOSTILE, "log_likelihood": None, "document_tokens": [HOSTILE, "."]}
    link = {"summary": [0, 1], "document": [0, 1], "posterior": 0.5}
    (folder / "hostile.jsonl").write_text(
        json.dumps(hostile | {"summary_tokens": [HOSTILE], "alignments": [link]})
    )
    with running(str(ROOT / "data/sample/corpus.jsonl"), str(folder / "hostile.jsonl")) as started:
        _, port, token = started
        yield f"http://127.0.0.1:{port}/?token={token}"


@pytest.fixture
def page(open_page, address):
    return open_page(address, selector="#pairs button")


def result(page, title):
    """The frame of the result, when it has this title and its words."""
    frame = page.frame_locator("#frame")
    frame.locator("h1", has_text=title).wait_for(timeout=120_000)
    frame.locator(".word.linked").first.wait_for()
    return frame


def test_pasted_texts_are_attributed_and_aligned(request, page):
    page.get_by_label("Document", exact=True).fill(DOCUMENT)
    page.get_by_label("Text made from it").fill(TEXT)
    page.get_by_role("button", name="Attribute").click()
    frame = result(page, "pasted text")
    assert "“83” differs: “88” in the source" in frame.locator('[data-part="findings"]').inner_text()
    frame.locator(".word.stop", has_text="named Ines Okafor").first.click()
    assert "comes from" in frame.locator('[data-part="detail"]').inner_text()
    assert page.evaluate("document.activeElement.id") == "frame"
    page.evaluate("scrollTo(0, 0)")
    take_screenshot(request, page, "app.png", full_page=True)
    page.get_by_role("button", name="Align words").click()
    frame.locator('[data-part="system"]').wait_for(timeout=120_000)
    frame.locator('[data-part="summary"] .word', has_text="climbed").hover()
    assert "“rose”" in frame.locator('[data-part="detail"]').inner_text()
    assert page.locator("#message").inner_text() == ""


def test_the_result_is_saved_as_a_page_that_opens_from_disk(page, open_page, tmp_path):
    page.get_by_label("Document", exact=True).fill(DOCUMENT)
    page.get_by_label("Text made from it").fill(TEXT)
    page.get_by_label("Text made from it").press("Control+Enter")
    result(page, "pasted text")
    with page.expect_download() as download:
        page.get_by_role("link", name="save as a page").click()
    assert download.value.suggested_filename == "attribution.html"
    download.value.save_as(tmp_path / "saved.html")
    assert open_page(tmp_path / "saved.html").locator("h1").inner_text() == "pasted text"


def test_dropped_files_are_read(page):
    pdf = make_pdf(["The harbour of Sund was closed on Friday.", "Ferries sail again on Monday."])
    page.evaluate(DROP, ["document", "storm.pdf", list(pdf)])
    page.evaluate(DROP, ["document", "news.html", list(PAGE.encode())])
    page.evaluate(DROP, ["text", "summary.txt", list(b"Ferries sail again on Monday.")])
    assert page.locator(".files li").all_inner_texts() == ["storm.pdf×", "news.html×", "summary.txt×"]
    page.get_by_role("button", name="Attribute").click()
    frame = result(page, "summary.txt")
    assert frame.locator("h3.name").all_inner_texts() == ["storm.pdf", "news.html"]
    page.get_by_role("button", name="Align words").click()
    page.get_by_role("alert").get_by_text("Links are shown for one document").wait_for()
    page.get_by_role("button", name="Remove news.html").click()
    page.get_by_role("button", name="Align words").click()
    frame.locator('[data-part="system"]').wait_for(timeout=120_000)


def test_a_file_beside_the_places_does_not_replace_the_page(open_page, page, address):
    page.evaluate(DROP.replace("document.getElementById(side)", "document.body"), ["", "a.txt", [65]])
    page.get_by_role("alert").get_by_text("a.txt, line 1: not valid JSON").wait_for()
    assert page.url == address and page.locator(".files li").count() == 0
    # The browser reports that the file was refused.
    assert "status of 400" in open_page.faults.pop()


def test_what_is_wrong_is_said(page):
    page.get_by_role("button", name="Attribute").click()
    page.get_by_role("alert").get_by_text("Paste or drop a document.").wait_for()
    page.get_by_label("Document", exact=True).fill(DOCUMENT)
    page.get_by_role("button", name="Attribute").click()
    page.get_by_role("alert").get_by_text("Paste or drop a text.").wait_for()
    page.evaluate(DROP, ["text", "large.txt", [65]])
    page.evaluate(
        """() => {
            const files = new DataTransfer();
            files.items.add(new File([new Uint8Array(33 << 20)], "large.txt"));
            const event = new DragEvent("drop", { dataTransfer: files, bubbles: true, cancelable: true });
            document.getElementById("text").dispatchEvent(event);
        }"""
    )
    page.get_by_role("button", name="Attribute").click()
    page.get_by_role("alert").get_by_text("more than 32 MB").wait_for()
    assert page.locator("#result").is_hidden()


def test_the_first_answer_says_why_it_takes_long(page):
    page.evaluate("document.querySelector('main').dataset.compiling = 'true'")  # as in a new installation
    page.get_by_label("Document", exact=True).fill(DOCUMENT)
    page.get_by_label("Text made from it").fill(TEXT)
    held = []
    page.route("**/attribute?*", lambda route: held.append(route))
    page.get_by_role("button", name="Attribute").click()
    page.locator("#progress", has_text="compiled for its first use").wait_for()
    held.pop().continue_()
    result(page, "pasted text")
    page.get_by_role("button", name="Attribute").click()
    page.locator("#progress", has_text="Attributing …").wait_for()
    assert page.locator("#progress").inner_text() == "Attributing …"
    held.pop().continue_()
    page.locator("#progress", has_not_text="Attributing").wait_for(state="attached")


def test_pairs_are_found_and_opened(page):
    page.get_by_label("Find").fill("sample-03")
    page.locator("#listed", has_text="1 found").wait_for()
    page.get_by_role("button", name="sample-03").click()
    result(page, "sample-03")
    assert page.get_by_label("Text made from it").input_value().startswith("Plinthmoor Software")
    page.get_by_label("Text made from it").fill("Plinthmoor will buy Datamere.")
    page.get_by_role("button", name="Attribute").click()
    result(page, "pasted text")
    page.get_by_label("Find").fill("")
    page.locator("#listed", has_text="32 found").wait_for()
    page.get_by_role("button", name="next").click()
    page.locator('[aria-current="true"]', has_text="sample-04").wait_for()


def test_markup_of_a_corpus_stays_text(page):
    page.get_by_label("Corpus").select_option("1")
    page.locator("#pairs button", has_text=HOSTILE).click()
    frame = result(page, HOSTILE)
    assert frame.locator('[data-part="document"] .word').all_inner_texts() == [HOSTILE, "."]
    assert page.get_by_label("Text made from it").input_value() == HOSTILE
    assert page.evaluate("window.hacked") is None and page.locator("main img").count() == 0
    assert frame.locator("img").count() == 0
    # The frame can reach neither the page around it nor the server.
    inside = page.frames[1]
    assert (
        inside.evaluate(
            "() => { try { return parent.document.title; } catch (error) { return error.name; } }"
        )
        == "SecurityError"
    )


def test_the_keyboard_is_enough_and_everything_has_a_name(page):
    names = "e => (e.labels?.length || e.ariaLabel || e.textContent.trim() || e.title) && true"
    assert page.evaluate(
        f"[...document.querySelectorAll('input, select, textarea, button, a, iframe')].every({names})"
    )
    page.locator("#document").focus()
    seen = []
    for _ in range(5):
        page.keyboard.press("Tab")
        seen.append(page.evaluate("document.activeElement.type"))
    assert seen == ["file", "textarea", "file", "submit", "submit"]
    assert page.evaluate(
        """[...document.querySelectorAll("[role=status], [role=alert]")].every((e) => e.checkVisibility())"""
    )


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_shows_everything_without_scrolling_aside(request, open_page, address, scheme):
    phone = {"viewport": {"width": 390, "height": 844}, "color_scheme": scheme}
    page = open_page(address, selector="#pairs button", **phone)
    page.get_by_label("Document", exact=True).fill(DOCUMENT)
    page.get_by_label("Text made from it").fill(TEXT)
    page.get_by_role("button", name="Attribute").click()
    result(page, "pasted text")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.frames[1].evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate("document.querySelector('#result').getBoundingClientRect().top") < 100
    if scheme == "light":
        take_screenshot(request, page, "app-phone.png")


def test_a_corpus_is_annotated(open_page, tmp_path):
    write_corpus(tmp_path / "pairs.jsonl")
    write_system(tmp_path / "toy.jsonl")
    gold, given = tmp_path / "gold.jsonl", [str(tmp_path / name) for name in ("pairs.jsonl", "toy.jsonl")]
    with running(*given, "--gold", str(gold), "--tokenized") as (_, port, token):
        page = open_page(f"http://127.0.0.1:{port}/?token={token}", selector="#pairs button")
        page.get_by_role("link", name="Annotate the corpus by hand").click()
        page.locator("[data-part=annotator]").fill("A")
        page.keyboard.press("Enter")
        page.wait_for_selector(".word.selected")
        page.keyboard.press("m")
        page.keyboard.press("Enter")
        page.locator(".saved.done").wait_for()
        [line] = map(json.loads, gold.read_text().splitlines())
        assert line["annotator"] == "A" and len(line["alignments"]) == 1
        with page.expect_download() as download:
            page.get_by_role("button", name="Download gold.jsonl").click()
        download.value.save_as(tmp_path / "downloaded.jsonl")
    assert (tmp_path / "downloaded.jsonl").read_text() == gold.read_text()
