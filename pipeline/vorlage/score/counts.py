"""The counts that scores are made of: sizes of sets of word links, which add up over pairs.

Scores are ratios of sums of these counts, so the bootstrap resamples counts and never looks at links again.
"""

from collections.abc import Callable, Iterable, Set
from typing import NamedTuple, TypeAlias

import numpy as np

from vorlage.alignments.alignment import Link, soft_links
from vorlage.score.reference import Reference, WordLink
from vorlage.types import LongInts

WORDS = ("all", "nonstop")
# Sizes of sets of word links: the sure gold S; the hypothesis A under the soft rule, A ∩ P and A ∩ S;
# the same under the hard rule.
FIELDS = ("sure", "soft", "soft_possible", "soft_sure", "hard", "hard_possible", "hard_sure")


class LinkSets(NamedTuple):
    """The word links of one pair: gold S and P, and the hypothesis under the soft and the hard rule."""

    sure: Set[WordLink]
    possible: Set[WordLink]
    soft: Set[WordLink]
    hard: Set[WordLink]


# Chooses the links of a pair that are counted.
Selection: TypeAlias = Callable[[Reference, LinkSets], LinkSets]


def everything(reference: Reference, sets: LinkSets) -> LinkSets:
    """Return all links."""
    return sets


def oracle_null(reference: Reference, sets: LinkSets) -> LinkSets:
    """Return the links without the system's links of summary words that the gold leaves unaligned.

    This is an upper bound on the gain from a better null state (Daumé & Marcu 2005, Section 5.3; PBHMM-O in
    Daumé & Marcu 2004): recall stays the same, and precision can only rise.
    """
    aligned = {i for i, _ in sets.possible}
    soft, hard = ({(i, j) for i, j in links if i in aligned} for links in (sets.soft, sets.hard))
    return sets._replace(soft=soft, hard=hard)


def non_identical(reference: Reference, sets: LinkSets) -> LinkSets:
    """Return the links between different words (ignoring case), which the identity baseline cannot find."""
    summary, document = reference.summary_words, reference.document_words
    return LinkSets(
        *({(i, j) for i, j in links if summary[i].lower() != document[j].lower()} for links in sets)
    )


def count_links(links: Iterable[Link], reference: Reference, select: Selection = everything) -> LongInts:
    """Return the counts of one pair: shape (2, 7), over `WORDS` and `FIELDS`.

    Under the soft rule a phrase pair with equal words on both sides counts as its diagonal, under the hard
    rule as all its word pairs (Daumé & Marcu 2005, Section 5). A word link that several phrase pairs cover
    counts once. Over `nonstop` words a link of the hypothesis or the gold is left out when either word is
    a stop word. `select` chooses the links that are counted: `everything`, `oracle_null` or
    `non_identical`.
    """
    links = list(links)
    soft = soft_links(links, reference.summary_words, reference.document_words)
    hard = {cell for link in links for cell in link.all_cells()}
    sets = select(reference, LinkSets(reference.sure, reference.possible, soft, hard))
    content = LinkSets(*map(reference.content_links, sets))
    return np.array([_sizes(sets), _sizes(content)], dtype=np.int64)


def _sizes(sets: LinkSets) -> list[int]:
    sure, possible, soft, hard = sets
    return [
        len(sure),
        len(soft),
        len(soft & possible),
        len(soft & sure),
        len(hard),
        len(hard & possible),
        len(hard & sure),
    ]
