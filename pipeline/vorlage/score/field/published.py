"""The measures of word alignment that the literature reports, beside those of this project.

Macro precision, recall and F of MacCartney, Galley & Manning (2008) and of the papers after them: A are the
links of a system in a pair (`Link.cells`) and G those of the gold, either the sure
ones (S) or the sure and the possible ones (P). Precision |A ∩ G| / |A| and recall |A ∩ G| / |G| of the pairs
are averaged, and F is 2PR / (P + R) of the averages. Precision is 1 if both A and G are empty, and 0 if A
alone is; recall likewise. *Exact* is the share of pairs with A = G.

The alignment error rate is 1 − (|A ∩ S| + |A ∩ P|) / (|A| + |S|) over all pairs (Och & Ney 2003).
"""

from collections.abc import Mapping, Set

import numpy as np

from vorlage.alignments.alignment import Alignment, soft_links
from vorlage.score import phrases
from vorlage.score.counts import FIELDS, count_all
from vorlage.score.field.measures import Measures, f_of, mean_of, share_of
from vorlage.score.reference import Annotated, Reference, WordLink

SURE, POSSIBLE = "sure", "possible"


def link_measures(alignments: Mapping[str, Alignment], references: Mapping[str, Reference]) -> Measures:
    """Return the measures of a system on gold in tokens; both arguments are keyed by pair id."""
    measures: Measures = {}
    cells = {key: _links(alignments[key], reference) for key, reference in references.items()}
    for name in (SURE, POSSIBLE):
        pairs = [(cells[key], getattr(reference, name)) for key, reference in references.items()]
        precision = mean_of(np.array([_share(a & g, a, g) for a, g in pairs]))
        recall = mean_of(np.array([_share(a & g, g, a) for a, g in pairs]))
        measures |= {
            f"{name}_precision": precision,
            f"{name}_recall": recall,
            f"{name}_f": f_of(precision, recall),
            f"{name}_exact": mean_of(np.array([float(a == g) for a, g in pairs])),
        }
    counts = count_all(alignments, references)[:, 0]
    sure, linked, possible, right = (
        counts[:, FIELDS.index(name)] for name in ("sure", "soft", "soft_possible", "soft_sure")
    )
    correct = share_of(right + possible, linked + sure)
    measures["aer"] = lambda weights: 1 - correct(weights)
    precision, recall = share_of(possible, linked), share_of(right, sure)
    measures |= {"soft_precision": precision, "soft_recall": recall, "soft_f": f_of(precision, recall)}
    return measures


def phrase_measures(alignments: Mapping[str, Alignment], annotated: Annotated) -> Measures:
    """Return the measures of a system on gold in characters (`vorlage.score.phrases`)."""
    linked, right, content, reached = phrases.count_all(alignments, annotated)[:, 0].T
    precision, recall = share_of(right, linked), share_of(reached, content)
    return {"precision": precision, "recall": recall, "f": f_of(precision, recall)}


def _links(alignment: Alignment, reference: Reference) -> set[WordLink]:
    return soft_links(alignment.links, reference.summary_words, reference.document_words)


def _share(common: Set[WordLink], whole: Set[WordLink], other: Set[WordLink]) -> float:
    """Return the share of `whole` that is `common`; for an empty one, whether `other` is empty too."""
    return len(common) / len(whole) if whole else float(not other)
