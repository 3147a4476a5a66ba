"""Identical links: the share of links between equal words, and the sizes of linked phrases.

Daumé & Marcu 2005, Section 2.3: of the aligned summary words and phrases in their gold, 51 % are equal to the
document phrase and 67 % equal up to stem (Section 5.3: 69 % and 81 % in the alignments of their model).
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from vorlage.alignments.alignment import Link
from vorlage.score.ratios import share
from vorlage.score.tsv import Row
from vorlage.text.words import stem

PHRASES = ("all", "words", "phrases")
IDENTITY_COLUMNS = ("system", "phrases", "links", "identical", "stem_identical")
SHAPES = ("1–1", "1–n", "n–1", "n–n")
SIZE_COLUMNS = ("system", "links", *SHAPES, "summary_1", "summary_2", "summary_3", "summary_more")


class LinkKind(NamedTuple):
    """What links are counted by.

    `likeness` is `identical` where both sides have equal words (ignoring case), `stem` where the words
    have equal stems, and otherwise `other`. `shape` is one of `SHAPES`, summary words – document words.
    `size` is the number of words on the summary side.
    """

    likeness: str
    shape: str
    size: int


def count(
    links: Iterable[Link], summary_words: list[str], document_words: list[str], language: str = "en"
) -> Counter[LinkKind]:
    """Count the links of one pair by kind, without null links."""
    counts: Counter[LinkKind] = Counter()
    for link in links:
        if link.document is None:
            continue
        left = [word.lower() for word in summary_words[slice(*link.summary)]]
        right = [word.lower() for word in document_words[slice(*link.document)]]
        likeness = "other"
        if left == right:
            likeness = "identical"
        elif [stem(word, language) for word in left] == [stem(word, language) for word in right]:
            likeness = "stem"
        counts[LinkKind(likeness, f"{_number(left)}–{_number(right)}", len(left))] += 1
    return counts


def identity_rows(system: str, counts: Counter[LinkKind]) -> Iterator[Row]:
    """Yield a row with the keys `IDENTITY_COLUMNS` for each of `PHRASES`.

    Stem-identical links include the identical ones. `words` are links of one word on both sides,
    `phrases` all others.
    """
    for phrases in PHRASES:
        likenesses: Counter[str] = Counter()
        for kind, number in counts.items():
            if phrases == "all" or (phrases == "words") == (kind.shape == SHAPES[0]):
                likenesses[kind.likeness] += number
        total = likenesses.total()
        yield {
            "system": system,
            "phrases": phrases,
            "links": total,
            "identical": share(likenesses["identical"], total),
            "stem_identical": share(likenesses["identical"] + likenesses["stem"], total),
        }


def size_row(system: str, counts: Counter[LinkKind]) -> Row:
    """Return the row with the keys `SIZE_COLUMNS`: shares of shapes, and of sizes of the summary side."""
    shapes: Counter[str] = Counter()
    sizes: Counter[int] = Counter()
    for kind, number in counts.items():
        shapes[kind.shape] += number
        sizes[min(kind.size, 4)] += number
    total = counts.total()
    return {
        "system": system,
        "links": total,
        **{shape: share(shapes[shape], total) for shape in SHAPES},
        **{column: share(sizes[size], total) for size, column in enumerate(SIZE_COLUMNS[-4:], start=1)},
    }


def _number(words: list[str]) -> str:
    return "1" if len(words) == 1 else "n"
