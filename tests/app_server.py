"""Runs the app in a process of its own, and asks it."""

import http.client
import os
import re
import subprocess
import sys
from contextlib import closing, contextmanager
from pathlib import Path

from asgi import FORM, multipart

ROOT = Path(__file__).parents[1]
OFFLINE = ROOT / "tests" / "offline"


@contextmanager
def running(own_ports, *arguments):
    """Run the app in a process without a network; yield it, its port and its token."""
    command = [sys.executable, "-m", "vorlage.cli", "serve", "--port", "0", "--no-browser", *arguments]
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": f"{OFFLINE}{os.pathsep}{ROOT}"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            address = process.stdout.readline()
            found = re.fullmatch(r"http://(?:127\.0\.0\.1|localhost):(\d+)/\?token=([\w-]{32})\n", address)
            assert found, address + process.stderr.read()
            port, token = int(found[1]), found[2]
            own_ports.add(port)
            yield process, port, token
        finally:
            process.kill()


DOCUMENT = "The ferry to Sund was late because of fog. Two hundred people waited for 38 minutes."


def post(task, text="Fog made the ferry late."):
    """Return the method, path, body and headers of a request about a text."""
    return "POST", f"/{task}", multipart(("document", DOCUMENT), ("text", text)), FORM


def answer(port, token, method="GET", path="/", body=None, headers=None):
    """Return the status and the body of the answer of the app."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=120)) as connection:
        connection.request(method, f"{path}{'&' if '?' in path else '?'}token={token}", body, headers or {})
        response = connection.getresponse()
        return response.status, response.read()


def memory(process, name="VmHWM"):
    """Return the memory of a process in MB: the most that it has had, or `VmRSS`, what it has."""
    return int(re.search(rf"{name}:\s+(\d+) kB", Path(f"/proc/{process.pid}/status").read_text())[1]) / 1024
