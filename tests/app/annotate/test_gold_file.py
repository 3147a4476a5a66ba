"""A gold file keeps every line that is not saved, whatever happens during a save."""

import json
import os
import stat
from concurrent.futures import ThreadPoolExecutor

import pytest
from annotation_examples import line, link
from vorlage.app.annotate.gold_file import NO_LINE, ChangedError, GoldFile
from vorlage.workflow.gold import read_gold

# Lines as other programs write them: odd spaces, other keys, another order, a carriage return, characters.
OTHERS = [
    b'{"alignments":[],"annotator":"B","id":"a" ,"note":"caf\xc3\xa9"}\r\n',
    b"\n",
    b'{"id":"a", "annotator":"A", "unit": "char", "alignments": [{"summary": [0, 3], "document": [0, 3]}]}\n',
    b'{"id":"zz", "annotator":"A", "alignments": [{"summary": [7, 9], "document": [1, 2], "sure": false}]}\n',
]


@pytest.fixture
def gold(tmp_path):
    return GoldFile(tmp_path / "new" / "gold.jsonl")


def test_a_save_can_be_read_again(gold):
    written = line("a", "A", link((0, 1), (0, 1)), link((1, 2), (2, 4), sure=False), seconds=95, start="toy")
    revision = gold.save(written, NO_LINE)
    assert gold.find("a", "A").record == written and gold.find("a", "A").revision == revision
    [read] = read_gold(gold.path)
    assert read == gold.find("a", "A").gold
    again = line("a", "A", finished=False, null=[3], seconds=99)
    gold.save(again, revision)
    assert gold.find("a", "A").record == again and not gold.find("a", "A").gold.finished
    assert list(read_gold(gold.path)) == []


def test_other_lines_are_kept_byte_for_byte(tmp_path):
    path = tmp_path / "gold.jsonl"
    own = b'{"id": "a", "annotator": "A", "alignments": [], "finished": false, "null": [1], "mine": {}}\n'
    path.write_bytes(b"".join([*OTHERS[:2], own, *OTHERS[2:]]).removesuffix(b"\n"))
    gold = GoldFile(path)
    gold.save(line("a", "A", link((0, 1), (0, 1))), gold.find("a", "A").revision)
    first, second, changed, *rest = path.read_bytes().splitlines(keepends=True)
    assert [first, second, *rest] == [*OTHERS[:3], OTHERS[3].strip()]
    record = json.loads(changed)
    assert record["mine"] == {} and "finished" not in record and "null" not in record
    # A new line begins on a line of its own.
    gold.save(line("b", "A"), NO_LINE)
    *lines, last = path.read_bytes().splitlines(keepends=True)
    assert lines == [first, second, changed, *OTHERS[2:]] and json.loads(last)["id"] == "b"


def test_a_save_of_an_older_version_is_refused(gold):
    revision = gold.save(line("a", "A", link((0, 1), (0, 1))), NO_LINE)
    first, second = line("a", "A", link((0, 1), (1, 2))), line("a", "A", link((0, 1), (2, 3)))
    newer = gold.save(first, revision)
    before = gold.path.read_bytes()
    with pytest.raises(ChangedError) as refused:
        gold.save(second, revision)
    assert refused.value.current.record == first and refused.value.current.revision == newer
    assert gold.path.read_bytes() == before
    # The same links again, as after an answer that got lost, are no conflict.
    assert gold.save(first, revision) == newer
    newer = gold.save(first | {"seconds": 7}, revision)
    # Other annotators and other pairs do not disturb a save.
    gold.save(line("a", "B"), NO_LINE)
    gold.save(line("b", "A"), NO_LINE)
    gold.save(second | {"seconds": 9}, newer)
    assert gold.find("a", "A").record["alignments"] == second["alignments"] and len(gold.annotations()) == 3


def test_a_link_and_permissions_are_kept(tmp_path):
    real = tmp_path / "shared" / "gold.jsonl"
    real.parent.mkdir()
    real.write_bytes(b"")
    real.chmod(0o664)
    (tmp_path / "gold.jsonl").symlink_to(real)
    GoldFile(tmp_path / "gold.jsonl").save(line("a", "A"), NO_LINE)
    assert (tmp_path / "gold.jsonl").is_symlink() and len(real.read_bytes()) > 50
    assert stat.S_IMODE(real.stat().st_mode) == 0o664


def test_annotators_at_once_lose_nothing(gold):
    def save_often(annotator):
        revision = NO_LINE
        for k in range(20):
            revision = gold.save(line("a", annotator, seconds=k), revision)

    names = [f"annotator {n}" for n in range(4)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(save_often, names))
    saved = {annotation.gold.annotator: annotation.record["seconds"] for annotation in gold.annotations()}
    assert saved == dict.fromkeys(names, 19) and os.listdir(gold.path.parent) == ["gold.jsonl"]
