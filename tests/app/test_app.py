"""The answers of the app: the same pages as the commands write, and one line for what cannot be used."""

import base64
import contextlib
import gzip
import json
import re
import threading
from html.parser import HTMLParser

import anyio
import pytest
from anyio.from_thread import start_blocking_portal
from asgi import FORM, TOKEN, Client, multipart
from sample_files import PAGE, make_pdf
from vorlage.api import TrainedModel
from vorlage.app import texts_sent
from vorlage.app.app import make_app
from vorlage.app.security import LOOPBACK
from vorlage.app.work import AT_ONCE, MOST_PENDING
from vorlage.cli.main import main
from vorlage.viewer.viewer import viewer_page

DOCUMENT = "The ferry to Sund was late because of fog. Two hundred people waited for 38 minutes."
TEXT = "Fog made the ferry late. 83 people waited."
HOSTILE = [
    "</script><script>window.hacked=1</script>",
    "<img src=x onerror=window.hacked=1>",
    "\"'><svg onload=window.hacked=1>",
    "{{ 7*7 }}",
    "<!-- \u2028 --> ]]>",
]


class Tags(HTMLParser):
    """Collects the tags of a page, and the data of its scripts apart from the other text."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.text = [], ""
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, *(name for name, _ in attributes)))

    def handle_data(self, data):
        self.text += data


@pytest.mark.parametrize("task", ["align", "attribute"])
def test_an_answer_is_the_page_that_the_command_writes(client, task, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in (("document.txt", DOCUMENT), ("text.txt", TEXT)):
        (tmp_path / name).write_text(text)
    main([task, "document.txt", "text.txt", "--html", "page.html"])
    answer = client.post(f"/{task}", ("document", DOCUMENT), ("text", ("text.txt", TEXT.encode())))
    assert answer.status == 200 and answer.headers["content-type"] == "text/html; charset=utf-8"
    found, expected = map(unpack, (answer.text, (tmp_path / "page.html").read_text()))
    assert found.pop("id") == "text.txt" and expected.pop("id") == "text"
    assert found == expected and len(found["s"]["w"]) > 5


def unpack(page):
    """Return the data of the only pair of a page."""
    [packed] = re.findall('<script type="text/plain" class="pair">(.*?)</script>', page)
    return json.loads(gzip.decompress(base64.b64decode(packed)))


def test_the_viewer_shows_what_the_model_finds(client, model):
    answer = client.post("/attribute", ("document", DOCUMENT), ("text", TEXT))
    found = model.attribute(DOCUMENT, TEXT, id="pasted text")
    assert answer.text == viewer_page("pasted text", [found.viewer_data()], "attribution")


def test_the_title_is_the_one_given_or_the_name_of_the_file(client):
    parts, file = [("document", DOCUMENT)], ("text", ("a.txt", TEXT.encode()))
    for given, title in (("b\n\u202e3", "b \\u202e3"), (" ", "a.txt")):
        page = client.post("/align", *parts, file, ("title", given)).text
        assert unpack(page)["id"] == title and f"<title>{title}</title>" in page


def test_line_breaks_of_a_form_are_those_of_a_text(client):
    answers = [
        client.post("/align", ("document", DOCUMENT.replace(". ", f".{end}")), ("text", TEXT))
        for end in ("\n", "\r\n")
    ]
    assert answers[0] == answers[1]


def test_several_documents_keep_their_names(client, model):
    sent = [("a.txt", DOCUMENT), ("a.txt", "Fog came."), ("b.html", PAGE)]
    parts = [("document", (name, text.encode())) for name, text in sent]
    answer = client.post("/attribute", *parts, ("document", "The end."), ("text", TEXT))
    texts = {
        "a.txt": DOCUMENT,
        "a.txt (2)": "Fog came.",
        "b.html": texts_sent.extract_text("b.html", PAGE.encode()),
    }
    found = model.attribute(texts | {"pasted text": "The end."}, TEXT, id="pasted text")
    assert answer.text == viewer_page("pasted text", [found.viewer_data()], "attribution")
    refused = client.post("/align", *parts, ("text", TEXT))
    assert refused.status == 400 and "one document" in refused.text


def test_pdf_and_html_are_read(client, model):
    pdf = make_pdf(
        ["The ferry to Sund was late because of fog.", "Two hundred people waited for 38 minutes."]
    )
    answer = client.post("/align", ("document", ("a.pdf", pdf)), ("text", ("page.html", PAGE.encode())))
    texts = [
        texts_sent.extract_text(name, content)
        for name, content in (("a.pdf", pdf), ("b.html", PAGE.encode()))
    ]
    assert "ferry" in texts[0] and "Storm" in texts[1]
    assert answer.text == viewer_page("page.html", [model.align(*texts, id="page.html").viewer_data()])


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ([], "Give a document and a text."),
        ([("document", DOCUMENT)], "Give a document and a text."),
        ([("text", TEXT), ("text", TEXT), ("document", DOCUMENT)], "Give a document and a text."),
        ([("document", " "), ("text", TEXT)], "the pasted text: empty text"),
        ([("document", "a\0b"), ("text", TEXT)], "the pasted text: NUL characters"),
        ([("document", ("a.txt", b"\xff\xfe")), ("text", TEXT)], "not text in UTF-8 but in UTF-16"),
        ([("document", ("a.pdf", b"%PDF-1.7 broken")), ("text", TEXT)], "a.pdf: cannot be read as PDF"),
        ([("document", ("\u202e\x1b[2J", b"\xff")), ("text", TEXT)], "\\u202e"),
        ([("document", ("../../etc/passwd", b"")), ("text", TEXT)], "../../etc/passwd: empty"),
    ],
)
def test_what_cannot_be_used_is_said_in_one_line(client, parts, message):
    answer = client.post("/attribute", *parts)
    assert answer.status == 400 and message in answer.text and answer.text.count("\n") == 1
    assert answer.headers["content-type"].startswith("text/plain")


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        ({}, b"text"),
        ({"content-type": "application/json"}, b"{}"),
        ({"content-type": "multipart/form-data"}, b"text"),
        (FORM, b"text"),
        (FORM, multipart(("document", DOCUMENT))[:-20]),
        (FORM, multipart(*[("document", DOCUMENT)] * 101)),
    ],
)
def test_another_body_is_refused(client, headers, body):
    answer = client.send("POST", "/align", body=[body], headers=headers)
    assert answer.status == 400 and answer.text.count("\n") <= 1


def test_texts_that_are_too_long_are_refused(client, monkeypatch):
    monkeypatch.setattr(texts_sent, "MOST_CHARACTERS", 100)
    answer = client.post("/align", ("document", DOCUMENT), ("text", TEXT))
    assert answer.status == 400 and "the texts have 126 characters, more than 100" in answer.text


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("task", ["align", "attribute"])
def test_markup_stays_text(make_client, tmp_path, text, task):
    name = text.replace("/", "|")
    (tmp_path / name).write_text(
        json.dumps({"id": text if text.isprintable() else "a", "document": text, "summary": text})
    )
    client = make_client(tmp_path / name)
    plain = client.post(f"/{task}", ("document", DOCUMENT), ("text", ("a.txt", TEXT.encode())))
    answer = client.post(f"/{task}", ("document", text), ("text", (text.replace('"', "'"), text.encode())))
    assert answer.status == 200 and Tags(answer.text).tags == Tags(plain.text).tags
    page = Tags(client.get("/").text)
    assert [tag for tag, *_ in page.tags].count("script") == 2
    assert not {"img", "svg"} & {tag for tag, *_ in page.tags}
    assert client.get("/corpora").json()["corpora"][0]["name"] == name


def quiet(app):
    """Drop an error that the app raises again for the server, after its answer."""

    async def run(scope, receive, send):
        with contextlib.suppress(RuntimeError):
            await app(scope, receive, send)

    return run


def test_an_error_of_ours_is_logged_and_shows_nothing(caplog):
    class Broken:
        def align(self, *texts, **options):
            raise RuntimeError(f"about {texts}")

    with caplog.at_level("ERROR", logger="pipeline"):
        client = Client(quiet(make_app(Broken(), token=TOKEN, names=LOOPBACK)))
        answer = client.post("/align", ("document", DOCUMENT), ("text", TEXT))
    assert answer.status == 500 and answer.text == "The app has failed; its terminal says why.\n"
    assert answer.headers["cache-control"] == "no-store"
    assert "RuntimeError: about" in caplog.text


def test_the_app_is_busy_after_some_requests(model):
    """The model is a stub that waits; further requests are refused at once, and the others are answered."""
    go, most, running = threading.Event(), [], []

    class Slow:
        def align(self, document, text, **options):
            running.append(document)
            most.append(len(running))
            assert go.wait(60)
            running.pop()
            return TrainedModel.align(model, document, text, **options)

    client = Client(make_app(Slow(), token=TOKEN, names=LOOPBACK))
    body = multipart(("document", DOCUMENT), ("text", TEXT))
    answers = []

    async def ask():
        answers.append(await client.run(scope(), iter([body])))

    def scope():
        query = f"token={TOKEN}".encode()
        headers = [(b"host", b"localhost"), *((k.encode(), v.encode()) for k, v in FORM.items())]
        base = {"type": "http", "method": "POST", "path": "/align", "root_path": "", "scheme": "http"}
        return base | {"query_string": query, "headers": headers, "http_version": "1.1"}

    async def ask_all():
        async with anyio.create_task_group() as group:
            for _ in range(MOST_PENDING + 3):
                group.start_soon(ask)
            while len(answers) < 3 or len(running) < AT_ONCE:
                await anyio.sleep(0.01)
            assert [answer.status for answer in answers] == [503] * 3
            assert answers[0].headers["retry-after"] == "5"
            go.set()

    # In its own thread: an event loop still runs in this one if tests of the browser ran before.
    with start_blocking_portal() as portal:
        portal.call(ask_all)
    assert sorted(answer.status for answer in answers) == [200] * MOST_PENDING + [503] * 3
    assert max(most) == AT_ONCE
