"""Annotations from the request to the scores, without a browser."""

import json
import re

import pytest
from annotation_examples import TEXTS, line, link, write_corpus, write_system
from app_requests import TOKEN, Client
from vorlage import load_model
from vorlage.alignments.alignment import doubt
from vorlage.app.annotate.annotation_task import AnnotationTask
from vorlage.app.annotate.gold_file import NO_LINE
from vorlage.app.annotate.routes import annotation_routes
from vorlage.app.annotate.stage import main
from vorlage.app.app import make_app
from vorlage.app.corpus_files import CorpusFiles
from vorlage.command.errors import InputError


@pytest.fixture
def files(tmp_path):
    write_corpus(tmp_path / "pairs.jsonl")
    return CorpusFiles(tmp_path / "pairs.jsonl", [write_system(tmp_path / "toy.jsonl")], tokenized=True)


@pytest.fixture
def task(files, tmp_path):
    return AnnotationTask(files, tmp_path / "gold.jsonl")


def save(task, record, revision=None):
    if revision is None:
        revision = task.pair(record["id"], record["annotator"])["revision"]
    return task.save({"line": record, "revision": revision})["revision"]


def test_the_index_tells_how_far_an_annotator_has_come(task):
    save(task, line("a", "A", link((0, 1), (0, 1)), seconds=61))
    save(task, line("c", "A", finished=False, null=[0], seconds=5))
    save(task, line("b", "B"))
    index = task.index("A")
    assert [(p["id"], p["words"], p.get("finished"), p.get("seconds")) for p in index["pairs"]] == [
        ("a", 4, True, 61),
        ("b", 5, None, None),
        ("c", 5, False, 5),
    ]
    assert index["by_doubt"] == [1, 0, 2] and index["annotators"] == ["A", "B"]
    json.dumps(index, allow_nan=False)


def test_annotators_do_not_see_each_other_but_the_adjudicator_sees_both(task):
    links = [link((0, 1), (5, 6)), link((1, 2), (1, 2), sure=False)]
    save(task, line("b", "A", *links, seconds=1))
    save(task, line("b", "B", links[0], seconds=1))
    save(task, line("b", "C", finished=False, null=[]))
    for name in ("A", "D"):
        assert [start["name"] for start in task.pair("b", name)["starts"]] == ["toy"]
    assert task.pair("b", "D")["line"] is None and task.pair("b", "D")["revision"] == NO_LINE
    assert task.pair("b", "A")["line"]["alignments"] == links
    first, _ = task.pair("b", "adjudicated")["starts"]
    assert json.loads(json.dumps(first)) == {
        "name": "A and B",
        "links": [[[0, 1], [5, 6], True]],
        "nulls": [2, 3, 4],
        "differences": [[[1, 2], [1, 2], False, "A: possible, B: not linked"]],
    }


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        ({"line": line("a", "A")}, "a save needs `line`"),
        (line("nowhere", "A"), "pair 'nowhere' is not in this corpus"),
        (line("a", "A", link((0, 5), (0, 1))), r"summary span \[0, 5\] is out of range"),
        (line("a", "A", finished=False, null=[4]), "null has 4; the summary has 4 tokens"),
        (line("a", "x\u202ey"), "must be visible text"),
    ],
)
def test_a_save_that_does_not_fit_is_refused(task, request_, message):
    if isinstance(request_, dict) and "line" not in request_:
        request_ = {"line": request_, "revision": NO_LINE}
    with pytest.raises(InputError, match=message):
        task.save(request_)
    assert not task.gold.path.exists()


def test_gold_and_systems_of_another_corpus_are_refused(tmp_path):
    pairs = write_corpus(tmp_path / "pairs.jsonl")
    system = write_system(tmp_path / "other.jsonl", texts=TEXTS | {"a": ("The mill .", "The mill .")})
    with pytest.raises(InputError, match="tokens are not those of the corpus"):
        AnnotationTask(CorpusFiles(pairs, [system], tokenized=True), None)
    (tmp_path / "gold.jsonl").write_text(json.dumps(line("c", "A", link((0, 1), (9, 10)))) + "\n")
    files = CorpusFiles(pairs, tokenized=True)
    with pytest.raises(InputError, match=r"gold.jsonl, line 1: pair c, alignment 0: document span \[9, 10\]"):
        AnnotationTask(files, tmp_path / "gold.jsonl")
    with pytest.raises(InputError, match="no gold file was given"):
        AnnotationTask(files, None).save({"line": line("a", "A"), "revision": ""})


def test_the_page_starts_from_the_model_and_orders_by_its_doubt(tmp_path):
    pairs, page, model = write_corpus(tmp_path / "pairs.jsonl"), tmp_path / "page.html", load_model()
    aligned = {
        key: model.align(document, summary, id=key, tokenized=True).alignment
        for key, (document, summary) in TEXTS.items()
    }
    main([str(pairs), "--tokenized", "--align", "--html", str(page)])
    html = page.read_text()
    main([str(pairs), "--tokenized", "--align", "--html", str(page)])
    assert page.read_text() == html
    config = json.loads(re.search('id="config">(.*?)</script>', html)[1])
    doubts = {key: doubt(alignment) for key, alignment in aligned.items()}
    assert {pair["id"]: pair["doubt"] for pair in config["index"]["pairs"]} == doubts
    assert config["index"]["by_doubt"] == sorted(range(3), key=lambda k: -doubts["abc"[k]])
    for pair in map(json.loads, re.findall('class="pair">(.*?)</script>', html)):
        [start] = pair["starts"]
        links = aligned[pair["id"]].links
        assert start["name"] == aligned[pair["id"]].system
        assert {word for found in start["links"] for word in range(*found[0])} == {
            word for found in links if found.document for word in range(*found.summary)
        }


@pytest.fixture
def client(task):
    return Client(make_app(None, None, annotation_routes(task), TOKEN, ["*"]))


def test_the_page_brings_its_policy(client):
    page = client.get("/annotate")
    assert page.status == 200 and "connect-src 'self'" in page.headers["content-security-policy"]
    assert "'unsafe-inline'" not in page.headers["content-security-policy"].partition("script-src")[2]
    assert "burned down" not in page.text


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"{", "column 2"),
        (b"\xff", "decode"),
        (
            json.dumps({"line": line("a", "A") | {"start": "\ud800"}, "revision": ""}).encode(),
            "half of a surrogate",
        ),
        (b'{"\\ud800": 1, "\\ud800": 2}', r"the key `\ud800` occurs twice"),
    ],
)
def test_a_wrong_request_gets_a_reason(client, body, message):
    answer = client.send("POST", "/annotate/save", body)
    assert answer.status == 400 and message in answer.json()["error"]
    assert "pair 'none' is not in this corpus" in client.get("/annotate/pair?id=none").json()["error"]
    for skip in ("9" * 5000, "-1", "x"):
        assert client.get(f"/annotate/agreement?skip={skip}").status == 400
    assert client.get("/annotate/agreement?skip=1").status == 200
