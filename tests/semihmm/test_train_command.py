"""`vorlage train` and `vorlage describe`, as users run them."""

import json

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
