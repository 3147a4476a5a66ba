"""The pairs that users have: their form, how they are read, and the checks that each of them passes.

A file of pairs is a table, see `vorlage.documents.table`, or holds one JSON object a line, in UTF-8:

    {"id": "a1", "document": "A text. It has sentences.", "summary": ["A sentence.", "Another one."]}

`id` is a string. `document` and `summary` (or `text`) are a string or a list of sentences each, or a
tokenized text as `corpus.jsonl` of the corpus stage has it, which keeps its tokens. Other fields are ignored.
Character offsets of gold count in the string or, for a list, in its sentences joined by one line break each.
"""

import re
import sys
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from io import BytesIO
from itertools import chain, count, starmap
from typing import Any, NamedTuple, TypeAlias

from vorlage.command.errors import InputError, shorten
from vorlage.documents.pair import Pair
from vorlage.documents.table import TEXT, is_table, read_rows
from vorlage.files.inputs import find_encoding
from vorlage.files.jsonl import from_line, read_jsonl
from vorlage.files.parts import WHOLE, Part, take_part
from vorlage.text.normal import remove_invisible
from vorlage.text.tokenize import make_text
from vorlage.text.tokenized import SectionStart, Text
from vorlage.types import JsonObject, StrPath

STANDARD_INPUT = "-"
ONE = "pair"  # the id of a pair without one
# A document or a summary: one string, or a list of sentences; and several documents by name.
Side: TypeAlias = str | list[str]
Named: TypeAlias = Mapping[str, Side]
# The same, or a list of what a retriever returns, see `name_documents`.
AnyDocument: TypeAlias = Side | Named | Sequence[Any]
FORMS = "a string, a list of strings (its sentences), {name: text}, or a list of {text: …}"
# A pair given from Python: `(document, summary)`, or an object as in a line of a file.
AnyPair: TypeAlias = Mapping[str, Any] | Sequence[Any]


class Record(NamedTuple):
    """A document and its summary as the user has them, before sentences and tokens.

    A side is None if it is missing. Only records for attribution may have several documents. `where`: the
    file, and the line or row, for messages. `sections`: those of a document that is a list of sentences,
    none of them blank, as in `vorlage.text.tokenized.Text`.
    `note`: what the reader had to decide about the pair, for the log. `key`: that of the summary.
    """

    id: str
    where: str
    document: Side | Text | Named | None
    summary: Side | Text | None
    sections: tuple[SectionStart, ...] = ()
    note: str = ""
    key: str = TEXT[0]

    @property
    def problem(self) -> str | None:
        """Why the record cannot become a pair, or None."""
        for name, side in (("document", self.document), (self.key, self.summary)):
            if side is None:
                return f"no {name}"
            if flaw := find_flaw(raw_text(side)):
                return f"{flaw} {name}"
        return None


def read_records(path: StrPath, part: Part = WHOLE) -> Iterator[Record]:
    """Yield the pairs of a file, or of standard input, in order; each can be used and has its own id.

    Args:
        path: the file, `-` for standard input.
        part: the lines of the file to read, or the rows of a table.

    Raises:
        InputError: a line or a row is not a pair, a side is empty, or an id comes twice.
    """
    return map(check_usable, refuse_repeated(parse_records(path, part)))


def parse_records(path: StrPath, part: Part = WHOLE) -> Iterator[Record]:
    """Yield the pairs of a file, or of standard input, also those that are empty or repeated."""
    return starmap(make_record, _parse(path, part))


def read_attributed(path: StrPath) -> Iterator[Record]:
    """Yield the pairs of a file as `read_records` does; they may have several documents by name."""
    return refuse_repeated(starmap(make_attributed, _parse(path, WHOLE)))


def _parse(path: StrPath, part: Part) -> Iterator[tuple[JsonObject, str]]:
    """Yield the fields and the place of each pair of a file, or of standard input."""
    rows = read_jsonl(path, part)
    if is_table(path):
        rows = take_part(read_rows, path, part)
    elif path == STANDARD_INPUT:
        path, content = "standard input", sys.stdin.buffer.read()
        lines = content.decode(find_encoding(path, BytesIO(content)), "replace").split("\n")
        rows = (
            (number, from_line(path, number, line)) for number, line in enumerate(lines, 1) if line.strip()
        )
    for number, row in rows:
        yield row, f"{path}, line {number}"


def as_records(pairs: Iterable[AnyPair]) -> Iterator[Record]:
    """Return the records of pairs given from Python, as `make_attributed` makes them.

    The id of a pair without one is its number, from 1.

    Raises:
        InputError: at once if `pairs` is not iterable; later for a pair that cannot be used.
    """
    if isinstance(pairs, str | Mapping) or not isinstance(pairs, Iterable):
        raise InputError(f"pairs is {shorten(pairs)}; give a list of (document, summary)")
    return starmap(_as_record, enumerate(pairs, start=1))


def _as_record(number: int, pair: AnyPair) -> Record:
    if not isinstance(pair, Mapping):
        if isinstance(pair, str) or not isinstance(pair, Sequence) or len(pair) != 2:
            raise InputError(f"pair {number}: give (document, summary), or an object with these keys")
        pair = dict(zip(("document", "summary"), pair, strict=True))
    return make_attributed({"id": str(number), **pair}, f"pair {number}")


def make_record(fields: JsonObject, where: str, several: bool = False) -> Record:
    """Return the record of an object; raise `InputError` for a missing field or a wrong type.

    `several`: whether it may have several documents, as for `TrainedModel.attribute`.
    """
    name: Any = fields.get("id")
    place = place_of(name, where) if isinstance(name, str) else where
    key, *others = [key for key in TEXT if key in fields] or TEXT
    for needed in ("id", "document", key):
        if needed not in fields:
            raise InputError(
                f"{place}: no `{needed}`; each pair needs `id`, `document` and `summary` or `text`"
            )
    if others:
        raise InputError(f"{place}: both `{key}` and `{others[0]}`, which mean the same; give one")
    check_id(name, where)
    document, summary = fields["document"], _side(fields[key], f"{place}: `{key}`")
    read = _documents if several else _side
    return Record(name, where, read(document, f"{place}: `document`"), summary, key=key)


def make_attributed(fields: JsonObject, where: str) -> Record:
    """Return the record of an object that may have several documents, some of them empty; it can be used.

    Raises:
        InputError: a field is missing or of a wrong type, or a side is empty.
    """
    return check_usable(make_record(fields, where, several=True))


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
    return next(each for each in names if each not in taken)


def refuse_repeated(records: Iterable[Record]) -> Iterator[Record]:
    """Yield records; raise `InputError` for an id that comes twice. Memory: the ids and their places."""
    places: dict[str, str] = {}
    for record in records:
        if record.id in places:
            raise InputError(
                f"{record.where}: id {record.id} comes twice, first at {places[record.id]}; ids must be "
                "unique, so change one"
            )
        places[record.id] = record.where
        yield record


def check_usable(record: Record) -> Record:
    """Return a record; raise `InputError` unless it has text on both sides."""
    if record.problem:
        where = place_of(record.id, record.where)
        raise InputError(f"{where}: {record.problem}; add it or remove the pair")
    return record


def place_of(name: str, where: str = "") -> str:
    """Return how a message names a pair: its place and id, each once.

    Args:
        name: the id, which may be `ONE`.
        where: its place in the input, empty if it is the only one.
    """
    label = name if name == ONE else f"pair {name}"
    return label if where in ("", label) else f"{where}: {label}"


def check_id(name: object, where: str) -> None:
    """Raise `InputError` unless the id of a pair is visible text on one line."""
    if not isinstance(name, str) or not name.strip() or not name.isprintable():
        raise InputError(
            f"{where}: id {shorten(name)} must be some text on one line, all of it visible; change it"
        )


def find_flaw(text: str) -> str | None:
    """Return why a text cannot be used, in words that go before `document` or `summary`, or None."""
    if not remove_invisible(text)[0].strip():
        return "empty"
    if "\0" in text:
        return "NUL characters, as of UTF-16, in the"
    half = re.search("[\ud800-\udfff]", text)
    return f"half of a surrogate pair, \\u{ord(half[0]):x}, in the" if half else None


def tokenize(
    record: Record, tokenized: bool = False, language: str = "en", document_language: str | None = None
) -> Pair:
    """Return the pair of a record that can be used.

    Args:
        record: the texts.
        tokenized: spaces separate tokens, and list entries or lines are sentences.
        language: of the summary, a two-letter code.
        document_language: of the document; None if it is the same.
    """
    if isinstance(record.document, Mapping):
        where = place_of(record.id, record.where)
        raise InputError(f"{where}: has several documents, which can only be attributed; give one")
    document = _text(record.document, tokenized, document_language or language)
    summary = _text(record.summary, tokenized, language)
    if record.sections:
        document = replace(document, sections=record.sections)
    return Pair(record.id, document, summary)


def _text(side: Side | Text | None, tokenized: bool, language: str) -> Text:
    assert side is not None
    return side if isinstance(side, Text) else make_text(side, tokenized, language)


def raw_text(side: Side | Text | Named) -> str:
    """Return the characters of a side; a line break separates the sentences of a list, and documents."""
    if isinstance(side, Text):
        return side.raw
    if isinstance(side, Mapping):
        return "\n".join(map(raw_text, side.values()))
    return side if isinstance(side, str) else "\n".join(side)


def _side(value: Any, what: str, forms: str = "a string or a list of strings, its sentences") -> Side | Text:
    """Return a side; raise `InputError` unless `what`, as the message names it, has one of the forms."""
    if isinstance(value, dict):
        try:
            return Text.from_json(value)
        except (KeyError, TypeError, ValueError):
            raise InputError(f"{what} is not a tokenized text; make the file with `vorlage corpus`") from None
    sentences = value if isinstance(value, list) else [value]
    if not all(isinstance(sentence, str) for sentence in sentences):
        raise InputError(f"{what} must be {forms}")
    side: Side = value
    return side


def _documents(value: Any, what: str) -> Side | Text | Named:
    """Return a document, or several by name; raise `InputError` for another value, as `_side` does."""
    named = name_documents(value)
    if not isinstance(named, Mapping) or named.keys() >= {"text", "tokens", "sentences"}:
        return _side(named, what, FORMS)
    sides: dict[str, Side] = {}
    for name, side in named.items():
        if not isinstance(name, str):
            raise InputError(f"{what} has the name {shorten(name)}; make it a string")
        text = _side(side, f"{what} {shorten(name)}")
        sides[name] = text.raw if isinstance(text, Text) else text
    if not sides:
        raise InputError(f"{what} has no documents; give at least one")
    return sides
