"""The app under load: every request is answered as if it were alone, and nothing stays behind.

``REQUESTS`` in the environment is the number of requests (500), of which 50 are sent at once; ``pytest -s``
prints what was measured.
"""

import multiprocessing
import os
import socket
import struct
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from app_server import answer, memory, post, running
from guarantees import tried

pytestmark = pytest.mark.compiled
REQUESTS, AT_ONCE = int(os.environ.get("REQUESTS", 500)), 50
TEXTS = [f"{number} people were late." for number in range(2)]
ASKED = [
    ("GET", "/"),
    ("GET", "/corpora"),
    *(post(task, text) for task in ("align", "attribute") for text in TEXTS),
]
BUSY = 503
MORE_THREADS = 45  # 40 for quick requests, and two for the model
MOST_GROWTH = 150  # megabytes; 20 were measured


def ask(port, token, number):
    """Return the answer to a request that is repeated while the app is busy."""
    while (found := answer(port, token, *ASKED[number % len(ASKED)]))[0] == BUSY:
        time.sleep(0.5)
    return found


def send(port, token, pieces, wait=0.0):
    """Send the first ``pieces`` of the 20 pieces of a request, with a pause after each; return the socket."""
    method, path, body, headers = post("align")
    head = f"{method} {path}?token={token} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n"
    head += f"Content-Type: {headers['content-type']}\r\nContent-Length: {len(body)}\r\n\r\n"
    request = head.encode() + body
    size = -(-len(request) // 20)
    connection = socket.create_connection(("127.0.0.1", port), timeout=120)
    for number in range(pieces):
        connection.sendall(request[number * size : (number + 1) * size])
        time.sleep(wait)
    return connection


def ask_slowly(port, token):
    with send(port, token, 20, 0.05) as connection:
        return int(connection.makefile("rb").readline().split()[1])


def leave(port, token, number):
    """Close the connection after a part of a request or all of it, by a reset, or properly."""
    with send(port, token, (3, 15, 20)[number % 3]) as connection:
        if number % 2:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def ask_for_ever(port, token):
    with ThreadPoolExecutor(5) as pool:
        list(pool.map(lambda number: ask(port, token, number), range(10**6)))


def held(process):
    """Return the numbers of open files and of threads of a process."""
    return [len(list(Path(f"/proc/{process.pid}/{kind}").iterdir())) for kind in ("fd", "task")]


def cpu(process):
    """Return the seconds of processor time of a process."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.guarantee("load")
def test_every_request_of_many_clients_is_answered_and_nothing_stays_behind(own_ports):
    with running(own_ports) as (process, port, token), ThreadPoolExecutor(AT_ONCE) as pool:
        alone = [ask(port, token, number) for number in range(len(ASKED))]
        assert {status for status, _ in alone} == {200} and len(set(alone)) == len(ASKED)
        (files, threads), before, begun = held(process), memory(process, "VmRSS"), time.monotonic()
        cpu_before = cpu(process)
        halves = [send(port, token, 15) for _ in range(10)]
        killed = multiprocessing.get_context("spawn").Process(target=ask_for_ever, args=(port, token))
        killed.start()
        good, slow, left = [], [], []
        for number in range(REQUESTS):
            kind = number % 20
            if kind == 0:
                slow.append(pool.submit(ask_slowly, port, token))
            elif kind in (7, 14):
                left.append(pool.submit(leave, port, token, number))
            else:
                good.append((number, pool.submit(ask, port, token, number)))
        for count, (number, request) in enumerate(good):
            if count == len(good) // 2:
                killed.kill()
            assert request.result() == alone[number % len(ASKED)]
        killed.join()
        statuses = Counter(request.result() for request in slow)
        assert set(statuses) <= {200, BUSY} and all(request.exception() is None for request in left)
        for connection in halves:
            connection.close()
        seconds, waited = time.monotonic() - begun, time.monotonic() + 60
        while held(process)[0] > files and time.monotonic() < waited:
            time.sleep(0.1)
        assert held(process)[0] <= files and held(process)[1] <= threads + MORE_THREADS
        assert memory(process) - before < MOST_GROWTH
        assert [ask(port, token, number) for number in range(len(ASKED))] == alone
        print(f"{REQUESTS} requests: {seconds:.0f} s, {cpu(process) - cpu_before:.0f} s of CPU, {statuses}")
        print(f"before and after: {files}, {held(process)[0]} files; {threads}, {held(process)[1]} threads")
        print(f"{before:.0f}, {memory(process, 'VmRSS'):.0f} MB, at most {memory(process):.0f}")
        tried(REQUESTS)
