"""Control characters never reach a terminal, a log or a table, in any locale, nor does a traceback."""

import csv
import io
import json
import logging
import os
import re
import subprocess
import sys

import numpy as np
import pytest
from guarantees import tried
from hostile_runs import done, refused
from hostile_world import ENTRIES, lines

from pipeline import export
from pipeline.io.jsonl import to_line
from pipeline.io.spreadsheets import TableWriter
from pipeline.run import memory
from pipeline.run.progress import log, start_log
from pipeline.run.visible import visible
from pipeline.score.tsv import format_table

RAW = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
ESCAPE = "\x1b]0;owned\x07\x9b31m"
ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
SAYS = "pair Toller: a table of 7 × 16 words needs about"
LATIN = {"PYTHONIOENCODING": "latin-1", "PYTHONUTF8": "0"}


def run(*arguments, **environment):
    """Run a command in a process of its own; return its status, output and errors as bytes."""
    command = [sys.executable, "-m", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, env=os.environ | environment, timeout=120)


@pytest.fixture
def model(world):
    """Return a model with a word that is a command to the terminal."""
    path = world / "relative.npz"
    with np.load(path) as file:
        arrays = dict(file)
    words = arrays["words"].tobytes()
    assert words.count(b"\nwheat\n") == 1
    arrays["words"] = np.frombuffer(words.replace(b"\nwheat\n", b"\nw\x1b[7m\n"), dtype=np.uint8)
    np.savez(path, **arrays)
    return path


@pytest.mark.guarantee("terminal")
@pytest.mark.parametrize("locale", [ASCII, LATIN, {"PYTHONUTF8": "1"}], ids=["C", "Latin-1", "UTF-8"])
def test_describe_prints_words_as_visible_text(model, locale):
    outcome = run("pipeline.semihmm.describe", model, "--most", "100", **locale)
    assert outcome.returncode == 0, outcome.stderr
    assert b"\x1b" not in outcome.stdout and b"w\\x1b[7m" in outcome.stdout
    arrow = "→".encode() if locale not in (ASCII, LATIN) else b"\\u2192"
    assert arrow in outcome.stdout
    outcome = run("pipeline.semihmm.describe", model, "--json", **locale)
    assert outcome.returncode == 0 and b"\x1b" not in outcome.stdout
    assert "w\x1b[7m" in json.loads(outcome.stdout)["null"]["words"] or b"\\u001b[7m" in outcome.stdout
    tried(2)


@pytest.mark.guarantee("terminal")
def test_lines_tables_and_logs_have_no_control_characters(tmp_path):
    line = to_line({"text": ESCAPE})
    assert json.loads(line) == {"text": ESCAPE} and not RAW.search(line)
    for number in range(0x100):
        raw = f"a{chr(number)}b"
        assert visible(raw) == (f"a\\x{number:02x}b" if RAW.search(raw) else raw)
        tried()
    assert visible("é → 漢\t\n") == "é → 漢\t\n"
    assert not RAW.search(format_table([{"id": ESCAPE, "f": 0.5}], ["id", "f"]))
    start_log(tmp_path / "log")
    try:
        log.info(ESCAPE)
    finally:
        for handler in log.handlers:
            handler.close()
        log.handlers[:] = [logging.NullHandler()]
    assert not RAW.search((tmp_path / "log").read_text().replace("\n", ""))


@pytest.mark.guarantee("terminal")
def test_exports_have_no_control_characters_and_safe_cells_on_request(tmp_path, capsys, world):
    texts = {"document": f"=1+1 {ESCAPE} opened a mill .", "summary": f"=1+1 {ESCAPE} opened a mill ."}
    (tmp_path / "mine.jsonl").write_text(lines([{"id": "=cmd|'/c calc'!A0", **texts}]))
    read = ["--reader", "jsonl", "--path", tmp_path / "mine.jsonl", "--output", tmp_path / "corpus"]
    done(ENTRIES["corpus"].main, read, capsys)
    extract = ["--corpus", tmp_path / "corpus/corpus.jsonl", "--output", tmp_path / "extracts.jsonl"]
    done(ENTRIES["extract"].main, extract, capsys)
    both = ["--corpus", tmp_path / "corpus/corpus.jsonl", "--extracts", tmp_path / "extracts.jsonl"]
    done(ENTRIES["identity"].main, [*both, "--output", tmp_path / "a.jsonl"], capsys)
    for options, first in (([], "="), (["--safe-cells"], "'=")):
        arguments = ["--alignments", tmp_path / "a.jsonl", "--corpus", tmp_path / "corpus/corpus.jsonl"]
        done(export.main, [*arguments, "--format", "tsv", "--output", tmp_path / "a.tsv", *options], capsys)
        text = (tmp_path / "a.tsv").read_text()
        assert not RAW.search(text.replace("\n", ""))
        rows = list(csv.reader(io.StringIO(text), delimiter="\t"))
        assert len(rows) > 2 and all(row[0] == f"{first}cmd|'/c calc'!A0" for row in rows[1:])


@pytest.mark.guarantee("terminal")
@pytest.mark.parametrize("text", ["=1", "+1", "-1", "@a", "\t=1", "\n=1", "＝1"])
def test_safe_cells_begin_with_an_apostrophe(text):
    for safe, expected in ((True, f"'{text}"), (False, text)):
        out = io.StringIO(newline="")
        TableWriter(out, safe).writerow([text, "plain", -1, "", "a=1"])
        assert next(csv.reader(io.StringIO(out.getvalue(), newline=""), delimiter="\t")) == [
            expected, "plain", "-1", "", "a=1",
        ]  # fmt: skip


@pytest.mark.guarantee("terminal")
@pytest.mark.parametrize("value", ["x", "", "-1", "9" * 30, "1\n"])
def test_a_run_that_is_no_number_is_refused_in_one_line(world, value):
    outcome = run("pipeline.semihmm.describe", world / "relative.npz", PALIMPSEST_RUN=value)
    assert outcome.returncode == 1 and outcome.stdout == b""
    assert outcome.stderr.startswith(b"error: PALIMPSEST_RUN is ") and outcome.stderr.count(b"\n") == 1


@pytest.mark.guarantee("terminal")
@pytest.mark.parametrize(
    ("module", "package"),
    [
        *(("pipeline.report", "pandas"), ("pipeline.report.figures", "matplotlib")),
        *(("pipeline.extract.evaluate", "pandas"), ("pipeline.serve", "uvicorn")),
    ],
)
def test_a_missing_package_is_one_line(tmp_path, module, package):
    name = "missing = sys.modules\n"
    (tmp_path / "sitecustomize.py").write_text(f"import sys\n{name}missing[{package!r}] = None\n")
    path = f"{tmp_path}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"
    outcome = run(module, "--help", PYTHONPATH=path)
    assert outcome.returncode == 1 and outcome.stderr.count(b"\n") == 1
    assert outcome.stderr.startswith(f"error: {package} is not installed; install it with".encode())


@pytest.mark.guarantee("terminal")
def test_a_table_that_memory_cannot_hold_is_refused_with_the_name_of_its_pair(
    world, tmp_path, capsys, monkeypatch
):
    monkeypatch.setattr(memory, "SMALL", 0)
    monkeypatch.setattr(memory, "available_bytes", lambda: 100)
    entry = ENTRIES["align"]
    refused(entry.main, entry.arguments(world, tmp_path / "out"), tmp_path, capsys, SAYS)


def test_the_memory_that_is_available_is_less_than_that_of_the_machine():
    everything = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    available = memory.available_bytes()
    assert available is None or 0 < available <= everything
    memory.ask_for(1 << 20, "a small table")


@pytest.mark.guarantee("terminal")
@pytest.mark.parametrize("name", ["export pharaoh", "score", "export sentences"])
def test_links_of_too_many_words_are_refused(world, tmp_path, capsys, name):
    words = {"document_tokens": ["a"] * 60_000, "summary_tokens": ["b"] * 3000}
    link = {"summary": [0, 3000], "document": [0, 60_000], "posterior": None}
    record = {"id": "Toller", "system": "x", "log_likelihood": None, **words, "alignments": [link]}
    (world / "cutpaste.jsonl").write_text(lines([record]))
    entry = ENTRIES[name]
    says = "pair 'Toller'", "its links have 180,000,000 pairs of words, more than 10,000,000"
    refused(entry.main, entry.arguments(world, tmp_path / "out"), tmp_path, capsys, *says)
