"""The requests of the annotation page, as routes for an app: JSON in and out, over an `AnnotationTask`."""

from collections.abc import Callable

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from vorlage.app.annotate.annotation_page import app_page
from vorlage.app.annotate.annotation_task import AnnotationTask, line_and_revision
from vorlage.app.annotate.gold_file import ChangedError
from vorlage.app.http_api import parse_body
from vorlage.command.errors import InputError, one_line

MAX_DIGITS = 9


def annotation_routes(task: AnnotationTask) -> list[Route]:
    """Return the routes of the annotation of one corpus, for an app that checks who may use them.

    `GET /annotate` is the page, with its own content security policy. `/annotate/index` (`annotator`),
    `/annotate/pair` (`id`, `annotator`), `/annotate/agreement` (`skip`) and `/annotate/gold` only
    read; `POST /annotate/save` writes one line of the gold file. An error is `{"error": …}` with status
    400, or 409 with the other version if the line has changed since it was read.
    """

    def page(request: Request) -> Response:
        html, policy = app_page(task)
        return HTMLResponse(html, headers={"Content-Security-Policy": policy})

    def index(request: Request) -> Response:
        return _answer(lambda: task.index(request.query_params.get("annotator", "")))

    def pair(request: Request) -> Response:
        names = request.query_params
        return _answer(lambda: task.pair(names.get("id", ""), names.get("annotator", "")))

    def agreement(request: Request) -> Response:
        skip = request.query_params.get("skip", "0")
        if not skip.isdecimal() or len(skip) > MAX_DIGITS:
            raise HTTPException(400, "`skip` is not the number of a pair")
        return _answer(lambda: task.agreement(int(skip)))

    def gold(request: Request) -> Response:
        name = {"Content-Disposition": 'attachment; filename="gold.jsonl"'}
        return Response("".join(task.gold.lines()), media_type="application/jsonl", headers=name)

    async def save(request: Request) -> Response:
        body = await request.body()
        return await run_in_threadpool(_answer, lambda: task.save(parse_body(body)))

    return [
        Route("/annotate", page),
        Route("/annotate/index", index),
        Route("/annotate/pair", pair),
        Route("/annotate/agreement", agreement),
        Route("/annotate/gold", gold),
        Route("/annotate/save", save, methods=["POST"]),
    ]


def _answer(work: Callable[[], object]) -> Response:
    """Return the result of `work` as JSON, or the error that the page shows."""
    try:
        return JSONResponse(work())
    except ChangedError as changed:
        return JSONResponse({"error": str(changed), **line_and_revision(changed.current)}, 409)
    except InputError as error:
        return JSONResponse({"error": one_line(str(error))}, 400)
    except OSError as error:
        reason = f"{error.filename or 'the gold file'}: {error.strerror}; nothing was changed"
        return JSONResponse({"error": reason}, 500)
