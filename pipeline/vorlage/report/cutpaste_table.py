"""Systems on extracts against the same systems on whole documents."""

import pandas as pd

MEASURES = ("soft_precision", "recall", "soft_f")
DOCUMENT = "-document"  # after the name of a system that aligns whole documents


def against_documents(scores: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each system of `scores.tsv` that has a twin `…-document`, and each kind of words.

    Columns: `system`, `words`, each of `MEASURES` followed by ` extracts` and by ` documents`, and
    `difference`, what SoftF gains on documents.
    """
    if not len(scores):
        return pd.DataFrame()
    by_key = scores.set_index(["system", "words"])[list(MEASURES)]
    rows = []
    for system, words in by_key.index:
        if (system + DOCUMENT, words) in by_key.index:
            extracts, documents = by_key.loc[(system, words)], by_key.loc[(system + DOCUMENT, words)]
            row = {"system": system, "words": words}
            row |= {f"{name} extracts": extracts[name] for name in MEASURES}
            row |= {f"{name} documents": documents[name] for name in MEASURES}
            rows.append(row | {"difference": documents["soft_f"] - extracts["soft_f"]})
    return pd.DataFrame(rows)
