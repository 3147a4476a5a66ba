"""The annotation page behind an app: saves, refusals, agreement, adjudication."""

import threading
import time

import pytest
from annotating import READY, press, shown_links, wait_until_saved, watch_storage
from annotation_examples import line, link, write_corpus, write_system
from reports import part
from vorlage.app.annotate.annotation_task import open_task
from vorlage.app.annotate.gold_file import GoldFile, find

pytestmark = pytest.mark.slow


@pytest.fixture
def served(tmp_path):
    """The address and the task of the small corpus behind an app."""
    pytest.importorskip("starlette", reason="starlette is not installed")
    uvicorn = pytest.importorskip("uvicorn", reason="uvicorn is not installed")
    from starlette.applications import Starlette
    from vorlage.app.annotate.routes import routes

    write_corpus(tmp_path / "pairs.jsonl")
    system = write_system(tmp_path / "toy.jsonl")
    task = open_task(tmp_path / "pairs.jsonl", tmp_path / "gold.jsonl", [system], tokenized=True)
    app = Starlette(routes=routes(task))

    async def guarded(scope, receive, send):
        """An app that wants a token in every address, like that of `vorlage serve`."""
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


def test_a_save_that_takes_seconds_is_shown_as_saved(served, begin):
    address, task = served
    page = begin(address, "A")

    def delay(route):
        time.sleep(2.5)  # the clock of the pair goes on
        route.continue_()

    page.route("**/annotate/save?*", delay)
    press(page, "m", "Enter")
    wait_until_saved(page)
    press(page, "f")
    page.wait_for_function("() => document.querySelector('[data-part=pair]').selectedOptions[0].text === 'a'")
    assert saved(task, "b", "A").finished


def test_work_that_the_app_could_not_save_is_kept(served, begin):
    address, task = served
    page = begin(address, "A")
    reload = watch_storage(page)
    page.route(
        "**/annotate/save?*", lambda route: route.fulfill(status=500, body='{"error": "the disk is full"}')
    )
    press(page, "m", "Enter")
    page.wait_for_function("() => document.querySelector('[data-part=saved]').textContent === 'not saved'")
    assert "Not saved: the disk is full. Your work is still here" in part(page, "message").inner_text()
    begin.errors.clear()  # the browser reports the status 500
    reload()
    assert shown_links(page) == [("“Rufus” ← “Rufus”", "sure")]
    assert not task.gold.path.exists()
    page.unroute("**/annotate/save?*")
    press(page, "n")
    wait_until_saved(page)
    begin.errors.clear()  # the browser reports the status 500
    assert saved(task, "b", "A").gold.cells(sure_only=True) == {(0, 5)}


def test_two_annotators_are_compared_and_adjudicated(served, begin):
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
    differences.get_by_role("button", name="take").click()
    assert differences.locator(".note").all_inner_texts() == ["A: sure, B: not linked · taken"]
    page.get_by_role("button", name="Finish").click()
    page.wait_for_function(
        "() => document.querySelector('[data-part=place]').textContent.startsWith('1 of 3')"
    )
    settled = saved(task, "b", "adjudicated")
    assert settled.finished and settled.gold.cells(sure_only=True) == {(0, 5), (1, 1)}
    assert settled.start == "A and B"
