"""Links to start an annotation from: those of a system, or those of two annotators for adjudication."""

from itertools import combinations
from typing import NamedTuple

from vorlage.alignments.alignment import Alignment, WordPair, word_pairs
from vorlage.types import JsonObject, Span
from vorlage.workflow.gold import ADJUDICATED, Gold, GoldLink
from vorlage.workflow.score.reference import UNNAMED

SURE_POSTERIOR = 0.5  # links of a system with a lower posterior start as possible ones


class Start(NamedTuple):
    """Links to start from, and links to decide on.

    `nulls`: summary words without a source. `differences`: links that two annotators have not marked alike,
    each with a note on who has marked it how.
    """

    name: str
    links: tuple[GoldLink, ...]
    nulls: tuple[int, ...] = ()
    differences: tuple[tuple[GoldLink, str], ...] = ()

    def to_json(self) -> JsonObject:
        """Return the form that the page reads: a link is `[summary span, document span, sure]`."""
        return {
            "name": self.name,
            "links": [_plain(link) for link in self.links],
            "nulls": self.nulls,
            "differences": [[*_plain(link), note] for link, note in self.differences],
        }


def start_from_system(alignment: Alignment) -> Start:
    """Return the links of a system as a start.

    A phrase pair with equal words becomes one link for each word, as the guidelines ask for. Links are sure
    unless their posterior is below `SURE_POSTERIOR`. Null words stay undecided: the annotator decides.
    """
    links: list[GoldLink] = []
    for link in alignment.links:
        sure = link.posterior is None or link.posterior >= SURE_POSTERIOR
        cells = link.cells(alignment.summary_words, alignment.document_words)
        if link.document and cells == link.all_cells():
            links.append(GoldLink((link.summary,), (link.document,), sure))
        else:  # a null link has no cells
            links += [GoldLink(((i, i + 1),), ((j, j + 1),), sure) for i, j in cells]
    return Start(alignment.system, tuple(links))


def adjudications(golds: list[Gold], summary_words: int) -> list[Start]:
    """Return a start for each two annotators of a pair, without those who are adjudicators."""
    annotators = [gold for gold in golds if gold.annotator != ADJUDICATED]
    return [adjudicate(first, second, summary_words) for first, second in combinations(annotators, 2)]


def adjudicate(first: Gold, second: Gold, summary_words: int) -> Start:
    """Return what two annotators of a pair agree on, and what they differ on.

    They agree on a link if they have marked all its word pairs alike, sure or possible, and on a word without
    source if neither has linked it. `summary_words`: how many words the summary has.
    """
    marks = _marks(first), _marks(second)
    names = first.annotator or UNNAMED, second.annotator or UNNAMED
    links: set[GoldLink] = set()
    differences: dict[GoldLink, str] = {}
    covered: set[WordPair] = set()
    for gold, own, other in ((first, 0, 1), (second, 1, 0)):
        for link in gold.links:
            cells = word_pairs(link.summary[0], link.document[0], diagonal=False)
            if any(marks[own][cell] != marks[other].get(cell) for cell in cells):
                note = _note({marks[other].get(cell) for cell in cells})
                differences.setdefault(link, f"{names[own]}: {_note({link.sure})}, {names[other]}: {note}")
            elif not covered.issuperset(cells):
                links.add(link)
                covered.update(cells)
    linked = {i for i, _ in marks[0].keys() | marks[1].keys()}
    return Start(
        " and ".join(names),
        tuple(sorted(links, key=_place)),
        tuple(i for i in range(summary_words) if i not in linked),
        tuple((link, differences[link]) for link in sorted(differences, key=_place)),
    )


def _note(statuses: set[bool | None]) -> str:
    """Return how an annotator has marked the word pairs of a link: sure, possible or, for None, not."""
    names = {True: "sure", False: "possible", None: "not linked"}
    return "in part" if len(statuses) > 1 else names[statuses.pop()]


def _marks(gold: Gold) -> dict[WordPair, bool]:
    """Return the word links of a pair, each with whether it is sure."""
    sure = gold.cells(sure_only=True)
    return {cell: cell in sure for cell in gold.cells(sure_only=False)}


def _place(link: GoldLink) -> tuple[Span, Span, bool]:
    return link.summary[0], link.document[0], not link.sure


def _plain(link: GoldLink) -> list[object]:
    return [link.summary[0], link.document[0], link.sure]
