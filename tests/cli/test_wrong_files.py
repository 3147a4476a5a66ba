"""Wrong files are named for what they are: one line with the file, what it is, and what to do."""

import pytest
from sample_files import make_docx, make_pdf, make_zip
from vorlage.cli.main import main

TEXT = "The ferry was late. Fog lay over the harbour.\n"
PAIRS = "id,document,summary\n"
# The name of a file, its content, None for none, and what is said about it as a document.
DOCUMENTS = [
    ("missing.txt", None, "cannot be read (No such file or directory); check the path\n"),
    ("gol.txt", None, "check the path; did you mean good.txt?"),
    ("https://example.org/a.html", None, "is an address, not a file; save the page first"),
    ("program", b"\x7fELF\0\0", "is not text in UTF-8 but binary, or in UTF-16 without a mark; save"),
    ("cyrillic.txt", "Порт закрыт.".encode("cp1251"), "line 1: not UTF-8 at byte 0; convert the file"),
    ("cut.docx", make_docx("<w:p/>")[:-40], "a damaged zip archive or Office file; save or download it"),
    ("text.docx", TEXT.encode(), "cannot be read as DOCX (BadZipFile: File is not a zip file); it may be"),
    (
        "old.doc",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        "an old Office file (.doc, .xls) or one with a password",
    ),
    ("a.rtf", b"{\\rtf1 The ferry.}", "in Rich Text Format; save it as .docx, PDF or text"),
    ("a.pptx", make_zip("[Content_Types].xml", "ppt/presentation.xml"), "a presentation; save it as PDF"),
    ("a.xlsx", make_zip("[Content_Types].xml", "xl/workbook.xml"), "an Excel workbook; save it as CSV"),
    ("a.epub", make_zip("mimetype", "META-INF/container.xml"), "an e-book; convert it to text"),
    ("a.zip", make_zip("a.txt"), "a zip archive; unpack it first"),
    ("a.png", b"\x89PNG\r\n\x1a\n", "an image; recognize its text (OCR) first"),
    ("cut.pdf", make_pdf(["A text."])[:99], "cannot be read as PDF"),
    ("scan.pdf", make_pdf([]), "no text in this PDF, only images; recognize its text (OCR) first"),
]
# The same for a file of pairs.
FILES_OF_PAIRS = [
    ("a.jsonl", b'{"id": "a"', "line 1: not valid JSON (Expecting ',' delimiter at column 11)"),
    (
        "a.csv",
        b"article,highlights\nA,B\n",
        "line 2: pair 1: no `document`; each pair needs `id`, `document`",
    ),
    (
        "a.csv",
        PAIRS.encode() + b"1,A,B\n2,A, or not,B\n",
        "line 3: 4 cells, but the table has 3 columns; put cells",
    ),
    ("a.csv", PAIRS.encode() + b"1,A,\n", "line 2: pair 1: empty summary; add it or remove the pair"),
    ("a.csv", make_zip("xl/workbook.xml"), "is not text in UTF-8 but an Excel workbook; save it as CSV"),
    ("a.tsv", b"", "no pairs; write"),
]


@pytest.mark.parametrize(("name", "content", "message"), DOCUMENTS)
def test_a_wrong_document_is_named(tmp_path, monkeypatch, fails, name, content, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good.txt").write_text(TEXT)
    if content is not None:
        (tmp_path / name).write_bytes(content)
    error = fails("attribute", name, "good.txt", "--output", "out")
    assert error.startswith(f"error: {name}") and message in error
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(("name", "content", "message"), FILES_OF_PAIRS)
def test_a_wrong_file_of_pairs_is_named(tmp_path, monkeypatch, fails, name, content, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_bytes(content)
    error = fails("align", "--pairs", name, "--output", "out")
    assert error.startswith(f"error: {name}") and message in error
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (
            "align a b --output {folder}/ot/x",
            1,
            "there is no folder '{folder}/ot'; create it; did you mean out?",
        ),
        ("attribute a b --html {folder}", 1, "{folder}: is a folder; name a file in it"),
        ("train --em x --model x", 2, "error: the following arguments are required: --jump, --corpus, --"),
        (
            "atribute a b",
            2,
            "there is no command atribute; `vorlage --help` lists them; did you mean attribute?",
        ),
        ("align a b --jsn", 2, "unrecognized arguments: --jsn; did you mean --json?"),
    ],
)
def test_a_mistyped_name_is_answered_with_the_right_one(tmp_path, fails, arguments, status, message):
    (tmp_path / "out").mkdir()
    error = fails(*arguments.format(folder=tmp_path).split(), status=status)
    assert message.format(folder=tmp_path) in error


@pytest.mark.parametrize(
    ("option", "name"), [("--output", "a.xlsx"), ("--output", "a.HTML"), ("--tsv --output", "a.docx")]
)
def test_an_ending_that_is_not_written_is_refused(tmp_path, fails, option, name):
    for each in ("a", "b"):
        (tmp_path / each).write_text(TEXT)
    path, ending = tmp_path / name, name.partition(".")[2].lower()
    error = fails("attribute", tmp_path / "a", tmp_path / "b", *option.split(), path)
    endings = ".csv, .parquet, .tsv, .json, .jsonl, .ndjson, .txt, .log, .out"
    assert error == f"error: {path}: --output writes no .{ending}; use a name that ends in {endings}\n"
    assert not path.exists()


@pytest.mark.parametrize(
    ("name", "beginning"),
    [
        ("a.json", '{"format": 1, "id":'),
        ("a.jsonl", '{"format": 1, "id":'),
        ("a.txt", "2 of 2"),
        ("a.2", "2 of 2"),
        ("run.v2", "2 of 2"),
        ("a", "2 of 2"),
    ],
)
def test_an_ending_chooses_the_form(tmp_path, model, name, beginning):
    for each in ("a.md", "b.md"):
        (tmp_path / each).write_text(TEXT)
    command = ["attribute", str(tmp_path / "a.md"), str(tmp_path / "b.md"), "--output", str(tmp_path / name)]
    main([*command, "--model", model])
    assert (tmp_path / name).read_text().lstrip().startswith(beginning)


def test_a_table_is_opened_by_the_corpus_stage_alone(tmp_path, fails):
    (tmp_path / "a.csv").write_text(PAIRS)
    error = fails("annotate", tmp_path / "a.csv", "--html", tmp_path / "a.html")
    assert "is a table; make corpus.jsonl of it with `vorlage corpus --reader jsonl" in error


@pytest.mark.parametrize("name", ["a.csv", "a.tsv"])
def test_pairs_of_a_table_are_aligned(tmp_path, capsys, model, name):
    (tmp_path / name).write_text(f"id,document,text\na,{TEXT.strip()},The ferry was late.\n")
    main(["align", "--pairs", str(tmp_path / name), "--model", model, "--tsv"])
    assert "a\t" in capsys.readouterr().out
