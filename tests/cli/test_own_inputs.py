"""An output is never a file that the same command reads."""

import os
import re

import pytest
from vorlage.command.options import CommandParser

# The input in braces is the output, too.
COMMANDS = [
    "align --pairs {a.jsonl} --output OUTPUT",
    "align a.txt {b.txt} --output OUTPUT",
    "align --pairs a.jsonl --extracts {b.jsonl} --html OUTPUT",
    "attribute {a.txt} b.txt --html OUTPUT",
    "attribute --model {model.npz} a.txt b.txt --output OUTPUT",
    "attribute folder {folder/c.txt} --output OUTPUT",
    "attribute {folder/c.txt} b.txt --output OUTPUT",
    "attribute folder b.txt --output OUTPUT",
    "corpus --reader jsonl --path {a.jsonl} --output OUTPUT",
    "corpus --reader jsonl --path {folder/corpus.jsonl} --output folder",
    "gold --corpus a.jsonl --rejected b.tsv --gold {b.jsonl} --output OUTPUT",
    "extract --corpus {a.jsonl} --output OUTPUT",
    "parse --corpus a.jsonl --extracts {b.jsonl} --list OUTPUT",
    "train --jump relative --corpus {a.jsonl} --extracts b.jsonl --em em.tsv --model OUTPUT",
    "train --jump relative --corpus a.jsonl --extracts {b.jsonl} --model m.npz --em OUTPUT",
    "fit-rescorer --gold {b.jsonl} --corpus a.jsonl --output OUTPUT",
    "agreement --ratings {a.jsonl} --output b.tsv --log OUTPUT",
    "export --format pharaoh --alignments {a.jsonl} --output OUTPUT",
    "baseline --system identity --corpus a.jsonl --extracts {b.jsonl} --output OUTPUT",
    "train-translation --model hmm --source doc --start {folder} --output OUTPUT",
    "gather --of 1 --parts folder --output {folder/1-of-1.jsonl} --output OUTPUT",
    "gather --of 1 --parts folder --output {folder/1-of-1.npz} --output OUTPUT",
    "score --corpus a.jsonl --gold {b.jsonl} --alignments a.jsonl --output OUTPUT",
    "score --corpus a.jsonl --gold a.jsonl --alignments a.jsonl {b.jsonl} --output OUTPUT",
    "score-phrases --corpus {a.jsonl} --gold b.jsonl --alignments b.jsonl --output c --significance OUTPUT",
    "decompose --corpus a.jsonl --alignments {b.jsonl} --output c --systems OUTPUT",
    "decompose --corpus a.jsonl --alignments {b.jsonl} --output c --extracts OUTPUT",
    "agreement --ratings {a.jsonl} --output OUTPUT",
    "annotate {a.jsonl} --html OUTPUT",
]


@pytest.mark.parametrize("line", COMMANDS)
def test_an_output_that_is_an_input_is_refused(tmp_path, monkeypatch, fails, line):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    for name in ("a.jsonl", "b.jsonl", "a.txt", "b.txt", "b.tsv", "model.npz", "folder/corpus.jsonl"):
        (tmp_path / name).write_text("mine")
    for name in ("c.txt", "gold.jsonl", "1-of-1.jsonl", "1-of-1.npz"):
        (tmp_path / "folder" / name).write_text("mine")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    [name] = re.findall("{(.*)}", line) or ["folder/c.txt"]  # a document of the folder
    ending = os.path.splitext(name)[1]
    os.symlink(name, tmp_path / f"link{ending}")
    outputs = [name, f"./{name}", f"link{ending}"]
    if name != "folder":
        os.link(tmp_path / name, tmp_path / f"hard-link{ending}")
        outputs.append(f"hard-link{ending}")
    for output in outputs:
        error = fails(*re.sub("[{}]", "", line).replace("OUTPUT", output).split())
        assert re.fullmatch(r"error: (\S+): is an input of this command, too; name another output\n", error)
    assert {path: path.read_bytes() for path in before} == before


def test_other_outputs_are_not_refused(tmp_path, monkeypatch):
    """An output may have the name of an id, a method or a setting, and be what another command has read."""
    monkeypatch.chdir(tmp_path)
    for name in ("a", "folder/b"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("old")
    parser = CommandParser("any", lambda arguments: None)
    for option in ("--id", "--path", "--output", "--html"):
        parser.add_argument(option)
    parser.add_argument("--method", choices=["a", "folder"])
    parser.add_argument("--setting", dest="corpus/reader")
    parser.parse("--id a --method a --setting a --path folder/b --output a --html folder".split())
    parser.parse("--path /dev/null --output /dev/null --html /dev/stdout".split())
