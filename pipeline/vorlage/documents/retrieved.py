"""Documents as a retriever returns them, by name."""

from collections.abc import Container, Mapping
from itertools import chain, count
from typing import Any


def name_documents(document: Any) -> Any:
    """Return what a retriever returns as texts by name, and any other value as it is.

    That is a list of objects, or of dicts, with `page_content` (LangChain) or `text` (LlamaIndex), and
    perhaps `metadata`. The name is the `name`, `source`, `file_name` or `id` of a dict or of the metadata,
    with the `page_label`, or the number of the object, from 1.
    """
    parts = [_content(part) for part in document] if isinstance(document, list | tuple) else []
    if not parts or None in parts:
        return document
    named: dict[str, str] = {}
    for number, (text, fields) in enumerate(filter(None, parts), start=1):
        keys = ("name", "source", "file_name", "id")
        names = (fields[key] for key in keys if fields.get(key) not in (None, ""))
        name = str(next(names, number))
        if page := fields.get("page_label"):
            name += f", page {page}"
        named[unique_name(name, named)] = text
    return named


def _content(part: Any) -> tuple[Any, Mapping[str, Any]] | None:
    """Return the text of an object or dict of a retriever, and what names it, None for anything else."""
    keys = ("page_content", "text", "metadata")
    fields = part if isinstance(part, Mapping) else {key: getattr(part, key, None) for key in keys}
    texts = [fields[key] for key in keys[:2] if fields.get(key) is not None]
    metadata = fields.get("metadata")
    return (texts[0], {**(metadata if isinstance(metadata, Mapping) else {}), **fields}) if texts else None


def unique_name(name: str, taken: Container[str]) -> str:
    """Return a name, with a number behind it if it is taken."""
    names = chain([name], (f"{name} ({number})" for number in count(2)))
    return next(free for free in names if free not in taken)
