"""The tables of the decompose stage: a row for each sentence, for each system, and for each implied extract.

The automatic extract of a document is all document sentences that its summary sentences were made from. The
gold extract, which human judges chose in Jing (2002, Section 4.1, Table 1), comes from the gold links here:
see `vorlage.extract.evaluate`.
"""

from collections import Counter
from collections.abc import Iterable, Mapping

import pandas as pd

from vorlage.decompose.operations import OPERATIONS, Decomposed
from vorlage.extract.evaluate import make_table
from vorlage.files.outputs import replacing
from vorlage.files.tables import Row
from vorlage.score.ratios import share
from vorlage.score.systems import GOLD
from vorlage.types import LongInts, StrPath

SENTENCE_COLUMNS = tuple(
    """system id sentence words linked copied cut_and_pasted
    sources source_sentences operations""".split()
)
# Numbers of source sentences, in the classes of Section 5.2.
NUMBERS = ("sources_0", "sources_1", "sources_2_3", "sources_more")
SYSTEM_COLUMNS = ("system", "sentences", "cut_and_pasted", *NUMBERS, *OPERATIONS)
EXTRACT_COLUMNS = tuple(
    """id document_sentences extract_sentences gold_sentences
    precision recall f""".split()
)


def sentence_row(system: str, key: str, sentence: Decomposed) -> Row:
    """Return the row of a summary sentence with the keys `SENTENCE_COLUMNS`; sentences count from 0.

    Args:
        system: the name of the system.
        key: the id of the pair.
        sentence: the sentence; `linked` and `copied` are shares of its words.
    """
    return {
        "system": system,
        "id": key,
        "sentence": sentence.number,
        "words": len(sentence.words),
        "linked": share(sum(i in sentence.links for i in sentence.words), len(sentence.words)),
        "copied": share(sentence.copied, len(sentence.words)),
        "cut_and_pasted": "yes" if sentence.is_cut_and_pasted else "no",
        "sources": len(sentence.sources),
        "source_sentences": " ".join(map(str, sentence.sources)),
        "operations": " ".join(sentence.operations),
    }


def count(sentences: Iterable[Decomposed]) -> Counter[str]:
    """Count the summary sentences of a pair by the columns from `sentences` on of `SYSTEM_COLUMNS`."""
    counts: Counter[str] = Counter()
    for sentence in sentences:
        counts.update(("sentences", number_class(len(sentence.sources)), *sentence.operations))
        counts["cut_and_pasted"] += sentence.is_cut_and_pasted
    return counts


def number_class(sources: int) -> str:
    """Return the class of `NUMBERS` that a number of source sentences is in."""
    return NUMBERS[min(sources, 2) if sources <= 3 else 3]


def system_row(system: str, counts: Counter[str]) -> Row:
    """Return the row with the keys `SYSTEM_COLUMNS`: the number of sentences, and shares of them."""
    total = counts["sentences"]
    shares = {name: share(counts[name], total) for name in SYSTEM_COLUMNS[2:]}
    return {"system": system, "sentences": total, **shares}


def extract_table(counts: Mapping[str, Mapping[str, LongInts]]) -> pd.DataFrame:
    """Return the rows of all systems: one for each document, then `average` and `all`.

    `average` is the mean over the documents, as in Table 1, in which an empty extract has an F of 0 and no
    precision; `all` counts the sentences of all documents together.

    Args:
        counts: those of `vorlage.extract.evaluate.count`, by system and pair. The gold comes first.
    """
    tables = []
    for system in sorted(counts, key=lambda system: system != GOLD):
        table = make_table(list(counts[system]), list(counts[system].values()))[list(EXTRACT_COLUMNS)]
        table.insert(0, "system", system)
        tables.append(table)
    return pd.concat(tables) if tables else pd.DataFrame(columns=["system", *EXTRACT_COLUMNS])


def write_extract_table(path: StrPath, table: pd.DataFrame) -> None:
    """Write the table as tab-separated values with four digits; what is not defined is `nan`."""
    with replacing(path) as temporary:
        table.to_csv(temporary, sep="\t", index=False, float_format="%.4g", na_rep="nan")
