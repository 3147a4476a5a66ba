"""`vorlage train` and `vorlage describe`, as users run them."""

import json
import shutil

import pytest
from vorlage.cli.main import main


def test_em_table(printers):
    header, *rows = [line.split("\t") for line in (printers / "em.tsv").read_text().splitlines()]
    assert header == [
        *("iteration", "log_likelihood", "log_posterior", "null_probability", "lambda_id", "lambda_stem"),
        *("lambda_wn", "lambda_rw", "lambda_encoder", "lambda_stems", "eta", "seconds"),
    ]
    assert [row[0] for row in rows] == ["1", "2", "3", "4"]


def test_describe_prints_all_parameters(printers, capsys):
    main(["describe", str(printers / "model.npz"), "--json"])
    told = json.loads(capsys.readouterr().out)
    assert sum(told["lambda"].values()) == pytest.approx(1)
    assert told["jump"]["null"] + sum(told["jump"]["distances"].values()) == pytest.approx(1)
    assert sum(told["null"]["words"].values()) == pytest.approx(1)
    assert ("printer", "printer") in {(row["document"], row["summary"]) for row in told["lexicon"]["words"]}
    main(["describe", str(printers / "model.npz")])
    assert "jump model      relative" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("command", "options", "message"),
    [
        ("train", {"--extracts": "few.jsonl"}, "few.jsonl"),
        ("train", {"--jump": "sideways"}, "sideways"),
        ("describe", {}, "pairs.jsonl: "),
    ],
)
def test_wrong_inputs_end_with_one_line_and_write_nothing(
    printers, tmp_path, capsys, command, options, message
):
    made = shutil.copytree(printers, tmp_path / "made")
    (made / "few.jsonl").write_text((made / "extracts.jsonl").read_text().splitlines()[0] + "\n")
    given = {"--corpus": "corpus/corpus.jsonl", "--extracts": "extracts.jsonl", "--jump": "relative"}
    given |= {"--model": str(tmp_path / "out"), "--em": str(tmp_path / "em"), "--wordnet": "false"} | options
    named = [made / part if part.endswith("jsonl") else part for pair in given.items() for part in pair]
    arguments = [made / "pairs.jsonl"] if command == "describe" else named
    with pytest.raises(SystemExit) as stop:
        main([command, *map(str, arguments)])
    errors = [line for line in capsys.readouterr().err.splitlines() if line.startswith("error: ")]
    assert stop.value.code == 1 and len(errors) == 1 and message in errors[0]
    assert [path.name for path in tmp_path.iterdir()] == ["made"]
