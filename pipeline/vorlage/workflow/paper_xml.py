"""Reads the XML of a paper of ScisummNet: its abstract, its body and the titles of its sections.

    <PAPER><S sid="0">The title</S>
      <ABSTRACT><S sid="1" ssid="1">…</S></ABSTRACT>
      <SECTION title="1 Introduction" number="1"><S sid="2" ssid="1">…</S></SECTION></PAPER>

The sentences of the XML are kept as they are. The abstract is the sentences of `ABSTRACT` before any
section inside it. All others are the body, except for the title, which has no `ssid`. In some papers a
converter lost all structure. They have no `ABSTRACT`, and all of their text is the body, title and abstract
included, because nothing marks where these end.

In other papers, `ABSTRACT` holds further parts of the paper as well, or holds nothing else. In the release,
each `ABSTRACT` of more than `MAX_SENTENCES` sentences is of this kind. It is cut where the opening words of
the first section stand; a first section that itself repeats the abstract is passed over. If this place is not
found, nothing says which sentences are the abstract, and the paper is read as one without an abstract. What
is cut is not read: most of it is a second copy of the body, the rest references and tables.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import ParseError, parse

from vorlage.command.errors import InputError
from vorlage.text.tokenized import SectionStart
from vorlage.workflow.reader import unescape

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

MAX_SENTENCES = 15  # sentences of an abstract
OPENING_WORDS = 6  # words by which the beginning of a section is known
NESTED = "ABSTRACT with sections inside it, read as the body"
CUT = f"ABSTRACT of more than {MAX_SENTENCES} sentences, cut where the first section begins"
LOST = (
    f"ABSTRACT of more than {MAX_SENTENCES} sentences, left out because nothing marks the end of the abstract"
)


class Paper(NamedTuple):
    """The text of a paper.

    `abstract`, `body`: their sentences, or None if the paper has no such part. `sections`: those of the
    body, as in `vorlage.text.tokenized.Text`. `note`: NESTED, CUT, LOST or nothing.
    """

    abstract: list[str] | None = None
    body: list[str] | None = None
    sections: tuple[SectionStart, ...] = ()
    note: str = ""


def read_paper(xml: Path) -> Paper:
    """Return the text of a paper; raise `InputError` if the file is not XML that can be read."""
    root = _parse(xml)
    abstract, body, sections = list[str](), list[str](), list[SectionStart]()
    nested = False
    for part in root:
        if part.tag == "S" and "ssid" not in part.attrib:
            continue  # the title
        in_abstract, title = part.tag == "ABSTRACT", None
        for element in part.iter():
            if element.tag == "SECTION":
                nested = nested or in_abstract
                in_abstract, title = False, " ".join(unescape(element.get("title", "")).split())
            if element.tag != "S" or not (text := unescape("".join(element.itertext())).strip()):
                continue
            if not in_abstract and title is not None:
                sections.append((len(body), title))
                title = None
            (abstract if in_abstract else body).append(text)
    paper_abstract = abstract if root.find("ABSTRACT") is not None else None
    note = NESTED if nested else ""
    if len(abstract) > MAX_SENTENCES:
        end = _find_abstract_end(abstract, [body[first] for first, _ in sections[:2]])
        paper_abstract, note = (abstract[:end], CUT) if end else (None, LOST)
    return Paper(paper_abstract, body, tuple(sections), note)


def _parse(xml: Path) -> "Element":
    """Return the root of an XML file; raise `InputError` for other files."""
    try:
        root = parse(xml, forbid_dtd=True).getroot()
        assert root is not None
    except DefusedXmlException as error:
        raise InputError(f"{xml}: XML with a DTD is not read ({error}); remove <!DOCTYPE …>") from None
    except (ParseError, LookupError, ValueError) as error:  # the last two: encodings unknown to expat
        raise InputError(
            f"{xml}: not well-formed XML ({error}); fix it, or move the paper elsewhere"
        ) from None
    return root


def _find_abstract_end(abstract: Sequence[str], firsts: Sequence[str]) -> int:
    """Return the number of sentences before the first section, or 0 if it cannot be found.

    `firsts`: the first sentences of the first two sections.
    """
    sentences = [f" {' '.join(_words(sentence))} " for sentence in abstract]
    for first in firsts:
        words = _words(first)[:OPENING_WORDS]
        opening = f" {' '.join(words)} "
        numbers = [number for number, sentence in enumerate(sentences) if opening in sentence]
        if len(words) < OPENING_WORDS or not numbers:
            return 0
        if numbers[0]:
            return numbers[0]
    return 0


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.lower())
