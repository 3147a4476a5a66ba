"""What the scores of a pair are made of: sizes of sets of word links, which add up over pairs.

Scores are ratios of sums of these counts, so the bootstrap resamples counts and never looks at links
again.
"""

import numpy as np

WORDS = ("all", "nonstop")
# Sizes of sets of word links: the sure gold S; the hypothesis A under the soft rule, A ∩ P and A ∩ S;
# the same under the hard rule.
FIELDS = ("sure", "soft", "soft_possible", "soft_sure", "hard", "hard_possible", "hard_sure")


def count_links(links, reference):
    """The counts of one pair: an int64 array of shape (2, 7), over ``WORDS`` and ``FIELDS``.

    ``links`` is a list of :class:`pipeline.alignments.Link`; under the soft rule a phrase pair with equal
    words on both sides stands for its diagonal, under the hard rule for all its word pairs (Daumé & Marcu
    2005, Section 5). A word link that several phrase pairs cover counts once. Over ``nonstop`` words a
    link is left out, of hypothesis and gold alike, when either word is a stop word.
    """
    soft = {cell for link in links for cell in link.cells(reference.summary_words, reference.document_words)}
    hard = {cell for link in links for cell in link.all_cells()}
    sets = (reference.sure, reference.possible, soft, hard)
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
