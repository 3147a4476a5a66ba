"""Ids that look like paths, commands, tables or markup: text in every stage, or refused."""

import csv
import json

import pytest
from guarantees import tried
from hostile_runs import done, refused, snapshot
from hostile_world import lines

from pipeline import export
from pipeline.align import __main__ as align
from pipeline.baselines import cutpaste
from pipeline.corpus import __main__ as corpus
from pipeline.extract import __main__ as extract

USABLE = [
    *("../../x", "/etc/passwd", "a/b", "..", ".", "~", "con", "NUL", "aux.txt", "x" * 300, "x" * 5000),
    *(
        "!?…",
        "-",
        "--output",
        "$(touch PWNED)",
        "`touch PWNED`",
        "; touch PWNED",
        "a b",
        " a",
        "a ",
        "*",
        "{id}",
    ),
    *(
        '"',
        "'",
        '"a',
        "a,b",
        "=1+1",
        "<script>alert(1)</script>",
        "</script>",
        "&amp;",
        "%2e%2e",
        "a\\b",
        "#",
    ),
    *("é", "e\u0301", "שלום", "日本", "👩", "null", "true", "1", "0", "NaN", "None"),
]
REFUSED = [
    *("", " ", "\t", "a\nb", "a\tb", "a\rb", "a\0b", "\x1b[31m", "a\u2028b", "\u200b", "a\u202eb", "\ufeffa"),
    *("a\u00a0b", "\ud800", "a\x7f", "👩\u200d🔬"),
]


def pair(name):
    return {"id": name, "document": "A mill grinds wheat. Nobody asked.", "summary": "A mill grinds wheat."}


@pytest.mark.guarantee("ids")
def test_ids_pass_through_every_stage_as_text(made, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pairs.jsonl").write_text(lines(map(pair, USABLE)))
    done(corpus.main, ["--reader", "jsonl", "--path", "pairs.jsonl", "--output", "corpus"], capsys)
    whole = ["--corpus", "corpus/corpus.jsonl"]
    done(extract.main, [*whole, "--output", "extracts.jsonl"], capsys)
    done(cutpaste.main, [*whole, "--extracts", "extracts.jsonl", "--output", "cut.jsonl"], capsys)
    model = ["--model", made / "relative.npz"]
    done(align.main, [*model, "--corpus", "pairs.jsonl", "--output", "aligned.jsonl"], capsys)
    done(export.main, ["--alignments", "cut.jsonl", *whole, "--format", "tsv", "--output", "cut.tsv"], capsys)
    for file in ("corpus/corpus.jsonl", "extracts.jsonl", "cut.jsonl", "aligned.jsonl"):
        assert [json.loads(line)["id"] for line in (tmp_path / file).read_text().splitlines()] == USABLE
    with open("cut.tsv", encoding="utf-8", newline="") as table:
        assert list(dict.fromkeys(row["id"] for row in csv.DictReader(table, delimiter="\t"))) == USABLE
    files = {path.relative_to(tmp_path).as_posix() for path in snapshot(tmp_path)}
    assert files == {
        *("pairs.jsonl", "extracts.jsonl", "cut.jsonl", "aligned.jsonl", "cut.tsv"),
        *(f"corpus/{name}" for name in ("corpus.jsonl", "corpus.offsets.npy", "gold.jsonl", "rejected.tsv")),
    }
    tried(len(USABLE))


@pytest.mark.guarantee("ids")
def test_only_the_user_names_the_page_of_a_pair(tmp_path, capsys):
    (tmp_path / "pairs.jsonl").write_text(lines(map(pair, USABLE)))
    paths = ["--reader", "jsonl", "--path", tmp_path / "pairs.jsonl", "--output", tmp_path / "corpus"]
    done(corpus.main, paths, capsys)
    whole = ["--corpus", tmp_path / "corpus/corpus.jsonl"]
    done(extract.main, [*whole, "--output", tmp_path / "extracts.jsonl"], capsys)
    cut = [*whole, "--extracts", tmp_path / "extracts.jsonl", "--output", tmp_path / "cut.jsonl"]
    done(cutpaste.main, cut, capsys)
    before = set(snapshot(tmp_path))
    for name in USABLE:
        shown = ["--alignments", tmp_path / "cut.jsonl", *whole, "--format", "html", f"--id={name}"]
        done(export.main, [*shown, "--output", tmp_path / "page.html"], capsys)
        assert "<script>alert(1)" not in (tmp_path / "page.html").read_text()
        tried()
    assert set(snapshot(tmp_path)) == before | {tmp_path / "page.html"}


@pytest.mark.guarantee("ids")
@pytest.mark.parametrize("name", REFUSED, ids=ascii)
def test_invisible_ids_are_refused(made, tmp_path, capsys, name):
    path = tmp_path / "pairs.jsonl"
    path.write_text(lines([pair("first"), pair(name)]))
    options = ["--path", path, "--output", tmp_path / "corpus"]
    refused(corpus.main, ["--reader", "jsonl", *options], tmp_path, capsys, path, "line 2")
    options = ["--corpus", path, "--output", tmp_path / "out"]
    refused(align.main, ["--model", made / "relative.npz", *options], tmp_path, capsys, path, "line 2")
    tried(2)


@pytest.mark.guarantee("ids")
def test_duplicate_ids_are_refused(made, tmp_path, capsys):
    path = tmp_path / "pairs.jsonl"
    path.write_text(lines(map(pair, ["a", "b", "a"])))
    options = ["--path", path, "--output", tmp_path / "corpus"]
    refused(corpus.main, ["--reader", "jsonl", *options], tmp_path, capsys, "line 3: id a comes twice")
    options = ["--corpus", path, "--output", tmp_path / "out"]
    refused(align.main, ["--model", made / "relative.npz", *options], tmp_path, capsys, "line 3: id a comes")
    tried(2)
