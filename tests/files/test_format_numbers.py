"""Files of the formats that are promised say their number, and one of a later format is refused."""

import json

import numpy as np
import pytest
from vorlage.alignments.alignment import Alignment, Link, read_alignments, write_alignments
from vorlage.api import attribute
from vorlage.command.errors import InputError
from vorlage.files.arrays import array_to_lines, lines_to_array, save_arrays
from vorlage.semihmm.decode.load import SHIPPED
from vorlage.semihmm.model import Model
from vorlage.settings import validate
from vorlage.workflow.settings import Config

ALIGNMENT = Alignment("a", "mine", None, ["Larks", "sing"], ["Larks"], [Link((0, 1), (0, 1), 0.5)])
REFUSED = "is 2, but this version reads 1; update Vorlage"


def written(tmp_path):
    write_alignments(tmp_path / "a.jsonl", [ALIGNMENT])
    return json.loads((tmp_path / "a.jsonl").read_text())


def test_alignments_say_their_format(tmp_path):
    record = written(tmp_path)
    assert record.pop("format") == 1
    for numbers, found in (({}, [ALIGNMENT]), ({"format": 1}, [ALIGNMENT])):
        (tmp_path / "a.jsonl").write_text(json.dumps(record | numbers))
        assert list(read_alignments(tmp_path / "a.jsonl")) == found
    (tmp_path / "a.jsonl").write_text(json.dumps(record | {"format": 2}))
    with pytest.raises(InputError, match=f"a.jsonl, line 1: `format` {REFUSED}"):
        list(read_alignments(tmp_path / "a.jsonl"))


def test_attributions_say_their_format():
    assert attribute("Larks sing.", "Larks sing.").to_json()["format"] == 1


def test_models_say_their_format(tmp_path):
    path = tmp_path / "model.npz"
    Model.load(SHIPPED / "without-encoder.npz").save(path)
    arrays = dict(np.load(path))
    for part in ("", "reverse_"):
        about = json.loads("".join(array_to_lines(arrays[f"{part}about"])))
        assert about.pop("format") == 1
        save_arrays(path, arrays | {f"{part}about": lines_to_array([json.dumps(about)])})
        assert Model.load(path).vocabulary.words
        save_arrays(path, arrays | {f"{part}about": lines_to_array([json.dumps(about | {"format": 2})])})
        with pytest.raises(InputError) as error:
            Model.load(path)
        assert str(error.value) == f"{path}: `{part}about`: `format` {REFUSED}"


@pytest.mark.parametrize("section", [{}, {"version": 1}, {"version": "1"}])
def test_a_config_may_say_its_format(section):
    corpus = {"name": "toy", "reader": "jsonl", "path": "toy.jsonl"}
    assert validate(Config, {"corpus": corpus} | section).version == 1
    with pytest.raises(InputError, match=f"config: `version` {REFUSED}"):
        validate(Config, {"corpus": corpus, "version": 2, "a setting of later": 3})
