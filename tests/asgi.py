"""Requests to an app without a socket."""

import json
from typing import NamedTuple

from anyio.from_thread import start_blocking_portal
from anyio.lowlevel import checkpoint

TOKEN = "the-token"
HOST = "127.0.0.1:8000"
BOUNDARY = "part-of-a-test"
FORM = {"content-type": f"multipart/form-data; boundary={BOUNDARY}"}


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


class Client:
    """Sends requests to an app; `asked` counts how often the app has asked for the body."""

    def __init__(self, app):
        self.app, self.asked = app, 0

    def get(self, path, **options):
        return self.send("GET", path, **options)

    def post(self, path, *parts, **options):
        return self.send("POST", path, multipart(*parts), **{"headers": FORM, **options})

    def send(self, method, path, body=b"", headers=(), host=HOST, query=f"token={TOKEN}"):
        path, _, more = path.partition("?")
        given = {"host": host, "content-length": str(len(body)), **dict(headers)}
        scope = {
            "type": "http",
            "method": method,
            "scheme": "http",
            "path": path,
            "root_path": "",
            "query_string": "&".join(filter(None, [query, more])).encode(),
            "headers": [(name.lower().encode(), value.encode()) for name, value in given.items()],
        }
        with start_blocking_portal() as portal:
            return portal.call(self.run, scope, body)

    async def run(self, scope, body):
        sent = []

        async def receive():
            self.asked += 1
            await checkpoint()
            return {"type": "http.request", "body": body}

        async def send(message):
            sent.append(message)

        await self.app(scope, receive, send)
        headers = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
        return Answer(sent[0]["status"], headers, b"".join(message.get("body", b"") for message in sent[1:]))
