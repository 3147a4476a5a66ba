"""The command with a real server: large, slow and many requests, signals, ports."""

import http.client
import json
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from app_server import ROOT, answer, memory, post, running
from asgi import FORM, multipart


@pytest.fixture(scope="module")
def server(own_ports):
    with running(own_ports) as (process, port, token):
        answer(port, token, *post("attribute"))  # the kernels are compiled from here on
        yield process, port, token


def test_a_gigabyte_is_refused_early_and_memory_stays_flat(server):
    process, port, token = server
    before, sent, piece = memory(process, "VmRSS"), 0, b"a" * (1 << 20)
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        head = f"POST /attribute?token={token} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
        connection.sendall(
            f"{head}Transfer-Encoding: chunked\r\nContent-Type: {FORM['content-type']}\r\n\r\n".encode()
        )
        start = multipart(("text", "")).partition(b"\r\n\r\n")[0] + b"\r\n\r\n"
        connection.sendall(b"%x\r\n%s\r\n" % (len(start), start))
        try:
            for _ in range(1024):
                connection.sendall(b"%x\r\n%s\r\n" % (len(piece), piece))
                sent += 1
        except OSError:
            pass  # the server has closed the connection
        try:
            status = connection.recv(100)
        except OSError:
            status = b""
    assert sent < 64  # of 1,024
    assert not status or status.startswith(b"HTTP/1.1 413")
    assert memory(process) - before < 150
    assert answer(port, token)[0] == 200


def test_slow_and_half_sent_bodies_do_not_block_others(server):
    _, port, token = server
    head = f"POST /attribute?token={token} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: 1000\r\n"
    slow = [socket.create_connection(("127.0.0.1", port), timeout=60) for _ in range(40)]
    for number, connection in enumerate(slow):
        half = f"{head}Content-Type: {FORM['content-type']}\r\n\r\n--part" if number % 2 else head[:-5]
        connection.sendall(half.encode())
    begun = time.monotonic()
    assert answer(port, token)[0] == 200
    assert answer(port, token, *post("align"))[0] == 200
    assert time.monotonic() - begun < 30
    for connection in slow:
        connection.close()
    assert answer(port, token)[0] == 200


def test_requests_at_once_are_answered_as_one_by_one(server):
    _, port, token = server
    texts = [f"{count} people waited because of fog." for count in range(8)]
    alone = [answer(port, token, *post("attribute", text)) for text in texts]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda text: answer(port, token, *post("attribute", text)), texts))
    assert [status for status, _ in alone] == [200] * 8 and len({page for _, page in alone}) == 8
    assert together == alone


def test_a_request_that_is_given_up_does_not_keep_others_waiting(server):
    _, port, token = server
    method, path, body, headers = post("attribute", "Fog. " * 20000)
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.request(method, f"{path}?token={token}", body, headers)
    connection.close()
    assert answer(port, token, *post("align"))[0] == 200


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_app_in_one_line(own_ports, number):
    with running(own_ports) as (process, port, token):
        connection = socket.create_connection(("127.0.0.1", port))  # an open connection does not hold it
        assert answer(port, token)[0] == 200
        process.send_signal(number)
        assert process.wait(20) == -number
        assert process.stderr.read() == f"stopped by {number.name}\n"
        connection.close()


def test_a_signal_ends_a_long_request_too(own_ports):
    with running(own_ports) as (process, port, token), ThreadPoolExecutor(1) as pool:
        long = pool.submit(answer, port, token, *post("attribute", "Fog made the ferry late. " * 20000))
        time.sleep(3)
        assert not long.done()
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == -signal.SIGINT
        assert process.stderr.read() == "stopped by SIGINT\n"
        assert long.exception() or long.result()[0] == 500


def fails(*arguments):
    command = [sys.executable, "-m", "vorlage.cli", "serve", "--no-browser", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1 and done.stdout == "" and done.stderr.count("\n") == 1
    return done.stderr


def test_a_port_in_use_is_one_line(server):
    _, port, _ = server
    assert (
        fails("--port", str(port))
        == f"error: --port {port}: is in use; choose another one, or 0 for any free one\n"
    )


def test_wrong_options_are_one_line(tmp_path):
    assert "--port is 70000" in fails("--port", "70000")
    assert "--host 203.0.113.7" in fails("--host", "203.0.113.7", "--port", "0")
    assert "model.npz" in fails("--port", "0", "--model", str(tmp_path / "model.npz"))


def test_another_host_only_with_a_warning(own_ports):
    with running(own_ports, "--host", "0.0.0.0") as (process, port, token):
        assert answer(port, token)[0] == 200
        process.terminate()
        warning, *others = process.stderr.read().splitlines()
    assert warning.startswith("warning: --host 0.0.0.0: others on the network can reach the app")
    assert others == ["stopped by SIGTERM"]


def test_it_listens_on_this_machine_alone(own_ports, tmp_path):
    (tmp_path / "pairs.jsonl").write_text(json.dumps({"id": "a", "document": "A b.", "summary": "A."}))
    with running(own_ports, str(tmp_path / "pairs.jsonl")) as (process, port, token):
        inodes = {
            link.readlink().name for link in Path(f"/proc/{process.pid}/fd").iterdir() if link.is_symlink()
        }
        listening = [
            line.split()[1]
            for line in Path(f"/proc/{process.pid}/net/tcp").read_text().splitlines()[1:]
            if line.split()[3] == "0A" and f"socket:[{line.split()[9]}]" in inodes
        ]
        assert listening == [f"0100007F:{port:04X}"]
        assert answer(port, token, path="/corpora/0")[0] == 200
