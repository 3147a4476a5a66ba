"""JSON Schemas (2020-12) of what Vorlage writes as JSON, derived from the types of the results."""

from dataclasses import fields, make_dataclass
from typing import get_type_hints

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

from vorlage.alignments.alignment import Alignment, Link
from vorlage.attribution.result import Attribution
from vorlage.command.errors import InputError
from vorlage.extract.extracts import Extract
from vorlage.types import JsonObject
from vorlage.workflow.gold import Gold
from vorlage.workflow.score.ratings import Rating

# What `Attribution.to_json` leaves out.
_INTERNAL = ("text", "documents", "marks")
_hints = get_type_hints(Attribution, include_extras=True)
_TYPES = {
    "attribution": make_dataclass(
        "Attribution", [(f.name, _hints[f.name]) for f in fields(Attribution) if f.name not in _INTERNAL]
    ),
    "alignment": Alignment,
    "gold": Gold,
    "extract": Extract,
    "rating": Rating,
}
NAMES = tuple(_TYPES)


def schema(name: str) -> JsonObject:
    """Return the JSON Schema of one of `NAMES`: an object, or a line of a file of objects.

    Raise `InputError` for another name.
    """
    if name not in _TYPES:
        raise InputError(f"there is no schema {name}; there are {', '.join(NAMES)}")
    made = TypeAdapter(_TYPES[name]).json_schema()
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
    return {"$schema": GenerateJsonSchema.schema_dialect, **made}
