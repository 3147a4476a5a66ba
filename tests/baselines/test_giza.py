"""GIZA++ by its command line: a stub replaces its programs, checks its input and answers in A3."""

import stat
import sys

import pytest
from toy_pairs import make_pair, run, write
from vorlage.baselines import giza
from vorlage.command.errors import InputError
from vorlage.extract.extracts import Extract
from vorlage.settings import Giza

# Links target word i to source word i if it exists. The target words come back as numbers of the vocabulary,
# so code that confuses the two sides gets unknown words.
STUB = """#!{python}
import sys
from pathlib import Path

name, given = Path(sys.argv[0]).name, sys.argv[1:]


def vocabulary(path):
    rows = [line.split() for line in Path(path).read_text().splitlines()]
    assert [int(row[0]) for row in rows] == list(range(2, len(rows) + 2))
    return {{int(row[0]): row[1] for row in rows}}


if name == "mkcls":
    (classes,) = (option[2:] for option in given if option.startswith("-V"))
    Path(classes).write_text("word\\t2\\n")
elif name == "snt2cooc":
    Path(given[0]).write_text("0 2\\n")
elif name == "snt2cooc.out":
    print("0 2")
else:
    options = dict(zip(given[::2], given[1::2]))
    sides = [vocabulary(options["-S"]), vocabulary(options["-T"])]
    assert all(Path(side + ".vcb.classes").stat().st_size for side in ("source", "target"))
    assert Path(options["-CoocurrenceFile"]).stat().st_size
    lines = Path(options["-C"]).read_text().splitlines()
    found = []
    for number in range(len(lines) // 3):
        source, target = (
            [side[int(word)] for word in lines[3 * number + k].split()] for k, side in enumerate(sides, 1)
        )
        assert 0 < len(source) < int(options["-ml"]) and 0 < len(target) < int(options["-ml"])
        places = [f"{{i}} " if i <= len(target) else "" for i in range(1, len(source) + 1)]
        links = [f"{{word}} ({{{{ {{place}}}}}})" for word, place in zip(source, places)]
        null = "".join(f" {{i}}" for i in range(len(source) + 1, len(target) + 1))
        found.append(
            f"# Sentence pair ({{number + 1}}) source length {{len(source)}} target length {{len(target)}} "
            f"alignment score : 0.5\\n{{' '.join(target)}}\\nNULL ({{{{{{null}} }}}}) {{' '.join(links)}}\\n"
        )
    parts = [found] if name != "mgiza" else [found[::2], found[1::2]]
    for part, texts in enumerate(parts):
        ending = "" if name != "mgiza" else f".part00{{part}}"
        Path(f"{{options['-o']}}.A3.final{{ending}}").write_text("".join(texts))
"""


def programs(folder, *names):
    folder.mkdir(exist_ok=True)
    for name in names:
        path = folder / name
        path.write_text(STUB.format(python=sys.executable))
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return folder


GIZA = ("GIZA++", "mkcls", "snt2cooc.out")
MGIZA = ("mgiza", "mkcls", "snt2cooc")


@pytest.fixture
def files(tmp_path):
    document = ["( { 1 } )", "Six boats left .", "Naïve \u00a0boats ."]
    pair = make_pair(document, ["Two boats", "NULL ({ 1 })"])
    return write(tmp_path, [pair], [Extract("p", (0, 1), ((1, 0), (0,)))])


def align(folder, source, files, *options):
    (made,) = run(folder, f"giza-{source}", files, *options)
    return [(link.summary[0], link.document and link.document[0]) for link in made.links]


@pytest.mark.parametrize("names", [GIZA, MGIZA], ids=["giza", "mgiza"])
@pytest.mark.parametrize("source", ["doc", "sum"])
def test_links_are_read_back(names, source, files, tmp_path):
    folder = programs(tmp_path / "bin", *names)
    # The first summary sentence is paired with both document sentences, the second with the first.
    links = [(0, 0), (1, 1), (2, 0), (3, 1), (4, 2), (5, 3)]
    assert align(tmp_path, source, files, "--path", folder) == links


def test_long_sides_are_cut_and_programs_are_found_on_the_path(files, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(programs(tmp_path / "bin", *GIZA)))
    # The most similar sentence, document words 5 … 8, now comes first.
    assert align(tmp_path, "doc", files, "--longest", "4")[:2] == [(0, 5), (1, 6)]


@pytest.mark.parametrize("missing", GIZA)
def test_a_missing_program_is_named(missing, tmp_path):
    folder = programs(tmp_path, *(name for name in GIZA if name != missing))
    with pytest.raises(InputError, match=r"no .* in `giza.path`, .*; install GIZA\+\+ or MGIZA") as error:
        giza.align_pairs([(["a"], ["b"])], "doc", Giza(path=str(folder)))
    assert missing.removesuffix(".out") in str(error.value)


# An example in the format of the GIZA++ manual: fertility two, an unaligned word, null.
A3 = """# Sentence pair (1) source length 3 target length 4 alignment score : 1.2e-05
w2 w3 w4 w5
NULL ({ 3 }) w9 ({ 1 2 }) w8 ({ }) w7 ({ 4 })
"""
