"""The command with a real server."""

import contextlib
import json
import resource
import signal
import socket
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from app_requests import COMMAND, FORM, answer, multipart, running
from vorlage.app.http_api import MAX_BYTES

pytestmark = pytest.mark.slow
STARTED = "starting …\nCtrl-C stops the app.\n"


def post(task, text="Fog made the ferry late."):
    """Return the method, path, body and headers of a request about a text."""
    return "POST", f"/{task}", multipart(("document", "The ferry was late: fog."), ("text", text)), FORM


@pytest.fixture(scope="module")
def server():
    with running() as (process, port, token):
        answer(port, token, *post("attribute"))  # the kernels are compiled from here on
        yield process, port, token


def test_requests_at_once_are_answered_as_one_by_one(server):
    _, port, token = server
    assert answer(port, "x" * 32)[0] == 403
    assert answer(port, token, headers={"Host": "evil.example"})[0] == 400
    texts = [f"{count} people waited because of fog." for count in range(6)]
    alone = [answer(port, token, *post("attribute", text)) for text in texts]
    with ThreadPoolExecutor(6) as pool:
        together = list(pool.map(lambda text: answer(port, token, *post("attribute", text)), texts))
    assert {status for status, _ in alone} == {200} and together == alone


def test_a_large_or_slow_body_does_not_keep_others_waiting(server):
    _, port, token = server
    head = f"POST /attribute?token={token} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: "
    with socket.create_connection(("127.0.0.1", port), timeout=60) as slow:
        slow.sendall(f"{head}1000\r\nContent-Type: {FORM['content-type']}\r\n\r\n--part".encode())
        with socket.create_connection(("127.0.0.1", port), timeout=60) as large:
            large.sendall(f"{head}{MAX_BYTES + 1}\r\n\r\n".encode())
            assert large.recv(100).startswith(b"HTTP/1.1 413")
        assert answer(port, token, *post("align"))[0] == 200


@contextlib.contextmanager
def open_files(most):
    """Let this process, and those that it starts, have as many files open."""
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)


def test_connections_without_a_request_do_not_keep_the_owner_waiting():
    with contextlib.ExitStack() as stack:
        with open_files(256):
            process, port, token = stack.enter_context(running())
        stack.enter_context(open_files(1024))
        for _ in range(400):
            connection = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=60))
            connection.sendall(b"GET / HTTP/1.1\r\nHost: ")
        started = time.monotonic()
        assert answer(port, token)[0] == 200 and time.monotonic() - started < 3
        process.terminate()
        assert process.stderr.read() == STARTED + "stopped by SIGTERM\n"


def test_many_requests_at_once_are_all_answered(server):
    _, port, token = server
    request = json.dumps({"document": "The ferry was late: fog.", "text": "Fog made the ferry late."})
    with ThreadPoolExecutor(300) as pool:
        answers = pool.map(lambda _: answer(port, token, "POST", "/api/align", request)[0], range(300))
        assert list(answers) == [200] * 300
    with open_files(1024), contextlib.ExitStack() as stack:
        head = f"GET /api?token={token} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()
        connections = []
        for _ in range(300):
            connections.append(stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=60)))
            connections[-1].sendall(head)
        assert {connection.recv(12) for connection in connections} == {b"HTTP/1.1 200"}


def test_the_app_answers_while_it_reads_a_document_that_takes_long(server):
    _, port, token = server
    parts = multipart(("document", "<html>" + "<div>" * 40_000), ("text", "Fog."))
    with ThreadPoolExecutor(2) as pool:
        long = [pool.submit(answer, port, token, "POST", "/attribute", parts, FORM) for _ in range(2)]
        time.sleep(1)
        started = time.monotonic()
        assert answer(port, token)[0] == 200 and time.monotonic() - started < 1
        assert not any(request.done() for request in long)
        for request in long:
            status, message = request.result()
            assert status == 400 and b"cannot be read as HTML (it takes more than 14 seconds)" in message


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_app_and_a_long_request_in_one_line(number):
    with running() as (process, port, token), ThreadPoolExecutor(1) as pool:
        long = pool.submit(answer, port, token, *post("attribute", "Fog made the ferry late. " * 20000))
        time.sleep(3)
        assert not long.done()
        process.send_signal(number)
        assert process.wait(20) == -number
        assert process.stderr.read() == f"{STARTED}stopped by {number.name}\n"
        assert long.exception() or long.result()[0] == 500


def test_what_the_command_cannot_do_is_one_line(server, tmp_path):
    def fails(*arguments):
        done = subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, timeout=120)
        message = done.stderr.removeprefix("starting …\n")
        assert done.returncode == 1 and done.stdout == "" and message.count("\n") == 1
        return message

    assert f"--port {server[1]}: Address already in use" in fails("--port", str(server[1]))
    assert "--port is 70000" in fails("--port", "70000")
    assert "--host 203.0.113.7" in fails("--host", "203.0.113.7", "--port", "0")
    assert "model.npz" in fails("--port", "0", "--model", str(tmp_path / "model.npz"))
    assert "--alignments and --gold are for a corpus" in fails("--port", "0", "--gold", "gold.jsonl")


def test_another_host_only_with_a_warning():
    with running("--host", "0.0.0.0") as (process, port, token):
        assert answer(port, token)[0] == 200
        process.terminate()
        _, warning, *others = process.stderr.read().splitlines()
    assert warning.startswith("warning: --host 0.0.0.0: others on the network can reach the app")
    assert others == ["Ctrl-C stops the app.", "stopped by SIGTERM"]
