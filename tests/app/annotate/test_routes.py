"""The requests of the annotation page, answered without a socket."""

import json

import pytest
from annotation_examples import line, write_corpus
from asgi import TOKEN, Client
from vorlage.app.annotate.annotation_task import AnnotationTask
from vorlage.app.annotate.routes import routes
from vorlage.app.app import make_app
from vorlage.app.corpus_files import CorpusFiles


@pytest.fixture
def task(tmp_path):
    files = CorpusFiles(write_corpus(tmp_path / "pairs.jsonl"), tokenized=True)
    return AnnotationTask(files, tmp_path / "gold.jsonl")


@pytest.fixture
def client(task):
    return Client(make_app(None, None, routes(task), TOKEN, ["*"]))


def save(client, record, revision=""):
    body = json.dumps({"line": record, "revision": revision}).encode()
    return client.send("POST", "/annotate/save", body)


def test_the_page_brings_its_policy(client):
    page = client.get("/annotate")
    assert page.status == 200 and "connect-src 'self'" in page.headers["content-security-policy"]
    assert "'unsafe-inline'" not in page.headers["content-security-policy"].partition("script-src")[2]
    assert "burned down" not in page.text


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"{", "column 2"),
        (b"\xff", "decode"),
        (
            json.dumps({"line": line("a", "A") | {"start": "\ud800"}, "revision": ""}).encode(),
            "half of a surrogate",
        ),
        (b'{"\\ud800": 1, "\\ud800": 2}', r"the key `\ud800` occurs twice"),
    ],
)
def test_a_wrong_request_gets_a_reason(client, body, message):
    answer = client.send("POST", "/annotate/save", body)
    assert answer.status == 400 and message in answer.json()["error"]
    assert "pair 'none' is not in this corpus" in client.get("/annotate/pair?id=none").json()["error"]
    for skip in ("9" * 5000, "-1", "x"):
        assert client.get(f"/annotate/agreement?skip={skip}").status == 400
    assert client.get("/annotate/agreement?skip=1").status == 200


def test_a_file_that_cannot_be_read_or_written_gets_a_reason(client, task, monkeypatch):
    def fail(*_):
        raise OSError(28, "No space left on device", "gold.jsonl")

    with monkeypatch.context() as patched:
        patched.setattr("vorlage.files.outputs.os.replace", fail)
        answer = save(client, line("a", "A"))
    assert answer.status == 500
    assert answer.json()["error"] == "gold.jsonl: No space left on device; nothing was changed"
    task.gold.path.write_text("{\n")
    for path in ("/annotate/index", "/annotate/pair?id=a", "/annotate/agreement"):
        assert "line 1: not valid JSON" in client.get(path).json()["error"]
