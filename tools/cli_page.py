"""Writes ``docs/cli.md``: the commands with their options, from their parsers of arguments.

Run ``python tools/cli_page.py`` after an option changes; a test checks that the page is current.
"""

import ast
import contextlib
import re
from argparse import SUPPRESS, Action, ArgumentParser, RawDescriptionHelpFormatter
from pathlib import Path
from textwrap import fill
from unittest import mock

from pipeline.cli.__main__ import COMMANDS, STAGES
from pipeline.cli.__main__ import main as palimpsest

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "cli.md"
HEADER = """# Commands

`palimpsest COMMAND --help` prints what this page lists; `python tools/cli_page.py` writes it. A command
ends with status 0, with 1 after an input that cannot be used, or with 2 after a wrong option.

"""
OTHERS = """## Other commands

The workflow and the pages of this site use these as well; `--help` lists their options.

"""


def parser_of(name: str) -> ArgumentParser:
    """Return the parser of a command of ``palimpsest``, which it makes to print its help."""
    found: list[ArgumentParser] = []
    with (
        mock.patch.object(ArgumentParser, "print_help", lambda parser, file=None: found.append(parser)),
        contextlib.suppress(SystemExit),
    ):
        palimpsest([name, "--help"])
    return found[0]


def section(name: str) -> str:
    """Return the heading, description and options of a command."""
    parser = parser_of(name)
    parts = [f"## palimpsest {name}", text(parser, parser.description), text(parser, parser.epilog)]
    if parser.usage:
        usage = parser.usage.replace("%(prog)s", parser.prog)
        parts.insert(1, f"```text\n{re.sub(r'^ +', '', usage, flags=re.MULTILINE)}\n```")
    rows = [row(parser, action) for action in parser._actions if SUPPRESS not in (action.help, action.dest)]
    parts.append("\n".join(["| option | meaning |", "|---|---|", *filter(None, rows)]))
    return "\n\n".join(filter(None, parts)) + "\n"


def text(parser: ArgumentParser, content: str | None) -> str:
    """Return a description or epilog, as code if the command prints its lines as they are."""
    if not content:
        return ""
    content = content.strip() % {"prog": parser.prog}
    if parser.formatter_class is RawDescriptionHelpFormatter:
        return f"```text\n{content.replace('``', '`')}\n```"
    paragraphs = content.replace("``", "`").split("\n\n")
    return "\n\n".join(fill(" ".join(paragraph.split()), 120) for paragraph in paragraphs)


def row(parser: ArgumentParser, action: Action) -> str:
    """Return the row of an option or of a positional argument; none for ``--help``."""
    if action.dest == "help":
        return ""
    names = ", ".join(action.option_strings)
    if action.choices and not action.metavar:
        values = " or ".join(map(str, action.choices))
    else:
        value = (action.metavar or action.dest).upper()
        if names.endswith(value.replace("_", "-").lower()):  # the name of the option says the same
            value = "…"
        action.metavar = value
        values = parser._get_formatter()._format_args(action, value)
    meaning = " ".join((action.help or "").split()) % {**vars(action), "prog": parser.prog}
    required = "required; " if action.required and names else ""
    cells = f"`{f'{names} {values}'.strip()}`", required + meaning.replace("<", "&lt;").replace("*", r"\*")
    return "| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |"


def others() -> list[str]:
    """Return a row for each module that is a command but has no name of its own: the name and the task."""
    named = {"pipeline.cli", *(module for module, _ in STAGES.values())}
    rows = []
    for path in sorted((ROOT / "pipeline").rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__main__")
        runs = any(isinstance(node, ast.If) and "__main__" in ast.unparse(node.test) for node in tree.body)
        if runs and module not in named:
            task = ast.get_docstring(functions.get("main", tree)) or ""
            rows.append(f"| `python -m {module}` | {task.partition(chr(10) * 2)[0].rstrip('.')} |")
    return rows


def make_page() -> str:
    """Return the text of the page."""
    table = "\n".join(["| command | task |", "|---|---|", *others()])
    return HEADER + "\n".join(map(section, COMMANDS)) + "\n" + OTHERS + table + "\n"


if __name__ == "__main__":
    PAGE.write_text(make_page(), encoding="utf-8")
