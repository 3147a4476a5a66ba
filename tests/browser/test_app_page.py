"""The app: paste, drop, attribute, align, open a pair, annotate."""

import json

import pytest
from annotation_examples import link, write_corpus, write_system
from app_requests import running
from pages import HOSTILE, READY, part, press, shown_links, wait_until_saved
from sample_files import PAGE, join_pdfs, make_pdf
from vorlage.app.annotate.gold_file import GoldFile

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
# Puts a file into the drop zone of a side, as a mouse would.
DROP = """([side, name, bytes]) => {
    const files = new DataTransfer();
    files.items.add(new File([new Uint8Array(bytes)], name));
    const area = document.getElementById(side) ?? document.body;
    for (const type of ["dragenter", "dragover", "drop"]) {
        area.dispatchEvent(new DragEvent(type, { dataTransfer: files, bubbles: true, cancelable: true }));
    }
}"""


@pytest.fixture(scope="module")
def address(results):
    """The address of an app with the results of the bundled corpus."""
    with running(str(results)) as (_, port, token):
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


def paste(page):
    page.get_by_label("Document", exact=True).fill(DOCUMENT)
    page.get_by_label("Text made from it").fill(TEXT)


def test_pasted_texts_are_attributed_aligned_and_saved(page, open_page, tmp_path):
    paste(page)
    page.get_by_label("Text made from it").press("Control+Enter")
    frame = result(page, "pasted text")
    assert "“$83 million” ≠ “$88 million”" in frame.locator(".say:visible").first.inner_text()
    frame.locator(".word.stop", has_text="named Ines Okafor").first.click()
    assert "comes from" in frame.locator('[data-part="detail"]').inner_text()
    with page.expect_download() as download:
        page.get_by_role("link", name="save as a page").click()
    assert download.value.suggested_filename == "attribution.html"
    download.value.save_as(tmp_path / "saved.html")
    assert open_page(tmp_path / "saved.html").locator("h1").inner_text() == "pasted text"
    page.get_by_role("button", name="Align words").click()
    frame.locator('[data-part="system"]').wait_for(timeout=120_000)
    frame.locator('[data-part="summary"] .word', has_text="climbed").hover()
    assert "“rose”" in frame.locator('[data-part="detail"]').inner_text()
    assert page.locator("#message").inner_text() == ""


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1920, 1080), (360, 740)])
def test_texts_are_edited_and_checked_again_without_scrolling(open_page, tmp_path, width, height):
    size = {"width": width, "height": height}
    with running() as (_, port, token):
        page = open_page(f"http://127.0.0.1:{port}/?token={token}", selector="#form", viewport=size)
        text = page.get_by_label("Text made from it")
        paste(page)
        assert page.get_by_text("Document and text", exact=True).is_hidden()
        page.get_by_role("button", name="Check sources").click()
        frame = result(page, "pasted text")
        said = frame.locator('[data-part="status"]')
        assert said.inner_text().startswith("2 of 3") and text.is_hidden()
        if width < 600:
            page.get_by_role("link", name="← texts").click()
        else:
            assert page.evaluate("document.documentElement.scrollHeight") == height
            page.get_by_text("Document and text", exact=True).click()
        box = text.bounding_box()
        assert page.evaluate("scrollY") == 0 and 0 <= box["y"] < box["y"] + box["height"] <= height
        text.fill("The shares climbed 3 percent.")
        assert page.locator("#stale").text_content() == "of the texts before your changes"
        text.press("Control+Enter")
        frame.locator('[data-part="status"]', has_text="1 of 1 statement supported").wait_for()
        assert text.is_hidden()


def test_dropped_files_are_read(page, address):
    pdf = make_pdf(["The harbour of Sund was closed on Friday.", "Ferries sail again on Monday."])
    page.evaluate(DROP, ["document", "storm.pdf", list(pdf)])
    page.evaluate(DROP, ["document", "news.html", list(PAGE.encode())])
    accepted = page.locator("input[type=file]").first.get_attribute("accept").split(",")
    assert {".docx", ".eml", ".pdf", ".srt", ".txt"} <= set(accepted)
    page.evaluate(
        DROP, ["text", "summary.txt", list("Ferries sail again on Monday – soon.".encode("cp1252"))]
    )
    page.evaluate(DROP, ["nowhere", "beside.txt", [65]])  # it does not replace the page
    assert page.locator(".files li").all_inner_texts() == ["storm.pdf×", "news.html×", "summary.txt×"]
    assert page.url == address
    page.get_by_role("button", name="Check sources").click()
    frame = result(page, "summary.txt")
    assert frame.locator("h3.name").all_inner_texts() == ["storm.pdf", "news.html"]
    page.get_by_role("alert").get_by_text("read as Windows-1252").wait_for()
    page.get_by_role("button", name="Align words").click()
    page.get_by_role("alert").get_by_text("Links are shown for one document").wait_for()
    page.get_by_role("button", name="Remove news.html").click()
    page.get_by_role("button", name="Align words").click()
    frame.locator('[data-part="system"]').wait_for(timeout=120_000)


def test_pages_of_a_dropped_pdf_are_opened(page):
    lines = ["The ferry was late because of fog.", "The harbour will get a second pier in March."]
    pdf = join_pdfs(*(make_pdf([line]) for line in lines))
    page.evaluate(DROP, ["document", "port.pdf", list(pdf)])
    page.get_by_label("Text made from it").fill("The harbour gets a second pier.")
    page.get_by_label("Text made from it").press("Control+Enter")
    frame = result(page, "pasted text")
    assert frame.locator(".source").first.inner_text().startswith("port.pdf:2, page 2")
    link = frame.get_by_role("link", name="page 2")
    assert link.get_attribute("href") == "port.pdf#page=2"
    with page.context.expect_page() as opened:
        link.click()
    assert opened.value.url.startswith("blob:") or opened.value.evaluate("location.href").startswith("blob:")


def test_pairs_are_found_and_opened(page):
    page.get_by_label("Find").fill("sample-03")
    page.locator("#listed", has_text="1 found").wait_for()
    page.get_by_role("button", name="sample-03").click()
    frame = result(page, "sample-03")
    assert frame.locator('[data-part="system"] option').all_inner_texts() == ["semihmm-relative", "identity"]
    assert frame.locator('[data-part="gold"]').is_enabled()
    assert page.get_by_label("Text made from it").input_value().startswith("Plinthmoor Software")
    page.get_by_label("Find").fill("")
    page.locator("#listed", has_text="32 found").wait_for()
    page.get_by_role("button", name="next").click()
    page.locator('[aria-current="true"]', has_text="sample-04").wait_for()
    result(page, "sample-04")
    # A text that was changed is no longer that of the pair.
    page.get_by_text("Document and text", exact=True).click()
    page.get_by_label("Text made from it").fill("Plinthmoor will buy Datamere.")
    page.get_by_role("button", name="Check sources").click()
    result(page, "pasted text")


def test_markup_of_a_corpus_stays_text(open_page, tmp_path):
    pairs = [{"id": word, "document": f"The {word} left.", "summary": f"The {word}."} for word in HOSTILE]
    (tmp_path / "<b>.jsonl").write_text("".join(json.dumps(pair) + "\n" for pair in pairs))
    with running(str(tmp_path / "<b>.jsonl")) as (_, port, token):
        page = open_page(f"http://127.0.0.1:{port}/?token={token}", selector="#pairs button")
        for word in HOSTILE[:2]:
            page.locator("#pairs button", has_text=word).click()
            frame = result(page, word)
            assert frame.locator('[data-part="document"]').text_content().endswith(f"The {word} left.")
            assert page.get_by_label("Text made from it").input_value() == f"The {word}."
        assert page.evaluate("window.hacked") is None and page.locator("main img, main b").count() == 0
        # The frame can reach neither the page around it nor the server.
        title = "() => { try { return parent.document.title; } catch (error) { return error.name; } }"
        assert page.frames[1].evaluate(title) == "SecurityError"


# ---- annotation --------------------------------------------------------------------------------------------


@pytest.fixture
def gold(tmp_path):
    return GoldFile(tmp_path / "gold.jsonl")


@pytest.fixture
def begin(browser, gold, tmp_path):
    """A function that opens the annotation page of an app as an annotator, in a browser of its own."""
    files = [
        str(write_corpus(tmp_path / "pairs.jsonl")),
        "--alignments",
        str(write_system(tmp_path / "toy.jsonl")),
    ]
    contexts, errors = [], []
    with running(*files, "--gold", str(gold.path), "--tokenized") as (_, port, token):

        def load(annotator):
            contexts.append(browser.new_context(viewport={"width": 1280, "height": 900}))
            page = contexts[-1].new_page()
            page.on("pageerror", lambda error: errors.append(str(error)))
            page.goto(f"http://127.0.0.1:{port}/?token={token}")
            page.get_by_role("link", name="Annotate the corpus by hand").click()
            page.wait_for_selector(READY)
            part(page, "annotator").fill(annotator)
            press(page, "Enter")
            page.wait_for_function("() => !document.querySelector('[data-part=message]').textContent")
            return page

        yield load
        for context in contexts:
            context.close()
    assert errors == []


def test_the_app_saves_to_the_gold_file_and_refuses_to_overwrite(gold, begin):
    page = begin("A")
    assert not gold.path.exists()
    press(page, "m", "Enter")
    wait_until_saved(page)
    annotation = gold.find_line("b", "A")
    assert annotation.record["alignments"] == [link((0, 1), (5, 6))] and not annotation.gold.finished
    # Another annotator works on the same pair; neither sees or disturbs the other.
    other = begin("B")
    assert shown_links(other) == []
    press(other, "n")
    wait_until_saved(other)
    press(page, "n")
    wait_until_saved(page)
    assert gold.find_line("b", "A").record["null"] == [1] and gold.find_line("b", "B").record["null"] == [0]
    # Another program changes A's line.
    content = gold.path.read_text().replace('"null": [1]', '"null": [1, 4]')
    gold.path.write_text(content)
    press(page, "n")
    page.wait_for_selector("[data-part=refused]:not([hidden])")
    assert gold.path.read_text() == content
    page.get_by_role("button", name="Keep mine").click()
    wait_until_saved(page)
    assert gold.find_line("b", "A").record["null"] == [1, 2]


def test_work_that_the_app_could_not_save_is_kept(gold, begin):
    page = begin("A")
    failure = {"status": 500, "body": '{"error": "the disk is full"}'}
    page.route("**/annotate/save?*", lambda route: route.fulfill(**failure))
    press(page, "m", "Enter")
    page.wait_for_function("() => document.querySelector('[data-part=saved]').textContent === 'not saved'")
    assert "Not saved: the disk is full. Your work is still here" in part(page, "message").inner_text()
    page.reload()
    page.wait_for_selector(READY)
    assert shown_links(page) == [("“Rufus” ← “Rufus”", "sure")] and not gold.path.exists()
    page.unroute("**/annotate/save?*")
    press(page, "n")
    wait_until_saved(page)
    assert gold.find_line("b", "A").record["alignments"] == [link((0, 1), (5, 6))]
