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

from vorlage.alignments.alignment import Link, soft_links
from vorlage.documents.pair import Pair
from vorlage.text.words import is_punctuation, is_stop_word, stem
from vorlage.workflow.score.counts import share
from vorlage.workflow.tables import Row, Value

SHAPES = ("1–1", "1–n", "n–1", "n–n")
SIZES = ("summary_1", "summary_2", "summary_3", "summary_more")
WORD_KINDS = ("punctuation", "function", "content")
# The columns of the tables.
COLUMNS = {
    "systems": ("system", "links_per_word", "unaligned", "identical", "rewritten"),
    "identity": ("system", "phrases", "links", "identical", "stem_identical"),
    "sizes": ("system", "links", *SHAPES, *SIZES),
    "unaligned": ("system", "words", "unaligned", *WORD_KINDS),
    "jumps": ("system", "jump", "count", "share"),
}


@dataclass
class AlignmentProfile:
    """Counts over pairs.

    `links`: of links by likeness, shape and number of summary words. The likeness is `identical` where both
    sides have equal words (ignoring case), `stem` where the words have equal stems, and otherwise `other`;
    the shape is one of `SHAPES`, summary words – document words. `words`: of unaligned summary words by kind,
    of all under the key `words`, and of word links under `links`. `jumps`: by distance.
    """

    links: Counter[tuple[str, str, int]] = field(default_factory=Counter)
    words: Counter[str] = field(default_factory=Counter)
    jumps: defaultdict[int, Fraction] = field(default_factory=lambda: defaultdict(Fraction))

    def add(self, links: Sequence[Link], pair: Pair) -> None:
        """Count one pair.

        A token without letters or digits is punctuation; function words are the stop words.
        """
        language = pair.summary.language
        aligned: set[int] = set()
        for link in links:
            if link.document is not None:
                aligned.update(range(*link.summary))
                left = [word.lower() for word in pair.summary.words[slice(*link.summary)]]
                right = [word.lower() for word in pair.document.words[slice(*link.document)]]
                shape = "–".join("1" if len(side) == 1 else "n" for side in (left, right))
                self.links[_likeness(left, right, language), shape, len(left)] += 1
        self.words["words"] += len(pair.summary.words)
        self.words["links"] += len(soft_links(links, pair.summary.words, pair.document.words))
        for i, word in enumerate(pair.summary.words):
            if i not in aligned:
                function = "function" if is_stop_word(word, language) else "content"
                self.words["punctuation" if is_punctuation(word) else function] += 1
        for jump, count in count_jumps(links).items():
            self.jumps[jump] += count

    def rows(self, system: str) -> dict[str, list[Row]]:
        """Return the rows of each table by the name of the table."""
        words = self.words["words"]
        kinds = [self.words[kind] for kind in WORD_KINDS]
        unaligned: list[Value] = [system, words, *(share(count, words) for count in (sum(kinds), *kinds))]
        identity = list(self._identity_rows(system))
        identical, stem_identical = list(identity[0].values())[3:]
        linked = share(self.words["links"], words), unaligned[2], identical, 1 - float(stem_identical)
        return {
            "systems": [dict(zip(COLUMNS["systems"], (system, *linked), strict=True))],
            "identity": identity,
            "sizes": [self._size_row(system)],
            "unaligned": [dict(zip(COLUMNS["unaligned"], unaligned, strict=True))],
            "jumps": list(jump_rows(system, self.jumps)),
        }

    def _identity_rows(self, system: str) -> Iterator[Row]:
        """Yield a row for all links, for links of one word on both sides, and for the others.

        Stem-identical links include the identical ones.
        """
        for phrases in ("all", "words", "phrases"):
            likenesses: Counter[str] = Counter()
            for (likeness, shape, _), count in self.links.items():
                if phrases == "all" or (phrases == "words") == (shape == SHAPES[0]):
                    likenesses[likeness] += count
            total, identical = likenesses.total(), likenesses["identical"]
            shares = share(identical, total), share(identical + likenesses["stem"], total)
            yield dict(zip(COLUMNS["identity"], (system, phrases, total, *shares), strict=True))

    def _size_row(self, system: str) -> Row:
        """Return the shares of shapes, and of sizes of the summary side."""
        counts: Counter[str] = Counter()
        for (_, shape, size), count in self.links.items():
            counts[shape] += count
            counts[SIZES[min(size, len(SIZES)) - 1]] += count
        total = self.links.total()
        shares = {name: share(counts[name], total) for name in (*SHAPES, *SIZES)}
        return {"system": system, "links": total, **shares}


def _likeness(left: Sequence[str], right: Sequence[str], language: str) -> str:
    if left == right:
        return "identical"
    stems = [[stem(word, language) for word in side] for side in (left, right)]
    return "stem" if stems[0] == stems[1] else "other"


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
