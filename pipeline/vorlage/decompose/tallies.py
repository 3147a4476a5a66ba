"""Counts the decompositions of each system (Jing 2002, Section 5.2)."""

from collections import Counter
from collections.abc import Iterable

from vorlage.decompose.decomposed import Decomposed
from vorlage.decompose.operations import OPERATIONS
from vorlage.score.ratios import share
from vorlage.score.tsv import Row

SENTENCE_COLUMNS = (
    *("system", "id", "sentence", "words", "linked", "copied", "cut_and_pasted"),
    *("sources", "source_sentences", "operations"),
)
# Numbers of source sentences, in the classes of Section 5.2.
NUMBERS = ("sources_0", "sources_1", "sources_2_3", "sources_more")
SYSTEM_COLUMNS = ("system", "sentences", "cut_and_pasted", *NUMBERS, *OPERATIONS)


def sentence_row(system: str, key: str, decomposed: Decomposed) -> Row:
    """Return the row of a summary sentence with the keys `SENTENCE_COLUMNS`.

    `linked` and `copied` are shares of its `words`; `sentence` and `source_sentences` count from 0.
    """
    return {
        "system": system,
        "id": key,
        "sentence": decomposed.number,
        "words": decomposed.words,
        "linked": share(decomposed.linked, decomposed.words),
        "copied": share(decomposed.copied, decomposed.words),
        "cut_and_pasted": "yes" if decomposed.is_cut_and_pasted else "no",
        "sources": len(decomposed.sources),
        "source_sentences": " ".join(map(str, decomposed.sources)),
        "operations": " ".join(decomposed.operations),
    }


def count(decomposed: Iterable[Decomposed]) -> Counter[str]:
    """Count the summary sentences of a pair by the columns from `sentences` on of `SYSTEM_COLUMNS`."""
    counts: Counter[str] = Counter()
    for sentence in decomposed:
        counts["sentences"] += 1
        counts["cut_and_pasted"] += sentence.is_cut_and_pasted
        counts[number_class(len(sentence.sources))] += 1
        counts.update(sentence.operations)
    return counts


def number_class(sources: int) -> str:
    """Return the class of `NUMBERS` that a number of source sentences is in."""
    return NUMBERS[0 if sources == 0 else 1 if sources == 1 else 2 if sources <= 3 else 3]


def system_row(system: str, counts: Counter[str]) -> Row:
    """Return the row with the keys `SYSTEM_COLUMNS`: the number of sentences, and shares of them."""
    total = counts["sentences"]
    shares = {name: share(counts[name], total) for name in SYSTEM_COLUMNS[2:]}
    return {"system": system, "sentences": total, **shares}
