"""The requests of the annotation page, answered without a socket."""

import json

import pytest
from annotate.examples import line, link, write_corpus
from vorlage.app.annotate.annotation_task import open_task

pytest.importorskip("starlette", reason="starlette is not installed")

from anyio.from_thread import start_blocking_portal
from starlette.applications import Starlette
from vorlage.app.annotate.routes import routes


@pytest.fixture
def task(tmp_path):
    return open_task(write_corpus(tmp_path / "pairs.jsonl"), tmp_path / "gold.jsonl", tokenized=True)


def ask(task, path, query="", body=None):
    """Return the status, the headers and the body of the answer to a request, a POST if it has a body."""
    sent = []
    scope = {"type": "http", "method": "GET" if body is None else "POST", "path": path, "root_path": ""}
    scope |= {"query_string": query.encode(), "headers": []}

    async def receive():
        return {"type": "http.request", "body": body or b"", "more_body": False}

    async def send(message):
        sent.append(message)

    with start_blocking_portal() as portal:
        portal.call(Starlette(routes=routes(task)), scope, receive, send)
    headers = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], headers, b"".join(message.get("body", b"") for message in sent[1:])


def ask_json(task, path, query="", body=None):
    status, _, answer = ask(task, path, query, body)
    return status, json.loads(answer)


def test_a_pair_is_read_saved_and_read_again(task):
    status, pair = ask_json(task, "/annotate/pair", "id=b&annotator=A")
    assert (status, pair["line"], pair["s"]["w"]) == (200, None, "Rufus received a ladder .".split())
    written = line("b", "A", link((0, 1), (5, 6)), seconds=7)
    request = json.dumps({"line": written, "revision": pair["revision"]}).encode()
    status, saved = ask_json(task, "/annotate/save", body=request)
    assert status == 200
    assert ask_json(task, "/annotate/pair", "id=b&annotator=A")[1]["line"] == written
    assert ask_json(task, "/annotate/index", "annotator=A")[1]["pairs"][1]["finished"] is True
    status, headers, gold = ask(task, "/annotate/gold")
    assert json.loads(gold) == written and "gold.jsonl" in headers["content-disposition"]
    # The revision from before the save is that of another tab.
    other = json.dumps({"line": line("b", "A", seconds=1), "revision": pair["revision"]}).encode()
    status, refused = ask_json(task, "/annotate/save", body=other)
    assert status == 409 and refused["line"] == written and refused["revision"] == saved["revision"]


def test_the_page_brings_its_policy(task):
    status, headers, page = ask(task, "/annotate")
    assert status == 200 and "connect-src 'self'" in headers["content-security-policy"]
    assert "'unsafe-inline'" not in headers["content-security-policy"].partition("script-src")[2]
    assert b"burned down" not in page


def test_agreement_skips_pairs(task):
    for pair_id in "ab":
        for name in "XY":
            request = {"line": line(pair_id, name, link((0, 1), (0, 1))), "revision": ""}
            assert ask(task, "/annotate/save", body=json.dumps(request).encode())[0] == 200
    assert [row["pairs"] for row in ask_json(task, "/annotate/agreement", "skip=1")[1]] == [1, 1]
    assert ask_json(task, "/annotate/agreement", "skip=x")[1][0]["pairs"] == 2


@pytest.mark.parametrize(
    ("path", "query", "body", "message"),
    [
        ("/annotate/pair", "id=none", None, "pair 'none' is not in this corpus"),
        ("/annotate/pair", "", None, "pair '' is not in this corpus"),
        ("/annotate/save", "", b"{", "column 2"),
        ("/annotate/save", "", b"\xff", "decode"),
        ("/annotate/save", "", b'{"line": NaN}', "NaN is not a number"),
        ("/annotate/save", "", b"[" * 100_000, "nested too deeply"),
        ("/annotate/save", "", b"[]", "a save needs `line`"),
    ],
)
def test_a_wrong_request_gets_a_reason(task, path, query, body, message):
    status, answer = ask_json(task, path, query, body)
    assert status == 400 and message in answer["error"]


def test_a_file_that_cannot_be_written_gets_a_reason(task, monkeypatch):
    def fail(*_):
        raise OSError(28, "No space left on device", "gold.jsonl")

    monkeypatch.setattr("vorlage.files.outputs.os.replace", fail)
    request = json.dumps({"line": line("a", "A"), "revision": ""}).encode()
    status, answer = ask_json(task, "/annotate/save", body=request)
    assert status == 500 and answer["error"] == "gold.jsonl: No space left on device; nothing was changed"
    assert not task.gold.path.exists()


def test_a_gold_file_that_was_broken_meanwhile_gets_a_reason(task):
    task.gold.path.write_text("{\n")
    for path in ("/annotate/index", "/annotate/pair", "/annotate/agreement"):
        status, answer = ask_json(task, path, "id=a")
        assert status == 400 and "line 1: not valid JSON" in answer["error"]
    assert task.gold.path.read_text() == "{\n"
