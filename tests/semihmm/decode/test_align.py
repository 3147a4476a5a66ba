"""The commands that train, describe, align and draw, as users run them."""

import json
import subprocess
import sys

import pytest
from vorlage.command import processes
from vorlage.corpus import new
from vorlage.corpus import stage as corpus
from vorlage.extract import stage as extract
from vorlage.semihmm import describe
from vorlage.semihmm.decode import alignment_lines
from vorlage.semihmm.decode import stage as align
from vorlage.semihmm.train import stage as train

PAIRS = [
    {
        "id": f"p{i}",
        "document": f"The {a} printer of {b} ships in June. It sells the old printer for less. No one asked.",
        "summary": f"{b} will ship a {a} printer in June.",
    }
    for i, (a, b) in enumerate((a, b) for a in ("fast", "cheap", "new") for b in ("Acme", "Bolt", "Crane"))
]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Return a folder with a trained model, its corpus and its extracts."""
    folder = tmp_path_factory.mktemp("made")
    (folder / "pairs.jsonl").write_text("".join(json.dumps(pair) + "\n" for pair in PAIRS))
    corpus.main(
        ["--reader", "jsonl", "--path", str(folder / "pairs.jsonl"), "--output", str(folder / "corpus")]
    )
    extract.main(
        ["--corpus", str(folder / "corpus/corpus.jsonl"), "--output", str(folder / "extracts.jsonl")]
        + ["--sentences", "2"]
    )
    train.main([*training(folder), "--model", str(folder / "model.npz"), "--em", str(folder / "em.tsv")])
    return folder


def training(folder):
    return [
        *("--jump", "relative", "--corpus", str(folder / "corpus/corpus.jsonl")),
        *("--extracts", str(folder / "extracts.jsonl"), "--wordnet", "false", "--iterations", "4"),
    ]


def read(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_em_table(made):
    lines = (made / "em.tsv").read_text().splitlines()
    assert lines[0].split("\t") == [
        *("iteration", "log_likelihood", "log_posterior", "null_probability", "lambda_id", "lambda_stem"),
        *("lambda_wn", "lambda_rw", "lambda_encoder", "eta", "seconds"),
    ]
    assert [line.split("\t")[0] for line in lines[1:]] == ["1", "2", "3", "4"]


def test_alignments_have_the_documented_format(made):
    align.main(
        ["--model", str(made / "model.npz"), "--corpus", str(made / "corpus/corpus.jsonl")]
        + ["--extracts", str(made / "extracts.jsonl"), "--output", str(made / "out.jsonl"), "--threads", "2"]
    )
    found = read(made / "out.jsonl")
    assert [one["id"] for one in found] == [pair["id"] for pair in PAIRS]
    for one, pair in zip(found, PAIRS, strict=True):
        assert one["system"] == "semihmm-relative"
        assert one["log_likelihood"] < 0
        assert "".join(one["document_tokens"]) == pair["document"].replace(" ", "")
        covered = {t for link in one["alignments"] for t in range(*link["summary"])}
        assert covered == set(range(len(one["summary_tokens"])))
        assert len(one["null"]) == len(one["summary_tokens"])
        assert all(0 <= number <= 1 + 1e-9 for number in one["null"])
        for link in one["alignments"]:
            assert 0 <= link["posterior"] <= 1 + 1e-9
            if link["document"] is None:
                assert [link["posterior"]] == one["null"][slice(*link["summary"])]
            else:
                assert link["posterior"] <= 1 - max(one["null"][slice(*link["summary"])]) + 1e-9
    assert any(link["document"] is None for one in found for link in one["alignments"])


@pytest.mark.parametrize(("corpus", "which"), [("corpus/corpus.jsonl", "this"), ("pairs.jsonl", "another")])
def test_the_log_says_whether_the_model_was_trained_on_the_corpus(made, tmp_path, corpus, which):
    align.main(
        ["--model", str(made / "model.npz"), "--corpus", str(made / corpus)]
        + ["--output", str(tmp_path / "out.jsonl"), "--log", str(tmp_path / "log")]
    )
    assert f"the model was trained on {which} corpus" in (tmp_path / "log").read_text()


def test_document_positions_are_those_of_the_whole_document(made, tmp_path):
    """With an extract of the last two sentences, links point to words after the first."""
    extracts = [{"id": pair["id"], "sentences": [1, 2], "by_summary_sentence": [[1, 2]]} for pair in PAIRS]
    (tmp_path / "extracts.jsonl").write_text("".join(json.dumps(one) + "\n" for one in extracts))
    align.main(
        ["--model", str(made / "model.npz"), "--corpus", str(made / "corpus/corpus.jsonl")]
        + ["--extracts", str(tmp_path / "extracts.jsonl"), "--output", str(tmp_path / "out.jsonl")]
    )
    for one in read(tmp_path / "out.jsonl"):
        printers = [
            one["document_tokens"][link["document"][0]]
            for link in one["alignments"]
            if link["document"] and one["summary_tokens"][slice(*link["summary"])] == ["printer"]
        ]
        assert printers in ([], ["printer"])
        spans = [link["document"] for link in one["alignments"] if link["document"]]
        assert spans and min(span[0] for span in spans) >= 8


@pytest.mark.parametrize("decoder", ["posterior", "viterbi"])
def test_new_pairs_in_input_format_align_like_prepared_pairs(made, tmp_path, decoder):
    for name, path in (("raw", "pairs.jsonl"), ("made", "corpus/corpus.jsonl")):
        align.main(
            ["--model", str(made / "model.npz"), "--corpus", str(made / path), "--decoder", decoder]
            + ["--output", str(tmp_path / name)]
        )
    assert (tmp_path / "raw").read_bytes() == (tmp_path / "made").read_bytes()
    assert len(read(tmp_path / "raw")) == len(PAIRS)


def write_texts(folder, pairs, **ends):
    """Write two text files, one text a line, that end with `ends`; return the options."""
    for side in ("document", "summary"):
        lines = "".join(pair[side] + "\n" for pair in pairs)
        (folder / f"{side}.txt").write_text(lines + ends.get(side, ""))
    return ["--documents", str(folder / "document.txt"), "--summaries", str(folder / "summary.txt")]


def links(path):
    return [(one["log_likelihood"], one["alignments"]) for one in read(path)]


@pytest.mark.parametrize("tokenized", [[], ["--tokenized"]])
def test_two_text_files_align_like_json_lines(made, tmp_path, tokenized):
    model = ["--model", str(made / "model.npz"), *tokenized]
    align.main([*model, "--corpus", str(made / "pairs.jsonl"), "--output", str(tmp_path / "json")])
    align.main([*model, *write_texts(tmp_path, PAIRS), "--output", str(tmp_path / "text")])
    assert links(tmp_path / "text") == links(tmp_path / "json")
    assert [one["id"] for one in read(tmp_path / "text")] == [str(i + 1) for i in range(len(PAIRS))]


@pytest.mark.parametrize("form", ["raw", "extracts"])
def test_processes_give_the_same_bytes(made, tmp_path, monkeypatch, form):
    given = {
        "raw": ["--corpus", str(made / "pairs.jsonl")],
        "extracts": ["--corpus", str(made / "corpus/corpus.jsonl")]
        + ["--extracts", str(made / "extracts.jsonl")],
    }[form]
    monkeypatch.setattr(alignment_lines, "MIN_PAIRS", 0)
    for threads in ("1", "2"):
        align.main(
            [*("--model", str(made / "model.npz"), *given, "--threads", threads)]
            + ["--output", str(tmp_path / threads)]
        )
    assert (tmp_path / "1").read_bytes() == (tmp_path / "2").read_bytes()
    assert len(read(tmp_path / "2")) == len(PAIRS)


def test_python_m_starts_processes(made, tmp_path):
    """The module that `python -m` runs is `__main__`, of which another process can import nothing."""
    pairs = [{"id": str(i), "document": "Rain fell.", "summary": "Rain."} for i in range(processes.MIN_PAIRS)]
    (tmp_path / "pairs.jsonl").write_text("".join(json.dumps(pair) + "\n" for pair in pairs))
    options = ["--model", str(made / "model.npz"), "--corpus", str(tmp_path / "pairs.jsonl")]
    align.main([*options, "--output", str(tmp_path / "1")])
    command = [sys.executable, "-m", "vorlage.semihmm.decode", *options, "--output", str(tmp_path / "2")]
    subprocess.run([*command, "--threads", "2"], check=True)
    assert (tmp_path / "1").read_bytes() == (tmp_path / "2").read_bytes()


@pytest.mark.parametrize("form", ["raw", "prepared", "extracts"])
@pytest.mark.parametrize("parts", [2, len(PAIRS) + 2])
def test_parts_concatenated_equal_the_whole(made, tmp_path, form, parts):
    given = {
        "raw": ["--corpus", str(made / "pairs.jsonl")],
        "prepared": ["--corpus", str(made / "corpus/corpus.jsonl")],
    }
    given["extracts"] = [*given["prepared"], "--extracts", str(made / "extracts.jsonl")]
    names = [f"{number + 1}-of-{parts}" for number in range(parts)]
    for name in ("1-of-1", *names):
        options = ["--model", str(made / "model.npz"), *given[form], "--part", name]
        align.main([*options, "--output", str(tmp_path / name)])
    whole = (tmp_path / "1-of-1").read_bytes()
    assert whole.count(b"\n") == len(PAIRS)
    assert b"".join((tmp_path / name).read_bytes() for name in names) == whole


def test_an_error_in_a_process_is_one_line(made, tmp_path, monkeypatch, capsys):
    """The model is damaged after it was first read, so only the processes notice."""
    monkeypatch.setattr(alignment_lines, "MIN_PAIRS", 0)
    model = tmp_path / "model.npz"
    model.write_bytes((made / "model.npz").read_bytes())
    whole = new.JsonLines.check
    monkeypatch.setattr(new.JsonLines, "check", lambda self: (model.write_text("no model"), whole(self))[1])
    with pytest.raises(SystemExit) as stop:
        align.main(
            ["--model", str(model), "--corpus", str(made / "pairs.jsonl"), "--threads", "2"]
            + ["--output", str(tmp_path / "out")]
        )
    assert stop.value.code == 1
    errors = [line for line in capsys.readouterr().err.splitlines() if line.startswith("error: ")]
    assert len(errors) == 1 and "not a model" in errors[0]
    assert not (tmp_path / "out").exists()


def test_every_pair_is_checked_before_the_first_is_aligned(made, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(align, "output_lines", lambda *given: pytest.fail("a pair was aligned"))
    raw, prepared = (made / "pairs.jsonl").read_text(), (made / "corpus/corpus.jsonl").read_text()
    wrong = tmp_path / "wrong.jsonl"
    text = {"document": "A text.", "summary": "A text."}
    for lines, message in (
        (raw + "{oops\n", "line 10: not valid JSON"),
        (raw + json.dumps({"id": "x", "document": "A text."}), "line 10: no `summary`"),
        (raw + json.dumps({**text, "id": "x", "document": ["", " "]}), "line 10: pair x: empty document"),
        (raw + json.dumps({**text, "id": PAIRS[0]["id"]}), "line 10: id p0 comes twice"),
        (raw + json.dumps({**text, "id": "\ud800"}), "line 10: id '\\ud800' must be"),
        (prepared + prepared.splitlines()[2], "line 10: id p2 comes twice"),
        (prepared + '{"id": "x", "document": "A text."}', "line 10: not a tokenized pair"),
    ):
        wrong.write_text(lines)
        assert message in stopped(made, tmp_path, ["--corpus", str(wrong)], capsys)
    for ends, message in (
        ({"summary": "One more.\n"}, "document.txt, line 10: missing; "),
        ({"document": "One more."}, "summary.txt, line 10: missing; "),
        ({"document": " \n", "summary": "One more."}, "document.txt, line 10: empty"),
        ({"document": "One more.", "summary": "\n"}, "summary.txt, line 10: empty"),
    ):
        assert message in stopped(made, tmp_path, write_texts(tmp_path, PAIRS, **ends), capsys)


def stopped(made, folder, options, capsys):
    """Return the one line that a command ends with; check that it writes nothing."""
    with pytest.raises(SystemExit) as stop:
        align.main(["--model", str(made / "model.npz"), *options, "--output", str(folder / "out")])
    assert stop.value.code == 1
    assert not (folder / "out").exists()
    errors = [line for line in capsys.readouterr().err.splitlines() if line.startswith("error: ")]
    assert len(errors) == 1
    return errors[0]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--corpus", "a", "--documents", "b", "--summaries", "c"], "--corpus: not allowed with --documents"),
        (["--documents", "b"], "give --corpus, or both --documents and --summaries"),
        ([], "give --corpus, or both --documents and --summaries"),
        (
            ["--documents", "b", "--summaries", "c", "--extracts", "e"],
            "--extracts: only allowed with --corpus",
        ),
    ],
)
def test_contradictory_inputs_are_refused(capsys, options, message):
    with pytest.raises(SystemExit) as stop:
        align.main(["--model", "model.npz", "--output", "out", *options])
    assert stop.value.code == 2
    assert message in capsys.readouterr().err


def test_earlier_pairs_do_not_change_an_alignment(made, tmp_path):
    """Neither the order of pairs nor other pairs change an alignment, in spite of WordNet's caches."""
    model = ["--model", str(tmp_path / "model.npz")]
    options = training(made)
    options[options.index("--wordnet") + 1] = "true"
    train.main([*options, "--model", str(tmp_path / "model.npz"), "--em", str(tmp_path / "em.tsv")])
    lines = (made / "pairs.jsonl").read_text().splitlines(keepends=True)
    found = {}
    for name, part in (("all", lines), ("backwards", lines[::-1]), ("alone", lines[4:5])):
        (tmp_path / "pairs.jsonl").write_text("".join(part))
        align.main([*model, "--corpus", str(tmp_path / "pairs.jsonl"), "--output", str(tmp_path / name)])
        found[name] = (tmp_path / name).read_text().splitlines()
    assert found["all"] == found["backwards"][::-1]
    assert found["alone"] == found["all"][4:5]


def test_describe_prints_all_parameters(made, capsys):
    describe.main([str(made / "model.npz"), "--json"])
    told = json.loads(capsys.readouterr().out)
    assert sum(told["lambda"].values()) == pytest.approx(1)
    assert told["jump"]["null"] + sum(told["jump"]["distances"].values()) == pytest.approx(1)
    assert sum(told["null"]["words"].values()) == pytest.approx(1)
    counted = {(row["document"], row["summary"]) for row in told["lexicon"]["words"]}
    assert ("printer", "printer") in counted
    describe.main([str(made / "model.npz")])
    assert "jump model      relative" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("program", "options", "message"),
    [
        (align, {"--model": "missing.npz"}, "missing.npz: cannot be read"),
        (align, {"--model": "pairs.jsonl"}, "pairs.jsonl: not a model"),
        (align, {"--corpus": "missing.jsonl"}, "missing.jsonl: cannot be read"),
        (align, {"--corpus": "other.jsonl"}, "other.jsonl, line 2: not valid JSON"),
        (align, {"--corpus": "other2.jsonl"}, "other2.jsonl, line 1: pair x: empty summary"),
        (align, {"--extracts": "few.jsonl"}, "few.jsonl"),
        (align, {"--decoder": "best"}, "must be one of: posterior, viterbi"),
        (align, {"--posterior-threshold": "2"}, "posterior_threshold"),
        (align, {"--output": "/dev/null/here"}, "/dev/null"),
        (train, {"--extracts": "few.jsonl"}, "few.jsonl"),
        (train, {"--jump": "sideways"}, "sideways"),
        (describe, {}, "pairs.jsonl: not a model"),
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else None,
)
def test_wrong_inputs_are_refused_in_one_line(made, tmp_path, capsys, program, options, message):
    (made / "other.jsonl").write_text(json.dumps(PAIRS[0]) + "\n{oops\n")
    (made / "other2.jsonl").write_text('{"id": "x", "document": "A text.", "summary": ""}\n')
    first = (made / "extracts.jsonl").read_text().splitlines()[0]
    (made / "few.jsonl").write_text(first + "\n")
    output = tmp_path / "out"
    given = {
        align: {"--model": "model.npz", "--corpus": "corpus/corpus.jsonl", "--output": str(output)},
        train: dict(zip(training(made)[::2], training(made)[1::2], strict=True))
        | {"--model": str(output), "--em": str(tmp_path / "em")},
        describe: {},
    }[program] | options
    arguments = [
        str(made / value) if value.endswith((".npz", ".jsonl")) and "/" not in value[:1] else value
        for pair in given.items()
        for value in pair
    ]
    if program is describe:
        arguments = [str(made / "pairs.jsonl")]
    with pytest.raises(SystemExit) as stop:
        program.main(arguments)
    assert stop.value.code == 1
    said = capsys.readouterr().err
    errors = [line for line in said.splitlines() if line.startswith("error: ")]
    assert len(errors) == 1 and message in errors[0], said
    assert "Traceback" not in said
    assert not list(tmp_path.iterdir())
