"""What every request to the app must have, and the headers of every answer.

A page of another site can send requests to a server on this machine, and by DNS rebinding it can even do so
under a name of its own. So every request needs the token of this start in its address, or as the bearer of
its header `Authorization`; a `Host` that the server is known by (Starlette's `TrustedHostMiddleware`); and,
unless it only reads, an `Origin` that is the app itself. The token is not in a cookie, because browsers send
the cookies of one port to all others.
"""

from secrets import compare_digest

from starlette.datastructures import Headers, MutableHeaders, QueryParams
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",  # of answers without their own
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class Guard:
    """Refuses requests without the token and from other sites, before their bodies are read."""

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

    def _refusal(self, scope: Scope, headers: Headers) -> PlainTextResponse | None:
        bearer = headers.get("authorization", "").removeprefix("Bearer ")
        token = QueryParams(scope["query_string"]).get("token", bearer)
        if not compare_digest(token.encode(), self._token.encode()):
            return _refuse("Open the address that `vorlage serve` printed, with its token.")
        if scope["method"] in ("GET", "HEAD"):
            return None
        own = f"http://{headers.get('host')}"
        if headers.get("origin", own) != own or headers.get("sec-fetch-site", "same-origin") != "same-origin":
            return _refuse("Requests from other sites are refused.")
        return None


def _refuse(message: str) -> PlainTextResponse:
    """Return a refusal; the body has not been read, so the connection cannot be used again."""
    return PlainTextResponse(f"{message}\n", 403, {"Connection": "close"})
