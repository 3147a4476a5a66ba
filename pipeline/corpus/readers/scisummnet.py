"""Reads ScisummNet (Yasunaga et al. 2019), papers in computational linguistics with summaries.

The corpus is the folder of a release: it holds the folder ``top1000_complete``, or it is that folder. Inside
is one folder for each paper, in one of two layouts:

    ID/Documents_xml/ID.xml   ID/summary/ID.gold.txt                  the release itself
    ID/Reference_XML/ID.xml   ID/summary/ID.scisummnet_human.txt      as part of CL-SciSumm

The document is the body of the paper: every sentence outside the abstract. With ``summary: abstract`` the
summary is the author's abstract, with ``summary: human`` the human summary.

Titles are on neither side: the title is a sentence without ``ssid`` in the XML, and the first line of a human
summary. Headings of sections are attributes, which are not read. The abstract is the sentences directly below
``ABSTRACT``; a section inside it belongs to the body. In some papers a converter lost all structure. They
have no ``ABSTRACT``, and all of their text is the body, title and abstract included, because nothing marks
where these end.

The sentences of the XML are kept as they are. A line of a human summary is sometimes a whole abstract, so
lines are split further. Damaged text is kept; only entities escaped twice (``&amp;quot;``) are resolved.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import ParseError, parse

from pipeline.corpus.readers.folder import check_inside
from pipeline.corpus.readers.record import Record, read_file, unescape
from pipeline.run.errors import InputError
from pipeline.types import JsonObject

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

PAPERS = "top1000_complete"
XML = ("Documents_xml/{id}.xml", "Reference_XML/{id}.xml")
HUMAN = ("summary/{id}.gold.txt", "summary/{id}.scisummnet_human.txt")


def read(path: Path, settings: JsonObject) -> Iterator[Record]:
    """Yield the records of the papers below a folder, sorted by id.

    ``settings``: ``summary`` is ``abstract`` or ``human``. If a paper lacks a file, that side is None.
    """
    folder = path / PAPERS if (path / PAPERS).is_dir() else path
    if not folder.is_dir():
        raise InputError(f"{path}: no such folder; check `corpus.path`")
    papers = sorted(p.name for p in folder.iterdir() if p.is_dir() and not p.name.startswith("."))
    if not any(_file(folder / paper, XML) for paper in papers):
        raise InputError(
            f"{folder}: no paper in this folder, such as A00-1031/{XML[0].format(id='A00-1031')}; "
            "check `corpus.path`"
        )
    for paper in papers:
        yield _record(folder / paper, path, settings["summary"])


def _record(paper: Path, root: Path, kind: str) -> Record:
    xml, human = _file(paper, XML), _file(paper, HUMAN)
    for file in filter(None, (xml, human)):
        check_inside(file, root)
    abstract, body = _sentences(xml) if xml else (None, None)
    if kind == "abstract":
        return Record(paper.name, str(xml or paper), body, abstract)
    return Record(paper.name, str(paper), body, _human_summary(human) if human else None)


def _file(paper: Path, names: Sequence[str]) -> Path | None:
    """Return the first of the files ``names`` that a paper has, or None."""
    files = (paper / name.format(id=paper.name) for name in names)
    return next((file for file in files if file.is_file()), None)


def _sentences(xml: Path) -> tuple[list[str] | None, list[str]]:
    """Return the sentences of the abstract (None if the paper has no abstract) and of the body."""
    try:
        root = parse(xml, forbid_dtd=True).getroot()
        assert root is not None
    except DefusedXmlException as error:
        raise InputError(f"{xml}: XML with a DTD is not read ({error}); remove <!DOCTYPE …>") from None
    except (ParseError, LookupError, ValueError) as error:  # the last two: encodings unknown to expat
        raise InputError(
            f"{xml}: not well-formed XML ({error}); fix it, or move the paper elsewhere"
        ) from None
    if any(sentence.find(".//S") is not None for sentence in root.iter("S")):
        raise InputError(f"{xml}: has <S> inside <S>; fix it, or move the paper elsewhere")
    marked = root.findall("ABSTRACT/S")
    title_and_abstract = {*marked, *(s for s in root.findall("S") if "ssid" not in s.attrib)}
    body = [s for s in root.iter("S") if s not in title_and_abstract]
    return (_texts(marked) if root.find("ABSTRACT") is not None else None), _texts(body)


def _texts(elements: "Iterable[Element]") -> list[str]:
    texts = (unescape("".join(element.itertext())).strip() for element in elements)
    return [text for text in texts if text]


def _human_summary(file: Path) -> str:
    """Return the lines of a human summary after the title."""
    lines = [line.strip() for line in unescape(read_file(file)).splitlines() if line.strip()]
    return "\n".join(lines[1:])
