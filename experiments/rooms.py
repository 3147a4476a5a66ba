"""Draw the rooms of the package in docs/code.md, from the contracts in pyproject.toml:

    python experiments/rooms.py

A room begins with ▼ if it may import all that follow it, and stands below another without ▼ if the two import
nothing of each other. What it is for is the first line of its docstring. A test compares page and contracts.
"""

import ast
import re
import tomllib

from markdown_tables import ROOT, write_pages

WIDTH = 18  # of the names


def purpose(room: str) -> str:
    """Return the first line of the docstring of a module or package."""
    path = ROOT.joinpath("pipeline", *room.split("."))
    module = path.with_suffix(".py")
    source = module if module.exists() else path / "__init__.py"
    docstring = ast.get_docstring(ast.parse(source.read_text(encoding="utf-8"))) or ""
    return docstring.partition("\n")[0]


def drawing() -> str:
    """Return the rooms of all contracts of layers, those inside of a room below it."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    layers = {name: each["layers"] for each in contracts for name in each.get("containers", ())}

    def draw(container: str, depth: int) -> list[str]:
        lines = []
        for layer in layers.get(container, ()):
            for number, name in enumerate(re.findall(r"\w+", layer)):
                label = "    " * depth + ("▼ " if number == 0 else "  ") + name
                lines.append(f"{label:{WIDTH}}  {purpose(f'{container}.{name}')}")
                lines += draw(f"{container}.{name}", depth + 1)
        return lines

    lines = draw("vorlage", 0)
    core = next(number for number, line in enumerate(lines) if line.startswith("▼ cli "))
    return "\n".join(["```text", *lines[:core], "─── the core", *lines[core:], "```"])


if __name__ == "__main__":
    write_pages(lambda: {"docs/code.md": {"rooms": drawing()}})
