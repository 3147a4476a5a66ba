"""`vorlage attribute`: names of documents, the table of sources, and pairs line by line."""

import json

import pytest
from printers import PAIRS, write_pairs
from vorlage.api import TrainedModel
from vorlage.cli.main import main


class Answer:
    """What `model.attribute` returns, made from its arguments."""

    def __init__(self, documents, text, id):
        self.documents, self.text, self.id = documents, text, id

    def to_json(self):
        named = self.documents if isinstance(self.documents, dict) else {None: self.documents}
        text = self.text if isinstance(self.text, str) else "\n".join(self.text)
        sources = [
            {**({} if name is None else {"name": name}), "document": [0, 3], "quote": document[:3]}
            | {"sentence": 0, "probability": 0.5}
            for name, document in named.items()
        ]
        part = {"text": [0, 3], "quote": text[:3]}
        return {
            "id": self.id,
            "sentences": [{"text": [0, len(text)], "supported": 0.5, "sources": sources}],
            "spans": [part | {"null": 0.25, "sources": sources}],
            "unsupported": [
                {"text": [4, 8], "quote": text[4:8], "null": 0.75, "reason": "no source"},
                part
                | {
                    "null": 0.5,
                    "reason": "differs",
                    **{k: sources[0][k] for k in ("name", "document") if k in sources[0]},
                },
            ],
        }


@pytest.fixture
def attribute(monkeypatch):
    """Make `model.attribute` answer without a computation."""

    def answer(self, documents, text, *, id, tokenized):
        return Answer(documents, text, id)

    monkeypatch.setattr(TrainedModel, "attribute", answer, raising=False)


def test_documents_keep_their_names(model, texts, tmp_path, attribute, capsys):
    folder = tmp_path / "sources"
    (folder / "deep").mkdir(parents=True)
    (folder / ".hidden").mkdir()
    for name in ("b.txt", "deep/a.md", ".hidden/c.txt", "d.bin"):
        (folder / name).write_text(f"{name} has a text.")
    main(["attribute", str(folder), texts[0], texts[1], "--model", model, "--json"])
    found = json.loads(capsys.readouterr().out)
    names = [source["name"] for source in found["spans"][0]["sources"]]
    assert names == ["b.txt", "deep/a.md", "document.txt"] and found["id"] == "summary"
    main(["attribute", *texts, "--model", model, "--json"])
    assert "name" not in json.loads(capsys.readouterr().out)["spans"][0]["sources"][0]


def test_table_of_sources(model, texts, attribute, capsys):
    main(["attribute", *texts, "--model", model, "--tsv"])
    assert capsys.readouterr().out.splitlines() == [
        "id\tstart\tend\ttext\tnull\treason\tname\tdocument_start\tdocument_end\tdocument\tprobability",
        "summary\t0\t3\tAcm\t0.250000\t\t\t0\t3\tThe\t0.500000",
        "summary\t0\t3\tAcm\t0.500000\tdiffers\t\t0\t3\tThe\t",
        "summary\t4\t8\t wil\t0.750000\tno source\t\t\t\t\t",
    ]


def test_pairs_are_attributed_line_by_line(model, tmp_path, attribute, capsys):
    main(["attribute", "--pairs", write_pairs(tmp_path / "pairs.jsonl"), "--model", model])
    assert [json.loads(line)["id"] for line in capsys.readouterr().out.splitlines()] == [
        p["id"] for p in PAIRS
    ]
