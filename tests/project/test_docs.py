"""The documentation: its commands run, its tables match the code, its links and names exist."""

import ast
import importlib
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import settings_page
from markdown_tables import insert
from vorlage.corpus.layouts.known import LAYOUTS
from vorlage.corpus.readers.registry import READERS

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
# The pages run in this order in one copy of the project, so a page can use the results of those before it.
PAGES = (
    *(
        "tutorial",
        "own-corpus",
        "readers",
        "command",
        "new-pairs",
        "attribution",
        "serve",
        "adding-a-system",
        "annotation",
        "settings",
        "scores",
        "decomposition",
        "report",
        "model",
        "faq",
    ),
    *("index", "jump-models", "parsers", "baselines", "speed", "workflow", "cluster", "scaling"),
    *(
        "guarantees",
        "formats",
        "readers",
        "cli",
        "api",
        "licences",
        "experiments",
        "field",
        "recursions",
        "replication",
        "code",
        "testing",
        "first-issues",
        "model-card",
    ),
)
WITHOUT_SNAKEMAKE = (
    "readers",
    "command",
    "new-pairs",
    "decomposition",
    "attribution",
    "serve",
    "adding-a-system",
    "annotation",
)
TEXTS = [
    *(ROOT / f"{name}.md" for name in ("README", "CONTRIBUTING", "CHANGELOG")),
    *sorted(DOCS.glob("*.md")),
]
BLOCK = re.compile(r'^``(\w+)( title="This ends with an error")?\n(.*?)^``$', flags=re.MULTILINE | re.DOTALL)
# Commands that need a cluster: those of Snakemake are run dry.
ON_CLUSTER = re.compile(r"^``slurm\n(.*?)^``$", re.MULTILINE | re.DOTALL)
COPIED = (
    "Snakefile",
    "config.yaml",
    "Makefile",
    "mkdocs.yml",
    "pyproject.toml",
    "requirements.lock",
    "requirements-encoder.lock",
    "README.md",
)


def blocks(page):
    """Return the blocks of commands of a page: `(language, whether they must fail, text)`."""
    text = (DOCS / f"{page}.md").read_text(encoding="utf-8")
    return [
        (kind, bool(fails), code) for kind, fails, code in BLOCK.findall(text) if kind in ("sh", "python")
    ]


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """Copy the project as a user has it, with this environment."""
    folder = tmp_path_factory.mktemp("project")
    for name in COPIED:
        shutil.copy2(ROOT / name, folder / name)
    for name in ("workflow", "profiles", "data", "docs"):
        shutil.copytree(ROOT / name, folder / name)
    shutil.copy(ROOT / "slurm", folder / "slurm", follow_symlinks=False)
    # A link, because kernels are compiled once for each location.
    (folder / "pipeline").symlink_to(ROOT / "pipeline")
    # One jump model and two systems: the others are tested elsewhere and take minutes.
    config = (folder / "config.yaml").read_text()
    for name, choice in (("jumps", "[relative]"), ("systems", "[semihmm-relative, cutpaste]")):
        config, count = re.subn(rf"({name}:\s+)\[[^]]*\]", rf"\g<1>{choice}", config)
        assert count == 1
    (folder / "config.yaml").write_text(config)
    # The environment of the tests replaces the one that `make setup` would create.
    (folder / ".venv/bin").mkdir(parents=True)
    (folder / ".venv/bin/activate").write_text("")
    (folder / ".venv/set-up").touch()
    return folder


def run(folder, kind, code):
    environment = os.environ | {"PYTHONSAFEPATH": "1", "CORES": "2"}
    environment["PATH"] = f"{Path(sys.executable).absolute().parent}:{environment['PATH']}"
    command = ["bash", "-euo", "pipefail", "-c", code] if kind == "sh" else [sys.executable, "-c", code]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


def run_page(folder, page):
    """Run the commands of a page in order and return the number of blocks."""
    commands = blocks(page)
    for kind, fails, code in commands:
        done = run(folder, kind, code)
        output = f"{page}:\n{code}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
        assert (done.returncode != 0) == fails, output
        if fails:
            assert done.stderr.count("\n") == 1 and done.stderr.startswith("error: "), output
    return len(commands)


def test_every_command_runs(project):
    ran = run_page(project, "tutorial")
    # Snakemake allows one run at a time, so the pages that use it run in sequence.
    with ThreadPoolExecutor(2) as pool:
        others = pool.submit(lambda: sum(run_page(project, page) for page in WITHOUT_SNAKEMAKE))
        ran += sum(run_page(project, page) for page in PAGES[1:] if page not in WITHOUT_SNAKEMAKE)
        ran += others.result()
    assert ran > 20
    reports = (project / "results").glob("*/report/index.html")
    assert {path.parts[-3] for path in reports} == {"sample", "mine"}
    rows = (project / "scores.tsv").read_text().splitlines()
    assert [row.split("\t")[0] for row in rows] == [
        "system",
        *["semihmm-relative"] * 2,
        *["first"] * 2,
        *["annotator-A"] * 2,
        *["annotator-B"] * 2,
    ]


def commands_on_a_cluster():
    """Return the lines of the blocks that need a cluster, from all pages."""
    blocks = (block for path in sorted(DOCS.glob("*.md")) for block in ON_CLUSTER.findall(path.read_text()))
    return [line for block in blocks for line in block.splitlines()]


@pytest.mark.parametrize("line", [line for line in commands_on_a_cluster() if line.startswith("snakemake ")])
def test_commands_for_a_cluster_run_dry(project, line):
    corpus = "{name: mine, reader: jsonl, path: data/sample/corpus.jsonl}"
    (project / "mine.yaml").write_text(f"corpus: {corpus}\n")
    done = run(project, "sh", line if "--unlock" in line else f"{line} --dry-run --quiet")
    assert done.returncode == 0, f"{line}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"


def test_other_commands_for_a_cluster_exist():
    lines = commands_on_a_cluster()
    scripts = {line.split()[0] for line in lines if line.startswith("tests/")}
    assert scripts == {"tests/slurm/cluster.sh"}
    for line in lines:
        assert re.match(r"snakemake |tests/|export |make setup|\. \.venv/bin/activate", line), line
    for script in scripts:
        done = subprocess.run([ROOT / script], capture_output=True, text=True)
        assert "usage" in done.stderr
        assert {line.split()[1] for line in lines if line.startswith(script)} <= set(
            re.findall(r"start|stop|status", done.stderr)
        )


def commands_in_text():
    """Return the commands named in running text: module → the options named with it."""
    commands = {}
    for path in TEXTS:
        for command in re.findall(r"`(python\s+-m\s+[^`]+)`", path.read_text(encoding="utf-8")):
            module = re.match(r"python\s+-m\s+(pipeline[.\w]*)(?!.*<)", command)
            if module:
                commands.setdefault(module[1], set()).update(re.findall(r"--[a-z][\w-]*", command))
    return sorted(commands.items())


@pytest.mark.parametrize(("module", "named"), commands_in_text())
def test_commands_named_in_the_text_have_their_options(module, named, capsys):
    command = importlib.import_module(module)
    if not hasattr(command, "main"):
        command = importlib.import_module(f"{module}.__main__")
    with pytest.raises(SystemExit) as stop:
        command.main(["--help"])
    assert stop.value.code == 0
    assert named <= set(re.findall(r"--[a-z][\w-]*", capsys.readouterr().out))


def test_every_page_is_run_and_in_the_navigation():
    assert {path.stem for path in DOCS.glob("*.md")} == set(PAGES)
    nav = re.findall(r"(\S+)\.md$", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE)
    assert set(nav) == {*PAGES, "contributing", "changelog"}


def test_every_format_has_an_example():
    page = (DOCS / "readers.md").read_text(encoding="utf-8")
    assert set(READERS) <= set(re.findall(r"^## (\w+)$", page, re.MULTILINE))
    commands = "".join(code for _, _, code in blocks("readers"))
    assert set(re.findall(r"--reader (\w+)", commands)) == set(READERS)
    assert set(re.findall(r"--layout (\w+)", commands)) == set(LAYOUTS)


def test_tables_of_settings_match_the_classes():
    text = (DOCS / "settings.md").read_text(encoding="utf-8")
    for name, table in settings_page.tables().items():
        assert insert(text, f"settings {name}", table) == text, (
            "run python experiments/settings_page.py --file docs/settings.md"
        )


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_links_lead_to_files_and_headings(path):
    for address in re.findall(r"\]\(([^)\s]+)\)", path.read_text(encoding="utf-8")):
        if not address.startswith("http"):
            name, _, heading = address.partition("#")
            target = path.parent / name if name else path
            assert target.exists(), address
            assert not heading or heading in headings(target), address


def headings(path):
    """Return the anchors of the headings of a page, as mkdocs and GitHub write them."""
    titles = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"\s+", "-", re.sub(r"[^\w\s-]", "", title).strip().lower()) for title in titles}


def test_renamed_commands_exist_under_the_new_name_only():
    text = (DOCS / "faq.md").read_text(encoding="utf-8").partition("## Renamed")[2]
    modules = re.findall(r"^\| `(pipeline\.[\w.]+\w)` \| `(pipeline\.[\w.]+)` \|$", text, re.MULTILINE)
    assert len(modules) >= 6
    for old, new in modules:
        assert not module_file(old), old
        assert module_file(new), new


def module_file(name):
    """Return the file of a module or of a package's command, or None."""
    path = ROOT.joinpath(*name.split("."))
    return next(filter(Path.is_file, (path.with_suffix(".py"), path / "__main__.py")), None)


def cited_code():
    """Return the files that docs/code.md cites, each with the names that follow it: path → names.

    The names follow the path after a colon or a comma: `decode.py`: `decode`, `links`.
    """
    cited = {}
    text = (DOCS / "code.md").read_text(encoding="utf-8")
    for path, names in re.findall(r"`(pipeline/[\w/]+\.py)`((?:(?:: |, )`[\w.]+`)*)", text):
        cited.setdefault(path, set()).update(re.findall(r"`([\w.]+)`", names))
    return sorted(cited.items())


@pytest.mark.parametrize(("path", "names"), cited_code())
def test_code_cited_on_the_page_exists(path, names):
    defined = definitions(ast.parse((ROOT / path).read_text(encoding="utf-8")).body)
    assert names <= defined


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


def test_page_on_the_code_cites_every_stage():
    cited = {path.split("/")[1] for path, _ in cited_code()}
    assert {"corpus", "extract", "parse", "train", "semihmm", "align", "score", "report"} <= cited
