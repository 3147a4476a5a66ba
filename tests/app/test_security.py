"""Who may send a request, how large it may be, and what every answer forbids the browser."""

import itertools
import json

import pytest
from asgi import FORM, TOKEN
from vorlage.app import security
from vorlage.app.security import MOST_BYTES

PARTS = (("document", "The mill closed in 1998."), ("text", "A mill closed."))
PATHS = ("/", "/corpora/0", "/corpora/0/pair?id=a", "/nothing", "/../../etc/passwd")


@pytest.fixture(scope="module")
def served(make_client, tmp_path_factory):
    path = tmp_path_factory.mktemp("corpus") / "pairs.jsonl"
    path.write_text(json.dumps({"id": "a", "document": "A secret.", "summary": "A secret."}) + "\n")
    return make_client(path)


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    "query", ["x=1", "token=", f"token={TOKEN[:-1]}", f"token={TOKEN}x", "token=%F0%9F%A6%8A"]
)
def test_nothing_is_answered_without_the_token(served, path, query):
    answer = served.get(path, query=query)
    assert answer.status == 403 and answer.text.startswith("Open the address")
    assert TOKEN not in answer.text and "secret" not in answer.text


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1:8000", 200),
        ("localhost", 200),
        ("LOCALHOST:9000", 200),  # a port that is forwarded
        ("[::1]:8000", 200),
        ("evil.example", 400),
        ("evil.example:8000", 400),
        ("127.0.0.1.evil.example:8000", 400),
        ("localhost.evil.example", 400),
        ("evil.example@127.0.0.1:8000", 200),  # its host is 127.0.0.1
        ("127.0.0.1@evil.example", 400),
        ("192.168.1.5:8000", 400),
        ("[::1", 400),
        ("", 400),
    ],
)
def test_a_name_that_was_bound_again_is_refused(served, host, status):
    assert served.get("/", host=host).status == status


def test_a_server_for_a_network_is_known_by_its_addresses_only(make_client):
    anywhere = make_client(names={"0.0.0.0"}, addresses=True)
    assert anywhere.get("/", host="192.168.1.5:8000").status == 200
    assert anywhere.get("/", host="[fe80::1]:8000").status == 200
    assert anywhere.get("/", host="evil.example:8000").status == 400


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"origin": "http://127.0.0.1:8000", "sec-fetch-site": "same-origin"}, 200),
        ({"origin": "http://127.0.0.1:3000"}, 403),
        ({"origin": "http://localhost:8000"}, 403),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "same-site"}, 403),
        ({"sec-fetch-site": "none"}, 403),
    ],
)
def test_a_form_of_another_site_is_refused(served, headers, status):
    answer = served.post("/align", *PARTS, headers=FORM | headers)
    assert answer.status == status
    assert not any(name.startswith("access-control") for name in answer.headers)


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/", 200),
        ("GET", "/nothing", 404),
        ("POST", "/", 405),
        ("GET", "/align", 405),
        ("POST", "/align", 400),
    ],
)
def test_every_answer_has_a_policy_and_is_not_kept(served, method, path, status):
    answer = served.send(method, path)
    assert answer.status == status
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["x-content-type-options"] == "nosniff"
    policy = dict(part.split(" ", 1) for part in answer.headers["content-security-policy"].split("; "))
    assert policy["default-src"] == policy["frame-ancestors"] == policy["form-action"] == "'none'"
    if path == "/" and method == "GET":
        assert "unsafe" not in policy["script-src"] and "self" not in policy["script-src"]
        assert policy["connect-src"] == "'self'"
    assert "set-cookie" not in answer.headers


def test_a_length_beyond_the_limit_is_refused_unread(served):
    answer = served.send("POST", "/align", headers=FORM | {"content-length": str(MOST_BYTES + 1)})
    assert answer.status == 413 and served.asked == 0
    assert "32 MB" in answer.text and answer.headers["connection"] == "close"


@pytest.mark.parametrize(
    "start", [b"", b'--part-of-a-test\r\nContent-Disposition: form-data; name="text"\r\n\r\n']
)
@pytest.mark.parametrize("kind", [FORM["content-type"], "application/x-www-form-urlencoded"])
def test_a_gigabyte_in_pieces_is_refused_at_the_limit(served, start, kind):
    piece = b"a" * 65536
    pieces = (start or piece if number == 0 else piece for number in range(16384))
    answer = served.send("POST", "/attribute", body=pieces, headers={"content-type": kind})
    assert answer.status in (400, 413)  # 400 if the pieces are seen not to be a form before
    assert served.asked <= MOST_BYTES // len(piece) + 2
    assert answer.status == 413 or served.asked < 10


def test_a_body_that_never_ends_is_given_up(served, monkeypatch):
    monkeypatch.setattr(security, "BODY_SECONDS", 0.2)
    answer = served.send("POST", "/attribute", headers=FORM, body=itertools.repeat(b""))
    assert answer.status == 408 and answer.headers["connection"] == "close"


@pytest.mark.parametrize(
    "path",
    [
        "/../../../etc/passwd",
        "/corpora/../../etc/passwd",
        "/corpora/0/pair/../../../../etc/passwd",
        "/corpora/9999999999999",
    ]
    + [
        "/corpora/-1",
        "/corpora/0/pair?id=../../etc/passwd",
        "/corpora/0/pair?id=/etc/passwd",
        "/corpora/0/pair",
        "//etc/passwd",
    ],
)
def test_only_what_was_opened_can_be_read(served, path):
    answer = served.get(path)
    assert answer.status == 404 and "root:" not in answer.text
