"""The JSON Schemas, against what the commands write."""

import json
from pathlib import Path

import jsonschema
import pytest
from vorlage.api.schemas import schema, schema_names
from vorlage.cli.main import main

EXAMPLE = Path(__file__).parents[1] / "data/example"
SAMPLE = Path(__file__).parents[1] / "data/sample"
RATING = {"id": "a", "sentence": 0, "form": "extracts", "system": "extract", "annotator": "A", "rating": 2}


def read(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """A few lines of each output."""
    folder = tmp_path_factory.mktemp("written")
    texts = [str(EXAMPLE / "source.txt"), str(EXAMPLE / "summary.txt")]
    for command in ("align", "attribute"):
        main([command, *texts, "--json", "--output", str(folder / command)])
    main(["attribute", *texts, texts[1], "--json", "--output", str(folder / "several")])
    main(["corpus", "--reader", "jsonl", "--path", str(SAMPLE / "corpus.jsonl"), "--output", str(folder)])
    main(["extract", "--corpus", str(folder / "corpus.jsonl"), "--output", str(folder / "extract")])
    return {
        "alignment": read(folder / "align"),
        "attribution": read(folder / "attribute") + read(folder / "several"),
        "gold": read(SAMPLE / "gold.jsonl"),
        "extract": read(folder / "extract"),
        "rating": [RATING],
    }


@pytest.mark.parametrize("name", schema_names())
def test_outputs_have_the_form_of_their_schema(name, written, capsys):
    described = schema(name)
    jsonschema.Draft202012Validator.check_schema(described)
    for record in written[name]:
        jsonschema.validate(record, described)
        for key in described["required"]:
            with pytest.raises(jsonschema.ValidationError, match="required"):
                jsonschema.validate({k: v for k, v in record.items() if k != key}, described)
        # What is written is described: a key without a description would be a mistake of the schema.
        assert record.keys() <= described["properties"].keys()
    main(["schema", name])
    assert json.loads(capsys.readouterr().out) == described
