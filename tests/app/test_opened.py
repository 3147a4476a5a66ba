"""What the command line opens: corpora, alignments and folders of results, and one line for anything else."""

import base64
import gzip
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from vorlage.app.opened import text_of_tokens
from vorlage.app.opening import open_paths
from vorlage.app.record_file import Given, RecordFile
from vorlage.baselines.identity import main as identity
from vorlage.cli.main import main
from vorlage.command.errors import InputError
from vorlage.command.extras import EXTRAS
from vorlage.corpus.stage import main as corpus
from vorlage.extract.stage import main as extract

ROOT = Path(__file__).parents[2]
PAIRS = [
    {
        "id": "a",
        "document": ["The mill closed in 1998.", "It had 40 workers."],
        "summary": "A mill with 40 workers closed.",
    },
    {"id": "b/2", "document": "Fog came. The ferry was late.", "summary": "The ferry was late."},
]
GOLD = {"id": "a", "annotator": "A", "alignments": [{"summary": [1, 2], "document": [1, 2]}]}


def write(path, records):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return str(path)


def shown(answer):
    """The data of the viewer in an answer for a pair."""
    [packed] = re.findall('class="pair">(.*?)</script>', answer.json()["page"])
    return json.loads(gzip.decompress(base64.b64decode(packed)))


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """A folder of results with two systems; `other` copies the identity system under another name."""
    folder = tmp_path_factory.mktemp("results") / "tiny"
    pairs, gold = write(folder / "pairs.jsonl", PAIRS), write(folder / "gold.jsonl", [GOLD])
    corpus(["--reader", "jsonl", "--path", pairs, "--gold", gold, "--output", str(folder / "corpus")])
    made, extracts = str(folder / "corpus/corpus.jsonl"), str(folder / "extracts.jsonl")
    extract(["--corpus", made, "--output", extracts, "--enabled", "false"])
    path = folder / "align/identity/alignments.jsonl"
    path.parent.mkdir(parents=True)
    identity(["--corpus", made, "--extracts", extracts, "--output", str(path)])
    lines = [json.loads(line) | {"system": "other"} for line in path.read_text().splitlines()]
    write(folder / "align/other/alignments.jsonl", lines[:1])
    return folder


def test_pairs_are_listed_and_their_texts_shown(make_client, tmp_path):
    client = make_client(write(tmp_path / "pairs.jsonl", PAIRS))
    assert client.get("/corpora/0").json() == {"count": 2, "ids": ["a", "b/2"]}
    assert client.get("/corpora/0?find=B").json() == {"count": 1, "ids": ["b/2"]}
    texts = {"document": "The mill closed in 1998.\nIt had 40 workers.", "text": PAIRS[0]["summary"]}
    assert client.get("/corpora/0/pair?id=a").json() == {**texts, "page": None}
    assert client.get("/corpora/0/pair?id=b/2").json()["document"] == PAIRS[1]["document"]
    corpus = {"name": "pairs.jsonl", "pairs": 2, "systems": 0, "sources": False}
    assert client.get("/corpora").json() == {"corpora": [corpus]}


def test_a_long_list_is_cut(make_client, tmp_path):
    client = make_client(write(tmp_path / "many.jsonl", [PAIRS[0] | {"id": f"n{k}"} for k in range(1000)]))
    found = client.get("/corpora/0").json()
    assert found["count"] == 1000 and found["ids"] == [f"n{k}" for k in range(200)]
    assert client.get("/corpora/0?find=n99").json()["ids"] == ["n99", *(f"n99{k}" for k in range(10))]


def test_results_are_shown_with_all_systems_and_the_gold(make_client, results):
    client = make_client(results)
    corpus = {"name": "tiny", "pairs": 2, "systems": 2, "sources": False}
    assert client.get("/corpora").json() == {"corpora": [corpus]}
    data = shown(client.get("/corpora/0/pair?id=a"))
    assert data["unit"] == "token" and data["gold"] == [[[[1, 2]], [[1, 2]], 1]]
    assert list(data["systems"]) == ["identity", "other"]
    words = {
        (data["s"]["w"][i], data["d"]["w"][j]) for i, _, j, *_ in data["systems"]["identity"][0] if j >= 0
    }
    assert ("mill", "mill") in words and ("40", "40") in words
    assert list(shown(client.get("/corpora/0/pair?id=b/2"))["systems"]) == ["identity"]  # the other lacks it


def test_results_with_empty_gold_are_opened(results, tmp_path):
    shutil.copytree(results, tmp_path / "copy")
    (tmp_path / "copy/corpus/gold.jsonl").write_text("")
    [opened] = open_paths([str(tmp_path / "copy")])
    assert opened.golds == {} and len(opened.systems) == 2


def test_alignments_are_shown_with_the_corpus_of_their_folder(make_client, results):
    path = results / "align/identity/alignments.jsonl"
    answer = make_client(path).get("/corpora/0/pair?id=a")
    assert answer.json()["document"] == "The mill closed in 1998.\nIt had 40 workers."
    assert list(shown(answer)["systems"]) == ["identity"]


@pytest.mark.parametrize("tokenized", [False, True])
def test_alignments_are_shown_with_the_pairs_given_beside_them(make_client, tmp_path, tokenized):
    pair = {"id": "t", "document": ["No. 3 is here ."], "summary": "No. 3 ."}
    pairs, out = write(tmp_path / "pairs.jsonl", [pair]), str(tmp_path / "out.jsonl")
    main(["align", "--pairs", pairs, "--output", out, *["--tokenized"] * tokenized])
    client = make_client(out, pairs)
    assert client.get("/corpora/0").json()["count"] == 1 and client.get("/corpora/1").status == 404
    data = shown(client.get("/corpora/0/pair?id=t"))
    assert data["d"]["w"] == json.loads(Path(out).read_text())["document_tokens"]


def test_alignments_alone_are_shown_by_their_tokens(make_client, results, tmp_path):
    alone = shutil.copy(results / "align/identity/alignments.jsonl", tmp_path / "alone.jsonl")
    answer = make_client(alone).get("/corpora/0/pair?id=a")
    assert answer.json()["text"] == "A mill with 40 workers closed ."
    data = shown(answer)
    assert data["d"]["w"] == "The mill closed in 1998 . It had 40 workers .".split()
    assert data["d"]["b"] == [6, 11] and data["d"]["g"] == "0" + "1" * 10


def test_the_text_of_tokens_has_these_tokens():
    for words in (["a"], ["a b", "", "?", "c"], ["\u00a0", "."]):
        text = text_of_tokens(words)
        assert [text.raw[start:end] for start, end in text.tokens] == words == text.words
        assert text.sentences[0][0] == 0 and text.sentences[-1][1] == len(words)


@pytest.mark.parametrize(
    ("name", "lines", "message"),
    [
        ("missing", None, "cannot be read"),
        ("empty", [], "is empty"),
        ("other", [{"id": "a", "text": "b"}], "has neither pairs nor alignments"),
        ("gold", [GOLD], "is gold of pairs that are not opened"),
        ("twice", [PAIRS[0], PAIRS[0]], "line 2: id a comes twice"),
        ("number", [PAIRS[0] | {"id": 3}], "line 1: `id` is 3"),
        ("list", [["a"]], "expected a JSON object"),
    ],
)
def test_another_file_is_refused_in_one_line(tmp_path, capsys, name, lines, message):
    path = str(tmp_path / name) if lines is None else write(tmp_path / name, lines)
    with pytest.raises(SystemExit) as stop:
        main(["serve", "--port", "0", "--no-browser", path])
    captured = capsys.readouterr()
    assert stop.value.code == 1 and captured.out == ""
    assert (
        captured.err.startswith(f"error: {path}")
        and message in captured.err
        and captured.err.count("\n") == 1
    )


def test_a_folder_that_has_no_results_is_refused(tmp_path):
    with pytest.raises(InputError, match="a folder without corpus/corpus.jsonl; give a folder of results"):
        open_paths([str(tmp_path)])


def test_a_system_is_opened_once(results):
    path = str(results / "align/identity/alignments.jsonl")
    with pytest.raises(InputError, match="system 'identity' is in .* too"):
        open_paths([str(results), path])


def test_what_is_wrong_with_a_pair_is_said_when_it_is_opened(make_client, results, tmp_path):
    folder = tmp_path / "copy"
    shutil.copytree(results, folder)
    path = folder / "align/identity/alignments.jsonl"
    first, second = map(json.loads, path.read_text().splitlines())
    write(
        path,
        [
            first | {"alignments": [{"summary": [0, 99], "document": None, "posterior": None}]},
            second | {"document_tokens": ["x"]},
        ],
    )
    client = make_client(folder)
    answers = [client.get(f"/corpora/0/pair?id={id}") for id in ("a", "b/2")]
    assert [answer.status for answer in answers] == [400, 400]
    assert "summary span [0, 99] is invalid" in answers[0].text and "line 1" in answers[0].text
    assert "document span" in answers[1].text or "tokens are not those of the corpus" in answers[1].text


def test_an_empty_text_is_said(make_client, tmp_path):
    line = {"id": "a", "system": "s", "log_likelihood": None, "document_tokens": ["x"], "summary_tokens": []}
    client = make_client(write(tmp_path / "out.jsonl", [line | {"alignments": []}]))
    answer = client.get("/corpora/0/pair?id=a")
    assert answer.status == 400 and "its document or its summary is empty" in answer.text


def test_a_file_that_has_changed_is_noticed(tmp_path):
    path = tmp_path / "pairs.jsonl"
    write(path, PAIRS)
    file = RecordFile.open(Given(path))
    assert file.read("b/2") == PAIRS[1]
    write(path, PAIRS[::-1])
    with pytest.raises(InputError, match="has changed since it was opened|not valid JSON"):
        file.read("a")


def test_a_byte_order_mark_and_blank_lines_are_skipped(tmp_path):
    path = tmp_path / "pairs.jsonl"
    path.write_text("\ufeff" + "\n\n".join(map(json.dumps, PAIRS)), encoding="utf-8")
    file = RecordFile.open(Given(path))
    assert [file.read(id) for id in file.places] == PAIRS


def run_without(packages, *arguments):
    """Run `vorlage` as if some packages were not installed."""
    code = f"""import sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {packages!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Missing())
from vorlage.cli.main import main
main({list(arguments)!r})
"""
    return subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)


def test_the_packages_of_other_groups_are_not_needed():
    others = [module for module, (_, group) in EXTRAS.items() if group != "serve"]
    done = run_without(others, "serve", "--port", "0", "--no-browser", "missing.jsonl")
    assert done.returncode == 1 and done.stderr.startswith("error: missing.jsonl: cannot be read")


@pytest.mark.parametrize("package", ["starlette", "uvicorn", "python_multipart"])
def test_a_missing_package_is_named(package):
    done = run_without([package], "serve", "--port", "0", "--no-browser")
    assert done.returncode == 1 and done.stdout == ""
    install = 'install it with `pip install "vorlage[serve]"`'
    assert done.stderr == f"error: {package.replace('_', '-')} is not installed; {install}\n"


def test_one_corpus_is_annotated(results, tmp_path, capsys):
    for paths in ([], [str(results), write(tmp_path / "pairs.jsonl", PAIRS)]):
        with pytest.raises(SystemExit) as stop:
            main(["serve", "--port", "0", "--no-browser", *paths, "--gold", str(tmp_path / "gold.jsonl")])
        assert stop.value.code == 1
        message = f"{len(paths)} corpora are opened; name the one to annotate"
        assert capsys.readouterr().err.endswith(f"gold.jsonl: {message}\n")
    assert not (tmp_path / "gold.jsonl").exists()
