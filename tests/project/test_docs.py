"""The documentation: its commands run, its tables are those of the code, its links lead somewhere."""

import importlib
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pipeline.report import settings_page as options
from pipeline.report.markdown import insert

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
# In this order, in one copy of the project: what a page makes, the next ones may use.
PAGES = (
    *("tutorial", "own-corpus", "new-pairs", "adding-a-system", "settings", "scores", "model", "faq"),
    *("index", "jump-models", "parsers", "baselines", "speed", "cluster", "scaling"),
    *("guarantees", "licences", "experiments"),
)
WITHOUT_SNAKEMAKE = ("new-pairs", "adding-a-system")
BLOCK = re.compile(r"^```(\w+)( fails)?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# Commands that want a cluster: those of Snakemake are run dry.
ON_CLUSTER = re.compile(r"^```slurm\n(.*?)^```$", re.MULTILINE | re.DOTALL)
WANTED = (
    "Snakefile",
    "config.yaml",
    "Makefile",
    "mkdocs.yml",
    "pyproject.toml",
    "requirements.lock",
    "README.md",
)


def blocks(page):
    """The commands of a page: ``(language, whether they are to fail, text)``."""
    text = (DOCS / f"{page}.md").read_text(encoding="utf-8")
    return [
        (kind, bool(fails), code) for kind, fails, code in BLOCK.findall(text) if kind in ("sh", "python")
    ]


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A copy of the project as a user has it, with this environment."""
    folder = tmp_path_factory.mktemp("project")
    for name in WANTED:
        shutil.copy2(ROOT / name, folder / name)
    for name in ("workflow", "data", "docs"):
        shutil.copytree(ROOT / name, folder / name)
    for link in ("slurm", "profiles"):
        shutil.copy(ROOT / link, folder / link, follow_symlinks=False)
    # The code itself, whose kernels are compiled once for a place.
    (folder / "pipeline").symlink_to(ROOT / "pipeline")
    # One jump model and two systems: all of them are tested elsewhere, and take minutes.
    config = (folder / "config.yaml").read_text()
    for name, wanted in (("jumps", "[relative]"), ("systems", "[semihmm-relative, cutpaste]")):
        config, count = re.subn(rf"({name}:\s+)\[[^]]*\]", rf"\g<1>{wanted}", config)
        assert count == 1
    (folder / "config.yaml").write_text(config)
    # The environment of the tests stands for the one that `make setup` would make.
    (folder / ".venv/bin").mkdir(parents=True)
    (folder / ".venv/bin/activate").write_text("")
    (folder / ".venv/set-up").touch()
    wordnet = ROOT / "results/wordnet"
    if wordnet.exists():
        shutil.copytree(wordnet, folder / "results/wordnet")
    return folder


def run(folder, kind, code):
    environment = os.environ | {"PYTHONSAFEPATH": "1", "CORES": "2"}
    environment["PATH"] = f"{Path(sys.executable).absolute().parent}:{environment['PATH']}"
    command = ["bash", "-euo", "pipefail", "-c", code] if kind == "sh" else [sys.executable, "-c", code]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


def run_page(folder, page):
    """Run the commands of a page in turn; returns how many there were."""
    found = blocks(page)
    for kind, fails, code in found:
        done = run(folder, kind, code)
        said = f"{page}:\n{code}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
        assert (done.returncode != 0) == fails, said
        if fails:
            assert done.stderr.count("\n") == 1 and done.stderr.startswith("error: "), said
    return len(found)


def test_every_command_runs(project):
    ran = run_page(project, "tutorial")
    # Snakemake has one run at a time, so what uses it goes one after the other.
    with ThreadPoolExecutor(2) as pool:
        others = pool.submit(lambda: sum(run_page(project, page) for page in WITHOUT_SNAKEMAKE))
        ran += sum(run_page(project, page) for page in PAGES[1:] if page not in WITHOUT_SNAKEMAKE)
        ran += others.result()
    assert ran > 20
    made = (project / "results").glob("*/report/index.html")
    assert {path.parts[-3] for path in made} == {"sample", "mine"}
    rows = (project / "scores.tsv").read_text().splitlines()
    assert [row.split("\t")[0] for row in rows] == ["system", *["semihmm-relative"] * 2, *["first"] * 2]


def commands_on_a_cluster():
    """The lines of the blocks that want a cluster, of all pages."""
    blocks = (block for path in sorted(DOCS.glob("*.md")) for block in ON_CLUSTER.findall(path.read_text()))
    return [line for block in blocks for line in block.splitlines()]


@pytest.mark.parametrize("line", [line for line in commands_on_a_cluster() if line.startswith("snakemake ")])
def test_commands_for_a_cluster_run_dry(project, line):
    corpus = "{name: mine, reader: jsonl, path: data/sample/corpus.jsonl}"
    (project / "mine.yaml").write_text(f"corpus: {corpus}\n")
    done = run(project, "sh", line if "--unlock" in line else f"{line} --dry-run --quiet")
    assert done.returncode == 0, f"{line}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"


def test_other_commands_for_a_cluster_are_there():
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
    """Commands that a text names without a block of their own: module → options named with it."""
    found = {}
    for path in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.glob("*.md"))]:
        for command in re.findall(r"`(python\s+-m\s+[^`]+)`", path.read_text(encoding="utf-8")):
            module = re.match(r"python\s+-m\s+(pipeline[.\w]*)(?!.*<)", command)
            if module:
                found.setdefault(module[1], set()).update(re.findall(r"--[a-z][\w-]*", command))
    return sorted(found.items())


@pytest.mark.parametrize(("module", "named"), commands_in_text())
def test_commands_named_in_the_text_have_their_options(module, named, capsys):
    command = importlib.import_module(module)
    if not hasattr(command, "main"):
        command = importlib.import_module(f"{module}.__main__")
    with pytest.raises(SystemExit) as stop:
        command.main(["--help"])
    assert stop.value.code == 0
    assert named <= set(re.findall(r"--[a-z][\w-]*", capsys.readouterr().out))


def test_no_page_is_left_out():
    assert {path.stem for path in DOCS.glob("*.md")} == set(PAGES)
    nav = re.findall(r"(\S+)\.md$", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE)
    assert set(nav) == set(PAGES)


def test_the_tables_of_settings_are_those_of_the_schema():
    text = (DOCS / "settings.md").read_text(encoding="utf-8")
    for name, part in options.sections().items():
        assert insert(text, f"settings {name}", options.markdown(part)) == text, (
            "run python -m pipeline.report.settings_page --file docs/settings.md"
        )


def test_the_site_is_built_and_fetches_nothing(tmp_path):
    mkdocs = Path(sys.executable).absolute().parent / "mkdocs"
    subprocess.run([mkdocs, "build", "--strict", "--quiet", "-d", tmp_path], cwd=ROOT, check=True)
    for path in tmp_path.glob("*.html"):
        html = path.read_text(encoding="utf-8")
        fetched = re.findall(r'<(?:script|link|img)[^>]*(?:src|href)="(https?:[^"]*)"', html)
        assert not fetched, path
    assert "<math" in (tmp_path / "model.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.glob("*.md"))])
def test_links_lead_to_files(path):
    for address in re.findall(r"\]\(([^)\s]+)\)", path.read_text(encoding="utf-8")):
        if not address.startswith(("http", "#")):
            assert (path.parent / address.split("#")[0]).exists(), address
