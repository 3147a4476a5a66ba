"""The corpus that the app shows: pairs, a folder of results, and one line for anything else."""

import json

import pytest
from test_app import unpack
from vorlage.app.corpus_files import CorpusFiles
from vorlage.cli.main import main
from vorlage.command.errors import InputError
from vorlage.workflow.baselines.stage import main as baseline
from vorlage.workflow.stages.corpus import main as corpus
from vorlage.workflow.stages.extract import main as extract
from vorlage.workflow.stages.gold import main as gold_stage

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


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """A folder of results with two systems; `semihmm-x` has the first pair of `identity` alone."""
    folder = tmp_path_factory.mktemp("results") / "tiny"
    pairs, gold = write(folder / "pairs.jsonl", PAIRS), write(folder / "gold.jsonl", [GOLD])
    corpus(["--reader", "jsonl", "--path", pairs, "--gold", gold, "--output", str(folder / "corpus")])
    made, extracts = str(folder / "corpus/corpus.jsonl"), str(folder / "extracts.jsonl")
    both = ["--corpus", made, "--rejected", str(folder / "corpus/rejected.tsv")]
    gold_stage(["--gold", gold, *both, "--output", str(folder / "corpus/gold.jsonl")])
    extract(["--corpus", made, "--output", extracts, "--enabled", "false"])
    path = folder / "align/identity/alignments.jsonl"
    path.parent.mkdir(parents=True)
    baseline(["--system", "identity", "--corpus", made, "--extracts", extracts, "--output", str(path)])
    first = json.loads(path.read_text().splitlines()[0]) | {"system": "semihmm-x"}
    write(folder / "align/semihmm-x/alignments.jsonl", [first])
    return folder


def test_pairs_are_listed_and_their_texts_shown(make_client, tmp_path):
    records = [PAIRS[0] | {"id": f"n{k}"} for k in range(998)]
    path = tmp_path / "pairs.jsonl"
    path.write_text("\ufeff" + "\n\n".join(map(json.dumps, PAIRS + records)), encoding="utf-8")
    client = make_client(path)
    listed = client.get("/pairs").json()
    assert listed["count"] == 1000 and listed["ids"] == ["a", "b/2", *(f"n{k}" for k in range(198))]
    assert client.get("/pairs?find=N99").json()["ids"] == ["n99", *(f"n99{k}" for k in range(8))]
    texts = {"document": "The mill closed in 1998.\nIt had 40 workers.", "text": PAIRS[0]["summary"]}
    assert client.get("/pair?id=a").json() == {**texts, "page": None}
    assert client.get("/pair?id=b/2").json()["document"] == PAIRS[1]["document"]
    assert client.get("/pair?id=/etc/passwd").status == 400


@pytest.mark.parametrize("records", [PAIRS[::-1], [{"id": "new"}, *PAIRS], []])
def test_a_corpus_that_has_changed_is_not_shown(tmp_path, records):
    path = write(tmp_path / "pairs.jsonl", [pair | {"document": "Fog came."} for pair in PAIRS])
    corpus = CorpusFiles(path)
    assert corpus.pair("a").summary.raw == PAIRS[0]["summary"]
    write(tmp_path / "pairs.jsonl", [pair | {"document": "Fog came."} for pair in records])
    with pytest.raises(InputError, match=r"^\S+pairs.jsonl: has changed since it was opened; start again$"):
        corpus.pair("a")


def test_results_are_shown_with_all_systems_and_the_gold(make_client, results):
    client = make_client(results)
    assert '<h2 id="corpus-title">tiny</h2>' in client.get("/").text
    data = unpack(client.get("/pair?id=a").json()["page"])
    assert data["unit"] == "token" and data["gold"] == [[[[1, 2]], [[1, 2]], 1]]
    assert list(data["systems"]) == ["semihmm-x", "identity"]
    words = {
        (data["s"]["w"][i], data["d"]["w"][j]) for i, _, j, *_ in data["systems"]["identity"][0] if j >= 0
    }
    assert ("mill", "mill") in words and ("40", "40") in words
    assert list(unpack(client.get("/pair?id=b/2").json()["page"])["systems"]) == ["identity"]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([], "no pairs; write a JSON object"),
        ([PAIRS[0], PAIRS[0]], "line 2: id a comes twice"),
        ([PAIRS[0] | {"id": 3}], "line 1: `id` is 3"),
    ],
)
def test_another_file_is_refused_in_one_line(tmp_path, stops, lines, message):
    path = write(tmp_path / "a.jsonl", lines)
    error = stops(main, ["serve", "--port", "0", "--no-browser", path])
    assert error.startswith(f"error: {path}") and message in error


def test_a_folder_without_results_and_alignments_of_other_pairs_are_refused(results, tmp_path):
    with pytest.raises(InputError, match="a folder without corpus/corpus.jsonl; give a folder of results"):
        CorpusFiles(tmp_path)
    pairs = write(tmp_path / "pairs.jsonl", PAIRS[:1])
    with pytest.raises(InputError, match="pair b/2 is not in .*pairs.jsonl"):
        CorpusFiles(pairs, [results / "align/identity/alignments.jsonl"])
