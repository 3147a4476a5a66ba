"""Reads the text of the pages of a PDF."""

import logging
from collections.abc import Iterator
from io import BytesIO

from pypdf import PdfReader


def read_pages(content: bytes) -> Iterator[str]:
    """Yield the text of each page."""
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    for page in PdfReader(BytesIO(content)).pages:
        yield page.extract_text()
