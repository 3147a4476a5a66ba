"""Corpora in folders with links out of them, pipes, and invalid file names."""

import os
import subprocess

import pytest
from hostile_runs import done, refused

from pipeline.corpus import __main__ as corpus

# Reader → the files of a pair and their content.
FILES = {
    "text": {"documents/a.txt": "A mill grinds wheat.", "summaries/a.txt": "A mill."},
    "cnndm": {"stories/a.story": "A mill grinds wheat.\n@highlight\nA mill."},
    "ziffdavis": {
        "disk/ZF_1": "<DOC><DOCNO>1</DOCNO><SUMMARY>A mill.</SUMMARY><TEXT>A mill grinds.</TEXT></DOC>"
    },
    "scisummnet": {
        "a/Documents_xml/a.xml": '<PAPER><S sid="0">Title</S><S sid="1" ssid="1">A mill grinds.</S></PAPER>',
        "a/summary/a.gold.txt": "Title\nA mill.",
        "a/citing_sentences_annotated.json": "[]",
    },
}
CASES = [(reader, name) for reader, files in FILES.items() for name in files]


def write(folder, reader):
    for name, text in FILES[reader].items():
        (folder / "corpus" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "corpus" / name).write_text(text)
    return ["--reader", reader, "--path", folder / "corpus", "--output", folder / "out"]


def move_out(folder, name):
    """Move a file out of the corpus and leave a link to it."""
    path, secret = folder / "corpus" / name, folder / "secret"
    path.rename(secret)
    path.symlink_to(secret)
    return path


@pytest.mark.guarantee("links")
@pytest.mark.parametrize(("reader", "name"), CASES)
def test_links_out_of_the_corpus_are_refused(tmp_path, capsys, reader, name):
    arguments = write(tmp_path, reader)
    path = move_out(tmp_path, name)
    refused(corpus.main, arguments, tmp_path, capsys, path, "is a link out of", "replace it by a copy")


@pytest.mark.guarantee("links")
@pytest.mark.parametrize(("reader", "name"), CASES)
def test_folders_that_are_links_out_of_the_corpus_are_refused(tmp_path, capsys, reader, name):
    arguments = write(tmp_path, reader)
    move_out(tmp_path, name.split("/")[0])
    refused(corpus.main, arguments, tmp_path, capsys, "is a link out of", "replace it by a copy")


@pytest.mark.guarantee("links")
@pytest.mark.parametrize(("reader", "name"), CASES)
def test_links_within_the_corpus_and_a_linked_corpus_are_read(tmp_path, capsys, reader, name):
    arguments = write(tmp_path, reader)
    path = tmp_path / "corpus" / name
    path.rename(tmp_path / "corpus/.hidden")
    path.symlink_to(os.path.relpath(tmp_path / "corpus/.hidden", path.parent))
    (tmp_path / "corpus").rename(tmp_path / "real")
    (tmp_path / "corpus").symlink_to("real")
    done(corpus.main, arguments, capsys)
    assert (tmp_path / "out/corpus.jsonl").read_text().count("\n") == 1


@pytest.mark.guarantee("links")
@pytest.mark.parametrize(("reader", "name"), [case for case in CASES if case[0] != "scisummnet"])
@pytest.mark.parametrize("target", ["a", "nowhere"])
def test_circular_and_broken_links_are_refused(tmp_path, capsys, reader, name, target):
    arguments = write(tmp_path, reader)
    path = tmp_path / "corpus" / name
    path.unlink()
    path.symlink_to(path.name if target == "a" else target)
    refused(corpus.main, arguments, tmp_path, capsys, path, "leads nowhere")


@pytest.mark.guarantee("links")
@pytest.mark.parametrize("reader", FILES)
def test_loops_of_folders_are_read_once(tmp_path, capsys, reader):
    arguments = write(tmp_path, reader)
    for folder in [path for path in (tmp_path / "corpus").rglob("*") if path.is_dir()]:
        (folder / "again").symlink_to("..")
    done(corpus.main, arguments, capsys)
    assert (tmp_path / "out/corpus.jsonl").read_text().count("\n") == 1


@pytest.mark.guarantee("links")
@pytest.mark.parametrize(("reader", "name"), [case for case in CASES if case[0] != "scisummnet"])
def test_pipes_in_the_corpus_are_refused(tmp_path, capsys, reader, name):
    arguments = write(tmp_path, reader)
    (tmp_path / "corpus" / name).unlink()
    os.mkfifo(tmp_path / "corpus" / name)
    refused(corpus.main, arguments, tmp_path, capsys, name, "is a pipe")


@pytest.mark.guarantee("links")
@pytest.mark.parametrize("reader", ["text", "cnndm"])
def test_file_names_that_are_not_utf8_are_refused(tmp_path, capsys, reader):
    arguments = write(tmp_path, reader)
    for name in FILES[reader]:
        path = tmp_path / "corpus" / name
        path.rename(os.fsdecode(os.fsencode(path.parent) + b"/caf\xe9" + path.suffix.encode()))
    refused(corpus.main, arguments, tmp_path, capsys, r"caf\udce9")


@pytest.mark.guarantee("links")
def test_deep_folders_are_read(tmp_path, capsys):
    arguments = write(tmp_path, "cnndm")
    deep = tmp_path / "corpus" / "/".join("d" * 1500)
    os.makedirs(tmp_path / "corpus" / "/".join("d" * 500))
    here = os.open(tmp_path / "corpus" / "/".join("d" * 500), os.O_RDONLY)
    for _ in range(1000):
        os.mkdir("d", dir_fd=here)
        here, before = os.open("d", os.O_RDONLY, dir_fd=here), here
        os.close(before)
    os.close(here)
    assert deep.is_dir()
    try:
        done(corpus.main, arguments, capsys)
    finally:
        # Too deep for pytest, which removes these folders when later tests begin.
        subprocess.run(["rm", "-r", tmp_path / "corpus" / "d"], check=True)
