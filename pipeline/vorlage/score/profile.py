"""What alignments are like: identical words, sizes of links, unaligned words, jumps.

Of the aligned summary words and phrases in the gold of Daumé & Marcu (2005, Section 2.3), 51 % are equal to
the document phrase and 67 % equal up to stem (Section 5.3: 69 % and 81 % in the alignments of their model);
16 % of the summary words are unaligned: 4 % punctuation marks, 7 % function words, 5 % words that would
count as content words.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from vorlage.alignments.alignment import Link
from vorlage.corpus.pair import Pair
from vorlage.score.ratios import share
from vorlage.score.tsv import Row
from vorlage.text.words import is_punctuation, is_stop_word, stem

SHAPES = ("1–1", "1–n", "n–1", "n–n")
SIZES = ("summary_1", "summary_2", "summary_3", "summary_more")
WORD_KINDS = ("punctuation", "function", "content")
# The columns of the tables.
COLUMNS = {
    "identity": ("system", "phrases", "links", "identical", "stem_identical"),
    "sizes": ("system", "links", *SHAPES, *SIZES),
    "unaligned": ("system", "words", "unaligned", *WORD_KINDS),
    "jumps": ("system", "jump", "count", "share"),
}


class LinkKind(NamedTuple):
    """What links are counted by.

    `likeness` is `identical` where both sides have equal words (ignoring case), `stem` where the words
    have equal stems, and otherwise `other`. `shape` is one of `SHAPES`, summary words – document words.
    `size` is the number of words on the summary side.
    """

    likeness: str
    shape: str
    size: int


@dataclass
class Profile:
    """Counts over pairs: of links by kind, of unaligned words by kind (and all `words`), of jumps."""

    links: Counter[LinkKind] = field(default_factory=Counter)
    words: Counter[str] = field(default_factory=Counter)
    jumps: defaultdict[int, Fraction] = field(default_factory=lambda: defaultdict(Fraction))

    def add(self, links: Sequence[Link], pair: Pair) -> None:
        """Count one pair."""
        summary, document, language = pair.summary.words, pair.document.words, pair.summary.language
        self.links.update(link_kinds(links, summary, document, language))
        self.words.update(unaligned_words(links, summary, language))
        for jump, count in count_jumps(links).items():
            self.jumps[jump] += count

    def rows(self, system: str) -> dict[str, list[Row]]:
        """Return the rows of each table by the name of the table."""
        return {
            "identity": list(identity_rows(system, self.links)),
            "sizes": [size_row(system, self.links)],
            "unaligned": [unaligned_row(system, self.words)],
            "jumps": list(jump_rows(system, self.jumps)),
        }


def link_kinds(
    links: Iterable[Link], summary: Sequence[str], document: Sequence[str], language: str = "en"
) -> Iterator[LinkKind]:
    """Yield the kind of each link that is not null; `summary`, `document`: the words of a pair."""
    for link in links:
        if link.document is None:
            continue
        left, right = (
            [word.lower() for word in words[slice(*span)]]
            for words, span in ((summary, link.summary), (document, link.document))
        )
        likeness = "other"
        if left == right:
            likeness = "identical"
        elif [stem(word, language) for word in left] == [stem(word, language) for word in right]:
            likeness = "stem"
        shape = "–".join("1" if len(side) == 1 else "n" for side in (left, right))
        yield LinkKind(likeness, shape, len(left))


def identity_rows(system: str, counts: Counter[LinkKind]) -> Iterator[Row]:
    """Yield a row for all links, for `words`, links of one word on both sides, and for `phrases`, the others.

    Stem-identical links include the identical ones.
    """
    for phrases in ("all", "words", "phrases"):
        likenesses: Counter[str] = Counter()
        for kind, count in counts.items():
            if phrases == "all" or (phrases == "words") == (kind.shape == SHAPES[0]):
                likenesses[kind.likeness] += count
        total = likenesses.total()
        yield {
            "system": system,
            "phrases": phrases,
            "links": total,
            "identical": share(likenesses["identical"], total),
            "stem_identical": share(likenesses["identical"] + likenesses["stem"], total),
        }


def size_row(system: str, counts: Counter[LinkKind]) -> Row:
    """Return the shares of shapes, and of sizes of the summary side."""
    shares: Counter[str] = Counter()
    for kind, count in counts.items():
        shares[kind.shape] += count
        shares[SIZES[min(kind.size, 4) - 1]] += count
    total = counts.total()
    return {
        "system": system,
        "links": total,
        **{name: share(shares[name], total) for name in (*SHAPES, *SIZES)},
    }


def unaligned_words(links: Iterable[Link], summary: Sequence[str], language: str = "en") -> Counter[str]:
    """Count the unaligned words of a pair by kind, and all words of its summary under the key `words`.

    A token without letters or digits is punctuation; function words are the stop words.
    """
    aligned = {i for link in links if link.document is not None for i in range(*link.summary)}
    counts = Counter(words=len(summary))
    for i, word in enumerate(summary):
        if i not in aligned:
            function = "function" if is_stop_word(word, language) else "content"
            counts["punctuation" if is_punctuation(word) else function] += 1
    return counts


def unaligned_row(system: str, counts: Counter[str]) -> Row:
    """Return the shares of unaligned words in all summary words."""
    words = counts["words"]
    row: Row = {"system": system, "words": words}
    row["unaligned"] = share(sum(counts[kind] for kind in WORD_KINDS), words)
    return row | {kind: share(counts[kind], words) for kind in WORD_KINDS}


def count_jumps(links: Iterable[Link]) -> dict[int, Fraction]:
    """Count the jumps of a pair by distance (Daumé & Marcu 2005, Figure 2).

    For a summary phrase that ends at i, linked to a document phrase that ends at j, and one that begins at
    i + 1, linked to a document phrase that begins at k, the jump is k − j: +1 continues with the next word.
    Where phrases have several links, all jumps between them share one count. Counts are fractions, whose sum
    is the same in any order.
    """
    ends: defaultdict[int, list[int]] = defaultdict(list)
    starts: defaultdict[int, list[int]] = defaultdict(list)
    for link in links:
        if link.document is not None:
            ends[link.summary[1]].append(link.document[1])
            starts[link.summary[0]].append(link.document[0])
    counts: defaultdict[int, Fraction] = defaultdict(Fraction)
    for boundary in sorted(ends.keys() & starts.keys()):
        jumps = [start - end + 1 for end in ends[boundary] for start in starts[boundary]]
        for jump in jumps:
            counts[jump] += Fraction(1, len(jumps))
    return counts


def jump_rows(system: str, counts: Mapping[int, Fraction]) -> Iterator[Row]:
    """Yield a row for each jump in ascending order; `share` is of all jumps."""
    total = sum(counts.values(), Fraction())
    for jump, count in sorted(counts.items()):
        yield {"system": system, "jump": jump, "count": float(count), "share": share(count, total)}
