"""ScisummNet (Yasunaga et al. 2019): papers of computational linguistics, in either layout of its releases.

    ID/Documents_xml/ID.xml   ID/summary/ID.gold.txt                  the release itself
    ID/Reference_XML/ID.xml   ID/summary/ID.scisummnet_human.txt      as part of CL-SciSumm

The document is the body of the paper: every sentence outside the abstract. With ``summary: abstract`` the
summary is the author's abstract, with ``summary: human`` the human summary.

Titles are on neither side. The headings of sections are attributes and hardly ever words of an
abstract; the title stands in the XML as a sentence without ``ssid`` and in the human summary as the
first line. The abstract is the sentences directly below ``ABSTRACT``: a section inside it belongs to the
body. Papers that a converter left without any structure have no ``ABSTRACT``; all of their text, title and
abstract included, is the body, as nothing marks where they end.

The sentences of the XML are taken as they are. A line of a human summary is sometimes a whole abstract, so
its lines are split further. Text is kept as found, damage included; only entities escaped twice
(``&amp;quot;``) are resolved.
"""

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import ParseError, parse

from pipeline.corpus.readers.folder import check_inside
from pipeline.corpus.readers.record import Record, read_file, unescape
from pipeline.run.errors import InputError

PAPERS = "top1000_complete"
XML = ("Documents_xml/{id}.xml", "Reference_XML/{id}.xml")
HUMAN = ("summary/{id}.gold.txt", "summary/{id}.scisummnet_human.txt")


def read(path, settings):
    """Yield the records of the papers below a folder, sorted by id.

    ``path``: the folder of a release, or the one in it that holds a folder for each paper. A paper
    without one of the files has None on that side.
    """
    folder = path / PAPERS if (path / PAPERS).is_dir() else path
    if not folder.is_dir():
        raise InputError(f"{path}: no such folder; check `corpus.path`")
    papers = sorted(p.name for p in folder.iterdir() if p.is_dir() and not p.name.startswith("."))
    if not any(_file(folder / paper, XML) for paper in papers):
        raise InputError(
            f"{folder}: no paper in it, such as A00-1031/{XML[0].format(id='A00-1031')}; check `corpus.path`"
        )
    for paper in papers:
        yield _record(folder / paper, path, settings["summary"])


def _record(paper, root, wanted):
    xml, human = _file(paper, XML), _file(paper, HUMAN)
    for file in filter(None, (xml, human)):
        check_inside(file, root)
    abstract, body = _sentences(xml) if xml else (None, None)
    if wanted == "abstract":
        return Record(paper.name, str(xml or paper), body, abstract)
    return Record(paper.name, str(paper), body, _human_summary(human) if human else None)


def _file(paper, names):
    """The one of the files ``names`` that a paper has, or None."""
    files = (paper / name.format(id=paper.name) for name in names)
    return next((file for file in files if file.is_file()), None)


def _sentences(xml):
    """The sentences of a paper: those of the abstract (None where it has none) and those of the body."""
    try:
        root = parse(xml, forbid_dtd=True).getroot()
    except DefusedXmlException as error:
        raise InputError(f"{xml}: XML with a DTD is not read ({error}); remove <!DOCTYPE …>") from None
    except (ParseError, LookupError, ValueError) as error:  # the last two: encodings that expat does not know
        raise InputError(f"{xml}: not well-formed XML ({error}); mend or remove the paper") from None
    if any(sentence.find(".//S") is not None for sentence in root.iter("S")):
        raise InputError(f"{xml}: has <S> inside <S>; sentences follow one another, mend or remove the paper")
    marked = root.findall("ABSTRACT/S")
    title_and_abstract = {*marked, *(s for s in root.findall("S") if "ssid" not in s.attrib)}
    body = [s for s in root.iter("S") if s not in title_and_abstract]
    return (_texts(marked) if root.find("ABSTRACT") is not None else None), _texts(body)


def _texts(elements):
    texts = (unescape("".join(element.itertext())).strip() for element in elements)
    return [text for text in texts if text]


def _human_summary(file):
    """The lines of a human summary after the title."""
    lines = [line.strip() for line in unescape(read_file(file)).splitlines() if line.strip()]
    return "\n".join(lines[1:])
