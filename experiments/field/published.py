"""The measures of word alignment that the literature reports, beside those of this project.

Macro precision, recall and F of MacCartney, Galley & Manning (2008) and of the papers after them: A are the
links of a system in a pair (`Link.cells`) and G those of the gold, either the sure
ones (S) or the sure and the possible ones (P). Precision |A ∩ G| / |A| and recall |A ∩ G| / |G| of the pairs
are averaged, and F is 2PR / (P + R) of the averages. Precision is 1 if both A and G are empty, and 0 if A
alone is; recall likewise. *Exact* is the share of pairs with A = G.

The alignment error rate is 1 − (|A ∩ S| + |A ∩ P|) / (|A| + |S|) over all pairs (Och & Ney 2003).
"""

from collections.abc import Mapping, Set
from dataclasses import replace

import numpy as np
from vorlage.alignments.alignment import Alignment, WordPair, soft_links
from vorlage.alignments.stretches import find_stretches
from vorlage.workflow.score import phrases
from vorlage.workflow.score.counts import count_all
from vorlage.workflow.score.reference import Annotated, Reference

from field.measures import Measure, Measures, f_measure, mean_of, share_of


def link_measures(alignments: Mapping[str, Alignment], references: Mapping[str, Reference]) -> Measures:
    """Return the measures of a system on gold in tokens; both arguments are keyed by pair id."""
    measures: Measures = {}
    pairs = [
        (soft_links(alignments[key].links, gold.summary_words, gold.document_words), gold)
        for key, gold in references.items()
    ]
    for name in ("sure", "possible"):
        sets = [(links, getattr(gold, name)) for links, gold in pairs]
        precision = mean_of(np.array([_share(a & g, a, g) for a, g in sets]))
        recall = mean_of(np.array([_share(a & g, g, a) for a, g in sets]))
        measures |= _with_f(precision, recall, f"{name}_")
        measures[f"{name}_exact"] = mean_of(np.array([float(a == g) for a, g in sets]))
    sure, linked, possible, right, *_ = count_all(alignments, references)[:, 0].T
    correct = share_of(right + possible, linked + sure)
    measures["aer"] = lambda weights: 1 - correct(weights)
    return measures | _with_f(share_of(possible, linked), share_of(right, sure), "soft_")


def phrase_measures(alignments: Mapping[str, Alignment], annotated: Annotated) -> Measures:
    """Return the measures of a system on gold in characters (`vorlage.workflow.score.phrases`).

    They are those of its links, and with the prefix `stretch_` those of the stretches that these links make.
    """
    stretches = {
        key: replace(alignments[key], links=find_stretches(alignments[key].links, pair))
        for key, (pair, _) in annotated.items()
    }
    measures: Measures = {}
    for prefix, links in (("", alignments), ("stretch_", stretches)):
        linked, right, content, reached = phrases.count_all(links, annotated)[:, 0].T
        measures |= _with_f(share_of(right, linked), share_of(reached, content), prefix)
    return measures


def _with_f(precision: Measure, recall: Measure, prefix: str = "") -> Measures:
    f = f_measure(precision, recall)
    return {f"{prefix}precision": precision, f"{prefix}recall": recall, f"{prefix}f": f}


def _share(common: Set[WordPair], whole: Set[WordPair], other: Set[WordPair]) -> float:
    """Return the share of `whole` that is `common`; for an empty one, whether `other` is empty too."""
    return len(common) / len(whole) if whole else float(not other)
