"""Reads the Ziff-Davis part of TIPSTER (Daumé & Marcu 2005): SGML, several documents a file.

The corpus is one uncompressed file, or a folder with nothing but such files, at any depth.

    <DOC>
    <DOCNO> ZF109-001-001 </DOCNO>
    <SUMMARY> … </SUMMARY>
    <TEXT> … </TEXT>
    </DOC>

The id is `DOCNO`. The elements may come in any order, and the summary may be inside the text; other
elements are ignored. A document without a summary makes no pair. The files wrap lines at a fixed width, so
the lines of a paragraph are joined; a paragraph ends at an empty line, before an indented line and at a tag
`<P>`. Files that are not UTF-8 are read as Latin-1.
"""

import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

from vorlage.command.errors import InputError
from vorlage.documents.records import Record
from vorlage.files.inputs import open_file
from vorlage.workflow.reader import Reader, find_files, unescape
from vorlage.workflow.settings import Corpus

_DOC = re.compile(r"<DOC\b[^<>]*>(?P<body>.*?)(?P<end></DOC\s*>|(?=<DOC\b)|\Z)", re.DOTALL | re.IGNORECASE)
_ELEMENT = re.compile(r"<(?P<end>/?)(?P<name>DOCNO|SUMMARY|TEXT)(?:\s[^<>]*)?>", re.IGNORECASE)
_BREAK = re.compile(r"</?P\b[^<>]*>", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Z][^<>]*>", re.IGNORECASE)
_PARAGRAPH = re.compile(r"\n(?=\s)")


def read(path: Path, settings: Corpus) -> Iterator[Record]:
    """Yield the records of an SGML file or of all files below a folder, sorted by path."""
    for file in find_files(path):
        text = _decode(file)
        line, counted = 1, 0
        for doc in _DOC.finditer(text):
            line, counted = line + text.count("\n", counted, doc.start()), doc.start()
            yield _record(doc, f"{file}, line {line}")
        if not counted and not _DOC.search(text):
            raise InputError(
                f"{file}: no <DOC> in it; `corpus.path` must hold uncompressed TIPSTER files and nothing else"
            )


def _record(doc: re.Match[str], where: str) -> Record:
    if not doc["end"]:
        raise InputError(f"{where}: <DOC> without </DOC>; the file seems truncated, get it again")
    numbers, _ = _elements(doc["body"], "DOCNO")
    if not numbers:
        raise InputError(f"{where}: <DOC> without <DOCNO>; add it, it becomes the id")
    summaries, rest = _elements(doc["body"], "SUMMARY")
    texts, _ = _elements(rest, "TEXT")
    return Record(numbers[0].strip(), where, _paragraphs(texts), _paragraphs(summaries))


def _elements(body: str, name: str) -> tuple[list[str], str]:
    """Return the content of the elements `name`, and the text without them.

    An element extends from its start tag to the next end tag. One pass takes linear time; a pattern for whole
    elements would search the whole text for each missing end tag.
    """
    contents: list[str] = []
    rest: list[str] = []
    start: re.Match[str] | None = None
    done = 0
    for tag in _ELEMENT.finditer(body):
        if tag["name"].upper() != name:
            continue
        if not tag["end"] and start is None:
            start = tag
        elif tag["end"] and start:
            contents.append(body[start.end() : tag.start()])
            rest.append(body[done : start.start()])
            start, done = None, tag.end()
    return contents, "".join([*rest, body[done:]])


def _paragraphs(parts: list[str]) -> str | None:
    """Return the paragraphs of some elements, one per line, without tags; None without elements."""
    if not parts:
        return None
    text = "\n\n".join(textwrap.dedent(_without_tags(part)) for part in parts)
    paragraphs = (" ".join(unescape(paragraph).split()) for paragraph in _PARAGRAPH.split(text))
    return "\n".join(filter(None, paragraphs))


def _without_tags(text: str) -> str:
    visible, end = [], 0
    while (start := text.find("<!--", end)) >= 0 and (closed := text.find("-->", start)) >= 0:
        visible.append(text[end:start])
        end = closed + len("-->")
    return _TAG.sub("", _BREAK.sub("\n\n", "".join([*visible, text[end:]])))


def _decode(file: Path) -> str:
    with open_file(file, "rb") as content:
        data = content.read()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


READER = Reader("ziffdavis", read)
