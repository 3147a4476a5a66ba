"""Requests to an app without a socket: the body comes as the test wants it, and the answer is kept whole."""

import json
from collections.abc import Iterable
from typing import NamedTuple

from anyio.from_thread import start_blocking_portal
from anyio.lowlevel import checkpoint

TOKEN = "the-token"
HOST = "127.0.0.1:8000"
BOUNDARY = "part-of-a-test"


class Answer(NamedTuple):
    """The status, the headers (names in lower case) and the body of an answer."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self):
        return self.body.decode()

    def json(self):
        return json.loads(self.body)


def multipart(*parts):
    """Return a form: `(field, text)`, or `(field, (file name, bytes))`."""
    lines = []
    for field, value in parts:
        name, content = value if isinstance(value, tuple) else (None, value.encode())
        file = "" if name is None else f'; filename="{name}"'
        lines.append(f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{field}"{file}\r\n\r\n'.encode())
        lines.append(content + b"\r\n")
    return b"".join(lines) + f"--{BOUNDARY}--\r\n".encode()


FORM = {"content-type": f"multipart/form-data; boundary={BOUNDARY}"}


class Client:
    """Sends requests to an app; `asked` counts the pieces of the body that the app has taken."""

    def __init__(self, app, token=TOKEN):
        self.app, self.token, self.asked = app, token, 0

    def get(self, path, **options):
        return self.send("GET", path, **options)

    def post(self, path, *parts, **options):
        return self.send("POST", path, body=[multipart(*parts)], **{"headers": FORM, **options})

    def send(self, method, path, body: Iterable[bytes] = (b"",), headers=(), host=HOST, query=""):
        query = query or f"token={self.token}"
        path, _, more = path.partition("?")
        given = {"host": host, **dict(headers)}
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "root_path": "",
            "query_string": "&".join(filter(None, [query, more])).encode(),
            "headers": [(name.lower().encode(), value.encode()) for name, value in given.items()],
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 8000),
        }
        with start_blocking_portal() as portal:
            return portal.call(self.run, scope, iter(body))

    async def run(self, scope, pieces):
        sent = []
        self.asked = 0

        async def receive():
            self.asked += 1
            await checkpoint()
            piece = next(pieces, None)
            return {"type": "http.request", "body": piece or b"", "more_body": piece is not None}

        async def send(message):
            sent.append(message)

        await self.app(scope, receive, send)
        start, *rest = sent
        headers = {name.decode(): value.decode() for name, value in start["headers"]}
        return Answer(start["status"], headers, b"".join(message.get("body", b"") for message in rest))
