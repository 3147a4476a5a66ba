"""Chooses the document sentences that a summary is aligned to.

With the method `cosine` each summary sentence chooses the document sentences most similar to it, and the
extract is their union (Daumé & Marcu 2005, Section 5.1 and Figure 7). With `deletion` Marcu's algorithm
deletes sentences from the document until what is left is most similar to the summary; with `deletion-each`,
for each summary sentence until three are left, which is how the 2005 paper reads. With `unit: clause` all
methods compare units like clauses (`vorlage.extract.clauses`) with the summary, as Marcu (1999) does; the
extract is the sentences of the units that are chosen.
"""

from importlib import import_module

import numpy as np

from vorlage.documents.pair import Pair
from vorlage.extract import cosine
from vorlage.extract.clauses import find_clauses
from vorlage.extract.extracts import Extract
from vorlage.extract.stem_counts import content_stems, sentence_stems
from vorlage.settings import Extraction
from vorlage.types import LongInts


def choose_extract(pair: Pair, weights: cosine.StemWeights, settings: Extraction) -> Extract:
    """Return the extract of a pair.

    With any method, `by_summary_sentence` holds for each summary sentence the `sentences` sentences of
    the extract most similar to it. With the `unit` clause, the similarity of a document sentence is that of
    the most similar of its clauses, and deletion keeps the sentences of which it keeps a clause.
    """
    text = pair.document
    units = find_clauses(text) if settings.unit == "clause" else [[span] for span in text.sentences]
    first = np.cumsum([0, *map(len, units)])  # unit of each sentence, and the number of units
    words = (text.words[slice(*span)] for sentence_units in units for span in sentence_units)
    document = cosine.weigh_stems(weights, [content_stems(unit, text.language) for unit in words])
    summary = cosine.weigh_stems(weights, sentence_stems(pair.summary))
    similarity = np.maximum.reduceat(cosine.compute_similarities(summary, document), first[:-1], axis=1)

    def find_sentences(kept: LongInts) -> LongInts:
        return np.unique(np.searchsorted(first, kept, "right") - 1)

    if not settings.enabled:
        chosen = np.arange(len(units))
    elif settings.method == "cosine":
        chosen = np.unique(cosine.choose_most_similar(similarity, settings.sentences))
    else:
        # By a computed name: an edit of it makes no other extracts again.
        algorithm, _, per_sentence = settings.method.partition("-")
        kept_units = import_module(f"vorlage.extract.{algorithm}").kept_units
        matrix, count = document.matrix(), settings.sentences if per_sentence else None
        texts = summary.matrix() if per_sentence else [summary.matrix()]
        chosen = find_sentences(np.concatenate([kept_units(matrix, text, count) for text in texts]))
    ranked = chosen[cosine.choose_most_similar(similarity[:, chosen], settings.sentences)]
    return Extract(pair.id, tuple(chosen.tolist()), tuple(map(tuple, ranked.tolist())))
