"""The rules that every request to the app must keep, and the headers of every answer.

A page of another site can send requests to a server on this machine, and by DNS rebinding it can even do so
under a name of its own. So every request needs the token of this start in its address, a `Host` that the
server is known by and, unless it only reads, an `Origin` that is the app itself. The token is not in a
cookie, because browsers send the cookies of one port to all others.
"""

from collections.abc import Collection, Mapping
from ipaddress import ip_address
from secrets import compare_digest
from urllib.parse import urlsplit

import anyio
from starlette.datastructures import Headers, MutableHeaders, QueryParams
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
MOST_BYTES = 32 * 1024 * 1024  # of the body of a request
BODY_SECONDS = 60.0  # for the whole body of a request
READING = ("GET", "HEAD")
HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
# Of answers that do not bring a policy of their own: nothing is loaded, and no script runs.
NOTHING = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"


class Guard:
    """Refuses requests that do not keep the rules, before anything of their body is read.

    `token`: what the address must have. `names`: those that `Host` may have, with any port;
    `addresses`: whether it may be any address in numbers, too, which a site cannot rebind.
    """

    def __init__(self, app: ASGIApp, *, token: str, names: Collection[str], addresses: bool = False) -> None:
        self._app, self._token = app, token.encode()
        self._names, self._addresses = frozenset(map(str.lower, names)), addresses

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in {**HEADERS, "Content-Security-Policy": NOTHING}.items():
                    headers.setdefault(name, value)
            await send(message)

        headers = Headers(scope=scope)
        if reason := self._find_fault(scope, headers):
            status, message = reason
            # The body has not been read, so the connection cannot be used again.
            refusal = PlainTextResponse(f"{message}\n", status, {"Connection": "close"})
            await refusal(scope, receive, send_with_headers)
            return
        await self._app(scope, _limited(receive), send_with_headers)

    def _find_fault(self, scope: Scope, headers: Headers) -> tuple[int, str] | None:
        """Return the status and the message of a refusal, or None."""
        if not self._knows(headers.getlist("host")):
            return 400, "This server is not known by that name."
        if scope["method"] not in READING and not _is_own(headers):
            return 403, "Requests from other sites are refused."
        if not self._has_token(scope["query_string"]):
            return 403, "Open the address that `vorlage serve` printed, with its token."
        length = headers.get("content-length", "")
        if length.isdecimal() and int(length) > MOST_BYTES:
            return 413, _too_large()
        return None

    def _knows(self, hosts: list[str]) -> bool:
        try:
            [host] = hosts
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        return name in self._names or (self._addresses and _is_address(name))

    def _has_token(self, query: bytes) -> bool:
        given = QueryParams(query).get("token", "")
        return compare_digest(given.encode(), self._token)


def _is_own(headers: Mapping[str, str]) -> bool:
    """Return whether a request comes from the app itself, or from a program that is not a browser."""
    own = {f"{scheme}://{headers.get('host')}" for scheme in ("http", "https")}
    return headers.get("sec-fetch-site", "same-origin") == "same-origin" and (
        "origin" not in headers or headers["origin"] in own
    )


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def _limited(receive: Receive) -> Receive:
    """Return a `receive` that raises `HTTPException` for a body that is too large or too slow."""
    received, complete, deadline = 0, False, anyio.current_time() + BODY_SECONDS

    async def receive_some() -> Message:
        nonlocal received, complete
        if complete:
            return await receive()
        try:
            with anyio.fail_after(deadline - anyio.current_time()):
                message = await receive()
        except TimeoutError:
            raise HTTPException(
                408, "The request took too long to arrive.", {"Connection": "close"}
            ) from None
        received += len(message.get("body", b""))
        complete = not message.get("more_body", False)
        if received > MOST_BYTES:
            raise HTTPException(413, _too_large(), {"Connection": "close"})
        return message

    return receive_some


def _too_large() -> str:
    return f"More than {MOST_BYTES >> 20} MB were sent; send less at once, or use `vorlage attribute`."
