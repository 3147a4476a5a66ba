"""Put the tables of all settings into a Markdown file: `python experiments/settings_page.py`.

The tables come from the schema of the config and are between the lines `<!-- settings SECTION -->` and
`<!-- end -->`.
"""

import json
from collections.abc import Iterator
from pathlib import Path

from markdown_tables import insert_into_file
from vorlage.command.errors import command
from vorlage.command.options import CommandParser
from vorlage.settings_by_key import schema, to_text
from vorlage.types import JsonObject

TYPES = {"integer": "whole number", "string": "text", "boolean": "true or false"}
LIMITS = {"minimum": "≥", "exclusiveMinimum": ">", "maximum": "≤", "exclusiveMaximum": "<"}


def sections() -> dict[str, JsonObject]:
    """Return the parts of the schema by section; settings outside of all sections are in `other`."""
    named, other = {}, {}
    for name, part in schema()["properties"].items():
        if part.get("type") == "object":
            named[name] = part
        else:
            other[name] = part
    return named | {"other": {"properties": other}}


def make_table(section: JsonObject) -> str:
    """Return a section of the schema as a Markdown table."""
    lines = ["| setting | may be | default | meaning |", "| --- | --- | --- | --- |"]
    for cells in rows(section):
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines)


def rows(section: JsonObject, prefix: str = "") -> Iterator[tuple[str, str, str, str]]:
    """Yield `(name, allowed values, default, meaning)` of each setting of a section of the schema."""
    for key, part in section["properties"].items():
        if part.get("type") == "object":
            yield from rows(part, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", _allowed_values(part), _default(part), part.get("description", "")


def _allowed_values(part: JsonObject) -> str:
    if "anyOf" in part:
        return " or ".join(_allowed_values(choice) for choice in part["anyOf"])
    if "const" in part:
        return f"`{part['const']}`"
    if "enum" in part:
        return ", ".join(f"`{to_text(choice)}`" for choice in part["enum"])
    if part.get("type") == "array":
        return f"list of {_allowed_values(part['items'])}"
    types: list[str] = part["type"] if isinstance(part["type"], list) else [part["type"]]
    text = " or ".join(TYPES.get(name, name) for name in types)
    return ", ".join([text, *(f"{sign} {part[key]}" for key, sign in LIMITS.items() if key in part)])


def _default(part: JsonObject) -> str:
    if "default" not in part:
        return "required"
    with_encoder = f", `{json.dumps(part['with_encoder'])}` with encoder" if "with_encoder" in part else ""
    return f"`{json.dumps(part['default'])}`{with_encoder}"


@command
def main(arguments: list[str] | None = None) -> None:
    """Put the tables of all settings into a Markdown file."""
    parser = CommandParser("settings_page", main, log=False)
    parser.add_argument("--file", required=True, type=Path, help="Markdown file to change")
    options = parser.parse(arguments)
    tables = {f"settings {name}": make_table(part) for name, part in sections().items()}
    insert_into_file(options.file, tables)


if __name__ == "__main__":
    main()
