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
from pipeline.annotate.gold_file import NO_LINE, GoldFile, find

pytestmark = pytest.mark.compiled
KILLS, SEED = int(os.environ.get("KILLS", 2)), int(os.environ.get("KILL_SEED", 1))
LONGEST = 1.0  # second from the first save of a process to its end
ENDED = (OSError, http.client.HTTPException)


def versions():
    """Yield lines without end: those of two annotators for each pair in turn, in ever new versions."""
    for number in itertools.count():
        for pair_id, annotator in itertools.product(TEXTS, ("A", "B")):
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


def store(path, new):
    """Save a line in a file that no process is killed over."""
    gold, annotation = GoldFile.at(path), make_annotation(new, "test")
    stored = find(gold.annotations(), new["id"], new["annotator"])
    gold.save(annotation, stored.revision if stored else NO_LINE)


@pytest.mark.guarantee("kills")
def test_killed_app_has_every_save_that_it_confirmed(own_ports, tmp_path):
    rng, lines = random.Random(SEED), versions()
    corpus, path, whole = write_corpus(tmp_path / "pairs.jsonl"), tmp_path / "gold.jsonl", tmp_path / "whole"
    arguments = str(corpus), "--gold", str(path), "--tokenized"
    new, confirmed, unconfirmed = next(lines), 0, 0
    for _ in range(KILLS):
        with running(own_ports, *arguments) as (process, port, token):
            killer = threading.Timer(rng.uniform(0, LONGEST), process.kill)
            answer(port, token)
            killer.start()
            with contextlib.suppress(*ENDED):
                while True:
                    unconfirmed += save(port, token, new)
                    store(whole, new)
                    new, confirmed = next(lines), confirmed + 1
            killer.join()
        # What was confirmed is there; at most, the save after it is, too.
        if path.exists() and path.read_bytes() != whole.read_bytes():
            store(whole, new)
            assert path.read_bytes() == whole.read_bytes()
    print(f"{KILLS} kills, {confirmed} saves, {unconfirmed} of which a kill left without an answer")
    with running(own_ports, *arguments) as (_, port, token):
        save(port, token, new)
    store(whole, new)
    assert path.read_bytes() == whole.read_bytes()
    assert set(os.listdir(tmp_path)) == {
        "pairs.jsonl",
        "gold.jsonl",
        ".gold.jsonl.lock",
        "whole",
        ".whole.lock",
    }
    tried(KILLS)
