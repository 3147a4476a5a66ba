"""`vorlage attribute`: names of documents, the table of sources, and pairs line by line."""

import json
import shutil
from pathlib import Path

import pytest
from printers import PAIRS, write_pairs
from sample_files import join_pdfs, make_pdf
from vorlage import load_model
from vorlage.cli.attribute import COLUMNS
from vorlage.cli.main import main


def attribute(*arguments):
    main(["attribute", *map(str, arguments)])


def test_documents_keep_their_names(model, texts, tmp_path, capsys):
    folder = tmp_path / "sources"
    (folder / "deep").mkdir(parents=True)
    (folder / ".hidden").mkdir()
    for name in ("b.txt", "deep/a.md", ".hidden/c.txt", "d.bin"):
        (folder / name).write_text(f"{PAIRS[1]['document']} {name}.")
    attribute(folder, *texts, "--model", model, "--json")
    record = json.loads(capsys.readouterr().out)
    names = {source["name"] for span in record["spans"] for source in span["sources"]}
    assert "document.txt" in names <= {"b.txt", "deep/a.md", "document.txt"} and record["id"] == "summary"
    attribute(*texts, "--model", model, "--json")
    assert "name" not in json.loads(capsys.readouterr().out)["spans"][0]["sources"][0]


def test_a_source_in_a_pdf_has_its_page(model, tmp_path, capsys):
    """Of a page without text, a sentence that goes on over the end of a page, and the last page."""
    lines = [
        ["The fast printer of Acme ships in"],
        [],
        ["June. The old one is sold for less."],
        ["No one asked."],
    ]
    (tmp_path / "news.pdf").write_bytes(join_pdfs(*map(make_pdf, lines)))
    (tmp_path / "text.txt").write_text("Acme will ship a fast printer. No one asked.")
    files = tmp_path / "news.pdf", tmp_path / "text.txt", "--model", model
    attribute(*files, "--json")
    sentences = json.loads(capsys.readouterr().out)["sentences"]
    places = [{(source["name"], source["page"]) for source in each["sources"]} for each in sentences]
    assert ("news.pdf", 1) in places[0] and ("news.pdf", 4) in places[1]
    attribute(*files)
    assert "news.pdf:3, page 4" in " ".join(capsys.readouterr().out.split())


def test_the_table_has_the_spans_of_the_model(model, texts, capsys):
    attribute(*texts, "--model", model, "--tsv")
    header, *rows = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert header == list(COLUMNS)
    document, text = (Path(path).read_text() for path in texts)
    record = load_model(model).attribute(document, text, id="summary").to_json()
    assert len({(row[1], row[2]) for row in rows}) == len(record["spans"]) + len(record["unsupported"]) + sum(
        word["state"] in ("elsewhere", "frame") for word in record["words"]
    )
    for row in (dict(zip(COLUMNS, row, strict=True)) for row in rows):
        assert row["id"] == "summary" and row["text"] == text[int(row["start"]) : int(row["end"])]
        if row["document"]:
            assert row["document"] == document[int(row["document_start"]) : int(row["document_end"])]
        else:
            assert row["state"] != "sourced"


def test_pairs_are_attributed_in_order_by_processes(model, tmp_path, capsys):
    pairs = write_pairs(tmp_path / "pairs.jsonl")
    attribute("--pairs", pairs, "--model", model)
    alone = capsys.readouterr().out
    assert [json.loads(line)["id"] for line in alone.splitlines()] == [pair["id"] for pair in PAIRS]
    attribute("--pairs", pairs, "--model", model, "--processes", 2)
    assert capsys.readouterr().out == alone


def test_a_damaged_file_of_a_folder_is_left_out(model, texts, tmp_path, capsys, caplog):
    folder, output = tmp_path / "sources", tmp_path / "out.jsonl"
    folder.mkdir()
    (folder / "a.txt").write_text(PAIRS[1]["document"])
    (folder / "b.pdf").write_text("%PDF-damaged")
    with pytest.raises(SystemExit) as stop:
        attribute(folder, *texts, "--model", model, "--json", "--output", output)
    assert stop.value.code == 1 and "error: documents left out: 1; what" in capsys.readouterr().err
    assert f"left out: {folder / 'b.pdf'}: cannot be read as PDF" in caplog.text
    names = {source["name"] for span in json.loads(output.read_text())["spans"] for source in span["sources"]}
    assert "document.txt" in names <= {"a.txt", "document.txt"}


def test_a_folder_without_texts_is_an_error(model, texts, tmp_path, fails):
    (tmp_path / "none").mkdir()
    assert "no texts in this folder" in fails("attribute", tmp_path / "none", texts[1], "--model", model)
    assert "given twice" in fails("attribute", texts[0], texts[0], texts[1], "--model", model)


def test_pairs_have_lists_of_sentences_and_documents_by_name(model, tmp_path, capsys):
    trained = load_model(model)
    pairs = [
        {"document": ["1. The pump leaks.", "2. Buy a valve."], "summary": ["1. The pump leaks."]},
        {"document": ["A firm sold 300 boats. It sank.", "A mill burned."], "summary": ["A mill burned."]},
        {"document": {"first": "A mill burned.", "b": ["It sold boats. It sank."]}, "summary": "It sank."},
        {"document": [{"text": "A mill burned."}, {"text": ""}], "text": "A mill burned."},
    ]
    lines = [{"id": f"p{number}", **pair} for number, pair in enumerate(pairs)]
    attribute("--pairs", write_pairs(tmp_path / "pairs.jsonl", lines), "--model", model)
    for line, answer in zip(lines, capsys.readouterr().out.splitlines(), strict=True):
        text = line.get("text") or line["summary"]
        expected = trained.attribute(line["document"], text, id=line["id"])
        assert json.loads(answer) == json.loads(json.dumps(expected.to_json()))
        if isinstance(text, list):
            aligned = trained.align(line["document"], text)
            assert expected.documents.text == aligned.pair.document and len(expected.sentences) == 1


@pytest.mark.parametrize(
    ("pair", "message"),
    [
        ({"document": {"a": " ", "b": ""}}, "line 2: pair x: empty document; add it"),
        ({"document": {"a": "One.", "b": 5}}, "line 2: pair x: `document` 'b' must be a string"),
        ({"document": {}}, "line 2: pair x: `document` has no documents; give at least one"),
        ({"document": ["One."], "text": "Two."}, "line 2: pair x: both `summary` and `text`, which mean"),
        ({"document": {"a": "One."}, "id": "p0"}, "line 2: id p0 comes twice, first at"),
        ({"document": {"a": "One."}, "summary": " "}, "line 2: pair x: empty summary"),
    ],
)
def test_an_unusable_pair_is_named_before_any_output(model, tmp_path, fails, pair, message):
    pairs = write_pairs(tmp_path / "p.jsonl", [PAIRS[0], {"id": "x", "summary": "Two."} | pair])
    assert f"p.jsonl, {message}" in fails("attribute", "--pairs", pairs, "--model", model)


def test_names_that_are_not_utf_8_are_escaped(model, texts, tmp_path, capsys):
    folder = tmp_path / "sources"
    for parent in (folder, folder / "deep"):
        parent.mkdir()
        (parent / "\udcff.txt").write_text(PAIRS[1]["document"])
    text = shutil.copy(texts[1], tmp_path / "\udcfe.txt")
    page = tmp_path / "page.html"
    attribute(folder, text, "--model", model, "--json")
    record = json.loads(capsys.readouterr().out)
    names = {source["name"] for span in record["spans"] for source in span["sources"]}
    assert names and names <= {"\\xff.txt", "deep/\\xff.txt"} and record["id"] == "pair"
    attribute(folder, text, "--model", model, "--html", page)
    assert "<title>\\xfe.txt – sources</title>" in page.read_text(encoding="utf-8")
    attribute(folder / "\udcff.txt", folder / "deep" / "\udcff.txt", text, "--model", model)
    assert "\\xff.txt" in capsys.readouterr().out
