"""Put the tables of all settings into a Markdown file: `python experiments/settings_page.py`.

The tables come from the classes of the settings and are between the lines `<!-- settings SECTION -->` and
`<!-- end -->`.
"""

import json
from collections.abc import Iterator
from pathlib import Path

from markdown_tables import insert_into_file
from vorlage.command.errors import command
from vorlage.command.options import CommandParser
from vorlage.settings import Config, Section
from vorlage.types import JsonObject

TYPES = {
    "integer": "whole number",
    "string": "text",
    "boolean": "true or false",
    "null": "null",
    "object": "section",
}
LIMITS = {"minimum": "≥", "exclusiveMinimum": ">", "maximum": "≤", "exclusiveMaximum": "<"}


def tables() -> dict[str, str]:
    """Return a Markdown table for each section; settings outside of all sections are in `other`."""
    rows: dict[str, list[str]] = {}
    for key, cells in settings(Config):
        section, _, name = key.rpartition(".") if key.count(".") < 2 else key.partition(".")
        line = " | ".join(cell.replace("|", "\\|") for cell in (name, *cells))
        rows.setdefault(section or "other", []).append(f"| {line} |")
    header = "| setting | may be | default | meaning |\n| --- | --- | --- | --- |\n"
    return {section: header + "\n".join(lines) for section, lines in rows.items()}


def settings(section: type[Section], prefix: str = "") -> Iterator[tuple[str, tuple[str, str, str]]]:
    """Yield the dotted key of each setting, with its values, its default and its meaning."""
    properties = section.model_json_schema()["properties"]
    for key, field in section.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, Section):
            yield from settings(field.annotation, f"{prefix}{key}.")
        else:
            part = properties[key]
            yield f"{prefix}{key}", (_values(part), _default(part), part["description"])


def _values(part: JsonObject) -> str:
    """Return what a setting may be, in words."""
    if "anyOf" in part:
        return " or ".join(map(_values, part["anyOf"]))
    if "enum" in part or "const" in part:
        return ", ".join(f"`{choice}`" for choice in part.get("enum", [part.get("const")]))
    if part["type"] == "array":
        return f"list of {_values(part['items'])}"
    limits = (f"{sign} {part[key]}" for key, sign in LIMITS.items() if key in part)
    return ", ".join([TYPES.get(part["type"], part["type"]), *limits])


def _default(part: JsonObject) -> str:
    """Return the default of a setting."""
    if "default" not in part:
        return "required"
    with_encoder = part.get("with_encoder")
    suffix = "" if with_encoder is None else f", `{json.dumps(with_encoder)}` with encoder"
    return f"`{json.dumps(part['default'])}`{suffix}"


@command
def main(arguments: list[str] | None = None) -> None:
    """Put the tables of all settings into a Markdown file."""
    parser = CommandParser("settings_page", main, log=False)
    parser.add_argument("--file", required=True, type=Path, help="Markdown file to change")
    options = parser.parse(arguments)
    insert_into_file(options.file, {f"settings {name}": table for name, table in tables().items()})


if __name__ == "__main__":
    main()
