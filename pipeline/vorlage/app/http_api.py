"""The requests of programs: `POST /api/attribute` and `POST /api/align`, JSON in and out.

`/api/attribute-many` and `/api/align-many` take a list and return one, with `error` for a text that cannot be
used. `GET /api` describes them as OpenAPI; `GET /api/health` answers that the app runs.
"""

from collections.abc import Callable, Mapping
from importlib.metadata import version
from typing import Any, Literal, NamedTuple, TypeAlias

import python_multipart  # noqa: F401 - without it, Starlette would fail when the first form is read
from anyio import CapacityLimiter, to_thread
from pydantic import ConfigDict, SkipValidation, TypeAdapter
from pydantic.dataclasses import dataclass
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from vorlage.api.aligned import AlignedPair
from vorlage.api.schemas import schema
from vorlage.api.trained_model import Attribution, TrainedModel
from vorlage.command.errors import InputError, one_line
from vorlage.documents.formats import check_order, extract_text, single_or_named
from vorlage.documents.records import (
    DEFAULT_ID,
    DocumentInput,
    TextInput,
    make_multidocument,
    pair_label,
    raw_text,
)
from vorlage.documents.retrieved import unique_name
from vorlage.files.jsonl import JsonError, parse_form, parse_json
from vorlage.text.detect import Languages
from vorlage.types import JsonObject

Task: TypeAlias = Literal["align", "attribute"]

MAX_BYTES = 32 << 20  # of the body of a request
MAX_DOCUMENTS = 100
MAX_CHARACTERS = 1_000_000  # of the documents and the text together
PASTED = "pasted text"
MANY = "-many"  # at the end of the address of a request with a list
HEALTH = "/api/health"


@dataclass(config=ConfigDict(extra="forbid"))
class Texts:
    """A `text` and the `document` that it was made from, or several; the answer has the `id`.

    `marks`: whether the marks of citations are checked.
    """

    document: SkipValidation[DocumentInput]
    text: SkipValidation[TextInput]
    id: str = DEFAULT_ID
    marks: bool = False

    def answer(self, model: TrainedModel, task: Task) -> AlignedPair | Attribution:
        """Align or attribute the texts; raise `InputError` for texts that cannot be used."""
        fields = {"id": self.id, "document": self.document, "text": self.text}
        record = make_multidocument(fields, pair_label(self.id))
        document: Any = record.document
        text: Any = record.summary
        documents = list(document.values()) if isinstance(document, Mapping) else [document]
        length = sum(map(len, map(raw_text, [text, *documents])))
        if len(documents) > MAX_DOCUMENTS or length > MAX_CHARACTERS:
            raise InputError(
                f"the request has {length:,} characters and documents: {len(documents)}; send at most "
                f"{MAX_CHARACTERS:,} and {MAX_DOCUMENTS}"
            )
        if task == "attribute":
            [attribution] = model.attribute_records([record], False, Languages(), self.marks)
            return attribution
        if len(documents) != 1:
            raise InputError("links are found in one document; give one, or attribute the text to them all")
        return model.align(raw_text(documents[0]), raw_text(text), id=self.id)


class FormText(NamedTuple):
    """A text of a form: the name of its file, empty for one that was pasted, and its content."""

    name: str
    content: bytes

    def extract(self, say: Callable[[str], object]) -> str:
        """Return the text; raise `InputError` if it cannot be used. `say`: as for `extract_text`."""
        return extract_text(self.name or f"the {PASTED}", self.content, say)


class SubmittedForm(NamedTuple):
    """The `documents` and the `text` of a form, not yet extracted, and the `title` of the answer."""

    documents: list[FormText]
    text: FormText
    title: str

    def extract(self, say: Callable[[str], object]) -> Texts:
        """Return the texts; raise `InputError` for a part without text. `say`: as for `extract_text`."""
        text = self.text.extract(say)
        documents: dict[str, str] = {}
        for part in self.documents:
            documents[unique_name(part.name or PASTED, documents)] = part.extract(say)
        check_order(documents.values(), text, say)
        return Texts(single_or_named(documents), text, self.title, marks=True)


async def read_form(request: Request) -> SubmittedForm:
    """Return the texts of a form: `document` once or more, and `text` once, as fields or as files.

    The title is the field of that name, or else the name of the text's file. Raise `HTTPException`
    (400) for another form.
    """
    async with request.form(max_files=MAX_DOCUMENTS, max_part_size=MAX_BYTES) as form:
        documents, texts = [await _form_texts(form, key) for key in ("document", "text")]
        title = form.get("title")
    if not documents or len(texts) != 1:
        raise HTTPException(400, "Give a document and a text.")
    is_named = isinstance(title, str) and title.strip()
    return SubmittedForm(documents, texts[0], one_line(str(title) if is_named else texts[0].name or PASTED))


async def _form_texts(form: FormData, key: str) -> list[FormText]:
    parts = []
    for value in form.getlist(key):
        if isinstance(value, UploadFile):
            parts.append(FormText(value.filename or "", await value.read()))
        else:  # line breaks of a form are CR LF
            parts.append(FormText("", value.replace("\r\n", "\n").encode()))
    return parts


# The description of each request, and the name of the schema of its answer.
TASKS: dict[Task, tuple[str, str]] = {
    "attribute": ("Find the sources of a text in documents, and what has none or differs.", "attribution"),
    "align": ("Find the links between the words of a text and its document.", "alignment"),
}


def api_routes(model: TrainedModel, limiter: CapacityLimiter) -> list[Route]:
    """Return the routes of the API; `limiter`: of the requests that are computed at the same time."""

    def route(task: Task, many: bool) -> Route:
        async def answer(request: Request) -> Response:
            body = await request.body()
            async with limiter:
                return JSONResponse(
                    await to_thread.run_sync(_answer_body, model, task, body, many, abandon_on_cancel=True)
                )

        return Route(f"/api/{task}{MANY * many}", answer, methods=["POST"])

    routes = [route(task, many) for task in TASKS for many in (False, True)]
    health = {"status": "ok", "version": version("vorlage")}
    routes.append(Route(HEALTH, lambda request: JSONResponse(health)))
    return [*routes, Route("/api", lambda request: JSONResponse(describe_api()))]


def describe_api() -> JsonObject:
    """Return the API as an OpenAPI document."""
    paths = {}
    for task, (summary, result) in TASKS.items():
        for end in ("", MANY):
            body, answer = map(_identified_schema, ("texts", result))
            if end:
                answer = {"anyOf": [answer, _ERROR_SCHEMA]}
                body, answer = {"type": "array", "items": body}, {"type": "array", "items": answer}
            response = {"description": summary, "content": _json_content(answer)}
            operation = {
                "summary": summary,
                "operationId": task + end.title().replace("-", ""),
                "requestBody": {"required": True, "content": _json_content(body)},
                "responses": {"200": response, **dict.fromkeys(("400", "403", "413"), ERROR_RESPONSE)},
            }
            paths[f"/api/{task}{end}"] = {"post": operation}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Vorlage", "version": version("vorlage")},
        "paths": paths,
        "security": [{"token": []}],
        "components": {"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
    }


def _json_content(json_schema: JsonObject) -> JsonObject:
    return {"application/json": {"schema": json_schema}}


_ERROR_SCHEMA = {"type": "object", "required": ["error"], "properties": {"error": {"type": "string"}}}
ERROR_RESPONSE = {"description": "A line that says what is wrong", "content": _json_content(_ERROR_SCHEMA)}


def parse_body(body: bytes) -> Any:
    """Return the value of a request in JSON; raise `InputError` for another body."""
    try:
        return parse_json(body.decode())
    except (JsonError, UnicodeDecodeError) as error:
        raise InputError(f"the request is not JSON: {error}") from None


def _answer_body(model: TrainedModel, task: Task, body: bytes, many: bool) -> JsonObject | list[JsonObject]:
    value = parse_body(body)
    if not many:
        return parse_form(Texts, value, "the request").answer(model, task).to_json()
    if not isinstance(value, list):
        raise InputError("the request is not a list; send one, or leave `-many` out of the address")
    return [_answer_item(model, task, number, item) for number, item in enumerate(value, 1)]


def _answer_item(model: TrainedModel, task: Task, number: int, item: Any) -> JsonObject:
    """Return the answer to a text of a list, whose id is its number if it has none, or its error."""
    fields = {"id": str(number), **item} if isinstance(item, dict) else item
    try:
        return parse_form(Texts, fields, f"text {number}").answer(model, task).to_json()
    except InputError as error:
        id = fields["id"] if isinstance(fields, dict) else str(number)
        return {"id": id, "error": one_line(str(error))}


def _identified_schema(name: str) -> JsonObject:
    """Return a schema with an `$id`, so that its references to its own parts hold inside another one."""
    json_schema = TypeAdapter(Texts).json_schema() if name == "texts" else schema(name)
    return json_schema | {"$id": f"urn:vorlage:{name}"}
