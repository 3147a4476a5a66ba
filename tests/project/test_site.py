"""The documentation as a site: it builds without a network, and its generated pages match the code."""

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from markdown_tables import insert
from vorlage.semihmm.kernels.forward_backward import expect

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


def load(name):
    """Return a module of tools/."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Build the site as `make docs` does; a broken link or reference ends the build."""
    folder = tmp_path_factory.mktemp("site")
    mkdocs = Path(sys.executable).absolute().parent / "mkdocs"
    done = subprocess.run(
        [mkdocs, "build", "--strict", "--quiet", "-d", folder],
        cwd=ROOT,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    return folder


def test_pages_fetch_nothing(site):
    pages = list(site.glob("*.html"))
    assert len(pages) > len(list(DOCS.glob("*.md")))
    for path in pages:
        html = path.read_text("utf-8")
        assert not re.search(r'<(?:script|link|img)[^>]*(?:src|href)="https?:', html), path
    for path in site.rglob("*.css"):
        assert not re.search(r"(@import|url\()\s*[\"']?https?:", path.read_text("utf-8")), path


def test_pages_have_no_raw_markup(site):
    for path in site.glob("*.html"):
        html = path.read_text("utf-8")
        assert not re.search(r":(class|func|meth|mod):", html), path
        assert "```" not in html, path
    assert "<math" in (site / "model.html").read_text("utf-8")


def test_search_finds_a_setting_and_a_function(site):
    index = (site / "search" / "search_index.json").read_text("utf-8")
    assert "posterior_threshold" in index and "vorlage.api.load_model" in index


def test_reference_has_the_public_names(site):
    html = (site / "api.html").read_text("utf-8")
    for name in ("api.load_model", "run.errors.InputError", "api.TrainedModel.align_many"):
        assert f'id="pipeline.{name}"' in html, name


def test_page_of_commands_is_current():
    current = load("cli_page").make_page()
    assert (DOCS / "cli.md").read_text("utf-8") == current, "run python tools/cli_page.py"


def test_drawn_recursions_are_current_and_equal_the_kernels():
    recursions = load("recursions")
    pair, inputs, jumps = recursions.prepare()
    found = recursions.run(inputs, jumps)
    links = np.zeros((len(inputs.summary), len(inputs.document)))
    expected = expect(inputs, 1.0, links, False)
    assert np.log(found.total) == pytest.approx(expected.log_likelihood, rel=1e-10)
    nulls, longer = np.zeros(len(links)), {}
    for step, posterior in found.steps.items():
        if not step.j:
            nulls[step.t] += posterior
        elif step.k == step.l == 1:
            links[step.t, step.j - 1] -= posterior
        else:
            place = (step.t, step.k, step.j - 1, step.l)
            longer[place] = longer.get(place, 0) + posterior
    assert nulls == pytest.approx(expected.null_posteriors, rel=1e-9)
    assert links == pytest.approx(0, abs=1e-10)
    listed = [longer[tuple(place)] for place in inputs.phrases.tolist()]
    assert listed == pytest.approx(expected.phrase_posteriors, rel=1e-9)
    page = (DOCS / "recursions.md").read_text("utf-8")
    assert recursions.DOCUMENT in page and recursions.SUMMARY in page
    for mark, table in recursions.make_tables(pair, found).items():
        assert insert(page, mark, table) == page, "run python tools/recursions.py"
    assert (DOCS / "recursions.svg").read_text("utf-8") == recursions.draw(pair, found)
