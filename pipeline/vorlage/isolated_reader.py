"""Extracts the text of a PDF, a Word document or an HTML page in a process of its own.

    python isolated_reader.py pdf 30 < file

The libraries can take minutes and gigabytes for a small file that was made for that, and hold Python's lock
meanwhile. So `vorlage.documents` runs this file as a program, which imports nothing else of Vorlage. It
writes a JSON object: `pages`, a list of texts, or `missing`, a module, or `error`.
"""

import json
import logging
import re
import sys
from io import BytesIO
from xml.etree import ElementTree
from zipfile import ZipFile

MAX_CHARACTERS = 10_000_000
MAX_MEMORY = 2 << 30  # bytes
WORD_PARTS = r"word/(document|footnotes|endnotes)\d*\.xml"
LEFT_OUT = (
    "del",
    "moveFrom",
    "pPr",
    "rPr",
    "drawing",
    "pict",
    "AlternateContent",
)  # text boxes follow a paragraph
WORD_MARKS = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-", "den": "/", "sup": "^"}


def limit(seconds: int) -> None:
    """Limit the time and the memory of this process, where the system can do it."""
    if sys.platform != "win32":
        import resource
        import signal

        signal.alarm(seconds)  # ends the process even in a library that does not return
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        most = MAX_MEMORY if hard == resource.RLIM_INFINITY else min(MAX_MEMORY, hard)
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))


def html_pages(content: bytes) -> list[str]:
    """Return the main text of a page, without navigation and scripts, with a row of a table on each line."""
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding
    from resiliparse.parse.html import HTMLTree

    without_mark = {0: "utf-16-be", 1: "utf-16-le"}.get(content[:2].find(b"\0"), "utf-8-sig")
    try:
        page = content.decode(without_mark)
    except UnicodeDecodeError:
        page = bytes_to_str(content, detect_encoding(content) or "utf-8")
    # Unordered lists would be left out of the main text.
    tree = HTMLTree.parse(re.sub(r"(?i)(</?)ul\b", r"\1ol", page))
    assert tree.document is not None
    for cell in tree.document.query_selector_all("td, th"):
        text = extract_plain_text(cell.html, list_bullets=False)
        if "\n\n" not in text:  # else, the table makes the layout
            cell.text = " ".join(text.split())
    texts = (extract_plain_text(tree, main_content=main, list_bullets=False) for main in (True, False))
    return [next(filter(None, texts), "")]


def docx_pages(content: bytes) -> list[str]:
    """Return the text of a Word document, its notes at the end; tracked changes are accepted."""
    with ZipFile(BytesIO(content)) as archive:
        names = [name for name in sorted(archive.namelist()) if re.fullmatch(WORD_PARTS, name)]
        return ["".join(word_text(ElementTree.fromstring(archive.read(name))) for name in names)]


def word_text(element: ElementTree.Element) -> str:
    """Return the text of an element of a Word document, a paragraph or a row of a table on each line."""
    space, _, kind = element.tag.rpartition("}")
    if kind in LEFT_OUT:
        return ""
    text = element.text or "" if kind == "t" else "".join(map(word_text, element))
    if kind == "p":
        boxes = element.iter(f"{space}}}txbxContent")
        return "".join(dict.fromkeys([f"{text}\n\n", *map(word_text, boxes)]))  # two forms of each box
    if kind == "tc":
        return " ".join(text.split()) + "\t"
    if kind in ("tr", "tbl"):
        return f"{text.rstrip()}\n"
    return WORD_MARKS.get(kind, "") + text


def pdf_pages(content: bytes) -> list[str]:
    """Return the text of each page of a PDF."""
    import pypdf

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    pages: list[str] = []
    characters = 0
    for page in pypdf.PdfReader(BytesIO(content)).pages:
        pages.append(page.extract_text())
        characters += len(pages[-1])
        if characters > MAX_CHARACTERS:
            raise ValueError(f"more than {MAX_CHARACTERS:,} characters")
    return pages


def main(kind: str, seconds: str) -> None:
    """Write what the file on standard input holds."""
    limit(int(seconds))
    answer: dict[str, object]
    try:
        content = sys.stdin.buffer.read()
        read = {"pdf": pdf_pages, "docx": docx_pages, "html": html_pages}[kind]
        answer = {"pages": read(content)}
    except ModuleNotFoundError as error:
        answer = {"missing": error.name}
    except Exception as error:  # pypdf raises what it meets in a damaged file, not only errors of its own
        answer = {"error": f"{type(error).__name__}: {error}"}
    sys.stdout.write(json.dumps(answer))


if __name__ == "__main__":
    main(*sys.argv[1:])
