"""The supplied model as a system to start from, and its doubt."""

import json
import re

import pytest
from annotate.examples import TEXTS, write_corpus, write_system
from vorlage import load_model
from vorlage.alignments.doubt import doubt
from vorlage.app.annotate.annotation_task import open_task
from vorlage.app.annotate.notebook import Annotate
from vorlage.app.annotate.stage import main
from vorlage.command.errors import InputError


@pytest.fixture(scope="module")
def aligned():
    """The alignments of the small corpus by the supplied model."""
    model = load_model()
    return {
        key: model.align(document, summary, id=key, tokenized=True).alignment
        for key, (document, summary) in TEXTS.items()
    }


def test_the_page_starts_from_the_model_and_orders_by_its_doubt(aligned, tmp_path):
    pairs = write_corpus(tmp_path / "pairs.jsonl")
    page = tmp_path / "page.html"
    main([str(pairs), "--tokenized", "--align", "--html", str(page)])
    html = page.read_text()
    config = json.loads(re.search('id="config">(.*?)</script>', html)[1])
    doubts = {key: doubt(alignment) for key, alignment in aligned.items()}
    assert {pair["id"]: pair["doubt"] for pair in config["index"]["pairs"]} == doubts
    assert config["index"]["by_doubt"] == sorted(range(3), key=lambda k: -doubts["abc"[k]])
    shown = [json.loads(found) for found in re.findall('class="pair">(.*?)</script>', html)]
    for pair in shown:
        [start] = pair["starts"]
        alignment = aligned[pair["id"]]
        assert start["name"] == alignment.system
        assert {word for link in start["links"] for word in range(*link[0])} == {
            word for link in alignment.links if link.document for word in range(*link.summary)
        }
    assert Annotate(pairs, tokenized=True, align=True)._repr_html_().count(aligned["a"].system) >= 3


def test_a_corpus_of_the_corpus_stage_keeps_its_tokens(aligned, tmp_path):
    path = tmp_path / "corpus.jsonl"
    records = [
        {"id": key, "document": text(document), "summary": text(summary)}
        for key, (document, summary) in TEXTS.items()
    ]
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    task = open_task(path, None, align=lambda pair: load_model().align_pair(pair).alignment)
    assert [pair["doubt"] for pair in task.index(None)["pairs"]] == [doubt(aligned[key]) for key in TEXTS]


def text(words):
    """A text of the corpus stage: one sentence, whose tokens are separated by spaces."""
    spans = [list(match.span()) for match in re.finditer(r"\S+", words)]
    return {"text": words, "tokens": spans, "sentences": [[0, len(spans)]]}


def test_the_model_is_one_system(aligned, tmp_path):
    pairs = write_corpus(tmp_path / "pairs.jsonl")
    system = write_system(tmp_path / "given.jsonl", name=aligned["a"].system)
    with pytest.raises(InputError, match="are given, which is the model, too"):
        open_task(pairs, None, [system], tokenized=True, align=lambda pair: aligned[pair.id])


def test_another_language_is_refused(tmp_path, capsys):
    pairs, page = write_corpus(tmp_path / "pairs.jsonl"), tmp_path / "page.html"
    with pytest.raises(SystemExit) as stop:
        main([str(pairs), "--language", "de", "--align", "--html", str(page)])
    assert stop.value.code == 1 and not page.exists()
    assert "pair a: its language is 'de', that of the model 'en'" in capsys.readouterr().err.splitlines()[-1]
