"""The Ziff-Davis part of TIPSTER (Daumé & Marcu 2005): SGML, several documents a file.

    <DOC>
    <DOCNO> ZF109-001-001 </DOCNO>
    <SUMMARY> … </SUMMARY>
    <TEXT> … </TEXT>
    </DOC>

The elements may stand in any order, and the summary inside the text; other elements are passed over. A
document without a summary makes no pair. The files wrap lines at a fixed width, so the lines of a
paragraph are joined; a paragraph ends at an empty line, before an indented one, and at a tag ``<P>``. Files
that are not UTF-8 are read as Latin-1.
"""

import re
import textwrap

from pipeline.corpus.readers.record import Record, find_files, unescape
from pipeline.errors import InputError

_DOC = re.compile(r"<DOC\b[^>]*>(?P<body>.*?)(?P<end></DOC\s*>|(?=<DOC\b)|\Z)", re.DOTALL | re.IGNORECASE)
_BREAK = re.compile(r"</?P\b[^<>]*>", re.IGNORECASE)
_TAG = re.compile(r"<!--.*?-->|</?[A-Z][^<>]*>", re.DOTALL | re.IGNORECASE)
_PARAGRAPH = re.compile(r"\n(?=\s)")


def _element(tag):
    return re.compile(rf"<{tag}\b[^>]*>(.*?)</{tag}\s*>", re.DOTALL | re.IGNORECASE)


_NUMBER, _SUMMARY, _TEXT = map(_element, ("DOCNO", "SUMMARY", "TEXT"))


def read(path, settings=None):
    """Yield the records of an SGML file or of all files below a folder, sorted by path."""
    for file in find_files(path):
        text = _decoded(file)
        line, counted = 1, 0
        for doc in _DOC.finditer(text):
            line, counted = line + text.count("\n", counted, doc.start()), doc.start()
            yield _record(doc, f"{file}, line {line}")
        if not counted and not _DOC.search(text):
            raise InputError(
                f"{file}: no <DOC> in it; `corpus.path` must hold uncompressed TIPSTER files and nothing else"
            )


def _record(doc, where):
    if not doc["end"]:
        raise InputError(f"{where}: <DOC> without </DOC>; the file seems cut off")
    number = _NUMBER.search(doc["body"])
    if not number:
        raise InputError(f"{where}: <DOC> without <DOCNO>; add it, it becomes the id")
    summaries, texts = _SUMMARY.findall(doc["body"]), _TEXT.findall(_SUMMARY.sub("", doc["body"]))
    return Record(number[1].strip(), where, _paragraphs(texts), _paragraphs(summaries))


def _paragraphs(parts):
    """The paragraphs of some elements, one a line, without tags; None where there are no elements."""
    if not parts:
        return None
    text = "\n\n".join(textwrap.dedent(_TAG.sub("", _BREAK.sub("\n\n", part))) for part in parts)
    paragraphs = (" ".join(unescape(paragraph).split()) for paragraph in _PARAGRAPH.split(text))
    return "\n".join(filter(None, paragraphs))


def _decoded(file):
    try:
        data = file.read_bytes()
    except OSError as error:
        raise InputError(f"{file}: cannot be read ({error.strerror}); check the path") from None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")
