"""The commands that train, describe, align and draw, as a user runs them."""

import json

import pytest

from pipeline import align
from pipeline.corpus import __main__ as corpus
from pipeline.extract import __main__ as extract
from pipeline.report import picture
from pipeline.semihmm import describe, train

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
    """A folder with a trained model, its corpus and its extracts."""
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
        *("lambda_wn", "lambda_rw", "eta", "seconds"),
    ]
    assert [line.split("\t")[0] for line in lines[1:]] == ["1", "2", "3", "4"]


def test_alignments_have_the_agreed_form(made):
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
        for link in one["alignments"]:
            assert 0 <= link["posterior"] <= 1 + 1e-9
    assert any(link["document"] is None for one in found for link in one["alignments"])


def test_document_positions_are_those_of_the_whole_document(made, tmp_path):
    """An extract of the last two sentences: links must point behind the first."""
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
def test_new_pairs_in_input_form_align_like_prepared_ones(made, tmp_path, decoder):
    for name, path in (("raw", "pairs.jsonl"), ("made", "corpus/corpus.jsonl")):
        align.main(
            ["--model", str(made / "model.npz"), "--corpus", str(made / path), "--decoder", decoder]
            + ["--output", str(tmp_path / name)]
        )
    assert (tmp_path / "raw").read_bytes() == (tmp_path / "made").read_bytes()
    assert len(read(tmp_path / "raw")) == len(PAIRS)


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


def test_picture_is_drawn_the_same_twice(made, tmp_path):
    align.main(
        ["--model", str(made / "model.npz"), "--corpus", str(made / "corpus/corpus.jsonl")]
        + ["--output", str(tmp_path / "out.jsonl")]
    )
    for name in ("a.svg", "b.svg"):
        picture.main(
            ["--corpus", str(made / "corpus/corpus.jsonl"), "--alignments", str(tmp_path / "out.jsonl")]
            + ["--id", "p3", "--output", str(tmp_path / name)]
        )
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
    assert b"</svg>" in (tmp_path / "a.svg").read_bytes()


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
        (align, {"--posterior_threshold": "2"}, "posterior_threshold"),
        (align, {"--output": "/dev/null/here"}, "/dev/null"),
        (train, {"--wordnet": "true"}, "--wordnet-data is missing"),
        (train, {"--extracts": "few.jsonl"}, "few.jsonl"),
        (train, {"--jump": "sideways"}, "sideways"),
        (describe, {}, "pairs.jsonl: not a model"),
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else None,
)
def test_wrong_inputs_are_one_line(made, tmp_path, capsys, program, options, message):
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
