"""The app, killed while it saves annotations, loses none that it has confirmed, and repeats none.

``KILLS`` is the number of kills (2), and ``KILL_SEED`` the seed of their moments (1), as for test_kills.py.
"""

import contextlib
import http.client
import itertools
import json
import os
import random
import threading

import pytest
from annotate.examples import TEXTS, line, link, write_corpus
from app_server import answer, running
from guarantees import tried

from pipeline.annotate.annotation import make_annotation
from pipeline.annotate.gold_file import NO_LINE, GoldFile

pytestmark = pytest.mark.compiled
KILLS, SEED = int(os.environ.get("KILLS", 2)), int(os.environ.get("KILL_SEED", 1))
LONGEST = 1.0  # second from the first save of a process to its end
ENDED = (OSError, http.client.HTTPException)


def versions():
    """Yield lines without end: those of two annotators for each pair in turn, in ever new versions."""
    for number, pair_id, annotator in itertools.product(itertools.count(), TEXTS, ("A", "B")):
        yield line(pair_id, annotator, link((0, 1), (number % 3, number % 3 + 1)), seconds=number)


def save(port, token, new):
    """Save a line as the page does, after a look at what is there; return whether it was there already."""
    status, found = answer(port, token, path=f"/annotate/pair?id={new['id']}&annotator={new['annotator']}")
    pair = json.loads(found)
    if pair["line"] == new:
        return True
    body = json.dumps({"line": new, "revision": pair["revision"]}).encode()
    status, found = answer(port, token, "POST", "/annotate/save", body)
    assert status == 200, found
    return False


@pytest.mark.guarantee("kills")
def test_killed_app_has_every_save_that_it_confirmed(own_ports, tmp_path):
    rng, lines, path = random.Random(SEED), versions(), tmp_path / "gold.jsonl"
    corpus, gold, expected = write_corpus(tmp_path / "pairs.jsonl"), GoldFile.at(path), GoldFile.at(tmp_path / "whole")
    new, saved, there = next(lines), 0, 0
    for _ in range(KILLS):
        with running(own_ports, str(corpus), "--gold", str(path), "--tokenized") as (process, port, token):
            answer(port, token)
            if saved:  # all but the line whose save had begun are those of a file that nobody killed
                assert path.read_bytes() in (expected.path.read_bytes(), with_line(expected, new))
            killer = threading.Timer(rng.uniform(0, LONGEST), process.kill)
            killer.start()
            with contextlib.suppress(*ENDED):
                while True:
                    there += save(port, token, new)
                    store(expected, new)
                    new, saved = next(lines), saved + 1
            killer.join()
    print(f"{KILLS} kills, {saved} saves, of which {there} were there although the app had not confirmed them")
    with running(own_ports, str(corpus), "--gold", str(path), "--tokenized") as (_, port, token):
        save(port, token, new)
    store(expected, new)
    assert path.read_bytes() == expected.path.read_bytes()
    assert sorted(os.listdir(tmp_path)) == 0
    tried(KILLS)
