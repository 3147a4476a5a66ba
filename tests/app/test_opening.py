"""What the page opens: files that are sent, known by what they hold, and one line for anything else."""

import base64
import gzip
import json
import re

import pytest
from vorlage.app import shelf
from vorlage.cli.main import main

PAIRS = [
    {
        "id": "a",
        "document": "The mill closed in 1998. It had 40 workers.",
        "summary": "The mill had 83 workers.",
    },
    {"id": "b", "document": "Fog came. The ferry was late.", "summary": "The ferry was late."},
]


def lines(*records):
    return "".join(json.dumps(record) + "\n" for record in records).encode()


def aligned(pair, system="toy", word=1):
    """An alignment of the second words of a pair whose words are separated by spaces."""
    sides = {f"{side}_tokens": pair[side].replace(".", " .").split() for side in ("document", "summary")}
    link = {"summary": [1, 2], "document": [word, word + 1], "posterior": 0.5}
    return {"id": pair["id"], "system": system, "log_likelihood": None, "alignments": [link]} | sides


def gold(pair):
    return {"id": pair["id"], "annotator": "A", "alignments": [{"summary": [0, 1], "document": [0, 1]}]}


def send(client, *files, texts=()):
    return client.post("/open", *[("file", file) for file in files], *texts)


def names(answer):
    assert answer.status == 200, answer.text
    return [(one["name"], one["pairs"], one["systems"]) for one in answer.json()["corpora"]]


def unpack(page):
    [packed] = re.findall('class="pair">(.*?)</script>', page)
    return json.loads(gzip.decompress(base64.b64decode(packed)))


def shown(client, number, id):
    return unpack(client.get(f"/corpora/{number}/pair?id={id}").json()["page"])


@pytest.fixture
def client(make_client):
    """An app with nothing opened, of its own for each test."""
    return make_client()


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """What `vorlage attribute` writes of the pairs, and of the texts of the first in two files."""
    folder = tmp_path_factory.mktemp("found")
    (folder / "pairs.jsonl").write_bytes(lines(*PAIRS))
    for name in ("document", "summary"):
        (folder / name).write_text(PAIRS[0][name])
    main(["attribute", "--pairs", str(folder / "pairs.jsonl"), "--output", str(folder / "many.jsonl")])
    main(
        ["attribute", str(folder / "document"), str(folder / "summary"), "--json", "--output"]
        + [str(folder / "one")]
    )
    return (folder / "many.jsonl").read_bytes(), (folder / "one").read_bytes()


def test_pairs_and_later_their_alignments_are_opened(client):
    answer = send(client, ("pairs.jsonl", lines(*PAIRS)))
    assert names(answer) == [("pairs.jsonl", 2, 0)] and answer.json()["shown"] == 0
    assert client.get("/corpora/0/pair?id=b").json()["text"] == PAIRS[1]["summary"]
    assert names(send(client, ("toy.jsonl", lines(*map(aligned, PAIRS))))) == [("pairs.jsonl", 2, 1)]
    assert shown(client, 0, "b")["systems"]["toy"][0] == [[1, 2, 1, 2, 0.5, 0]]
    # The same file again replaces the first one.
    answer = send(client, ("toy.jsonl", lines(aligned(PAIRS[1], word=2))))
    assert names(answer) == [("pairs.jsonl", 2, 1)]
    assert shown(client, 0, "b")["systems"]["toy"][0] == [[1, 2, 2, 3, 0.5, 0]]
    assert names(send(client, ("other.jsonl", lines(*PAIRS)))) == [
        ("pairs.jsonl", 2, 1),
        ("other.jsonl", 2, 0),
    ]


def test_a_folder_of_results_is_opened_with_its_gold(client):
    send(client, ("pairs.jsonl", lines(*PAIRS)))
    answer = send(
        client,
        ("mill/align/zeta/alignments.jsonl", lines(*[aligned(pair, "zeta") for pair in PAIRS])),
        ("mill/corpus/gold.jsonl", lines(gold(PAIRS[0]))),
        ("mill/align/semihmm-x/alignments.jsonl", lines(*[aligned(pair, "semihmm-x") for pair in PAIRS])),
        ("mill/corpus/corpus.jsonl", lines(*PAIRS)),
    )
    # Its alignments and its gold go with its own corpus, though that opened before has the same pairs.
    assert names(answer) == [("pairs.jsonl", 2, 0), ("mill", 2, 2)] and answer.json()["shown"] == 1
    data = shown(client, 1, "a")
    assert list(data["systems"]) == ["semihmm-x", "zeta"] and data["gold"] == [[[[0, 1]], [[0, 1]], 1]]


def test_gold_without_a_finished_pair_changes_nothing(client):
    send(client, ("pairs.jsonl", lines(*PAIRS)), ("toy.jsonl", lines(aligned(PAIRS[0]))))
    send(client, ("gold.jsonl", lines(gold(PAIRS[0]))))
    send(client, ("begun.jsonl", lines(gold(PAIRS[1]) | {"finished": False})))
    assert shown(client, 0, "a")["gold"] == [[[[0, 1]], [[0, 1]], 1]]


def test_alignments_alone_are_shown_by_their_tokens_and_no_file_is_searched_for(
    client, tmp_path, monkeypatch
):
    (tmp_path / "results/corpus").mkdir(parents=True)
    (tmp_path / "results/corpus/corpus.jsonl").write_bytes(lines(*PAIRS))
    monkeypatch.chdir(tmp_path)
    name = "results/align/toy/alignments.jsonl"
    assert names(send(client, (name, lines(aligned(PAIRS[0]))))) == [("alignments.jsonl", 1, 1)]
    assert client.get("/corpora/0/pair?id=a").json()["text"] == "The mill had 83 workers ."


def test_sources_are_shown_with_their_pairs(client, found, model):
    answer = send(client, ("found.jsonl", found[0]), ("pairs.jsonl", lines(*PAIRS)))
    assert names(answer) == [("pairs.jsonl", 2, 0), ("found.jsonl", 2, 0)]
    for pair in PAIRS:
        expected = model.attribute(pair["document"], pair["summary"], id=pair["id"]).viewer_data()
        assert shown(client, 1, pair["id"]) == json.loads(json.dumps(expected))
    assert [part["text"] for part in shown(client, 1, "a")["unsupported"]]


def test_sources_are_shown_with_the_texts_of_the_form(client, found, model):
    document, summary = PAIRS[0]["document"], PAIRS[0]["summary"]
    answer = send(client, ("found.json", found[1]), texts=[("document", document), ("text", summary)])
    assert names(answer) == []
    expected = model.attribute(document, summary, id="summary").viewer_data()
    assert unpack(answer.json()["page"]) == json.loads(json.dumps(expected))
    refused = send(client, ("found.json", found[1]), texts=[("document", document), ("text", "Fog came.")])
    assert refused.status == 400 and "its sentences are not those of the text" in refused.text


def changed(record, *path, value):
    """The record with another value at a path of keys."""
    record = json.loads(json.dumps(record))
    inner = record
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return record


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("spans", 0, "quote"), "barn", "quotes 'barn', where the texts have"),
        (("spans", 0, "sources", 0, "document"), [0, 3], "where the texts have 'The'"),
        (("spans", 0, "sources", 0, "sentence"), 7, "the document has no sentence 7"),
        (("spans", 0, "null"), "high", "not sources of a text"),
        (("spans", 0, "sources", 0, "name"), "b.txt", "not sources of a text"),
        (("sentences", 0, "text"), [1, 5], "its sentences are not those of the text"),
        (("sentences",), 3, "its sentences are not those of the text"),
        (("unsupported",), [{"text": [0, 3]}], "not sources of a text"),
    ],
)
def test_sources_that_do_not_fit_are_refused_in_one_line(client, found, path, value, message):
    record = changed(json.loads(found[0].splitlines()[0]), *path, value=value)
    send(client, ("found.jsonl", lines(record)), ("pairs.jsonl", lines(*PAIRS)))
    answer = client.get("/corpora/1/pair?id=a")
    assert answer.status == 400 and message in answer.text and answer.text.count("\n") == 1
    assert answer.text.startswith("found.jsonl, line 1")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.txt", b"The mill closed.", "a.txt, line 1: not valid JSON"),
        ("a.jsonl", b"", "a.jsonl: is empty"),
        ("a.jsonl", b"\x1f\x8b\x08", "a.jsonl: is not text in UTF-8 but compressed by gzip"),
        ("a.jsonl", lines(PAIRS[0]) + b"\xff", "a.jsonl, line 2: not UTF-8 at byte 0"),
        ("a.jsonl", lines({"id": "a"}), "has neither pairs nor alignments"),
        ("a.jsonl", lines(PAIRS[0], PAIRS[0]), "line 2: id a comes twice"),
        ("gold.jsonl", lines(gold(PAIRS[0])), "is gold of pairs that are not opened"),
        ("../../etc/passwd", b"root", "../../etc/passwd, line 1: not valid JSON"),
        ("\x1b[2J", b"x", "\\x1b[2J, line 1"),
    ],
)
def test_another_file_is_refused_in_one_line_and_nothing_is_opened(client, name, content, message):
    answer = send(client, ("pairs.jsonl", lines(PAIRS[1])), (name, content))
    assert answer.status == 400 and message in answer.text and answer.text.count("\n") == 1
    assert client.get("/corpora").json() == {"corpora": []}


def test_sources_without_texts_say_what_to_open(client, found):
    answer = send(client, ("found.jsonl", found[0]))
    assert answer.status == 400 and "open the pairs with these ids too" in answer.text


def test_a_system_of_the_command_line_is_not_replaced(make_client, tmp_path):
    for name, records in (("pairs", PAIRS), ("toy", map(aligned, PAIRS))):
        (tmp_path / name).write_bytes(lines(*records))
    client = make_client(tmp_path / "pairs", tmp_path / "toy")
    answer = send(client, ("toy.jsonl", lines(aligned(PAIRS[0]))))
    assert answer.status == 400 and "system 'toy' is in" in answer.text


def test_no_more_is_held_than_the_limit(client, monkeypatch):
    monkeypatch.setattr(shelf, "MOST_HELD", len(lines(*PAIRS)) + 10)
    assert names(send(client, ("pairs.jsonl", lines(*PAIRS)))) == [("pairs.jsonl", 2, 0)]
    answer = send(client, ("more.jsonl", lines(*PAIRS)))
    assert answer.status == 400 and "MB were opened from the page; name these files" in answer.text
    assert len(client.get("/corpora").json()["corpora"]) == 1


def test_a_form_without_files_is_refused(client):
    assert client.post("/open", ("document", "a")).status == 400
