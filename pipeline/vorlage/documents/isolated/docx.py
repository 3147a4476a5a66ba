"""Reads the text of a Word document, with its notes at the end."""

import re
from io import BytesIO
from xml.etree import ElementTree
from zipfile import ZipFile

from vorlage.documents.isolated.raised import LOWERED, RAISED

WORD_PARTS = r"word/(document|footnotes|endnotes)\d*\.xml"
DELETED_END = "{*}pPr/{*}rPr/{*}del"  # of a paragraph that goes on in the next one
LEFT_OUT = "del", "moveFrom", "pPr", "rPr"
MARKS = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-", "den": "/"}
HEIGHTS = {"superscript": RAISED, "subscript": LOWERED}


def read_pages(content: bytes) -> list[str]:
    """Return the text of the document; tracked changes are accepted."""
    with ZipFile(BytesIO(content)) as archive:
        names = [name for name in sorted(archive.namelist()) if re.fullmatch(WORD_PARTS, name)]
        return ["".join(element_text(ElementTree.fromstring(archive.read(name))) for name in names)]


def element_text(element: ElementTree.Element) -> str:
    """Return the text of an element of the document, a paragraph or a row of a table on each line."""
    kind = element.tag.rpartition("}")[2]
    if kind in LEFT_OUT:
        return ""
    text = element.text or "" if kind == "t" else "".join(map(element_text, element))
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
    if kind == "r" and (height := element.find("{*}rPr/{*}vertAlign")) is not None:
        return text.join(HEIGHTS.get("".join(height.attrib.values()), ("", "")))
    if kind == "sup":  # of an equation
        return f"^{text}" if any(map(str.isalpha, text)) else text.join(RAISED)
    return MARKS.get(kind, "") + text
