"""What the alignments of a system, or the gold, are like: counts that add up over pairs."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from vorlage.alignments.alignment import Link
from vorlage.corpus.pair import Pair
from vorlage.score import identical, jump_histogram, unaligned
from vorlage.score.identical import LinkKind
from vorlage.score.tsv import Row


@dataclass
class Profile:
    """Counts of links by kind, of unaligned words by kind, and of jumps by distance."""

    links: Counter[LinkKind] = field(default_factory=Counter)
    words: Counter[str] = field(default_factory=Counter)
    jumps: defaultdict[int, Fraction] = field(default_factory=lambda: defaultdict(Fraction))

    def add(self, links: Sequence[Link], pair: Pair) -> None:
        """Count one pair."""
        summary, document, language = pair.summary.words, pair.document.words, pair.summary.language
        self.links.update(identical.count(links, summary, document, language))
        self.words.update(unaligned.count(links, summary, language))
        for jump, count in jump_histogram.count(links).items():
            self.jumps[jump] += count

    def rows(self, system: str) -> dict[str, list[Row]]:
        """Return the rows of each table by the name of the table."""
        return {
            "identity": list(identical.identity_rows(system, self.links)),
            "sizes": [identical.size_row(system, self.links)],
            "unaligned": [unaligned.row(system, self.words)],
            "jumps": list(jump_histogram.rows(system, self.jumps)),
        }
