"""The counts that scores are made of: sizes of sets of word links, which add up over pairs.

Scores are ratios of sums of these counts, so the bootstrap resamples counts and never looks at links again.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from fractions import Fraction
from typing import NamedTuple, TypeAlias, TypeVar

import numpy as np

from vorlage.alignments.alignment import Alignment, Link, WordPair, soft_links
from vorlage.documents.pair import Pair
from vorlage.types import AnyArray, Floats, LongInts
from vorlage.workflow.score.reference import Reference, make_reference

Number = TypeVar("Number", int, float, Fraction)
WORDS = ("all", "nonstop")
# Sizes of sets of word links: the sure gold S; the hypothesis A under the soft rule, A ∩ P and A ∩ S;
# the same under the hard rule.
FIELDS = ("sure", "soft", "soft_possible", "soft_sure", "hard", "hard_possible", "hard_sure")


def share(part: Number, whole: Number) -> float:
    """Return `part / whole`, or NaN where `whole` is 0."""
    return float(part / whole) if whole else math.nan


def ratio(numerator: AnyArray, denominator: AnyArray) -> Floats:
    """Return `numerator / denominator` for arrays of one shape, 0 where the denominator is 0."""
    zero = np.zeros(np.shape(denominator))
    return np.divide(numerator, denominator, out=zero, where=np.asarray(denominator) > 0)


def f_of(precision: Floats, recall: Floats) -> Floats:
    """Return F = 2PR / (P + R) for arrays of one shape."""
    return ratio(2 * precision * recall, precision + recall)


class LinkSets(NamedTuple):
    """The word links of one pair: gold S and P, and the hypothesis under the soft and the hard rule."""

    sure: Set[WordPair]
    possible: Set[WordPair]
    soft: Set[WordPair]
    hard: Set[WordPair]


# Chooses the links of a pair that are counted.
Selection: TypeAlias = Callable[[Reference, LinkSets], LinkSets]


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


def count_links(links: Iterable[Link], reference: Reference, select: Selection | None = None) -> LongInts:
    """Return the counts of one pair: shape (2, 7), over `WORDS` and `FIELDS`.

    Under the soft rule a phrase pair with equal words on both sides counts as its diagonal, under the hard
    rule as all its word pairs (Daumé & Marcu 2005, Section 5). A word link that several phrase pairs cover
    counts once. Over `nonstop` words a link of the hypothesis or the gold is left out when either word is
    a stop word. `select` chooses the links that are counted, by default all.
    """
    links = list(links)
    soft = soft_links(links, reference.summary_words, reference.document_words)
    hard = {cell for link in links for cell in link.all_cells()}
    sets = LinkSets(reference.sure, reference.possible, soft, hard)
    sets = select(reference, sets) if select else sets
    content = LinkSets(*map(reference.content_links, sets))
    return np.array([_sizes(*sets), _sizes(*content)], dtype=np.int64)


def _sizes(
    sure: Set[WordPair], possible: Set[WordPair], soft: Set[WordPair], hard: Set[WordPair]
) -> list[int]:
    by_rule = [(links, links & possible, links & sure) for links in (soft, hard)]
    return [len(links) for links in (sure, *by_rule[0], *by_rule[1])]


def count_all(
    alignments: Mapping[str, Alignment],
    references: Mapping[str, Reference],
    select: Selection | None = None,
) -> LongInts:
    """Return the counts of all pairs, shape (pairs, 2, 7); the mappings are keyed by pair id."""
    return np.stack([count_links(alignments[key].links, gold, select) for key, gold in references.items()])


def count_shared(pair: Pair, alignments: Sequence[Alignment]) -> LongInts:
    """Count the word links that each two alignments of a pair share, under the soft rule.

    Return shape (2, systems, systems), the first axis over `WORDS`; the diagonal has all links of a system.
    """
    words = make_reference(pair, [])
    found = [soft_links(made.links, words.summary_words, words.document_words) for made in alignments]
    kinds = found, [words.content_links(links) for links in found]
    return np.array([[[len(one & other) for other in kind] for one in kind] for kind in kinds])


def scores(counts: AnyArray) -> dict[str, Floats]:
    """Return the scores of summed counts, shape (…, 7) over `FIELDS`, by the columns of `scores.tsv`.

    P = |A ∩ P| / |A|, R = |A ∩ S| / |S|, F = 2PR / (P + R) (Daumé & Marcu 2005, Section 5), where A contains
    the links of the soft or of the hard rule. The arrays have the shape of `counts` without its last axis.
    A ratio whose denominator is 0 is 0.
    """
    sure, soft, soft_possible, soft_sure, hard, hard_possible, hard_sure = np.moveaxis(counts, -1, 0)
    soft_precision, hard_precision = ratio(soft_possible, soft), ratio(hard_possible, hard)
    recall = ratio(soft_sure, sure)
    return {
        "soft_precision": soft_precision,
        "recall": recall,
        "soft_f": f_of(soft_precision, recall),
        "hard_precision": hard_precision,
        "hard_f": f_of(hard_precision, ratio(hard_sure, sure)),
    }
