"""The command `vorlage`: formats, inputs, exit statuses, and no output from bad input."""

import base64
import gzip
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from printers import PAIRS, write_pairs
from vorlage import load_model
from vorlage.alignments.export import TSV
from vorlage.cli.main import COMMANDS, main
from vorlage.semihmm.decode import stage as align

ROOT = Path(__file__).parents[2]
ESCAPE = "\x1b"


def run(*arguments, **options):
    """Run the command in a process of its own."""
    command = [sys.executable, "-m", "vorlage.cli", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, encoding="utf-8", **options)


def fails(capsys, *arguments, status=1):
    """Return the error of a command that must fail with one line."""
    with pytest.raises(SystemExit) as stop:
        main([str(argument) for argument in arguments])
    captured = capsys.readouterr()
    assert stop.value.code == status and captured.out == ""
    if status == 1:
        assert captured.err.count("\n") == 1 and captured.err.startswith("error: ")
    return captured.err


def test_json_is_that_of_the_model(model, texts, capsys):
    main(["align", *texts, "--model", model, "--json"])
    found = json.loads(capsys.readouterr().out)
    document, summary = (Path(path).read_text() for path in texts)
    expected = load_model(model).align(document, summary, id="summary").to_json()
    assert found | {"fingerprint": ""} == json.loads(json.dumps(expected))
    assert re.fullmatch("[0-9a-f]{12}", found["fingerprint"])


def test_pairs_are_aligned_as_by_the_stage(model, tmp_path, capsys):
    pairs = write_pairs(tmp_path / "pairs.jsonl")
    main(["align", "--pairs", pairs, "--model", model, "--output", str(tmp_path / "out.jsonl")])
    align.main(["--corpus", pairs, "--model", model, "--output", str(tmp_path / "stage.jsonl")])
    found = (tmp_path / "out.jsonl").read_bytes()
    assert found == (tmp_path / "stage.jsonl").read_bytes()
    capsys.readouterr()
    main(["align", "--pairs", pairs, "--model", model])
    assert capsys.readouterr().out.encode() == found
    done = run("align", "--pairs", pairs, "--model", model, "--workers", 2)
    assert done.stdout.encode() == found and done.stderr == ""
    assert "--workers is 0" in fails(capsys, "align", "--pairs", pairs, "--workers", 0)


def test_tokenized_pairs_keep_their_tokens(model, tmp_path, capsys):
    pair = {"id": "t", "document": ["No. 3 is here ."], "summary": "No. 3 ."}
    main(["align", "--pairs", write_pairs(tmp_path / "t.jsonl", [pair]), "--tokenized", "--model", model])
    assert json.loads(capsys.readouterr().out)["document_tokens"] == "No. 3 is here .".split()


def test_table_has_the_phrases_of_the_model(model, texts, capsys):
    main(["align", *texts, "--model", model, "--tsv"])
    header, *rows = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert header == list(TSV)
    document, summary = (Path(path).read_text() for path in texts)
    phrases = load_model(model).align(document, summary).phrases
    assert len(rows) == len(phrases)
    for row, phrase in zip(rows, phrases, strict=True):
        assert row[0] == "summary" and row[3] == summary[int(row[1]) : int(row[2])]
        assert row[3].replace(" ", "") == phrase.summary.replace(" ", "")
        assert float(row[7]) == pytest.approx(phrase.posterior, abs=1e-6)
        if phrase.document:
            assert row[6] == document[int(row[4]) : int(row[5])]


def shown(page):
    """Return the title of a page and the data of its pairs."""
    html = page.read_text()
    assert html.startswith("<!doctype html>") and not re.search('(src|href)="http', html)
    packed = re.findall(r'<script type="text/plain" class="pair">(.*?)</script>', html)
    pairs = [json.loads(gzip.decompress(base64.b64decode(pair))) for pair in packed]
    return re.search("<title>(.*)</title>", html)[1], pairs


def test_page_is_a_file_of_its_own(model, texts, tmp_path, capsys):
    page = tmp_path / "new/page.html"
    for command, key in (("align", "systems"), ("attribute", "unsupported")):
        main([command, *texts, "--model", model, "--html", str(page)])
        title, [pair] = shown(page)
        assert title == pair["id"] == "summary" and key in pair
        assert " ".join(pair["s"]["w"]).split() == PAIRS[0]["summary"].replace(".", " .").split()
    assert capsys.readouterr().out == ""


def test_a_page_shows_all_pairs_of_a_file(model, tmp_path, capsys):
    pairs, page = write_pairs(tmp_path / "pairs.jsonl"), tmp_path / "page.html"
    for command in ("align", "attribute"):
        main([command, "--pairs", pairs, "--model", model, "--html", str(page)])
        title, found = shown(page)
        assert title == "pairs.jsonl" and [pair["id"] for pair in found] == [pair["id"] for pair in PAIRS]
    assert capsys.readouterr().out == ""
    before = page.read_bytes()
    main(["attribute", "--pairs", pairs, "--model", model, "--html", str(page)])
    assert page.read_bytes() == before


def test_the_page_of_several_documents_names_them(model, texts, tmp_path):
    (tmp_path / "b.txt").write_text("Acme sells the printer.")
    page = tmp_path / "page.html"
    main(["attribute", *texts[:1], str(tmp_path / "b.txt"), texts[1], "--model", model, "--html", str(page)])
    _, [pair] = shown(page)
    assert pair["d"]["names"] == [[0, "document.txt"], [3, "b.txt"]]


def test_without_a_terminal_the_text_is_plain(model, texts):
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    done = run("align", *texts, "--model", model, env=environment | {"TERM": "xterm-256color"})
    assert done.returncode == 0, done.stderr
    assert ESCAPE not in done.stdout and "«" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert not [line for line in done.stdout.splitlines() if line != line.rstrip()]


def test_what_a_terminal_shows_can_be_written_to_a_file(model, texts, tmp_path, capsys):
    main(["align", *texts, "--model", model, "--output", str(tmp_path / "shown.txt")])
    assert capsys.readouterr().out == ""
    assert "«" in (tmp_path / "shown.txt").read_text() and ESCAPE not in (tmp_path / "shown.txt").read_text()


@pytest.mark.parametrize("first", ["document", "summary"])
def test_standard_input_is_one_of_the_files(model, texts, first):
    files = ["-" if first in path else path for path in texts]
    given = next(Path(path).read_text() for path in texts if first in path)
    done = run("align", *files, "--model", model, "--json", input=given)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["id"] == ("pair" if first == "summary" else "summary")
    done = run("align", "--pairs", "-", "--model", model, input=json.dumps(PAIRS[1]))
    assert json.loads(done.stdout)["id"] == "p1"


def test_a_closed_pipe_is_no_traceback(model, tmp_path):
    pairs = write_pairs(
        tmp_path / "p.jsonl", [pair | {"id": f"{i}{pair['id']}"} for i in range(30) for pair in PAIRS]
    )
    command = f"{sys.executable} -m vorlage.cli align --pairs {pairs} --model {model} | head -1"
    done = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout.count("\n") == 1 and done.stderr == ""


def test_workers_attribute_pairs_in_order(model, tmp_path, capsys):
    pairs = write_pairs(tmp_path / "pairs.jsonl")
    main(["attribute", "--pairs", pairs, "--model", model])
    done = run("attribute", "--pairs", pairs, "--model", model, "--workers", 2)
    assert done.stdout == capsys.readouterr().out and done.stderr == ""
    assert "--workers is 0" in fails(capsys, "attribute", "--pairs", pairs, "--workers", 0)


BAD = {
    "missing": (lambda path: None, "cannot be read (No such file or directory); check the path"),
    "folder": (lambda path: path.mkdir(), "cannot be read (Is a directory); check the path"),
    "empty": (lambda path: path.write_text(" \n"), "empty text; give a file with some text"),
    "nul": (lambda path: path.write_bytes(b"\x7fELF\0\0"), "NUL characters, as of UTF-16, in the text"),
    "latin": (
        lambda path: path.write_bytes(b"a caf\xe9"),
        "line 1: not UTF-8 at byte 5; convert the file to UTF-8",
    ),
    "zip": (lambda path: path.write_bytes(b"PK\x03\x04\xff"), "is not text in UTF-8 but a zip archive"),
}


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("kind", BAD)
def test_bad_files_are_named(model, texts, tmp_path, capsys, kind, side):
    make, message = BAD[kind]
    bad = tmp_path / "bad.txt"
    make(bad)
    files = list(texts)
    files[side] = str(bad)
    error = fails(capsys, "align", *files, "--model", model, "--output", tmp_path / "out")
    assert error.startswith(f"error: {bad}") and message in error
    assert not (tmp_path / "out").exists()


def test_a_folder_without_texts_is_an_error(model, texts, tmp_path, capsys):
    (tmp_path / "none").mkdir()
    error = fails(capsys, "attribute", tmp_path / "none", texts[1], "--model", model)
    assert f"{tmp_path / 'none'}: no texts in this folder" in error
    assert "given twice" in fails(capsys, "attribute", texts[0], texts[0], texts[1], "--model", model)


def test_standard_input_is_read_once(capsys):
    assert "standard input can be read once" in fails(capsys, "align", "-", "-")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "line 2: not valid JSON"),
        ('{"id": "a"}', "line 2: no `document`"),
        ('{"id": "a", "document": "x", "summary": " "}', "line 2: pair a: empty summary"),
        (json.dumps(PAIRS[0]), "line 2: id p0 comes twice"),
    ],
)
def test_bad_pairs_are_named_before_any_is_written(model, tmp_path, capsys, line, message):
    pairs = tmp_path / "pairs.jsonl"
    pairs.write_text(json.dumps(PAIRS[0]) + "\n" + line + "\n")
    assert f"{pairs}, {message}" in fails(
        capsys, "align", "--pairs", pairs, "--model", model, "--output", tmp_path / "o"
    )
    assert not (tmp_path / "o").exists()
    assert f"{pairs}, {message}" in fails(capsys, "align", "--pairs", pairs, "--model", model)
    pairs.write_text("\n")
    assert f"{pairs}: no pairs" in fails(capsys, "align", "--pairs", pairs, "--model", model)


@pytest.mark.parametrize(
    "arguments",
    [
        "unknown",
        "align",
        "align a",
        "align a b c",
        "align a b --pairs c",
        "align a b --json --tsv",
        "align --pairs c --html d --json",
        "align a b --html c --output d",
        "attribute a",
        "attribute a b --html c --output d",
        "attribute --pairs c --html d --output e",
        "align a b --no-such-option",
        "align a b --to_kenized",
    ],
)
def test_wrong_usage_has_status_2(capsys, arguments):
    assert fails(capsys, *arguments.split(), status=2)


def test_help_lists_every_command_and_imports_no_slow_library():
    code = "import sys; from vorlage.cli.main import main"
    code += "\ntry: main(['--help'])\nfinally: print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    for name in COMMANDS:
        assert f"\n  {name} " in done.stdout
    assert run().stdout == run("--help").stdout
    assert not {"numba", "numpy", "nltk", "rich", "scipy"} & set(done.stdout.splitlines()[-1].split())
    for name in ("align", "attribute"):
        with pytest.raises(SystemExit) as stop:
            main([name, "--help"])
        assert stop.value.code == 0


def test_version(capsys):
    with pytest.raises(SystemExit) as stop:
        main(["--version"])
    assert stop.value.code == 0 and re.fullmatch(r"vorlage \d+\.\d+\.\d+\n", capsys.readouterr().out)


def test_stages_are_commands(model, tmp_path):
    done = run("describe", model)
    assert done.returncode == 0 and "lexicon" in done.stdout
    for name, text in (("train", "usage: vorlage train "), ("export", "vorlage export --alignments")):
        done = run(name, "--help")
        assert (
            done.returncode == 0 and text in done.stdout and f"python -m pipeline.{name}" not in done.stdout
        )
    done = run("score", "--corpus", tmp_path / "none")
    assert done.returncode == 2 and "vorlage score: error: the following arguments" in done.stderr
    done = run("describe", tmp_path / "none.npz")
    assert done.returncode == 1 and done.stderr.startswith(f"error: {tmp_path}/none.npz")


def test_the_first_command_of_the_readme_prints_what_it_says():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    command = re.search(r"^    vorlage (attribute .*?)  ", text, re.MULTILINE)[1].split()
    done = run(*command)
    assert done.returncode == 0 and "note" not in done.stderr
    shown = re.search(r"two of the sentences above:\n\n(.*?)\n\n`differs`", text, re.DOTALL)[1]
    for sentence in shown.split("\n\n"):
        assert "".join(line.removeprefix("    ") + "\n" for line in sentence.splitlines()) in done.stdout


def test_a_text_that_is_longer_than_its_document_is_noted(model, texts, capsys):
    main(["attribute", *reversed(texts), "--model", model])
    assert capsys.readouterr().err == (
        "note: the text is longer than its documents; documents come first, the text last\n"
    )
