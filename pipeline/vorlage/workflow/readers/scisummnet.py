"""Reads ScisummNet (Yasunaga et al. 2019), papers in computational linguistics with summaries and citations.

The corpus is the folder of a release: it holds the folder `top1000_complete`, or it is that folder. Inside
is one folder for each paper, in one of two layouts:

    ID/Documents_xml/ID.xml   ID/summary/ID.gold.txt                  the release itself
    ID/Reference_XML/ID.xml   ID/summary/ID.scisummnet_human.txt      as part of CL-SciSumm

and in the release `ID/citing_sentences_annotated.json`, a list of the sentences that cite the paper. Of each,
the number and the text are read; `keep_for_gold` does not choose among them:

    {"citance_No": 1, "citing_paper_id": "W00-0000", "citing_paper_authority": 3,
     "citing_paper_authors": "Ada, Example", "raw_text": "…", "clean_text": "…", "keep_for_gold": 0}

The document is the body of the paper (`vorlage.workflow.paper_xml`). With `abstract: in`, the
author's abstract comes first, unless the body already has more than half of its sentences. `summary` says
what the document is paired with: the human summary, the author's abstract, or each sentence of another paper
that cites this one, as a pair with the id `ID-cN`.

Titles are on neither side: the title is a sentence without `ssid` in the XML, and the first line of a human
summary. A line of a human summary is sometimes a whole abstract, so lines are split further. Damaged text is
kept; only entities escaped twice (`&amp;quot;`) are resolved.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import Field, StrictInt

from vorlage.command.errors import InputError
from vorlage.documents.records import Record
from vorlage.files.inputs import read_text
from vorlage.files.jsonl import parse_form
from vorlage.text.tokenized import SectionStart
from vorlage.workflow.paper_xml import Paper, read_paper
from vorlage.workflow.reader import Reader, read_json_file, unescape
from vorlage.workflow.settings import Corpus

PAPERS = "top1000_complete"
XML = ("Documents_xml/{id}.xml", "Reference_XML/{id}.xml")
CITANCES = "citing_sentences_annotated.json"
HUMAN = ("summary/{id}.gold.txt", "summary/{id}.scisummnet_human.txt")


@dataclass(frozen=True)
class Citance:
    """A sentence that cites the paper: `clean_text` or, where that is missing or blank, `raw_text`."""

    number: Annotated[StrictInt, Field(validation_alias="citance_No", ge=0)]
    clean_text: str = ""
    raw_text: str = ""


def read(path: Path, settings: Corpus) -> Iterator[Record]:
    """Yield the records of the papers below a folder, sorted by the id of the paper.

    `settings`: `summary` is `human`, `abstract` or `citances`; `abstract` is `in` or `out`.
    If a paper lacks a file, that side is None; a paper without citances has one record, without a summary.
    Raise `InputError` if no paper has a document, or if no paper has the citances that are asked for.
    """
    folder = path / PAPERS if (path / PAPERS).is_dir() else path
    if not folder.is_dir():
        raise InputError(f"{path}: no such folder; check `corpus.path`")
    papers = sorted(p for p in folder.iterdir() if p.is_dir() and not p.name.startswith("."))
    if not any(_find_file(paper, XML) for paper in papers):
        raise InputError(
            f"{folder}: no paper in this folder, such as A00-1031/{XML[0].format(id='A00-1031')}; "
            "check `corpus.path`"
        )
    if settings.summary == "citances" and not any(_find_file(paper, (CITANCES,)) for paper in papers):
        raise InputError(
            f"{folder}: no paper has {CITANCES}, which some copies of the release lack; get the release "
            "with it, or set `corpus.summary: human`"
        )
    for paper in papers:
        yield from _records(paper, settings)


def _records(folder: Path, settings: Corpus) -> Iterator[Record]:
    xml, human, citances = (_find_file(folder, names) for names in (XML, HUMAN, (CITANCES,)))
    paper = read_paper(xml) if xml else Paper()
    document, sections = paper.body, paper.sections
    if settings.abstract == "in" and document is not None:
        document, sections = _with_abstract(paper.abstract or [], document, sections)

    name, where, note = folder.name, str(folder), paper.note
    if settings.summary == "abstract":
        yield Record(name, str(xml or folder), document, paper.abstract, sections, note)
    elif settings.summary == "human":
        yield Record(name, where, document, _human_summary(human) if human else None, sections, note)
    else:
        citations = parse_form(list[Citance], read_json_file(citances), str(citances)) if citances else []
        for citance in citations:
            text = citance.clean_text if citance.clean_text.strip() else citance.raw_text
            id = f"{name}-c{citance.number}"
            yield Record(id, str(citances), document, unescape(text).strip(), sections, note)
            note = ""  # listed once for each paper
        if not citations:
            yield Record(name, where, document, None, sections, note)


def _find_file(folder: Path, names: Sequence[str]) -> Path | None:
    """Return the first of the files `names` that the folder of a paper has, or None."""
    files = (folder / name.format(id=folder.name) for name in names)
    return next((file for file in files if file.is_file()), None)


def _with_abstract(
    abstract: list[str], body: list[str], sections: tuple[SectionStart, ...]
) -> tuple[list[str], tuple[SectionStart, ...]]:
    """Return the sentences and sections of a document with its abstract first, unless the body repeats it."""
    known = set(body)
    if 2 * sum(sentence not in known for sentence in abstract) < len(abstract) or not abstract:
        return body, sections
    moved = ((len(abstract) + first, title) for first, title in sections)
    return [*abstract, *body], ((0, "Abstract"), *moved)


def _human_summary(file: Path) -> str:
    """Return the lines of a human summary after the title."""
    lines = [line.strip() for line in unescape(read_text(file)).splitlines() if line.strip()]
    return "\n".join(lines[1:])


READER = Reader("scisummnet", read)
