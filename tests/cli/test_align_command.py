"""`vorlage align`: the same record of a pair by every way, its forms, and its errors."""

import json
import math
import shutil
from pathlib import Path

import pytest
from printers import PAIRS, write_pairs
from vorlage import load_model
from vorlage.cli.main import main
from vorlage.semihmm.decode.load import SHIPPED
from vorlage.views.alignment import COLUMNS


def align(*arguments):
    main(["align", *map(str, arguments)])


@pytest.fixture(scope="module")
def lines(printers, tmp_path_factory):
    """The lines of the output for all pairs."""
    output = tmp_path_factory.mktemp("lines") / "out.jsonl"
    align("--pairs", printers / "pairs.jsonl", "--model", printers / "model.npz", "--output", output)
    return output.read_bytes()


def test_the_output_has_the_documented_format(lines):
    for record, pair in zip(map(json.loads, lines.splitlines()), PAIRS, strict=True):
        assert record["id"] == pair["id"] and record["system"] == "semihmm-relative"
        assert record["log_likelihood"] < 0 and len(record["fingerprint"]) == 12
        assert "".join(record["document_tokens"]) == pair["document"].replace(" ", "")
        covered = {t for link in record["alignments"] for t in range(*link["summary"])}
        assert covered == set(range(len(record["summary_tokens"])))
        assert len(record["null"]) == len(record["summary_tokens"])


@pytest.mark.parametrize(
    "options",
    [
        ["--corpus", "pairs.jsonl"],
        ["--corpus", "corpus/corpus.jsonl"],
        ["--corpus", "corpus/corpus.jsonl", "--extracts", "extracts.jsonl"],
    ],
)
def test_a_pair_has_the_same_record_by_every_way(printers, lines, tmp_path, options):
    named = [str(printers / option) if option.endswith(".jsonl") else option for option in options]
    align(*named, "--model", printers / "model.npz", "--output", tmp_path / "out.jsonl")
    assert (tmp_path / "out.jsonl").read_bytes() == lines


def test_two_files_have_the_record_of_a_pair(model, texts, capsys):
    align(*texts, "--model", model, "--json")
    record = json.loads(capsys.readouterr().out)
    document, summary = (Path(path).read_text() for path in texts)
    expected = load_model(model).align(document, summary, id="summary").to_json()
    assert record | {"fingerprint": ""} == json.loads(json.dumps(expected))


def test_the_best_path_is_explained_step_by_step(model, texts, capsys):
    """It is the path that the decoder `viterbi` takes its links from."""
    align(*texts, "--model", model, "--explain", "--json")
    record = json.loads(capsys.readouterr().out)
    *steps, end = record["steps"]
    total = sum(math.log(step["jump"] * step["rewrite"]) for step in (*steps, end))
    assert total == pytest.approx(record["log_probability"], rel=1e-10)
    assert end["log_probability"] == pytest.approx(total, rel=1e-10) and end["kind"] == "end"
    document, summary = (Path(path).read_text() for path in texts)
    links = load_model(model).align(document, summary, decoder="viterbi").alignment.links
    assert [(step["summary"], step["document"]) for step in steps] == [
        (list(link.summary), link.document and list(link.document)) for link in links
    ]
    align(*texts, "--model", model, "--explain")
    header, *rows, note = capsys.readouterr().out.splitlines()
    assert header.split()[:3] == ["summary", "document", "jump"] and len(rows) == len(steps) + 1
    for row, step in zip(rows, steps, strict=False):
        assert row.startswith(step["summary_text"]) and (step["document_text"] or "∅") in row
    assert note == f"log Pr of the path: {total:.6f}"


def test_links_point_into_the_whole_document(printers, tmp_path):
    """With an extract of the last two sentences, links point to words after the first."""
    extracts = [{"id": pair["id"], "sentences": [1, 2], "by_summary_sentence": [[1, 2]]} for pair in PAIRS]
    both = ["--corpus", printers / "corpus/corpus.jsonl", "--extracts", write_pairs(tmp_path / "e", extracts)]
    align(*both, "--model", printers / "model.npz", "--system", "mine", "--output", tmp_path / "out.jsonl")
    for record in map(json.loads, (tmp_path / "out.jsonl").read_text().splitlines()):
        spans = [link["document"] for link in record["alignments"] if link["document"]]
        assert spans and min(span[0] for span in spans) >= 8 and record["system"] == "mine"


def test_other_pairs_do_not_change_an_alignment(tmp_path):
    """Neither the order of pairs nor other pairs change an alignment, in spite of WordNet's caches."""
    found = {}
    for name, pairs in (("all", PAIRS), ("backwards", PAIRS[::-1]), ("alone", PAIRS[4:5])):
        path = write_pairs(tmp_path / "pairs.jsonl", pairs)
        align("--pairs", path, "--model", SHIPPED / "without-encoder.npz", "--output", tmp_path / name)
        found[name] = (tmp_path / name).read_text().splitlines()
    assert found["all"] == found["backwards"][::-1] and found["alone"] == found["all"][4:5]


def test_the_table_has_the_phrases_of_the_model(model, texts, capsys):
    align(*texts, "--model", model, "--tsv")
    header, *rows = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert header == list(COLUMNS)
    document, summary = (Path(path).read_text() for path in texts)
    for row, phrase in zip(rows, load_model(model).align(document, summary).phrases, strict=True):
        assert row[0] == "summary" and row[3] == summary[int(row[1]) : int(row[2])]
        assert row[3].replace(" ", "") == phrase.summary.replace(" ", "")
        assert float(row[7]) == pytest.approx(phrase.posterior, abs=1e-6)
        if phrase.document:
            assert row[6] == document[int(row[4]) : int(row[5])]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--model", "missing.npz"], "missing.npz: "),
        (["--model", "pairs.jsonl"], "pairs.jsonl: "),
        (["--pairs", "missing.jsonl"], "missing.jsonl: cannot be read"),
        (["--pairs", "twice.jsonl"], "twice.jsonl, line 2: id p0 comes twice"),
        (["--pairs", "empty.jsonl"], "empty.jsonl: no pairs"),
        (["--extracts", "few.jsonl"], "few.jsonl: expected the extract of pair p1"),
        (["--decoder", "best"], "decoder"),
        (["--posterior-threshold", "2"], "posterior_threshold"),
        (["--output", "pairs.jsonl/here"], "pairs.jsonl"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_wrong_inputs_end_with_one_line_and_write_nothing(printers, tmp_path, fails, options, message):
    made = shutil.copytree(printers, tmp_path / "made")
    (made / "twice.jsonl").write_text(2 * f"{json.dumps(PAIRS[0])}\n")
    (made / "empty.jsonl").write_text("\n")
    (made / "few.jsonl").write_text((made / "extracts.jsonl").read_text().splitlines()[0] + "\n")
    given = {"--model": "model.npz", "--pairs": "corpus/corpus.jsonl", "--output": str(tmp_path / "out")}
    given |= dict([options])
    named = [
        made / part if part.endswith((".npz", ".jsonl", "/here")) else part
        for pair in given.items()
        for part in pair
    ]
    assert message in fails("align", *named)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("command", ["align", "attribute"])
def test_a_wrong_language_is_named_before_any_output(texts, model, fails, command):
    error = fails(command, *texts, "--model", model, "--tsv", "--document-language", "../..")
    assert "--document-language is '../..'; give a two-letter code" in error
