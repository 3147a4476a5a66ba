"""The English of documentation and docstrings, by the rules of prose.tsv, which have an example each."""

import ast
import csv
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [
    *(ROOT / f"{name}.md" for name in ("README", "CONTRIBUTING", "CHANGELOG")),
    *sorted((ROOT / "docs").glob("*.md")),
]
# Fences, indented code, code in a line, comments, formulas, the addresses of links.
CODE = re.compile(
    r"^```.*?^```|(?<=\n\n)(?:    [^\n]+\n+)+|``.+?``|`[^`]*`"
    r"|<!--.*?-->|\$\$.*?\$\$|\$[^$\n]+\$|(?<=\])\([^)\s]+\)",
    re.MULTILINE | re.DOTALL,
)
with (Path(__file__).parent / "prose.tsv").open(encoding="utf-8") as file:
    RULES = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def find(rule, text):
    """Yield what a rule finds in a text without its code: the line, the words, the advice."""
    for found in re.finditer(rule["pattern"], text, re.IGNORECASE | re.MULTILINE):
        yield text.count("\n", 0, found.start()), f"“{found[0].strip()}”: {rule['advice']}"


def without_code(text):
    """Return a text with its code replaced by a mark; lines keep their numbers."""
    return CODE.sub(lambda found: "…" + "\n" * found[0].count("\n"), text)


def docstrings(path):
    """Yield the docstrings of a module, each with its first line."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node):
            yield node.body[0].lineno, ast.get_docstring(node)


def findings(name, line, text):
    plain = without_code(text)
    return [f"{name}:{line + number} {what}" for rule in RULES for number, what in find(rule, plain)]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule["advice"])
def test_rule_finds_the_wrong_example_and_not_the_right_one(rule):
    assert list(find(rule, rule["not"]))
    assert not findings("", 0, rule["but"])


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_english_of_pages(path):
    assert not findings(path.name, 1, path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("folder", ["pipeline", "tools", "benchmarks"])
def test_english_of_docstrings(folder):
    files = sorted((ROOT / folder).rglob("*.py"))
    found = [
        finding
        for path in files
        for line, text in docstrings(path)
        for finding in findings(path.relative_to(ROOT), line, text)
    ]
    assert not found, "\n".join(found)
