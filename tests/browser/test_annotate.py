"""The annotation page in headless Chromium, from disk and behind an app."""

import json
import threading

import pytest
from annotate.examples import line, link, write_corpus, write_system
from reports import part, take_screenshot

from pipeline.annotate.__main__ import main as annotate
from pipeline.annotate.annotation_page import frame
from pipeline.annotate.annotation_task import open_task
from pipeline.annotate.gold_file import GoldFile, find
from pipeline.corpus.__main__ import main as corpus
from pipeline.corpus.gold import read_gold
from pipeline.score.__main__ import main as score

pytestmark = pytest.mark.browser
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


def test_a_pair_is_annotated_by_keyboard_alone_and_scored(open_page, tmp_path):
    page = open_page(make_page(tmp_path, annotator=""), selector="[data-part=annotator]:focus")
    page.keyboard.type("A")
    press(page, "Enter")
    page.wait_for_selector(READY)
    # The most doubtful pair comes first: b, "Rufus received a ladder ." of "Ines gave a ladder to Rufus ."
    assert part(page, "pair").locator("option").all_inner_texts() == ["b", "a", "c"]
    assert selection(page, "summary") == ["Rufus"] and part(page, "left").inner_text().startswith("5 of 5")
    press(page, "m", "Enter")
    assert selection(page, "summary") == ["received"]
    assert "sure" in part(page, "detail").inner_text() and "undecided" in part(page, "detail").inner_text()
    # Tab goes to the document, whose cursor waits behind the last link; "gave" is five words before.
    press(page, "Tab", "Control+Home", "ArrowRight", "p")
    assert selection(page, "summary") == ["a"] and selection(page, "document") == []
    # Two equal words at once become two links.
    press(page, "Shift+ArrowRight", "Tab")
    assert selection(page, "document") == ["a"]
    press(page, "Shift+ArrowRight", "Enter")
    assert shown_links(page) == [
        ("“Rufus” ← “Rufus”", "sure"),
        ("“received” ← “gave”", "possible"),
        ("“a” ← “a”", "sure"),
        ("“ladder” ← “ladder”", "sure"),
    ]
    press(page, "n")
    assert part(page, "left").inner_text() == "0 of 5 summary words undecided"
    # Undo and redo, remove and undo.
    press(page, "Control+z", "Control+z")
    assert len(shown_links(page)) == 2
    press(page, "Control+y", "Control+Shift+Z")
    press(page, "Home", "Backspace")
    assert [text for text, _ in shown_links(page)][0] == "“received” ← “gave”"
    press(page, "Control+z")
    press(page, "f")
    page.wait_for_function(
        "() => document.querySelector('[data-part=place]').textContent.startsWith('1 of 3')"
    )
    assert part(page, "pair").locator("option:checked").inner_text() == "a"

    # After a reload, the work is still there, and so is what is downloaded.
    page.reload()
    page.wait_for_selector(READY)
    assert part(page, "pair").locator("option").all_inner_texts() == ["b – finished", "a", "c"]
    [gold] = download(page, tmp_path / "gold.jsonl")
    assert (gold.id, gold.annotator) == ("b", "A")
    assert gold.cells(sure_only=True) == {(0, 5), (2, 2), (3, 3)}
    assert gold.cells(sure_only=False) == {(0, 5), (1, 1), (2, 2), (3, 3)}

    made = tmp_path / "made"
    corpus(
        ["--reader", "jsonl", "--path", str(tmp_path / "pairs.jsonl"), "--tokenized", "true"]
        + ["--gold", str(tmp_path / "gold.jsonl"), "--output", str(made)]
    )
    score(
        ["--corpus", str(made / "corpus.jsonl"), "--gold", str(made / "gold.jsonl")]
        + ["--alignments", str(tmp_path / "toy.jsonl"), "--output", str(tmp_path / "scores.tsv")]
    )
    # The system links Rufus, a, ladder and the full stop.
    row = (tmp_path / "scores.tsv").read_text().splitlines()[1].split("\t")
    assert [float(value) for value in row[2:4]] == [0.75, 1.0]


def test_a_page_remade_from_the_corpus_has_the_work_and_one_made_with_gold_has_the_gold(open_page, tmp_path):
    page = open_page(make_page(tmp_path), selector=READY)
    press(page, "m", "Enter")
    wait_until_saved(page)
    make_page(tmp_path)
    page.reload()
    page.wait_for_selector(READY)
    assert shown_links(page) == [("“Rufus” ← “Rufus”", "sure")]
    gold = tmp_path / "given.jsonl"
    gold.write_text(
        json.dumps(line("b", "A", link((0, 1), (0, 1), sure=False), finished=False, null=[])) + "\n"
    )
    make_page(tmp_path, "A", None, "--gold", str(gold))
    page.reload()
    page.wait_for_selector(READY)
    assert shown_links(page) == [("“Rufus” ← “Ines”", "possible")]


def test_a_start_from_a_system_can_be_undone_and_is_noted(open_page, tmp_path):
    page = open_page(make_page(tmp_path), selector=READY)
    part(page, "start").select_option("toy")
    assert [note for _, note in shown_links(page)] == ["possible"] * 4  # their posterior is 0.4
    page.get_by_role("button", name="Undo").click()
    assert shown_links(page) == []
    page.get_by_role("button", name="Redo").click()
    part(page, "summary").locator(".word").first.focus()
    press(page, "f")
    page.wait_for_function("() => document.querySelector('[data-part=pair]').selectedOptions[0].text === 'a'")
    # The next pair starts in the same way, but is not saved before the annotator does something.
    assert len(shown_links(page)) == 4
    gold = [json.loads(text) for text in page.evaluate("Object.values(localStorage)") if text.startswith("{")]
    assert [(record["id"], record["start"]) for record in gold] == [("b", "toy")]


def test_the_mouse_selects_and_lists_act(request, open_page, tmp_path):
    page = open_page(make_page(tmp_path), selector=READY)
    summary, document = (part(page, side).locator(".word") for side in ("summary", "document"))
    summary.nth(1).click()
    document.nth(1).click()
    document.nth(3).click(modifiers=["Shift"])
    assert selection(page, "document") == ["gave", "a", "ladder"]
    page.get_by_role("button", name="Possible").click()
    summary.nth(2).hover()
    page.mouse.down()
    summary.nth(3).hover()
    page.mouse.up()
    document.nth(2).click()
    page.get_by_role("button", name="Longer").click()
    page.get_by_role("button", name="Word by word").click()
    assert [text for text, _ in shown_links(page)] == [
        "“received” ← “gave a ladder”",
        "“a” ← “a”",
        "“ladder” ← “ladder”",
    ]
    # Spans of different lengths cannot be linked word by word.
    summary.nth(0).click()
    document.nth(0).click()
    page.get_by_role("button", name="Longer").click()
    page.get_by_role("button", name="Word by word").click()
    assert "as many words on both sides" in part(page, "detail").inner_text()
    page.get_by_role("button", name="remove: “received”").click()
    part(page, "links").locator(".show").last.click()
    assert (
        selection(page, "document") == ["ladder"] and document.nth(3).get_attribute("aria-selected") == "true"
    )
    assert summary.nth(3).get_attribute("aria-label") == "ladder, sure “ladder”"
    take_screenshot(request, page, "annotate.png")
    assert download(page, tmp_path / "gold.jsonl") == []  # an unfinished pair is not gold
    assert json.loads((tmp_path / "gold.jsonl").read_text())["finished"] is False


def test_a_finger_selects_and_the_buttons_link(open_page, tmp_path):
    page = open_page(make_page(tmp_path), selector=READY, has_touch=True)
    part(page, "summary").locator(".word").nth(2).tap()
    part(page, "document").locator(".word").nth(2).tap()
    for side in ("summary", "document"):
        assert selection(page, side) == ["a"]
    page.get_by_role("button", name="Longer").tap()
    assert selection(page, "document") == ["a", "ladder"]
    page.get_by_role("button", name="Possible").tap()
    assert shown_links(page) == [("“a” ← “a ladder”", "possible")]
    assert selection(page, "summary") == ["ladder"]


def test_the_clock_counts_the_time_of_work(open_page, tmp_path):
    page = open_page(make_page(tmp_path), selector=READY)
    page.clock.install()
    page.reload()
    page.wait_for_selector(READY)
    page.clock.run_for(15_000)
    press(page, "n")
    page.clock.run_for(200_000)  # the annotator does nothing for more than three minutes
    assert part(page, "time").inner_text() == "1:15"
    press(page, "n")
    page.clock.run_for(2_000)
    wait_until_saved(page)
    stored = [text for text in page.evaluate("Object.values(localStorage)") if text.startswith("{")]
    assert 75 <= json.loads(stored[0])["seconds"] <= 77


HOSTILE = {
    "</script><script>window.hacked=1</script>": (
        "<img src=x onerror=window.hacked=1> left .",
        "</script> left .",
    ),
    "\"'><svg onload=window.hacked=1>": (
        "{{7*7}} </title> ${x} __proto__",
        "__proto__ &lt;b&gt; \u200b\u202e",
    ),
    "__proto__": ("constructor toString", "constructor"),
}


def test_markup_in_a_corpus_stays_text(open_page, tmp_path):
    name = "<b onclick=window.hacked=1>"
    page = open_page(make_page(tmp_path, name, HOSTILE), selector=READY)
    for number, (key, (document, summary)) in enumerate(HOSTILE.items()):
        part(page, "pair").select_option(str(number))
        page.wait_for_function(
            "text => document.querySelector('[data-part=document] .word').textContent === text",
            arg=document.split(" ")[0],
        )
        for side, text in (("summary", summary), ("document", document)):
            assert part(page, side).locator(".word").all_text_contents() == text.split(" ")
        part(page, "document").locator(".word").first.click()
        part(page, "summary").locator(".word").first.click()
        press(page, "Enter")
        assert part(page, "pair").locator("option:checked").text_content().startswith(key)
    wait_until_saved(page)
    assert page.evaluate("window.hacked") is None
    assert page.locator("#annotate img, #annotate script, .pane svg svg, #annotate b[onclick]").count() == 0
    download(page, tmp_path / "gold.jsonl")
    lines = [json.loads(text) for text in (tmp_path / "gold.jsonl").read_text().splitlines()]
    assert [(record["id"], record["annotator"]) for record in lines] == [(key, name) for key in HOSTILE]


def test_another_tab_with_the_page_is_noticed(open_page, tmp_path):
    path = make_page(tmp_path)
    page = open_page(path, selector=READY)
    other = page.context.new_page()
    other.goto(path.as_uri())
    other.wait_for_selector(READY)
    press(page, "m", "Enter")
    wait_until_saved(page)
    press(other, "n")
    other.wait_for_selector("[data-part=refused]:not([hidden])")
    assert "Nothing was overwritten" in part(other, "message").inner_text()
    other.get_by_role("button", name="Take the other").click()
    assert shown_links(other) == [("“Rufus” ← “Rufus”", "sure")]
    wait_until_saved(other)
    press(other, "Control+z")
    wait_until_saved(other)
    stored = [text for text in other.evaluate("Object.values(localStorage)") if text.startswith("{")]
    assert json.loads(stored[0])["null"] == [0]


def test_a_notebook_shows_the_page(open_page, tmp_path):
    page = make_page(tmp_path).read_text()
    (tmp_path / "notebook.html").write_text(f"<!doctype html><title>x</title>{frame(page)}")
    shown = open_page(tmp_path / "notebook.html", selector="iframe").frame_locator("iframe")
    shown.locator(READY).first.click()
    assert "keeps nothing" in shown.locator("[data-part=message]").inner_text()
    shown.get_by_role("button", name="Same words").click()
    shown.get_by_role("button", name="Sure").click()
    assert shown.locator("[data-part=links] li").count() == 1


# ---- behind an app ---------------------------------------------------------------------------------------


@pytest.fixture
def served(tmp_path):
    """The address and the task of the small corpus behind an app."""
    pytest.importorskip("starlette", reason="starlette is not installed")
    uvicorn = pytest.importorskip("uvicorn", reason="uvicorn is not installed")
    from starlette.applications import Starlette

    from pipeline.annotate.routes import routes

    write_corpus(tmp_path / "pairs.jsonl")
    system = write_system(tmp_path / "toy.jsonl")
    task = open_task(tmp_path / "pairs.jsonl", tmp_path / "gold.jsonl", [system], tokenized=True)
    app = Starlette(routes=routes(task))

    async def guarded(scope, receive, send):
        """An app that wants a token in every address, like that of `palimpsest serve`."""
        assert scope["type"] == "lifespan" or b"token=x" in scope["query_string"]
        await app(scope, receive, send)

    settings = uvicorn.Config(guarded, port=0, log_level="error")
    server = uvicorn.Server(settings)
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        thread.join(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    yield f"http://127.0.0.1:{port}/annotate", task
    server.should_exit = True
    thread.join()


@pytest.fixture
def begin(browser):
    """A function that opens the app as an annotator, in a browser of its own."""
    contexts, errors = [], []

    def load(address, annotator):
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: "409" in message.text or errors.append(message.text))
        page.goto(f"{address}?token=x")
        page.wait_for_selector("[data-part=annotator]")
        part(page, "annotator").fill(annotator)
        page.keyboard.press("Enter")
        page.wait_for_selector(READY)
        return page

    load.errors = errors
    yield load
    for context in contexts:
        context.close()
    assert errors == []


def saved(task, pair_id, annotator):
    stored = find(GoldFile(task.gold.path).annotations(), pair_id, annotator)
    return stored and stored.annotation


def test_the_app_saves_to_the_gold_file_and_refuses_to_overwrite(served, begin):
    address, task = served
    page = begin(address, "A")
    assert not task.gold.path.exists()
    press(page, "m", "Enter")
    wait_until_saved(page)
    annotation = saved(task, "b", "A")
    assert annotation.gold.cells(sure_only=True) == {(0, 5)} and not annotation.finished
    # Another annotator works on the same pair; neither sees or disturbs the other.
    other = begin(address, "B")
    assert shown_links(other) == []
    press(other, "n")
    wait_until_saved(other)
    press(page, "n")
    wait_until_saved(page)
    assert saved(task, "b", "A").nulls == (1,) and saved(task, "b", "B").nulls == (0,)
    # Another program changes A's line.
    content = task.gold.path.read_text().replace('"null": [1]', '"null": [1, 4]')
    task.gold.path.write_text(content)
    press(page, "n")
    page.wait_for_selector("[data-part=refused]:not([hidden])")
    assert task.gold.path.read_text() == content
    page.get_by_role("button", name="Keep mine").click()
    wait_until_saved(page)
    assert saved(task, "b", "A").nulls == (1, 2)


def test_work_that_the_app_could_not_save_is_kept(served, begin):
    address, task = served
    page = begin(address, "A")
    page.route(
        "**/annotate/save?*", lambda route: route.fulfill(status=500, body='{"error": "the disk is full"}')
    )
    press(page, "m", "Enter")
    page.wait_for_function("() => document.querySelector('[data-part=saved]').textContent === 'not saved'")
    assert "Not saved: the disk is full. Your work is still here" in part(page, "message").inner_text()
    page.reload()
    page.wait_for_selector(READY)
    assert shown_links(page) == [("“Rufus” ← “Rufus”", "sure")]
    assert not task.gold.path.exists()
    page.unroute("**/annotate/save?*")
    press(page, "n")
    wait_until_saved(page)
    begin.errors.clear()  # the browser reports the status 500
    assert saved(task, "b", "A").gold.cells(sure_only=True) == {(0, 5)}


def test_two_annotators_are_compared_and_adjudicated(request, served, begin):
    address, task = served
    for name, links in (("A", [link((0, 1), (5, 6)), link((1, 2), (1, 2))]), ("B", [link((0, 1), (5, 6))])):
        for pair_id in "bac":
            task.save({"line": line(pair_id, name, *(links if pair_id == "b" else [])), "revision": ""})
    page = begin(address, "adjudicated")
    page.get_by_text("Agreement", exact=True).click()
    part(page, "agreement").locator("tr").nth(1).wait_for()
    # One of 35 cells differs in pair b, and none of the others: κ over 35 + 32 + 15 cells.
    row = part(page, "agreement").locator("tr").first.locator("td").all_inner_texts()
    assert row == ["A, B", "all", f"{task.agreement(0)[0]['kappa_sure']:.2f}", row[2], "3"]
    part(page, "skip").fill("1")
    part(page, "skip").press("Enter")
    page.wait_for_function(
        "() => document.querySelector('[data-part=agreement] td:last-child').textContent === '2'"
    )
    part(page, "start").select_option("A and B")
    assert shown_links(page) == [("“Rufus” ← “Rufus”", "sure")]
    differences = part(page, "differences").locator("li")
    assert differences.locator(".note").all_inner_texts() == ["A: sure, B: not linked"]
    take_screenshot(request, page, "adjudicate.png")
    differences.get_by_role("button", name="take").click()
    assert differences.locator(".note").all_inner_texts() == ["A: sure, B: not linked · taken"]
    page.get_by_role("button", name="Finish").click()
    page.wait_for_function(
        "() => document.querySelector('[data-part=place]').textContent.startsWith('1 of 3')"
    )
    settled = saved(task, "b", "adjudicated")
    assert settled.finished and settled.gold.cells(sure_only=True) == {(0, 5), (1, 1)}
    assert settled.start == "A and B"
