"""Put the table of all settings into a Markdown file: ``python -m pipeline.report.settings_page``.

The tables stand between the lines ``<!-- settings SECTION -->`` and ``<!-- end -->`` and come from the schema
of the config.
"""

import argparse
import json
from pathlib import Path

from pipeline.io.jsonl import write_text
from pipeline.report.markdown import insert
from pipeline.run.errors import InputError, command
from pipeline.settings import schema


def rows(rule, prefix=""):
    """Yield ``(name, what it may be, default, meaning)`` of each setting of a section of the schema."""
    for key, part in rule["properties"].items():
        if part.get("type") == "object":
            yield from rows(part, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", _allowed(part), _default(part), part.get("description", "")


def markdown(rule):
    """A section of the schema as a Markdown table."""
    lines = ["| setting | may be | default | meaning |", "| --- | --- | --- | --- |"]
    lines += ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows(rule)]
    return "\n".join(lines)


def sections():
    """Section → its part of the schema; settings outside of any are in ``other``."""
    found, other = {}, {}
    for name, part in schema()["properties"].items():
        if part.get("type") == "object":
            found[name] = part
        else:
            other[name] = part
    return found | {"other": {"properties": other}}


def _allowed(part):
    if "anyOf" in part:
        return " or ".join(_allowed(choice) for choice in part["anyOf"])
    if "const" in part:
        return f"`{part['const']}`"
    if "enum" in part:
        return ", ".join(f"`{choice}`" for choice in part["enum"])
    if part.get("type") == "array":
        return f"list of {_allowed(part['items'])}"
    types = part["type"] if isinstance(part["type"], list) else [part["type"]]
    names = {"integer": "whole number", "string": "text", "boolean": "true or false"}
    text = " or ".join(names.get(name, name) for name in types)
    limits = {"minimum": "≥", "exclusiveMinimum": ">", "maximum": "≤", "exclusiveMaximum": "<"}
    return ", ".join([text, *(f"{sign} {part[key]}" for key, sign in limits.items() if key in part)])


def _default(part):
    return f"`{json.dumps(part['default'])}`" if "default" in part else "none, give one"


@command
def main(arguments=None):
    """Put the table of all settings into a Markdown file."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.report.settings_page", description=main.__doc__)
    parser.add_argument("--file", required=True, type=Path, help="Markdown file to change")
    given = parser.parse_args(arguments)
    try:
        text = given.file.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"{error.filename}: cannot be read ({error.strerror}); check the path") from None
    for name, part in sections().items():
        text = insert(text, f"settings {name}", markdown(part))
    write_text(given.file, text)


if __name__ == "__main__":
    main()
