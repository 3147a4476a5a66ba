"""The guidelines are the same on the page and in the documentation; the page of a notebook."""

from html import unescape
from pathlib import Path

from annotate.examples import write_corpus, write_system
from markdown import insert
from vorlage.app.annotate.annotation_page import app_page
from vorlage.app.annotate.annotation_task import open_task
from vorlage.app.annotate.guidelines import read_guidelines, to_markdown
from vorlage.app.annotate.notebook import Annotate

DOCS = Path(__file__).parents[3] / "docs"


def test_the_documentation_has_the_guidelines():
    text = (DOCS / "annotation.md").read_text(encoding="utf-8")
    assert insert(text, "guidelines", to_markdown()) == text, "run `vorlage guidelines docs/annotation.md`"


def test_the_page_has_the_guidelines(tmp_path):
    html, _ = app_page(open_task(write_corpus(tmp_path / "pairs.jsonl"), tmp_path / "gold.jsonl"))
    shown = unescape(html)
    for rule in read_guidelines():
        assert rule["title"] in shown and rule["text"] in shown
        for example in rule["examples"]:
            assert all(example[key] in shown for key in ("document", "summary", "links"))


def test_a_notebook_isolates_the_page(tmp_path):
    system = write_system(tmp_path / "toy.jsonl")
    shown = Annotate(
        write_corpus(tmp_path / "pairs.jsonl"), alignments=[system], tokenized=True
    )._repr_html_()
    assert 'sandbox="allow-scripts allow-downloads"' in shown
    assert shown.count("<") == 2  # the frame and its end: the page is an attribute
