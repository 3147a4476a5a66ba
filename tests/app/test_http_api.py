"""The requests of programs."""

import json

import jsonschema
import pytest

DOCUMENT = "The ferry to Sund was late because of fog. Two hundred people waited for 38 minutes."
TEXT = "Fog made the ferry late. 83 people waited."


def post(client, task, body, **options):
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return client.send("POST", f"/api/{task}", data, **options)


@pytest.mark.parametrize("document", [DOCUMENT, {"news": DOCUMENT, "weather": "Fog came."}])
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
    assert post(client, "align", body, headers={"authorization": "Bearer x"}, query="").status == 403
    assert post(client, "align", body, headers=headers | {"origin": "http://evil.example"}).status == 403


@pytest.mark.parametrize(
    ("task", "body", "message"),
    [
        ("attribute", b"{", "the request is not JSON: "),
        ("attribute", {"document": DOCUMENT, "text": TEXT, "id": "\ud800"}, "half of a surrogate pair"),
        ("attribute", {"text": TEXT}, "the request: `document` is missing"),
        ("attribute", {"document": DOCUMENT, "text": TEXT, "more": 1}, "the request: `more` is 1: "),
        (
            "align",
            {"document": {"a": DOCUMENT, "b": "Fog."}, "text": TEXT},
            "links are found in one document",
        ),
    ],
)
def test_unusable_requests_are_answered_with_a_line(client, task, body, message):
    answer = post(client, task, body)
    assert answer.status == 400 and message in answer.text and answer.text.count("\n") == 1
