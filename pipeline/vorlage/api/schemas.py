"""JSON Schemas (2020-12) of what Vorlage writes as JSON, derived from the types of the results."""

from dataclasses import fields, make_dataclass
from importlib import import_module
from typing import Any, get_type_hints

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

from vorlage.alignments.alignment import Alignment, Link
from vorlage.api.trained_model import Attribution
from vorlage.command.errors import InputError
from vorlage.extensions import offers
from vorlage.files.jsonl import FORMAT
from vorlage.types import JsonObject

# What `Attribution.to_json` leaves out.
_INTERNAL = ("text", "documents", "marks")
_hints = get_type_hints(Attribution, include_extras=True)
# Name and type; the packages around the core offer others, as names of modules and types.
_TYPES: dict[str, Any] = {
    "attribution": make_dataclass(
        "Attribution", [(f.name, _hints[f.name]) for f in fields(Attribution) if f.name not in _INTERNAL]
    ),
    "alignment": Alignment,
}


def schema_names() -> list[str]:
    """Return what has a schema."""
    return [*_TYPES, *_offered()]


def schema(name: str) -> JsonObject:
    """Return the JSON Schema of one of `schema_names`: an object, or a line of a file of objects.

    Raise `InputError` for another name.
    """
    if name not in schema_names():
        raise InputError(f"there is no schema {name}; there are {', '.join(schema_names())}")
    made = TypeAdapter(_TYPES.get(name) or _open(*_offered()[name])).json_schema()
    parts = made.get("$defs", {})
    if "Link" in parts:  # named tuples are written as objects
        items = dict(zip(Link._fields, parts["Link"]["prefixItems"], strict=True))
        parts["Link"] = {"type": "object", "properties": items, "required": list(items)}
    for part in (made, *parts.values()):  # what may be null may be absent
        optional = [
            key for key, value in part["properties"].items() if {"type": "null"} in value.get("anyOf", ())
        ]
        part["required"] = [key for key in part["required"] if key not in optional]
    if name == "attribution":  # sentences are not quoted, and marks are checked where that is asked for
        parts["Source"]["required"].remove("quote")
        made["required"].remove("citations")
    if name in ("attribution", "alignment"):
        made["properties"]["format"] = {"const": FORMAT, "default": FORMAT}
    return {"$schema": GenerateJsonSchema.schema_dialect, **made}


def _offered() -> dict[str, tuple[str, str]]:
    """Return the schemas that the packages around the core offer: name → module and type."""
    return {name: place for schemas in offers("SCHEMAS") for name, place in schemas.items()}


def _open(module: str, name: str) -> Any:
    return getattr(import_module(f"vorlage.{module}"), name)
