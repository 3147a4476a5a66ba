"""Names with special characters of the shell or Snakemake: they work, or one line refuses them."""

import json
import re

import pytest
from toy import PAIRS, ROOT, Toy, write_corpus

from pipeline import settings
from pipeline.run.errors import InputError

CANARY = "PWNED"
# A name that a shell would execute if a command did not quote it.
EVIL = f'it\'s "a" $(touch {CANARY}) `touch {CANARY}`;touch {CANARY};& |*?[a]<é文 %s ~#\\'
# Fields that commands do not quote, and the expressions of their values.
BARE = {f"params.{name}" for name in "gold options parser part parts profiles reversed settings".split()}
BARE |= {
    f"params.{name}"
    for name in "counts data pairs seed shards similarities slider trees weights wordnet".split()
} | {"threads"}
QUOTED = r"options?\b|^PARTS(_OF_ROWS)?$|^SEMIHMM\[.shards.\]$|^config\[.(seed|report.\]\[.pairs).\]$"
IDS = [f"-x {EVIL}", f"../{EVIL}", f"$(touch {CANARY})", "{input} {0} {{}}", "--help", "*"]


@pytest.fixture(scope="module")
def evil(tmp_path_factory):
    """Return the toy, in a folder and with files and ids of such names, and the outcome of its run."""
    folder = tmp_path_factory.mktemp("evil") / f"-{EVIL}\n{{input}}{{}}"
    folder.mkdir()
    toy = Toy(folder)
    corpus, gold, trees = (f"{EVIL}.{ending}" for ending in ("jsonl", "gold", "mrg"))
    write_corpus(folder / corpus, folder / gold)
    for path in (folder / corpus, folder / gold):
        path.write_text("".join(renamed(path.read_text().splitlines())))
    sentences = dict.fromkeys(sentence for document, _, _ in PAIRS.values() for sentence in document)
    (folder / trees).write_text("".join(f"{tree(sentence)}\n" for sentence in sentences))
    toy.config["corpus"] |= {"path": corpus, "gold": gold}
    toy.config |= {
        "extract": {"enabled": False},
        "parse": {"backend": "trees", "trees": trees, "shards": 1},
        "systems": ["semihmm-syntax", "cutpaste", "hmm-doc", "hmm-sum", "hmm-gdfa"],
    }
    toy.config["semihmm"]["jumps"] = ["syntax"]
    return toy, toy.snakemake("--cores", "2", "-p")


def renamed(lines):
    names = dict(zip(PAIRS, IDS, strict=True))
    for line in lines:
        record = json.loads(line)
        yield json.dumps(record | {"id": names[record["id"]]}) + "\n"


def tree(sentence):
    return f"(S {' '.join(f'(X {word})' for word in sentence.split())})"


@pytest.mark.guarantee("injection")
def test_hostile_names_of_folders_files_and_pairs_work(evil):
    toy, outcome = evil
    assert outcome.status == 0, outcome.text
    for system in toy.config["systems"]:
        lines = (toy.folder / f"results/toy/align/{system}/alignments.jsonl").read_text().splitlines()
        assert [json.loads(line)["id"] for line in lines] == IDS


@pytest.mark.guarantee("injection")
def test_no_part_of_a_name_is_executed(evil):
    toy, outcome = evil
    assert f"touch {CANARY}" in outcome.text  # the commands contain it, quoted
    assert not [path for path in toy.folder.parent.rglob("*") if path.name == CANARY]
    assert not (ROOT / CANARY).exists()


@pytest.mark.guarantee("injection")
@pytest.mark.parametrize("key", settings.PATHS)
@pytest.mark.parametrize("path", ["-rf", "a{b}", "{}", "a\nb", "a\0b", "\ud800"])
def test_paths_that_no_command_accepts_are_refused(key, path):
    section, _, name = key.partition(".")
    corpus = {"name": "x", "reader": "jsonl", "path": "x.jsonl"}
    config = {"corpus": corpus} | {section: (corpus if section == "corpus" else {}) | {name: path}}
    with pytest.raises(InputError, match=f"config: `{re.escape(key)}` is .*rename"):
        settings.check_paths(settings.complete(config))


@pytest.mark.guarantee("injection")
@pytest.mark.parametrize("key", ["corpus.path", "parse.trees"])
def test_the_workflow_refuses_such_paths_in_one_line(evil, key):
    toy, _ = evil
    section, _, name = key.partition(".")
    outcome = toy.snakemake("-n", **{section: {name: "{corpus}.jsonl"}})
    assert outcome.status == 1
    lines = outcome.text.splitlines()
    assert [line for line in lines if line.startswith("error")] == lines[-1:]
    assert f"config: `{key}`" in lines[-1]


@pytest.mark.guarantee("injection")
@pytest.mark.parametrize("rules", sorted(ROOT.glob("workflow/rules/*.smk")), ids=lambda path: path.name)
def test_every_name_in_a_command_is_quoted(rules):
    """Only numbers, and options that ``settings.options`` quotes, do without ``:q``."""
    text = rules.read_text()
    commands = re.findall(r'^ +shell:\n((?: +".*"\n?)+)', text, re.MULTILINE)
    assert len(commands) == len(re.findall(r"^ +shell:", text, re.MULTILINE))
    for field in re.findall(r"\{(.*?)\}", "".join(commands)):
        assert field.endswith(":q") or field in BARE, field


def test_unquoted_fields_are_numbers_or_come_from_settings_options():
    rules = "".join(path.read_text() for path in ROOT.glob("workflow/rules/*.smk"))
    text = "".join(params for _, params in re.findall(r"^( +)params:\n((?:\1 +.*\n)+)", rules, re.MULTILINE))
    for name in (field.removeprefix("params.") for field in BARE - {"threads"}):
        values = re.findall(rf"^ +{name}=(.+),$", text, re.MULTILINE)
        assert values and all(re.search(QUOTED, value) for value in values), name
