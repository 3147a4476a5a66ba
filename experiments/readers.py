"""Readers of PDF, Word and HTML compared by the files of `reader_files.py`: what of their text is right.

    pip install pypdfium2 mammoth python-docx trafilatura lxml_html_clean
    python experiments/readers.py

Readers that are not installed are left out. The table goes to `docs/results/readers.tsv` and into
`docs/results.md`. Seconds are those
of the processor for all files of the kind; the size is that of the packages that only this reader needs.
"""

import importlib.metadata
import inspect
import io
import logging
import re
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from markdown_tables import insert_into_file, markdown_table
from reader_files import File, html_files, pdf_files, word_files
from vorlage import documents, isolated_reader

ROOT = Path(__file__).parents[1]
COLUMNS = ("kind", "reader", "met", "of", "seconds", "megabytes", "own lines", "licence", "unmet in")
Reader = Callable[[bytes], Iterable[str]]  # of the pages of a file


def pypdf_layout(content: bytes) -> list[str]:
    """Read a PDF by pypdf in layout mode."""
    import pypdf

    return [
        page.extract_text(extraction_mode="layout") for page in pypdf.PdfReader(io.BytesIO(content)).pages
    ]


def pdfium(content: bytes) -> list[str]:
    """Read a PDF by pypdfium2, which marks a cut word by U+FFFE."""
    import pypdfium2

    pages = pypdfium2.PdfDocument(content)
    return [page.get_textpage().get_text_range().replace("\ufffe", "-\n") for page in pages]


def mammoth(content: bytes) -> list[str]:
    """Read a Word document by mammoth and resiliparse."""
    import mammoth
    from resiliparse.extract.html2text import extract_plain_text

    return [extract_plain_text(mammoth.convert_to_html(io.BytesIO(content)).value, list_bullets=False)]


def mammoth_raw(content: bytes) -> list[str]:
    """Read a Word document by mammoth alone."""
    import mammoth

    return [mammoth.extract_raw_text(io.BytesIO(content)).value]


def python_docx(content: bytes) -> list[str]:
    """Read a Word document by python-docx."""
    import docx

    parts = docx.Document(io.BytesIO(content)).iter_inner_content()
    return [
        part.text + "\n"
        if hasattr(part, "text")
        else "".join("\t".join(cell.text for cell in row.cells) + "\n" for row in part.rows)
        for part in parts
    ]


def resiliparse(content: bytes, main_content: bool = True) -> list[str]:
    """Read the main text of a page by resiliparse."""
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding

    page = bytes_to_str(content, detect_encoding(content) or "utf-8")
    return [extract_plain_text(page, main_content=main_content, list_bullets=False)]


def resiliparse_whole(content: bytes) -> list[str]:
    """Read a whole page by resiliparse."""
    return resiliparse(content, main_content=False)


def trafilatura(content: bytes) -> list[str]:
    """Read a page by trafilatura."""
    import trafilatura

    return [trafilatura.extract(content) or ""]


def trafilatura_recall(content: bytes) -> list[str]:
    """Read a page by trafilatura, which then leaves less out."""
    import trafilatura

    return [trafilatura.extract(content, favor_recall=True) or ""]


def unmet(file: File, text: str) -> list[str]:
    """Return the expectations of a file that a text does not meet."""
    flat = " ".join(text.split())
    rows = [re.compile(r"\s+".join(map(re.escape, row))) for row in file.rows]
    return [
        *(part for part in file.has if part not in flat),
        *(part for part in file.lacks if part in flat),
        *(row.pattern for row in rows if not any(map(row.search, text.splitlines()))),
    ]


def megabytes(*packages: str) -> float:
    """Return the size of the files of packages."""
    files = (file for package in packages for file in importlib.metadata.files(package) or ())
    return sum(file.locate().stat().st_size for file in files if file.locate().is_file()) / 1e6


def licence(package: str) -> str:
    """Return the licence that a package names."""
    named = importlib.metadata.metadata(package)
    return named.get("License-Expression") or named.get("License") or "in its files"


HELPERS = {"ours": [isolated_reader.word_text], "ours, by resiliparse": [isolated_reader.flatten]}
# For each kind, its files, and readers with their packages; lines of a PDF are always joined by ours.
TRIALS: list[tuple[str, list[File], list[tuple[str, Reader, list[str]]]]] = [
    (
        "pdf",
        pdf_files(),
        [
            ("pypdf", isolated_reader.pdf_pages, ["pypdf"]),
            ("pypdf, layout mode", pypdf_layout, ["pypdf"]),
            ("pypdfium2", pdfium, ["pypdfium2"]),
        ],
    ),
    (
        "docx",
        word_files(),
        [
            ("ours", isolated_reader.docx_pages, []),
            ("mammoth, resiliparse", mammoth, ["mammoth", "cobble"]),
            ("mammoth, raw text", mammoth_raw, ["mammoth", "cobble"]),
            ("python-docx", python_docx, ["python-docx", "lxml"]),
        ],
    ),
    (
        "html",
        html_files(),
        [
            ("ours, by resiliparse", isolated_reader.html_pages, ["resiliparse", "fastwarc"]),
            ("resiliparse, main text", resiliparse, ["resiliparse", "fastwarc"]),
            ("resiliparse, whole page", resiliparse_whole, ["resiliparse", "fastwarc"]),
            ("trafilatura", trafilatura, ["trafilatura", "lxml", "justext", "htmldate", "courlan", "babel"]),
            (
                "trafilatura, favor_recall",
                trafilatura_recall,
                ["trafilatura", "lxml", "justext", "htmldate", "courlan", "babel"],
            ),
        ],
    ),
]


def read(reader: Reader, content: bytes, kind: str) -> str:
    """Return the text of a file."""
    pages = reader(content)
    return documents.join_lines(*pages) if kind == "pdf" else "\n".join(pages)


def main() -> None:
    """Write the table."""
    logging.disable(logging.CRITICAL)
    rows = [COLUMNS]
    for kind, files, readers in TRIALS:
        total = sum(len(file.has) + len(file.lacks) + len(file.rows) for file in files)
        for name, reader, packages in readers:
            try:
                for file in files:  # and import its packages
                    read(reader, file.content, kind)
            except ImportError:
                continue
            start = time.process_time()
            missed = {file.name: unmet(file, read(reader, file.content, kind)) for file in files}
            seconds = time.process_time() - start
            own = sum(inspect.getsource(part).count("\n") for part in (reader, *HELPERS.get(name, ())))
            rows.append(
                (
                    *(kind, name, f"{total - sum(map(len, missed.values()))}", f"{total}"),
                    *(f"{seconds:.3f}", f"{megabytes(*packages):.1f}", f"{own}"),
                    licence(packages[0]) if packages else "",
                    ", ".join(file.partition(".")[0] for file, lines in missed.items() if lines),
                )
            )
    text = "".join("\t".join(row) + "\n" for row in rows)
    (ROOT / "docs/results/readers.tsv").write_text(text, encoding="utf-8")
    print(text, end="")
    insert_into_file(ROOT / "docs/results.md", {"readers": markdown_table(rows[0], rows[1:], text_columns=2)})


if __name__ == "__main__":
    main()
