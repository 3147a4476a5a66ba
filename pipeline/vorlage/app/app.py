"""The app: a page with a form, what the model finds in texts that are sent, and the pairs of a corpus.

A page of another site can send requests to a server on this machine, and by DNS rebinding it can even do so
under a name of its own. So every request needs the token of this start in its address, or as the bearer of
its header `Authorization`; a `Host` that the server is known by (Starlette's `TrustedHostMiddleware`); and,
unless it only reads, an `Origin` that is the app itself. The token is not in a cookie, because browsers send
the cookies of one port to all others.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from secrets import compare_digest
from urllib.parse import quote

from anyio import CapacityLimiter, to_thread
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders, QueryParams
from starlette.exceptions import HTTPException
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from vorlage.alignments.viewer import VIEWER_SCRIPTS, ViewName, page_parts, pair_data, render, viewer_page
from vorlage.api.trained_model import TrainedModel
from vorlage.app.corpus_files import CorpusFiles
from vorlage.app.http_api import HEALTH, MAX_BYTES, TASKS, Sent, Task, api_routes, read_form
from vorlage.command.errors import InputError, one_line
from vorlage.command.progress import log
from vorlage.documents.formats import SUFFIXES
from vorlage.workflow.report.selection import gold_spans

MAX_LISTED = 200  # pairs of a corpus that are listed at once
NOTES = "Vorlage-Notes"  # the header of an answer that has what to know about its texts, percent-encoded
AT_ONCE = 2  # alignments that are computed at the same time
HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",  # of answers without their own
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


def make_app(
    model: TrainedModel,
    corpus: CorpusFiles | None,
    annotation: Sequence[Route],
    token: str,
    hosts: Sequence[str],
) -> ASGIApp:
    """Return the app.

    Args:
        model: what aligns and attributes.
        corpus: the corpus that the app shows, if any.
        annotation: the routes of `vorlage.app.annotate.routes`, if the corpus is annotated.
        token: what every address must have.
        hosts: the names that the server is known by, `*` for any.
    """
    # The policy allows the scripts of the viewer, too: the frame that shows a result is under it.
    policy = page_parts(["app", *VIEWER_SCRIPTS], connect="'self'")["policy"]
    variables = page_parts(["app"], ["app"]) | {
        "title": "Vorlage",
        "policy": policy,
        "corpus": corpus and corpus.name,
        "pairs": corpus and len(corpus.ids),
        "annotated": bool(annotation),
        "max_bytes": MAX_BYTES,
        "suffixes": ",".join(SUFFIXES),
    }
    page = render("app", **variables)

    async def show_form(request: Request) -> Response:
        return HTMLResponse(page, headers={"Content-Security-Policy": policy})

    limiter = CapacityLimiter(AT_ONCE)
    answers = [*_answers(model, limiter), *api_routes(model, limiter)]
    routes = [Route("/", show_form), *answers, *(_pairs(corpus) if corpus else []), *annotation]
    errors = (InputError, HTTPException, ClientDisconnect, Exception)
    handlers = dict.fromkeys(errors, _answer_error)
    app = Starlette(routes=routes, exception_handlers=handlers, max_body_size=MAX_BYTES)
    return Guard(TrustedHostMiddleware(app, hosts, www_redirect=False), token)


def find(model: TrainedModel, task: Task, sent: Sent, say: Callable[[str], object]) -> str:
    """Return the page with what the model finds; raise `InputError` for unusable texts.

    `say` is called with what the user should know about the texts.
    """
    result = sent.extract(say).find(model, task)
    view: ViewName = "attribution" if task == "attribute" else "alignment"
    return viewer_page(sent.title, [result.viewer_data()], view)


def _answers(model: TrainedModel, limiter: CapacityLimiter) -> list[Route]:
    """Return the routes that answer the form."""

    def answer(task: Task) -> Callable[..., object]:
        async def answer_form(request: Request) -> Response:
            sent, notes = await read_form(request), list[str]()
            find_sent = partial(find, model, task, sent, notes.append)
            async with limiter:
                if await request.is_disconnected():
                    raise ClientDisconnect
                page = await to_thread.run_sync(find_sent, abandon_on_cancel=True)
            return HTMLResponse(page, headers={NOTES: quote("; ".join(notes))})

        return answer_form

    return [Route(f"/{task}", answer(task), methods=["POST"]) for task in TASKS]


def _pairs(corpus: CorpusFiles) -> list[Route]:
    """Return the routes that list and show the pairs of a corpus."""

    def list_pairs(request: Request) -> Response:
        part = request.query_params.get("find", "").casefold()
        ids = [id for id in corpus.ids if part in id.casefold()]
        return JSONResponse({"count": len(ids), "ids": ids[:MAX_LISTED]})

    def show_pair(request: Request) -> Response:
        pair = corpus.pair(request.query_params.get("id", ""))
        alignments = corpus.alignments(pair)  # none if no system has aligned it
        data = pair_data(pair, gold_spans(pair, corpus.golds(pair)), alignments)
        page = viewer_page(pair.id, [data]) if alignments else None
        return JSONResponse({"document": pair.document.raw, "text": pair.summary.raw, "page": page})

    return [Route("/pairs", list_pairs), Route("/pair", show_pair)]


def _answer_error(request: Request, error: Exception) -> Response:
    """Return the line that the page shows; log an error of ours with its traceback."""
    status, line, headers = 500, "The app has failed; its terminal says why.", None
    if isinstance(error, InputError):
        status, line = 400, str(error)
    elif isinstance(error, HTTPException):
        status, line, headers = error.status_code, error.detail, error.headers
    elif isinstance(error, ClientDisconnect):
        return Response(status_code=499)  # nobody sees it
    else:
        log.error("unexpected failure", exc_info=error)
    return _line(request.url.path, line, status, headers)


def _line(path: str, line: str, status: int, headers: Mapping[str, str] | None) -> Response:
    """Return a line about an error: JSON for programs, text for the page."""
    if path.startswith("/api"):
        return JSONResponse({"error": one_line(line)}, status, headers)
    return PlainTextResponse(f"{one_line(line)}\n", status, headers)


class Guard:
    """Refuses requests without the token and from other sites, before their bodies are read.

    `HEALTH` needs no token, for programs that only watch whether the app runs.
    """

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app, self._token = app, token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        refusal = self._refusal(scope, Headers(scope=scope))
        await (refusal or self._app)(scope, receive, send_with_headers)

    def _refusal(self, scope: Scope, headers: Headers) -> Response | None:
        bearer = headers.get("authorization", "").removeprefix("Bearer ")
        token = QueryParams(scope["query_string"]).get("token", bearer)
        if scope["path"] != HEALTH and not compare_digest(token.encode(), self._token.encode()):
            return _refuse(scope, "Open the address that `vorlage serve` printed, with its token.")
        if scope["method"] in ("GET", "HEAD"):
            return None
        own = f"http://{headers.get('host')}"
        if headers.get("origin", own) != own or headers.get("sec-fetch-site", "same-origin") != "same-origin":
            return _refuse(scope, "Requests from other sites are refused.")
        return None


def _refuse(scope: Scope, message: str) -> Response:
    """Return a refusal; the body has not been read, so the connection cannot be used again."""
    return _line(scope["path"], message, 403, {"Connection": "close"})
