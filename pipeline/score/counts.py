"""What the scores of a pair are made of: sizes of sets of word links, which add up over pairs.

Scores are ratios of sums of these counts, so the bootstrap resamples counts and never looks at links
again.
"""

import numpy as np

WORDS = ("all", "nonstop")
# Sizes of sets of word links: the sure gold S; the hypothesis A under the soft rule, A ∩ P and A ∩ S;
# the same under the hard rule.
FIELDS = ("sure", "soft", "soft_possible", "soft_sure", "hard", "hard_possible", "hard_sure")


def everything(reference, sure, possible, soft, hard):
    """Leave the four sets of word links (S, P and the hypothesis by both rules) as they are."""
    return sure, possible, soft, hard


def oracle_null(reference, sure, possible, soft, hard):
    """The sets with the hypothesis's links taken out of summary words that the gold leaves unaligned.

    An upper bound on what a better null state could bring (Daumé & Marcu 2005, Section 5.3; PBHMM-O in
    Daumé & Marcu 2004): recall stays, precision can only rise.
    """
    aligned = {i for i, _ in possible}
    soft, hard = ({(i, j) for i, j in links if i in aligned} for links in (soft, hard))
    return sure, possible, soft, hard


def non_identical(reference, *sets):
    """The sets without the links between equal words, case aside: what identity alone cannot find."""
    summary, document = reference.summary_words, reference.document_words
    return tuple({(i, j) for i, j in links if summary[i].lower() != document[j].lower()} for links in sets)


def soft_links(links, summary_words, document_words):
    """The word links of a list of :class:`pipeline.alignments.Link` under the soft rule: a set."""
    return {cell for link in links for cell in link.cells(summary_words, document_words)}


def count_links(links, reference, taken=everything):
    """The counts of one pair: an int64 array of shape (2, 7), over ``WORDS`` and ``FIELDS``.

    ``links`` is a list of :class:`pipeline.alignments.Link`; under the soft rule a phrase pair with equal
    words on both sides stands for its diagonal, under the hard rule for all its word pairs (Daumé & Marcu
    2005, Section 5). A word link that several phrase pairs cover counts once. Over ``nonstop`` words a
    link is left out, of hypothesis and gold alike, when either word is a stop word. ``taken`` chooses
    which links are counted: :func:`everything`, :func:`oracle_null` or :func:`non_identical`.
    """
    soft = soft_links(links, reference.summary_words, reference.document_words)
    hard = {cell for link in links for cell in link.all_cells()}
    sets = taken(reference, reference.sure, reference.possible, soft, hard)
    return np.array([_sizes(*sets), _sizes(*map(reference.content_links, sets))], dtype=np.int64)


def _sizes(sure, possible, soft, hard):
    return [
        len(sure),
        len(soft),
        len(soft & possible),
        len(soft & sure),
        len(hard),
        len(hard & possible),
        len(hard & sure),
    ]
