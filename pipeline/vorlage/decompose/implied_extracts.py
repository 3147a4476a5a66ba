"""Compares the extracts that decompositions imply with the gold extracts (Jing 2002, Section 4.1, Table 1).

The automatic extract of a document is all document sentences that its summary sentences were made from. The
gold extract, which human judges chose there, comes from the gold links here: see
`vorlage.extract.evaluate`.
"""

from collections.abc import Iterable, Mapping, Sequence

import pandas as pd

from vorlage.corpus.gold import Gold
from vorlage.corpus.pair import Pair
from vorlage.decompose.decomposed import Decomposed
from vorlage.extract.evaluate import count, make_table
from vorlage.extract.extracts import Extract
from vorlage.files.outputs import replacing
from vorlage.score.systems import GOLD
from vorlage.types import LongInts, StrPath

COLUMNS = (
    *("id", "document_sentences", "extract_sentences", "gold_sentences"),
    *("precision", "recall", "f"),
)


def implied_extract(pair: Pair, decomposed: Iterable[Decomposed]) -> Extract:
    """Return the extract of a pair that the decomposition of its summary implies; it may be empty."""
    sources = {source for sentence in decomposed for source in sentence.sources}
    return Extract(pair.id, tuple(sorted(sources)), ())


def count_sentences(pair: Pair, golds: Sequence[Gold], decomposed: Iterable[Decomposed]) -> LongInts:
    """Return the counts of `vorlage.extract.evaluate.count` for the implied extract of a pair."""
    return count(pair, golds, implied_extract(pair, decomposed))


def extract_table(counts: Mapping[str, Mapping[str, LongInts]]) -> pd.DataFrame:
    """Return the rows of all systems: one for each document, then `average` and `all`.

    `counts`: by system and pair; the gold comes first. `average` is the mean over the documents, as in
    Table 1, in which an empty extract has an F of 0 and no precision; `all` counts the sentences of all
    documents together.
    """
    tables = []
    for system in sorted(counts, key=lambda system: system != GOLD):
        by_pair = counts[system]
        table = make_table(list(by_pair), list(by_pair.values()))[list(COLUMNS)]
        table.insert(0, "system", system)
        tables.append(table)
    return pd.concat(tables) if tables else pd.DataFrame(columns=["system", *COLUMNS])


def write_extract_table(path: StrPath, table: pd.DataFrame) -> None:
    """Write the table as tab-separated values with four digits; what is not defined is `nan`."""
    with replacing(path) as temporary:
        table.to_csv(temporary, sep="\t", index=False, float_format="%.4g", na_rep="nan")
