"""A gold file keeps every line that is not saved, whatever happens during a save."""

import json
import multiprocessing
import os
import signal
import stat
import subprocess
import sys
import time

import pytest
from annotate.examples import line, link
from vorlage.app.annotate.annotation import make_annotation
from vorlage.app.annotate.gold_file import NO_LINE, Changed, GoldFile, find
from vorlage.command.errors import InputError
from vorlage.corpus.gold import read_gold

# Lines as other programs write them: odd spaces, other keys, another order, a carriage return, characters.
OTHERS = [
    b'{"alignments":[],"annotator":"B","id":"a" ,"note":"caf\xc3\xa9"}\r\n',
    b"\n",
    b'{"id":"a", "annotator":"A", "unit": "char", "alignments": [{"summary": [0, 3], "document": [0, 3]}]}\n',
    b'{"id":"zz", "annotator":"A", "alignments": [{"summary": [7, 9], "document": [1, 2], "sure": false}]}\n',
]


def annotation(*links, pair_id="a", annotator="A", **others):
    return make_annotation(line(pair_id, annotator, *links, **others), "test")


def current(gold, pair_id="a", annotator="A"):
    return find(gold.annotations(), pair_id, annotator)


def test_a_save_can_be_read_again(tmp_path):
    gold = GoldFile.at(tmp_path / "new" / "gold.jsonl")
    written = annotation(link((0, 1), (0, 1)), link((1, 2), (2, 4), sure=False), seconds=95, start="toy")
    revision = gold.save(written, NO_LINE)
    assert current(gold).annotation == written and current(gold).revision == revision
    [(_, read)] = read_gold(gold.path)
    assert read == written.gold
    again = annotation(finished=False, null=[3], seconds=99)
    gold.save(again, revision)
    assert current(gold).annotation == again and again.nulls == (3,)
    assert list(read_gold(gold.path)) == []


def test_other_lines_are_kept_byte_for_byte(tmp_path):
    path = tmp_path / "gold.jsonl"
    own = b'{"id": "a", "annotator": "A", "alignments": [], "finished": false, "null": [1], "mine": {}}\r\n'
    path.write_bytes(b"\xef\xbb\xbf" + b"".join([*OTHERS[:2], own, *OTHERS[2:]]).removesuffix(b"\n"))
    gold = GoldFile.at(path)
    gold.save(annotation(link((0, 1), (0, 1))), current(gold).revision)
    first, second, changed, *rest = path.read_bytes().splitlines(keepends=True)
    assert [first, second, *rest] == [b"\xef\xbb\xbf" + OTHERS[0], OTHERS[1], OTHERS[2], OTHERS[3].strip()]
    record = json.loads(changed)
    assert record["mine"] == {} and "finished" not in record and "null" not in record
    assert changed.endswith(b"\r\n")
    # A new line begins on a line of its own.
    gold.save(annotation(pair_id="b"), NO_LINE)
    assert path.read_bytes().splitlines(keepends=True)[:-2] == [first, second, changed, rest[0]]
    assert path.read_bytes().count(OTHERS[3].strip() + b"\n") == 1


def test_a_second_tab_does_not_overwrite_the_first(tmp_path):
    gold = GoldFile.at(tmp_path / "gold.jsonl")
    revision = gold.save(annotation(link((0, 1), (0, 1))), NO_LINE)
    first, second = annotation(link((0, 1), (1, 2))), annotation(link((0, 1), (2, 3)))
    newer = gold.save(first, revision)
    before = gold.path.read_bytes()
    with pytest.raises(Changed) as refused:
        gold.save(second, revision)
    assert refused.value.stored.annotation == first and refused.value.stored.revision == newer
    assert gold.path.read_bytes() == before
    # The same links again, as after an answer that got lost, are no conflict.
    assert gold.save(first, revision) == newer
    newer = gold.save(annotation(link((0, 1), (1, 2)), seconds=7), revision)
    # Other annotators and other pairs do not disturb a save.
    gold.save(annotation(annotator="B"), NO_LINE)
    gold.save(annotation(pair_id="b"), NO_LINE)
    gold.save(second, newer)
    assert current(gold).annotation == second and len(gold.annotations()) == 3


def test_a_line_that_another_program_added_or_removed_is_a_conflict(tmp_path):
    gold = GoldFile.at(tmp_path / "gold.jsonl")
    revision = gold.save(annotation(link((0, 1), (0, 1))), NO_LINE)
    with pytest.raises(Changed):
        gold.save(annotation(), NO_LINE)
    gold.path.unlink()
    with pytest.raises(Changed) as refused:
        gold.save(annotation(), revision)
    assert refused.value.stored is None and not gold.path.exists()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"{}\n", "gold needs `id`"),
        (b'{"id": "a", "alignments": []\n', "not valid JSON"),
        (
            b'{"id": "a", "alignments": []}\n{"id": "a", "alignments": []}\n',
            "line 2: annotator '' has annotated",
        ),
        (b'{"id": "a", "alignments": [], "finished": "no"}\n', "finished is 'no'"),
        (b'{"id": "a", "alignments": [], "seconds": -1}\n', "seconds is -1"),
        (b'{"id": "a", "alignments": [], "finished": false, "null": [true]}\n', "null is"),
        (b'{"id": "a", "alignments": [], "start": "x\\ny"}\n', "start is"),
        (b"\xff\xff\n", "not UTF-8"),
        (b"\x1f\x8bxxxxx\n", "compressed by gzip"),
    ],
)
def test_a_file_that_is_not_gold_is_refused_and_kept(tmp_path, content, message):
    path = tmp_path / "gold.jsonl"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message):
        GoldFile.at(path).save(annotation(pair_id="b"), NO_LINE)
    assert path.read_bytes() == content


def test_a_link_and_permissions_are_kept(tmp_path):
    real = tmp_path / "shared" / "gold.jsonl"
    real.parent.mkdir()
    real.write_bytes(b"")
    real.chmod(0o664)
    (tmp_path / "gold.jsonl").symlink_to(real)
    GoldFile.at(tmp_path / "gold.jsonl").save(annotation(), NO_LINE)
    assert (tmp_path / "gold.jsonl").is_symlink() and len(real.read_bytes()) > 50
    assert stat.S_IMODE(real.stat().st_mode) == 0o664


WRITER = """
import sys
from vorlage.app.annotate.annotation import make_annotation
from vorlage.app.annotate.gold_file import GoldFile, NO_LINE
gold, revision = GoldFile.at(sys.argv[1]), NO_LINE
for k in range(100_000):
    links = [{"summary": [i, i + 1], "document": [i, i + 1]} for i in range(200 + k % 7)]
    record = {"id": "b", "annotator": "A", "alignments": links, "seconds": k}
    revision = gold.save(make_annotation(record, "test"), revision)
    print(k, flush=True)
"""


@pytest.mark.parametrize("wait", [0.0, 0.003, 0.011, 0.02, 0.05])
def test_a_kill_during_a_save_leaves_a_whole_file(tmp_path, wait):
    path = tmp_path / "gold.jsonl"
    path.write_bytes(b"".join(OTHERS))
    with subprocess.Popen([sys.executable, "-c", WRITER, path], stdout=subprocess.PIPE, text=True) as process:
        process.stdout.readline()
        time.sleep(wait)
        process.send_signal(signal.SIGKILL)
        saved = [0, *map(int, process.stdout.read().split())][-1]
    content = path.read_bytes()
    assert content.startswith(b"".join(OTHERS))
    [own] = content.removeprefix(b"".join(OTHERS)).splitlines(keepends=True)
    record = json.loads(own)
    # What was reported as saved is there; at most, the save after it is, too.
    assert record["seconds"] in (saved, saved + 1) and own.endswith(b"\n")
    assert len(record["alignments"]) == 200 + record["seconds"] % 7
    GoldFile.at(path).save(annotation(), NO_LINE)


def test_a_save_removes_what_a_killed_one_has_left(tmp_path):
    gold = GoldFile.at(tmp_path / "gold.jsonl")
    dead, alive = (tmp_path / f".gold.jsonl.{number}.part" for number in (2**22 + 1, os.getppid()))
    dead.write_bytes(b"half")
    alive.write_bytes(b"half")
    gold.save(annotation(), NO_LINE)
    assert not dead.exists() and alive.exists()


def save_often(path, annotator, times):
    gold, revision = GoldFile.at(path), NO_LINE
    for k in range(times):
        revision = gold.save(annotation(annotator=annotator, seconds=k), revision)


def test_annotators_in_several_processes_lose_nothing(tmp_path):
    path = tmp_path / "gold.jsonl"
    path.write_bytes(b"".join(OTHERS))
    context = multiprocessing.get_context("spawn")
    names = [f"annotator {n}" for n in range(4)]
    processes = [context.Process(target=save_often, args=(path, name, 40)) for name in names]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0] * 4
    assert path.read_bytes().startswith(b"".join(OTHERS))
    found = {
        stored.annotation.gold.annotator: stored.annotation.seconds
        for stored in GoldFile.at(path).annotations()
    }
    assert found == {"B": 0, "A": 0} | dict.fromkeys(names, 39)
    assert {name for name in os.listdir(tmp_path) if name.endswith(".part")} == set()
