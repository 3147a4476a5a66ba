"""Extracts the text of a PDF, a Word document or an HTML page in a process of its own.

    python isolated_reader.py pdf 30 < file

The libraries can take minutes and gigabytes for a small file that was made for that, and hold Python's lock
meanwhile. So `vorlage.corpus.documents` runs this file as a program, which imports nothing else of Vorlage.
It writes a JSON object: `pages`, a list of texts, or `missing`, a module, or `error`.
"""

import json
import logging
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from io import BytesIO
from xml.etree import ElementTree
from zipfile import ZipFile

import pypdf

if sys.platform != "win32":
    import resource
    import signal

MISSING = None
try:
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding
except ModuleNotFoundError as error:
    MISSING = error.name

MAX_CHARACTERS = 10_000_000
MAX_MEMORY = 2 << 30  # bytes
WORD_PARTS = r"word/(document|footnotes|endnotes)\d*\.xml"
CELL = re.compile(r"(?is)<t[dh]\b[^>]*>.*?(?=</?t(?:[dhr]|able)\b)")
DELETED_END = "{*}pPr/{*}rPr/{*}del"  # of a paragraph that goes on in the next one
LEFT_OUT = "del", "moveFrom", "pPr", "rPr"
WORD_MARKS = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-", "den": "/", "sup": "^"}


def limit(seconds: int) -> None:
    """Limit the time and the memory of this process, where the system can do it."""
    if sys.platform != "win32":
        signal.alarm(seconds)  # ends the process even in a library that does not return
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        most = MAX_MEMORY if hard == resource.RLIM_INFINITY else min(MAX_MEMORY, hard)
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))


def html_pages(content: bytes) -> list[str]:
    """Return the main text of a page, without navigation and scripts, with a row of a table on each line."""
    without_mark = {0: "utf-16-be", 1: "utf-16-le"}.get(content[:2].find(b"\0"), "utf-8-sig")
    try:
        page = content.decode(without_mark)
    except UnicodeDecodeError:
        page = bytes_to_str(content, detect_encoding(content) or "utf-8")
    page = CELL.sub(flatten, re.sub(r"(?i)(</?)ul\b", r"\1ol", page))  # the main text has no unordered lists
    texts = (extract_plain_text(page, main_content=main, list_bullets=False) for main in (True, False))
    return [next(filter(None, texts), "").replace("\n  ", "\n\n  ")]  # items of lists are no wrapped lines


def flatten(cell: re.Match[str]) -> str:
    """Return a cell of an HTML table on one line, unless it has paragraphs, as in a table for the layout."""
    is_text = len(re.findall(r"(?i)<(?:p|h\d|ol|table)\b", cell[0])) < 2
    return re.sub(r"(?i)</?(?:p|div|br)\b[^>]*>", " ", cell[0]) if is_text else cell[0]


def docx_pages(content: bytes) -> list[str]:
    """Return the text of a Word document, its notes at the end; tracked changes are accepted."""
    with ZipFile(BytesIO(content)) as archive:
        names = [name for name in sorted(archive.namelist()) if re.fullmatch(WORD_PARTS, name)]
        return ["".join(word_text(ElementTree.fromstring(archive.read(name))) for name in names)]


def word_text(element: ElementTree.Element) -> str:
    """Return the text of an element of a Word document, a paragraph or a row of a table on each line."""
    kind = element.tag.rpartition("}")[2]
    if kind in LEFT_OUT:
        return ""
    text = element.text or "" if kind == "t" else "".join(map(word_text, element))
    if kind == "txbxContent":
        return f"\f{text}\f"
    if kind == "p":  # and its boxes, each of which comes in two forms
        parts = text.split("\f")
        end = "\n\n" if element.find(DELETED_END) is None else ""
        return "".join([*parts[::2], end, *dict.fromkeys(parts[1::2])])
    if kind == "tc":
        return " ".join(text.split()) + "\t"
    if kind in ("tr", "tbl"):
        return f"{text.rstrip()}\n\n"
    return WORD_MARKS.get(kind, "") + text


def pdf_pages(content: bytes) -> Iterator[str]:
    """Yield the text of each page of a PDF."""
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    for page in pypdf.PdfReader(BytesIO(content)).pages:
        yield page.extract_text()


def main(kind: str, seconds: str) -> None:
    """Write what the file on standard input holds."""
    if MISSING and kind == "html":
        sys.stdout.write(json.dumps({"missing": MISSING}))
        return
    limit(int(seconds))
    answer: dict[str, object]
    try:
        content = sys.stdin.buffer.read()
        readers: dict[str, Callable[[bytes], Iterable[str]]]
        readers = {"pdf": pdf_pages, "docx": docx_pages, "html": html_pages}
        pages, characters = [], 0
        for page in readers[kind](content):
            pages.append(page)
            characters += len(page)
            if characters > MAX_CHARACTERS:
                raise ValueError(f"more than {MAX_CHARACTERS:,} characters")
        answer = {"pages": pages}
    except Exception as error:  # pypdf raises what it meets in a damaged file, not only errors of its own
        answer = {"error": f"{type(error).__name__}: {error}"}
    sys.stdout.write(json.dumps(answer))


if __name__ == "__main__":
    main(*sys.argv[1:])
