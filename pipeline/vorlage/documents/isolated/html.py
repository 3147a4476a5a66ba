"""Reads the main text of an HTML page, without navigation and scripts, with a row of a table on each line."""

import re

from resiliparse.extract.html2text import extract_plain_text
from resiliparse.parse.encoding import bytes_to_str, detect_encoding
from resiliparse.parse.html import ElementNode, HTMLTree

from vorlage.documents.isolated.raised import LOWERED, RAISED

MARKS = {"sup": RAISED, "sub": LOWERED}


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
    below = row.next_element_sibling
    for at, cell in enumerate(row.children.values()):
        markup, rows = cell.inner_html, cell.get_attribute("rowspan") or ""
        if len(re.findall(r"<(?:p|h\d|ol|table)\b", markup)) < 2:
            cell.inner_html = re.sub(r"</?(?:p|div|br)\b[^>]*>", " ", markup)
            if below and re.fullmatch("[2-9]|[1-9][0-9]{1,4}", rows):
                cell.set_attribute("rowspan", str(int(rows) - 1))
                if copy := cell.clone_node(True):
                    below.insert_before(copy, below.children.item(at))
