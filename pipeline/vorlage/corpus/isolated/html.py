"""Reads the main text of an HTML page, without navigation and scripts, with a row of a table on each line."""

import re
from itertools import accumulate

from resiliparse.extract.html2text import extract_plain_text
from resiliparse.parse.encoding import bytes_to_str, detect_encoding
from resiliparse.parse.html import ElementNode, HTMLTree

from vorlage.corpus.isolated.raised import LOWERED, RAISED

MARKS = {"sup": RAISED, "sub": LOWERED}
BREAKS = "p", "div", "br"
BLOCKS = "p, div, br, h1, h2, h3, h4, h5, h6, ol, table"


def read_pages(content: bytes) -> list[str]:
    """Return the text of the page."""
    without_mark = {0: "utf-16-be", 1: "utf-16-le"}.get(content[:2].find(b"\0"), "utf-8-sig")
    try:
        page = content.decode(without_mark)
    except UnicodeDecodeError:
        page = bytes_to_str(content, detect_encoding(content) or "utf-8")
    page = re.sub(r"(?i)(</?)ul\b", r"\1ol", page)  # the main text has no unordered lists
    page = re.sub(
        r"(?<=>)\s*(?:&#?\w+;|[^\0-\u07ff])\s*(?=<)", rf"\g<0>{RAISED[1]}", page
    )  # nor single signs
    page = re.sub(r"(?i)<(/?)(su[bp])\b[^>]*>", lambda tag: tag[0] + MARKS[tag[2].lower()][len(tag[1])], page)
    tree = HTMLTree.parse(page)
    for row in tree.body.query_selector_all("tr").values() if tree.body else ():
        fill_row(row)
    texts = (extract_plain_text(tree, main_content=main, list_bullets=False) for main in (True, False))
    return [next(filter(None, texts), "").replace("\n  ", "\n\n  ")]  # items of lists are no wrapped lines


def fill_row(row: ElementNode) -> None:
    """Put each cell of a row on one line, and a copy of those that reach down into the row below.

    Cells with paragraphs, as in a table for the layout, remain as they are.
    """
    below, column = row.next_element_sibling, 0
    for cell in row.children.values():
        rows, columns = span(cell, "rowspan"), span(cell, "colspan")
        blocks = cell.query_selector_all(BLOCKS).values()
        if sum(block.tag not in ("div", "br") for block in blocks) < 2:
            for block in reversed(blocks):  # inner ones first
                if block.tag in BREAKS:
                    block.outer_html = f" {block.inner_html} "
            cell.set_attribute("rowspan", str(rows - 1))
            if below and rows > 1 and (copy := cell.clone_node(True)):
                places = accumulate((span(other, "colspan") for other in below.children.values()), initial=0)
                at = sum(place < column for place in places)
                below.insert_before(copy, below.children.item(at))
        column += columns


def span(cell: ElementNode, name: str) -> int:
    """Return over how many rows or columns a cell reaches, by its attribute `rowspan` or `colspan`."""
    value = cell.get_attribute(name) or ""
    return int(value) if re.fullmatch("[1-9][0-9]{0,4}", value) else 1
