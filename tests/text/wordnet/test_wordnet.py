"""The wordnet stage: each source on a miniature database, the copy written, and NLTK reading it."""

import hashlib
import io
import json
import math
import os
import shutil
import subprocess
import zipfile
from pathlib import Path

import nltk
import numpy as np
import pytest
import vorlage.text.wordnet.download as wordnet
from vorlage.command.errors import InputError
from vorlage.text.wordnet.reader import TABLES, open_wordnet

LICENCE = "  1 WordNet {version} Copyright 2006 by Princeton University.  All rights reserved.  \n"
# (part, lexicographer file, letter): the synsets, as (words, hypernym number or None).
SYNSETS = {
    "noun": (3, "n", [(["entity"], None), (["machine"], 0), (["computer", "computing_machine"], 1)]),
    "verb": (30, "v", [(["move", "go"], None), (["run"], 0)]),
    "adj": (0, "a", [(["big", "large"], None)]),
    "adv": (2, "r", [(["fast"], None)]),
}


def make_database(folder, version="3.0"):
    """Write a miniature WordNet in the format of wndb(5WN)."""
    folder.mkdir(parents=True)
    for part, (number, letter, synsets) in SYNSETS.items():
        lines, offsets = [LICENCE.format(version=version)], []
        for words, parent in synsets:
            offsets.append(sum(len(line) for line in lines))
            pointers = "000" if parent is None else f"001 @ {offsets[parent]:08d} {letter} 0000"
            named = " ".join(f"{word} 0" for word in words)
            frames = "01 + 01 00 " if part == "verb" else ""
            head = f"{offsets[-1]:08d} {number:02d} {letter} {len(words):02x}"
            lines.append(f"{head} {named} {pointers} {frames}| a gloss  \n")
        (folder / f"data.{part}").write_text("".join(lines))
        entries = sorted(
            (w, offset) for (words, _), offset in zip(synsets, offsets, strict=True) for w in words
        )
        index = "".join(f"{word} {letter} 1 0 1 0 {offset:08d}  \n" for word, offset in entries)
        (folder / f"index.{part}").write_text(LICENCE.format(version=version) + index)
        (folder / f"{part}.exc").write_text("mice mouse\n" if part == "noun" else "")
    return folder


def zip_database(path, folder):
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as archive:
        for file in sorted(folder.iterdir()):
            archive.write(file, f"wordnet/{file.name}")


@pytest.fixture
def barren(monkeypatch, tmp_path):
    """A machine without WordNet and without a network."""
    monkeypatch.setattr(nltk.data, "path", [])
    monkeypatch.setattr(nltk, "download", lambda *given, **named: False)
    monkeypatch.setattr(wordnet, "SYSTEM_FOLDERS", ())
    monkeypatch.setattr(wordnet.shutil, "which", lambda name: None)
    monkeypatch.delenv("WNHOME", raising=False)
    monkeypatch.delenv("WNSEARCHDIR", raising=False)
    monkeypatch.delenv("NLTK_DATA", raising=False)
    return monkeypatch


@pytest.fixture
def database(tmp_path):
    return make_database(tmp_path / "database")


def get(tmp_path, name="out"):
    wordnet.main(["--output", str(tmp_path / name), "--log", str(tmp_path / "log")])
    return json.loads((tmp_path / name / "wordnet.json").read_text())


def test_without_a_copy_one_line_lists_every_source(barren, tmp_path, capsys):
    with pytest.raises(SystemExit) as stop:
        get(tmp_path)
    line = capsys.readouterr().err
    assert stop.value.code == 1 and line.count("\n") == 1
    for way in ("nltk.downloader wordnet", "apt-get install wordnet-base", "WNSEARCHDIR", "wordnet: false"):
        assert way in line
    assert sorted(os.listdir(tmp_path)) == ["log"]


@pytest.mark.parametrize("zipped", [False, True])
def test_a_copy_in_nltk_data(barren, tmp_path, database, zipped):
    data = tmp_path / "nltk_data"
    if zipped:
        zip_database(data / "corpora" / "wordnet.zip", database)
    else:
        (data / "corpora").mkdir(parents=True)
        database.rename(data / "corpora" / "wordnet")
    barren.setattr(nltk.data, "path", [str(data)])
    assert get(tmp_path)["source"] == "NLTK data"


def test_system_files_in_the_usual_place_and_by_variable(barren, tmp_path, database):
    barren.setattr(wordnet, "SYSTEM_FOLDERS", (tmp_path / "absent", database))
    assert get(tmp_path)["source"] == "system files"
    barren.setattr(wordnet, "SYSTEM_FOLDERS", ())
    barren.setenv("WNSEARCHDIR", str(database))
    assert get(tmp_path)["source"] == "system files"
    barren.delenv("WNSEARCHDIR")
    database.rename(tmp_path / "dict")
    barren.setenv("WNHOME", str(tmp_path))
    assert get(tmp_path)["source"] == "system files"


def test_nltk_download(barren, tmp_path, database):
    def download(name, download_dir, quiet, print_error_to):
        zip_database(Path(download_dir, "corpora", f"{name}.zip"), database)
        return True

    barren.setattr(nltk, "download", download)
    assert get(tmp_path)["source"] == "NLTK download"


def fake_apt(monkeypatch, database, update=0, download=0):
    """Replace apt-get and dpkg-deb; return the list of their calls."""
    calls = []

    def run(arguments, cwd, **named):
        calls.append([str(argument) for argument in arguments])
        if arguments[0] == "apt-get":
            failed = update if arguments[-1] == "update" else download
            if arguments[-1] == wordnet.DEBIAN_PACKAGE and not failed:
                (cwd / "wordnet-base_3.0-37_all.deb").touch()
            return subprocess.CompletedProcess(arguments, failed, "", "W: slow\nE: no such package\n")
        if "--extract" in arguments:
            (arguments[-1] / "usr/share").mkdir(parents=True)
            database.rename(arguments[-1] / "usr/share/wordnet")
        return subprocess.CompletedProcess(arguments, 0, "1:3.0-37\n", "")

    monkeypatch.setattr(wordnet, "DEBIAN_DIGEST", wordnet.compute_digest(database))
    monkeypatch.setattr(wordnet.shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(wordnet.subprocess, "run", run)
    return calls


@pytest.mark.parametrize("update", [0, 100])
def test_debian_package(barren, tmp_path, database, update):
    calls = fake_apt(barren, database, update=update)
    assert get(tmp_path)["source"] == "Debian package wordnet-base 1:3.0-37"
    assert [call[-1] for call in calls[:2]] == ["update", "wordnet-base"]
    assert all(any("Dir::State::lists=" in argument for argument in call) for call in calls[:2])


def test_a_debian_package_with_other_files_is_refused(barren, tmp_path, database, capsys):
    fake_apt(barren, database)
    with open(database / "verb.exc", "ab") as file:
        file.write(b"brung bring\n")
    with pytest.raises(SystemExit):
        get(tmp_path)
    assert "wordnet-base 1:3.0-37 has other files" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_debian_package_unknown_to_apt(barren, tmp_path, database, capsys):
    fake_apt(barren, database, download=100)
    with pytest.raises(SystemExit):
        get(tmp_path)
    assert "apt-get says 'no such package'" in capsys.readouterr().err


def test_sources_are_tried_in_order(barren, tmp_path, database):
    data = tmp_path / "nltk_data" / "corpora"
    data.mkdir(parents=True)
    barren.setattr(wordnet, "SYSTEM_FOLDERS", (database,))
    barren.setattr(nltk, "download", lambda *given, **named: pytest.fail("downloads in spite of a copy"))
    assert get(tmp_path)["source"] == "system files"
    make_database(data / "wordnet")
    barren.setattr(nltk.data, "path", [str(data.parent)])
    assert get(tmp_path)["source"] == "NLTK data"


def change(path, old, new):
    data = path.read_bytes()
    assert old in data
    path.write_bytes(data.replace(old, new, 1))


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (lambda folder: (folder / "verb.exc").unlink(), "no verb.exc"),
        (
            lambda folder: (folder / "data.noun").write_bytes((folder / "data.noun").read_bytes()[:-150]),
            "does not match",
        ),
        (lambda folder: (folder / "data.adj").write_text("gone"), "version unknown"),
        (lambda folder: (folder / "index.verb").write_text("go\n"), "index.verb in .* does not match"),
        (
            lambda folder: (folder / "index.adv").write_bytes(b"\xff r x y\n"),
            "index.adv in .* does not match",
        ),
        (lambda folder: change(folder / "data.noun", b" @ 0", b" @ 9"), "the files in .* are damaged"),
        (lambda folder: (folder / "noun.exc").write_bytes(b"\xff\n"), "the files in .* are damaged"),
    ],
)
def test_a_damaged_copy_is_skipped(barren, tmp_path, database, damage, reason):
    bad = make_database(tmp_path / "bad")
    damage(bad)
    barren.setattr(wordnet, "SYSTEM_FOLDERS", (bad,))
    with pytest.raises(InputError, match=reason):
        wordnet.locate(tmp_path)
    barren.setattr(wordnet, "SYSTEM_FOLDERS", (bad, database))
    assert wordnet.locate(tmp_path) == ("system files", database)


def test_another_version_is_skipped(barren, tmp_path):
    barren.setattr(wordnet, "SYSTEM_FOLDERS", (make_database(tmp_path / "new", version="3.1"),))
    with pytest.raises(InputError, match=r"version 3\.1 in .* not 3\.0"):
        wordnet.locate(tmp_path)


def test_senses_and_links(tmp_path, database):
    wordnet.install("test", database, tmp_path / "out")
    found = open_wordnet(tmp_path / "out")
    assert open_wordnet(tmp_path / "out" / TABLES).lemmas == found.lemmas == sorted(found.lemmas)
    (computer,), (machine,), (entity,) = (
        found.senses(word, "n") for word in ("computers", "machine", "entity")
    )
    assert found.senses("computing_machine", "n") == [computer]
    assert found.above(computer) == [(machine, round(math.log2(3)) - round(math.log2(3 / 2)))]
    assert found.above(machine) == [(entity, round(math.log2(3 / 2)))] and found.above(entity) == []
    assert found.senses("mice", "n") == [] and found.senses("computer", "v") == []


def test_the_reader_refuses_a_folder_that_the_stage_did_not_write(tmp_path, database):
    with pytest.raises(InputError, match="python -m vorlage.text.wordnet --output"):
        open_wordnet(database)


def test_tables_of_another_version_are_refused(tmp_path):
    np.savez(tmp_path / TABLES, lemmas=np.zeros(1, np.uint8))
    with pytest.raises(InputError, match=f"{TABLES}: not the tables of a WordNet, or of another version"):
        open_wordnet(tmp_path)


@pytest.mark.skipif(shutil.which("sha256sum") is None, reason="sha256sum is missing on this system")
def test_the_recorded_digest_is_that_of_sha256sum(tmp_path, database):
    record = wordnet.install("test", database, tmp_path / "out")
    shell = "sha256sum *.exc data.* index.* | sha256sum"
    printed = subprocess.run(
        shell, shell=True, cwd=tmp_path / "out", capture_output=True, text=True, check=True
    )
    assert record["sha256"] == printed.stdout.split()[0]


def test_only_a_wordnet_folder_is_replaced(tmp_path, database):
    first = wordnet.install("first", database, tmp_path / "out")
    (tmp_path / "out" / "data.noun").write_text("damaged since")
    assert wordnet.install("first", database, tmp_path / "out") == first
    assert wordnet.defect(tmp_path / "out") is None
    (database / "index.adv").unlink()
    with pytest.raises(FileNotFoundError):
        wordnet.install("second", database, tmp_path / "out")
    assert json.loads((tmp_path / "out" / "wordnet.json").read_text()) == first
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes").touch()
    with pytest.raises(InputError, match="not a WordNet folder"):
        wordnet.install("test", database, tmp_path / "mine")
    assert sorted(os.listdir(tmp_path)) == ["database", "mine", "out"]


@pytest.mark.parametrize("flipped", [0, 100, -1])
def test_a_download_with_a_wrong_checksum_is_refused(barren, tmp_path, database, flipped, capsys):
    """NLTK's own downloader gets an index and an archive that differ by one bit."""
    zip_database(tmp_path / "served.zip", database)
    content = (tmp_path / "served.zip").read_bytes()
    package = {
        "id": "wordnet",
        "subdir": "corpora",
        "url": "served:wordnet.zip",
        "size": len(content),
        "unzipped_size": sum(path.stat().st_size for path in database.iterdir()),
        "sha256_checksum": hashlib.sha256(content).hexdigest(),
    }
    attributes = " ".join(f'{key}="{value}"' for key, value in package.items())
    index = f"<nltk_data><packages><package {attributes}/></packages></nltk_data>"
    served = {"served:index.xml": index.encode()}
    barren.setattr(nltk.downloader, "urlopen", lambda url, **_: io.BytesIO(served[url]))
    barren.setattr(nltk, "download", nltk.downloader.Downloader("served:index.xml").download)

    broken = bytearray(content)
    broken[flipped] ^= 1
    served["served:wordnet.zip"] = bytes(broken)
    with pytest.raises(SystemExit):
        get(tmp_path)
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("error: no WordNet 3.0 found") and "Integrity check failed" in line
    assert not (tmp_path / "out").exists()

    served["served:wordnet.zip"] = content
    assert get(tmp_path)["source"] == "NLTK download"
