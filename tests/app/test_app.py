"""The answers of the app: the same pages as the commands write, and one line for what cannot be used."""

import base64
import contextlib
import gzip
import json
import re
from importlib.metadata import version
from urllib.parse import unquote

import jsonschema
import pytest
from app_requests import TOKEN, Client
from sample_files import PAGE, make_docx, make_pdf
from vorlage.alignments.viewer import viewer_page
from vorlage.app.app import make_app
from vorlage.cli.main import main
from vorlage.documents.formats import extract_text

DOCUMENT = "The ferry to Sund was late because of fog. Two hundred people waited for 38 minutes."
TEXT = "Fog made the ferry late. 83 people waited."


def unpack(page):
    """Return the data of the only pair of a page."""
    [packed] = re.findall('<script type="text/plain" class="pair">(.*?)</script>', page)
    return json.loads(gzip.decompress(base64.b64decode(packed)))


@pytest.mark.parametrize("task", ["align", "attribute"])
def test_an_answer_is_the_page_that_the_command_writes(client, task, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in (("document.txt", DOCUMENT), ("text.txt", TEXT)):
        (tmp_path / name).write_text(text)
    main([task, "document.txt", "text.txt", "--html", "page.html"])
    answer = client.post(f"/{task}", ("document", DOCUMENT), ("text", ("text.txt", TEXT.encode())))
    assert answer.status == 200 and answer.headers["content-type"] == "text/html; charset=utf-8"
    data, expected = map(unpack, (answer.text, (tmp_path / "page.html").read_text()))
    assert data.pop("id") == "text.txt" and expected.pop("id") == "text"
    assert data == expected and len(data["s"]["w"]) > 5


def test_several_documents_keep_their_names(client, model):
    pdf = make_pdf(["The ferry to Sund was late because of fog."])
    sent = [("a.txt", DOCUMENT.encode()), ("a.txt", b"Fog came."), ("b.html", PAGE.encode()), ("c", pdf)]
    parts = [("document", file) for file in sent]
    answer = client.post("/attribute", *parts, ("document", "The end."), ("text", TEXT))
    names = ["a.txt", "a.txt (2)", "b.html", "c", "pasted text"]
    contents = [content for _, content in sent] + [b"The end."]
    texts = {name: extract_text(name, content) for name, content in zip(names, contents, strict=True)}
    data = model.attribute(texts, TEXT, id="pasted text").viewer_data()
    assert answer.text == viewer_page("pasted text", [data], "attribution")
    refused = client.post("/align", *parts, ("text", TEXT))
    assert refused.status == 400 and "one document" in refused.text


def test_a_note_about_the_texts_comes_with_the_answer(client):
    word = ("a.docx", make_docx("<w:p><w:r><w:t>The ferry was late.</w:t></w:r></w:p>"))
    answer = client.post("/align", ("document", word), ("text", ("b.txt", "Café. Fähre.".encode("cp1252"))))
    assert answer.status == 200
    note = "b.txt: not UTF-8, read as Windows-1252; if Café is not right, convert the file to UTF-8"
    assert unquote(answer.headers["vorlage-notes"]) == note
    longer = client.post("/attribute", ("document", "Fog."), ("text", TEXT))
    assert "the text is twice as long" in unquote(longer.headers["vorlage-notes"])


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ([("document", DOCUMENT)], "Give a document and a text."),
        ([("document", " "), ("text", TEXT)], "the pasted text: empty text"),
        ([("document", ("a.txt", b"ab\xff")), ("text", TEXT)], "a.txt, line 1: not UTF-8 at byte 2"),
        ([("document", ("a.pdf", b"%PDF-1.7 broken")), ("text", TEXT)], "a.pdf: cannot be read as PDF"),
        ([("document", ("\u202e\x1b[2J", b"\xff")), ("text", TEXT)], "\\u202e"),
    ],
)
def test_what_cannot_be_used_is_said_in_one_line(client, parts, message):
    answer = client.post("/attribute", *parts)
    assert answer.status == 400 and message in answer.text and answer.text.count("\n") == 1
    assert answer.headers["content-type"].startswith("text/plain")


@pytest.mark.parametrize(
    ("documents", "message"),
    [
        (
            ["x" * 999_959],
            "the request has 1,000,001 characters and documents: 1; send at most 1,000,000 and 100",
        ),
        (["Fog."] * 101, "the request has 446 characters and documents: 101; send at most 1,000,000 and 100"),
    ],
)
def test_texts_that_are_too_long_or_too_many_are_refused(client, documents, message):
    by_name = dict(enumerate(documents))
    body = json.dumps({"document": by_name, "text": TEXT}).encode()
    answers = [
        client.post("/attribute", *(("document", document) for document in documents), ("text", TEXT)),
        client.send("POST", "/api/attribute", body),
    ]
    assert [answer.status for answer in answers] == [400, 400]
    assert answers[0].text == f"{message}\n" and answers[1].json() == {"error": message}


def test_an_error_of_ours_is_logged_and_shows_nothing(caplog):
    class Broken:
        def align(self, *texts, **options):
            raise RuntimeError(f"about {texts}")

    app = make_app(Broken(), None, [], TOKEN, ["*"])

    async def quiet(scope, receive, send):
        with contextlib.suppress(RuntimeError):  # it is raised again for the server
            await app(scope, receive, send)

    with caplog.at_level("ERROR", logger="vorlage"):
        answer = Client(quiet).post("/align", ("document", DOCUMENT), ("text", TEXT))
    assert answer.status == 500 and answer.text == "The app has failed; its terminal says why.\n"
    assert answer.headers["cache-control"] == "no-store"
    assert "RuntimeError: about" in caplog.text


def post(client, task, body, **options):
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return client.send("POST", f"/api/{task}", data, **options)


@pytest.mark.parametrize(
    "document",
    [
        DOCUMENT,
        [DOCUMENT, "Fog came."],
        {"news": DOCUMENT, "weather": "Fog came."},
        {"news": [DOCUMENT, "It ended."], "weather": ""},
        [{"text": DOCUMENT}, {"text": "Fog came."}],
        [{"text": " "}, {"text": DOCUMENT, "name": "news"}],
        [{"page_content": DOCUMENT, "metadata": {"source": "a.pdf", "page_label": "3"}, "id": "x"}],
        ["Fog came. It went. No one saw it. Then it rained."],
    ],
)
def test_an_attribution_is_that_of_the_model_and_has_the_form_that_is_described(client, model, document):
    answer = post(client, "attribute", {"document": document, "text": TEXT, "id": "a"})
    assert answer.json() == json.loads(json.dumps(model.attribute(document, TEXT, id="a").to_json()))
    described = client.get("/api").json()["paths"]["/api/attribute"]["post"]
    schemas = described["responses"]["200"], described["requestBody"]
    answered, asked = (part["content"]["application/json"]["schema"] for part in schemas)
    jsonschema.validate(answer.json(), answered)
    jsonschema.validate({"document": document, "text": TEXT}, asked)


def test_an_alignment_is_that_of_the_model(client, model):
    answer = post(client, "align", {"document": DOCUMENT, "text": TEXT})
    assert answer.json()["alignments"] == json.loads(
        json.dumps(model.align(DOCUMENT, TEXT).to_json()["alignments"])
    )


def test_the_token_may_be_in_a_header(client):
    body = {"document": DOCUMENT, "text": TEXT}
    headers = {"authorization": "Bearer the-token"}
    assert post(client, "align", body, headers=headers, query="").status == 200
    refused = post(client, "align", body, headers={"authorization": "Bearer x"}, query="")
    assert refused.status == 403 and refused.json()["error"].startswith("Open the address")
    assert post(client, "align", body, headers=headers | {"origin": "http://evil.example"}).status == 403


@pytest.mark.parametrize(
    ("task", "body", "message"),
    [
        ("attribute", b"{", "the request is not JSON: "),
        ("attribute", {"document": DOCUMENT, "text": TEXT, "id": "\ud800"}, "half of a surrogate pair"),
        ("attribute", {"text": TEXT}, "the request: `document` is missing"),
        ("attribute", {"document": DOCUMENT, "text": TEXT, "more": 1}, "the request: `more` is 1: "),
        (
            "attribute",
            {"document": [DOCUMENT, {"text": TEXT}], "text": TEXT},
            "pair: `document` must be a str",
        ),
        ("attribute", {"document": {"a": "", "b": " "}, "text": TEXT}, "pair: empty document"),
        (
            "attribute",
            {"document": [{"text": TEXT, "metadata": 5}, {"text": 5}], "text": TEXT},
            "`document` '2'",
        ),
        ("attribute", {"document": DOCUMENT, "text": {"a": TEXT}, "id": "q"}, "pair q: `text` is not"),
        (
            "align",
            {"document": {"a": DOCUMENT, "b": "Fog."}, "text": TEXT},
            "links are found in one document",
        ),
    ],
)
def test_unusable_requests_are_answered_with_a_line(client, task, body, message):
    answer = post(client, task, body)
    assert answer.status == 400 and message in answer.json()["error"] and "\n" not in answer.json()["error"]
    described = client.get("/api").json()["paths"][f"/api/{task}"]["post"]["responses"]["400"]
    jsonschema.validate(answer.json(), described["content"]["application/json"]["schema"])


def test_many_texts_are_answered_by_one_request(client, model):
    texts = [{"document": DOCUMENT, "text": text, "id": text[:3]} for text in (TEXT, "Fog came.")]
    answer = post(client, "attribute-many", texts)
    assert answer.json() == [post(client, "attribute", text).json() for text in texts]
    described = client.get("/api").json()["paths"]["/api/attribute-many"]["post"]
    assert described["operationId"] == "attributeMany"
    marked = {"document": {"1": DOCUMENT, "2": "Fog came."}, "text": "Fog came [1].", "marks": True}
    assert post(client, "attribute", marked).json()["citations"][0]["mark"] == "misattributed"
    jsonschema.validate(answer.json(), described["responses"]["200"]["content"]["application/json"]["schema"])
    assert "the request is not a list" in post(client, "align-many", texts[0]).json()["error"]


@pytest.mark.parametrize("task", ["attribute", "align"])
def test_a_text_of_many_that_is_unusable_is_an_error_of_its_own(client, task):
    good = {"document": DOCUMENT, "text": TEXT}
    rows = [
        (good | {"id": "a"}, ""),
        (good | {"id": "b", "text": " "}, "pair b: empty text; add it or remove the pair"),
        ({"document": DOCUMENT, "id": "c"}, "text 3: `text` is missing: field required; correct it"),
        (good | {"document": ""}, "pair 4: empty document; add it or remove the pair"),
        (good | {"id": 5}, "text 5: `id` is 5: input should be a valid string; correct it"),
        ("no object", "text 6: the value is 'no object': "),
        (good, ""),
    ]
    answer = post(client, f"{task}-many", [row for row, _ in rows])
    assert answer.status == 200 and [each["id"] for each in answer.json()] == [
        "a",
        "b",
        "c",
        "4",
        5,
        "6",
        "7",
    ]
    for found, (row, message) in zip(answer.json(), rows, strict=True):
        assert found.get("error", "").startswith(message) and ("error" in found) == bool(message)
        if not message:
            alone = post(client, task, row | {"id": found["id"]}).json()
            assert found == alone and set(found) > {"id"}
    described = client.get("/api").json()["paths"][f"/api/{task}-many"]["post"]["responses"]["200"]
    jsonschema.validate(answer.json(), described["content"]["application/json"]["schema"])


def test_the_app_answers_that_it_runs(client):
    answer = client.get("/api/health")
    assert (answer.status, answer.json()) == (200, {"status": "ok", "version": version("vorlage")})
    assert client.get("/api/health", query="").status == 200
    assert client.get("/api", query="").status == 403


def test_a_text_with_tokens_is_taken_over_http(client):
    text = {
        "text": "The ferry was late.",
        "tokens": [[0, 3], [4, 9], [10, 13], [14, 18]],
        "sentences": [[0, 4]],
    }
    sent = {"document": "The ferry was late because of fog.", "text": text}
    answer = post(client, "attribute-many", [sent, {"document": "Fog.", "text": 5}])
    first, second = answer.json()
    assert first["sentences"][0]["verdict"] == "supported" and "`text` must be" in second["error"]
