"""The app: a page with a form, what the model finds of the texts sent, and the pairs of opened corpora."""

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from vorlage.api import TrainedModel
from vorlage.app.opened import Opened
from vorlage.app.security import MOST_BYTES, Guard
from vorlage.app.shelf import Shelf
from vorlage.app.texts_sent import Sent, read_files, read_form
from vorlage.app.work import Work
from vorlage.command.errors import InputError, one_line
from vorlage.command.progress import log
from vorlage.semihmm.kernels.compile import is_compiled
from vorlage.viewer.viewer import VIEWER_SCRIPTS, page_parts, render, viewer_page

MOST_LISTED = 200  # pairs of a corpus that are listed at once

Task: TypeAlias = Literal["align", "attribute"]


def make_app(
    model: TrainedModel, opened: Sequence[Opened] = (), annotation: Sequence[Route] = (), **rules: Any
) -> ASGIApp:
    """Return the app behind its `Guard`.

    `opened`: the corpora that it shows at first. `annotation`: the routes of
    `vorlage.app.annotate.routes`, if one of them is annotated. `rules`: the arguments of `Guard`.
    """
    work, shelf = Work(), Shelf(opened)
    page, policy = _make_page(annotated=bool(annotation))

    async def show_form(request: Request) -> Response:
        return HTMLResponse(page, headers={"Content-Security-Policy": policy})

    def list_corpora(request: Request) -> Response:
        return JSONResponse({"corpora": shelf.listing()})

    async def open_more(request: Request) -> Response:
        files, texts = await read_files(request)
        if not files:
            raise HTTPException(400, "Give files to open.")
        return JSONResponse(await work.run(request, lambda: shelf.add(files, texts)))

    def list_pairs(request: Request) -> Response:
        wanted = request.query_params.get("find", "").casefold()
        ids = [id for id in _find(request).ids if wanted in id.casefold()]
        return JSONResponse({"count": len(ids), "ids": ids[:MOST_LISTED]})

    def show_pair(request: Request) -> Response:
        id = request.query_params.get("id", "")
        try:
            pair = _find(request).pair(id)
        except KeyError:
            raise HTTPException(404, f"There is no pair {one_line(id)}.") from None
        shown = None if pair.data is None else viewer_page(id, [pair.data], pair.view)
        return JSONResponse({"document": pair.document, "text": pair.text, "page": shown})

    def _find(request: Request) -> Opened:
        number = request.path_params["number"]
        if number >= len(shelf.opened):
            raise HTTPException(404, f"There is no corpus {number}.")
        return shelf.opened[number]

    def answer(task: Task) -> Route:
        async def answer_form(request: Request) -> Response:
            sent = await read_form(request)
            return HTMLResponse(await work.run(request, lambda: find(model, task, sent)))

        return Route(f"/{task}", answer_form, methods=["POST"])

    app = Starlette(
        routes=[
            Route("/", show_form),
            answer("align"),
            answer("attribute"),
            Route("/corpora", list_corpora),
            Route("/open", open_more, methods=["POST"]),
            Route("/corpora/{number:int}", list_pairs),
            Route("/corpora/{number:int}/pair", show_pair),
            *annotation,
        ],
        exception_handlers={
            InputError: _explain,
            HTTPException: _refuse,
            ClientDisconnect: _drop,
            Exception: _report,
        },
    )
    return Guard(app, **rules)


def find(model: TrainedModel, task: Task, sent: Sent) -> str:
    """Return the page with what the model finds; raise `InputError` for unusable texts."""
    documents, text = sent.extract()
    title = sent.title
    if task == "attribute":
        return viewer_page(title, [model.attribute(documents, text, id=title).viewer_data()], "attribution")
    if not isinstance(documents, str):
        raise InputError("links are shown for one document; give one, or attribute the text to all of them")
    return viewer_page(title, [model.align(documents, text, id=title).viewer_data()])


def _make_page(annotated: bool) -> tuple[str, str]:
    """Return the page of the app and its content security policy.

    The policy allows the scripts of the viewer, too: the frame that shows a result is under it.
    """
    parts = page_parts(["app_files", "app"], ["app"])
    policy = page_parts(["app_files", "app", *VIEWER_SCRIPTS], connect="'self'")["policy"]
    variables = parts | {"policy": policy, "compiling": not is_compiled(), "most_bytes": MOST_BYTES}
    return render("app", title="Vorlage", annotated=annotated, **variables), policy


def _explain(request: Request, error: Exception) -> Response:
    return PlainTextResponse(f"{one_line(str(error))}\n", 400)


def _refuse(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return PlainTextResponse(f"{one_line(error.detail)}\n", error.status_code, error.headers)


def _drop(request: Request, error: Exception) -> Response:
    return Response(status_code=499)  # nobody sees it


def _report(request: Request, error: Exception) -> Response:
    """Log an error of ours with its traceback."""
    log.error("unexpected failure", exc_info=error)
    return PlainTextResponse("The app has failed; its terminal says why.\n", 500)
