"""Text of HTML pages, by resiliparse."""

from resiliparse.extract.html2text import extract_plain_text
from resiliparse.parse.encoding import bytes_to_str, detect_encoding


def extract_html(content: bytes) -> str:
    """Return the main text of a page, without navigation, scripts and the like."""
    try:
        page = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        page = bytes_to_str(content, detect_encoding(content) or "utf-8")
    return extract_plain_text(page, main_content=True, list_bullets=False)
