"""Runs the app in a process of its own, and asks it."""

import http.client
import re
import subprocess
import sys
from contextlib import closing, contextmanager

COMMAND = [sys.executable, "-c", "from vorlage.cli.main import main; main()", "serve", "--no-browser"]


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
