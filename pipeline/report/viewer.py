"""Pairs and their alignments as the viewer of the report reads them, and a page of the viewer alone.

What comes from a corpus reaches the page as compressed data, base64, or as JSON without ``<``, and is put
there as text; a content security policy lets no script run but our own.
"""

import base64
import gzip
import hashlib
import json
from pathlib import Path
from typing import NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from pipeline.settings import section

TEMPLATES = Path(__file__).parent / "templates"
DIGITS = 3  # of posteriors


def environment():
    """The templates, in which every value is escaped unless it says that it is safe."""
    return Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def pair_data(pair, gold, alignments):
    """What the viewer shows of a pair: a dict ready for JSON.

    ``gold``: token spans of both sides and whether sure, as :func:`gold_spans` gives them, or None without
    gold, and its unit: a tuple ``(unit, spans)``. ``alignments``: :class:`pipeline.alignments.Alignment` of
    each system. Keys: ``s`` and ``d`` with the words ``w``, whether white space stands before each ``g`` and
    the ends of the sentences ``b``; ``systems`` with links ``[first, end, first, end, posterior]`` (document
    side −1 for null) and candidates ``[summary, document, posterior]``.
    """
    unit, spans = gold or (None, [])
    return {
        "id": pair.id,
        "s": _text(pair.summary),
        "d": _text(pair.document),
        "unit": unit,
        "gold": spans,
        "systems": {
            alignment.system: [
                [
                    [*link.summary, *(link.document or (-1, -1)), _rounded(link.posterior)]
                    for link in alignment.links
                ],
                [
                    [link.summary[0], link.document[0], _rounded(link.posterior)]
                    for link in alignment.candidates
                ],
            ]
            for alignment in alignments
        },
    }


def _text(text):
    tokens = text.tokens
    before = [0, *(end for _, end in tokens[:-1])]
    return {
        "w": text.words,
        "g": "".join("01"[start > end] for (start, _), end in zip(tokens, before, strict=True)),
        "b": [end for _, end in text.sentences],
    }


def _rounded(posterior):
    return None if posterior is None else round(posterior, DIGITS)


def pack(data):
    """JSON, compressed, in base64: the same data give the same text."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode()


def script_json(value):
    """JSON that can stand inside a script element, whatever is in it."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


class Entry(NamedTuple):
    """A pair of the viewer: its ``id``, F of each system or None, the ``systems``, the ``packed`` data."""

    id: str
    scores: dict | None
    systems: list
    packed: str


def make_entry(data, scores=None):
    """The :class:`Entry` of a pair (:func:`pair_data`)."""
    return Entry(data["id"], scores, list(data["systems"]), pack(data))


def viewer_parts(entries, threshold, lowest):
    """What the template of the viewer wants.

    ``entries``: a list of :class:`Entry`; ``threshold``: where the slider stands, ``lowest`` its least.
    """
    systems = list(dict.fromkeys(system for entry in entries for system in entry.systems))
    pairs = [{"id": entry.id, "scores": entry.scores} for entry in entries]
    return {
        "entries": entries,
        "systems": systems,
        "scored": any(entry.scores for entry in entries),
        "lowest": lowest,
        "index": script_json({"systems": systems, "pairs": pairs, "threshold": threshold}),
    }


def page_parts(*scripts):
    """Style and scripts of a page by name, and the content security policy's sources for the latter."""
    texts = {name: (TEMPLATES / f"{name}.js").read_text(encoding="utf-8") for name in scripts}
    digests = (hashlib.sha256(text.encode()).digest() for text in texts.values())
    return {
        "style": (TEMPLATES / "style.css").read_text(encoding="utf-8"),
        "scripts": texts,
        "hashes": " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests),
    }


def pair_page(data):
    """A standalone HTML page, a string, of the viewer with one pair (:func:`pair_data`)."""
    settings = section("semihmm")
    slider = settings["posterior_threshold"], settings["candidate_threshold"]
    template = environment().get_template("pair.html.jinja")
    parts = page_parts("viewer") | viewer_parts([make_entry(data)], *slider)
    return template.render(title=data["id"], **parts)
