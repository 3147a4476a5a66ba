"""The requests of programs: `POST /api/attribute` and `POST /api/align`, JSON in and out.

`GET /api` describes them as OpenAPI.
"""

from importlib.metadata import version
from typing import Any

from anyio import CapacityLimiter, to_thread
from pydantic import TypeAdapter
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from vorlage.api.schemas import schema
from vorlage.api.trained_model import TrainedModel
from vorlage.app.texts_sent import Task, Texts
from vorlage.command.errors import InputError
from vorlage.files.jsonl import JsonError, parse_form, parse_json
from vorlage.types import JsonObject

# The description of each request, and the name of the schema of its answer.
TASKS: dict[Task, tuple[str, str]] = {
    "attribute": ("Find the sources of a text in documents, and what has none or differs.", "attribution"),
    "align": ("Find the links between the words of a text and its document.", "alignment"),
}


def api_routes(model: TrainedModel, limiter: CapacityLimiter) -> list[Route]:
    """Return the routes of the API; `limiter`: of the requests that are computed at the same time."""

    def route(task: Task) -> Route:
        async def answer(request: Request) -> Response:
            body = await request.body()
            async with limiter:
                return JSONResponse(
                    await to_thread.run_sync(_find, model, task, body, abandon_on_cancel=True)
                )

        return Route(f"/api/{task}", answer, methods=["POST"])

    return [*map(route, TASKS), Route("/api", lambda request: JSONResponse(description()))]


def description() -> JsonObject:
    """Return the API as an OpenAPI document."""
    paths = {}
    for task, (summary, result) in TASKS.items():
        answer = {"description": summary, "content": _content(_embedded(result))}
        error = {"description": "A line that says what is wrong", "content": {"text/plain": {}}}
        request = {"required": True, "content": _content(_embedded("texts"))}
        responses = {"200": answer, "400": error, "403": error, "413": error}
        operation = {"summary": summary, "operationId": task, "requestBody": request, "responses": responses}
        paths[f"/api/{task}"] = {"post": operation}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Vorlage", "version": version("vorlage")},
        "paths": paths,
        "security": [{"token": []}],
        "components": {"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
    }


def parse_body(body: bytes) -> Any:
    """Return the value of a request in JSON; raise `InputError` for another body."""
    try:
        return parse_json(body.decode())
    except (JsonError, UnicodeDecodeError) as error:
        raise InputError(f"the request is not JSON: {error}") from None


def _find(model: TrainedModel, task: Task, body: bytes) -> JsonObject:
    return parse_form(Texts, parse_body(body), "the request").find(model, task).to_json()


def _embedded(name: str) -> JsonObject:
    """Return a schema with an `$id`, so that its references to its own parts hold inside another one."""
    made = TypeAdapter(Texts).json_schema() if name == "texts" else schema(name)
    return made | {"$id": f"urn:vorlage:{name}"}


def _content(described: JsonObject) -> JsonObject:
    return {"application/json": {"schema": described}}
