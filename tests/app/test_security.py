"""Who may send a request, how large it may be, and what every answer forbids the browser."""

import pytest
from app_requests import FORM, TOKEN, multipart
from vorlage.app.http_api import MAX_BYTES

PARTS = (("document", "The mill closed in 1998."), ("text", "A mill closed."))


@pytest.mark.parametrize("path", ["/", "/nothing"])
@pytest.mark.parametrize("query", ["x=1", f"token={TOKEN[:-1]}", f"token={TOKEN}x", "token=%F0%9F%A6%8A"])
def test_nothing_is_answered_without_the_token(client, path, query):
    answer = client.get(path, query=query)
    assert answer.status == 403 and answer.text.startswith("Open the address") and TOKEN not in answer.text


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1:8000", 200),
        ("LOCALHOST:9000", 200),  # a port that is forwarded
        ("[::1]:8000", 200),
        ("evil.example:8000", 400),
        ("127.0.0.1.evil.example:8000", 400),
        ("", 400),
    ],
)
def test_a_name_that_was_bound_again_is_refused(client, host, status):
    assert client.get("/", host=host).status == status


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"origin": "http://127.0.0.1:8000", "sec-fetch-site": "same-origin"}, 200),
        ({"origin": "http://127.0.0.1:3000"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
    ],
)
def test_a_form_of_another_site_is_refused(client, headers, status):
    answer = client.post("/align", *PARTS, headers=FORM | headers)
    assert answer.status == status
    assert not any(name.startswith("access-control") for name in answer.headers)


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/", 200), ("GET", "/nothing", 404), ("POST", "/", 405), ("POST", "/align", 400)],
)
def test_every_answer_has_a_policy_and_is_not_kept(client, method, path, status):
    answer = client.send(method, path)
    assert answer.status == status and "set-cookie" not in answer.headers
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["referrer-policy"] == "no-referrer" and answer.headers["x-frame-options"] == "DENY"
    policy = dict(part.split(" ", 1) for part in answer.headers["content-security-policy"].split("; "))
    assert policy["default-src"] == "'none'"
    if status == 200:
        assert "unsafe" not in policy["script-src"] and "self" not in policy["script-src"]
        assert policy["connect-src"] == "'self'" and policy["form-action"] == "'none'"


def test_a_body_that_says_it_is_too_large_is_refused_unread(client):
    asked = client.asked
    answer = client.post("/align", *PARTS, headers=FORM | {"content-length": str(MAX_BYTES + 1)})
    assert answer.status == 413 and client.asked == asked


@pytest.mark.parametrize("length", ["", "3"])
@pytest.mark.parametrize("path", ["/align", "/api/align"])
def test_a_body_is_counted_whatever_length_it_says(client, path, length):
    asked, large = client.asked, multipart(*PARTS, ("document", "x" * MAX_BYTES))
    headers = FORM | {"content-length": length, "transfer-encoding": "chunked"}
    answer = client.send("POST", path, large, headers)
    assert answer.status == 413 and client.asked == asked + 1
