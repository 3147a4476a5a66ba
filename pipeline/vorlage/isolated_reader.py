"""Extracts the text of a PDF, a Word document or an HTML page in a process of its own.

    python isolated_reader.py pdf 30 < file

The libraries can take minutes and gigabytes for a small file that was made for that, and hold Python's lock
meanwhile. So `vorlage.documents` runs this file as a program, which imports nothing else of Vorlage. It
writes a JSON object: `pages`, a list of texts, or `missing`, a module, or `error`.
"""

import json
import logging
import sys
from io import BytesIO

MAX_CHARACTERS = 10_000_000
MAX_MEMORY = 2 << 30  # bytes


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
    """Return the main text of a page, without navigation, scripts and the like."""
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding

    try:
        page = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        page = bytes_to_str(content, detect_encoding(content) or "utf-8")
    return [extract_plain_text(page, main_content=True, list_bullets=False)]


def docx_pages(content: bytes) -> list[str]:
    """Return the text of a Word document, its notes at the end; tracked changes are accepted."""
    import mammoth
    from resiliparse.extract.html2text import extract_plain_text

    without_images = mammoth.images.img_element(lambda image: {})
    page = mammoth.convert_to_html(BytesIO(content), convert_image=without_images).value
    return [extract_plain_text(page, list_bullets=False)]


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
