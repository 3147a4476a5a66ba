"""Builds parts of pages as MkDocs reads them, so that they hold nothing that could become old.

MkDocs calls `on_page_markdown` (`hooks` in mkdocs.yml), which replaces the lines `<!-- commands -->`,
`<!-- settings -->` and `<!-- guidelines -->`: the help of all commands, the tables of all settings, and the
rules for annotators.
"""

import contextlib
import io
import json
import os
from collections.abc import Iterator
from unittest.mock import patch

import yaml
from markdown_tables import markdown_table
from vorlage.app.annotate.annotation_page import GUIDELINES
from vorlage.cli import main as console
from vorlage.settings import Section
from vorlage.types import JsonObject
from vorlage.workflow.settings import Config

TYPES = {"integer": "whole number", "string": "text", "boolean": "true or false"}
TYPES |= {"null": "null", "object": "section"}
LIMITS = {"minimum": "≥", "exclusiveMinimum": ">", "maximum": "≤", "exclusiveMaximum": "<"}


def on_page_markdown(markdown: str, **_: object) -> str:
    """Return the text of a page with what the code says in its places."""
    for name, build in (("commands", commands), ("settings", sections), ("guidelines", guidelines)):
        place = f"<!-- {name} -->"
        if place in markdown:
            with patch.dict(os.environ, COLUMNS="84"):  # the width of the help of commands
                markdown = markdown.replace(place, build())
    return markdown


def commands() -> str:
    """Return a heading and the help of each command."""
    parts = []
    for name in console.commands() | console.steps():
        output = io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.suppress(SystemExit):
            console.main([name, "--help"])
        parts.append(f"### vorlage {name}\n\n```text\n{output.getvalue()}```\n")
    return "\n".join(parts)


def guidelines() -> str:
    """Return a heading, the rule and its examples for each of the rules for annotators."""
    parts = []
    for number, rule in enumerate(yaml.safe_load(GUIDELINES.read_text(encoding="utf-8")), 1):
        examples = (text for example in rule["examples"] for text in example.items())
        lines = "\n".join(f"- *{side.capitalize()}*: {text}" for side, text in examples)
        parts.append(f"### {number}. {rule['title']}\n\n{rule['text']}\n\n{lines}")
    return "\n\n".join(parts)


def sections() -> str:
    """Return a heading, what it is about, and a table for each section of settings; the others come last."""
    rows: dict[str, list[list[str]]] = {}
    for key, cells in settings(Config):
        section, _, name = key.partition(".") if "." in key else ("other", "", key)
        rows.setdefault(section, []).append([cell.replace("|", "\\|") for cell in (name, *cells)])
    rows["other"] = rows.pop("other")
    heading = ["setting", "may be", "default", "meaning"]
    tables = {name: markdown_table(heading, lines, len(heading)) for name, lines in rows.items()}
    return "\n".join(f"### {name}\n\n{_about(name)}\n\n{table}\n" for name, table in tables.items())


def _about(section: str) -> str:
    if section == "other":
        return "The settings outside any section."
    return str(Config.model_fields[section].annotation.__doc__).partition("\n")[0]


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
