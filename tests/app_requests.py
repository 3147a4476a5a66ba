"""Requests to an app without a socket, and to one in a process of its own."""

import http.client
import json
import re
import subprocess
import sys
from contextlib import closing, contextmanager
from typing import NamedTuple

from anyio.from_thread import start_blocking_portal
from anyio.lowlevel import checkpoint

TOKEN = "the-token"
HOST = "127.0.0.1:8000"
BOUNDARY = "part-of-a-test"
FORM = {"content-type": f"multipart/form-data; boundary={BOUNDARY}"}
COMMAND = [sys.executable, "-c", "from vorlage.cli.main import main; main()", "serve", "--no-browser"]


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


@contextmanager
def running(*arguments):
    """Run the app in a process of its own; yield it, its port and its token."""
    with subprocess.Popen(
        [*COMMAND, "--port", "0", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            address = process.stdout.readline()
            match = re.fullmatch(r"http://(?:127\.0\.0\.1|localhost):(\d+)/\?token=([\w-]{32})\n", address)
            assert match, address + process.stderr.read()
            yield process, int(match[1]), match[2]
        finally:
            process.kill()


def answer(port, token, method="GET", path="/", body=None, headers=None):
    """Return the status and the body of the answer of the app."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=120)) as connection:
        connection.request(method, f"{path}{'&' if '?' in path else '?'}token={token}", body, headers or {})
        response = connection.getresponse()
        return response.status, response.read()
