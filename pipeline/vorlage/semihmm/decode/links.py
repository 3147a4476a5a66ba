"""Takes links from posteriors or from the best path, and finds the gaps between them.

A decoder returns the *places* (t, k, j, l) of what it chooses, in positions of the extract, and the posterior
of each, from forward–backward; `make_links` makes them links.

A phrase that was rewritten as a whole often has no word pair that is probable by itself, as in *for the time
being* and *so far*. If the words on both sides of two phrases are linked, the phrases are probably one pair:
a gap.
"""

from collections.abc import Iterable, Sequence
from itertools import product
from typing import TypeAlias

import numpy as np

from vorlage.alignments.alignment import Link, WordPair
from vorlage.compiled import exact_kernel, inner_kernel
from vorlage.semihmm.decode.posteriors import PairPosteriors
from vorlage.semihmm.pairs import PairArrays
from vorlage.semihmm.table import SAME_STEM, UNLIKE
from vorlage.types import AnyArray, Floats, Ints

# Tuned, see docs/model.md.
LONGEST_GAP = 4  # words of each side of a gap between links
COVERED = 0.5  # least share of linked words in the document sentence of a gap

Place: TypeAlias = tuple[int, int, int, int]
# The sentence of each word, and a number of its stem, −1 for punctuation.
GapSide: TypeAlias = tuple[Ints, Ints]


def decode_posterior(
    posteriors: PairPosteriors, threshold: float, gaps: Iterable[Place] = (), gap_threshold: float = 1.0
) -> dict[Place, float]:
    """Return the links above `threshold`: whole phrase pairs first, then single links.

    A phrase pair must be above it by its own posterior and by those of its links. A phrase pair that is equal
    only up to stem is written as the links of its words, and one inside another is not written. Each of the
    `gaps` (see `find_gaps`) is one phrase pair if all its links exceed the `gap_threshold`.
    """
    chosen: dict[Place, float] = {}
    above, likely = (_cells(*posteriors.links.above(least)) for least in (threshold, gap_threshold))
    held = set[WordPair]()
    whole = np.flatnonzero((posteriors.phrases > threshold) & (posteriors.kinds != SAME_STEM))
    sizes = posteriors.places[whole, 1] * posteriors.places[whole, 3]
    for number in whole[np.argsort(-sizes, kind="stable")].tolist():
        place = t, k, j, _ = tuple(posteriors.places[number].tolist())
        block = _block(place)
        links = block if posteriors.kinds[number] == UNLIKE else {(t + i, j + i) for i in range(k)}
        if links <= above and not block <= held:
            chosen[place] = posteriors.written(number)
            held |= block
    for gap in sorted(gaps, key=lambda gap: gap[1] * gap[3], reverse=True):
        block = _block(gap)
        above |= block & likely
        if len(block) > 1 and block <= above and not block & held:
            chosen[gap] = posteriors.source(*gap)
            held |= block
    return chosen | _words(posteriors.written_words(), sorted(above - held))


def decode_viterbi(posteriors: PairPosteriors, steps: Ints) -> dict[Place, float]:
    """Return the phrase pairs of the best path, whose `steps` are those of `NullState.best_path`."""
    numbers = {tuple(place): number for number, place in enumerate(posteriors.places.tolist())}
    words = posteriors.sources if posteriors.words is None else posteriors.words
    return {
        (t, k, j, span): posteriors.written(numbers[t, k, j, span]) if k * span > 1 else float(words[t, j])
        for t, k, j, span in steps.tolist()
        if span
    }


def find_candidates(
    posteriors: PairPosteriors, chosen: Iterable[Place], threshold: float
) -> dict[Place, float]:
    """Return the word links with a posterior of at least `threshold` that no `chosen` phrase pair covers.

    The decoder has left them out; with them a reader can move the threshold.
    """
    words = posteriors.written_words()
    likely = _cells(*np.divmod(np.flatnonzero(words >= threshold), words.shape[1]))  # faster than np.nonzero
    return _words(words, sorted(likely.difference(*map(_block, chosen))))


def _cells(rows: AnyArray, columns: AnyArray) -> set[WordPair]:
    return set(zip(rows.tolist(), columns.tolist(), strict=True))


def _block(place: Place) -> set[WordPair]:
    """Return the pairs of words of a place."""
    t, k, j, span = place
    return set(product(range(t, t + k), range(j, j + span)))


def _words(posteriors: Floats, cells: Iterable[WordPair]) -> dict[Place, float]:
    """Return the places of pairs of words, and their posteriors."""
    return {(t, 1, j, 1): float(posteriors[t, j]) for t, j in cells}


def join_copies(chosen: dict[Place, float], pair: PairArrays) -> dict[Place, float]:
    """Return links with those of equal words joined that continue each other inside a sentence of each text.

    A joined link has the smallest posterior of its parts.
    """
    summary, document = pair.summary.words.tolist(), pair.document.words.tolist()
    joined: dict[Place, float] = {}
    latest: dict[int, Place] = {}  # distance of both sides → the last copied place at it
    for place, posterior in sorted(chosen.items()):
        t, k, j, span = place
        if summary[t : t + k] == document[j : j + span]:
            first, size, start, _ = latest.get(j - t, place)
            if (
                first < t <= first + size
                and pair.summary.sentences[first] == pair.summary.sentences[t]
                and pair.document.sentences[start] == pair.document.sentences[j]
            ):
                posterior = min(posterior, joined.pop((first, size, start, size)))
                size = max(size, t + k - first)
                place = first, size, start, size
            latest[j - t] = place
        joined[place] = posterior
    return joined


def make_links(chosen: dict[Place, float], positions: Ints, nulls: Sequence[float] = ()) -> list[Link]:
    """Return links, sorted, with one to nothing for each summary word that has none.

    `positions`: those of the words of the extract in the document; `nulls`: the posterior of nothing, for
    each summary word; if there are none, neither are such links.
    """
    linked = {t for first, k, _, _ in chosen for t in range(first, first + k)}
    chosen = chosen | {(t, 1, -1, 0): p for t, p in enumerate(nulls) if t not in linked}
    starts = positions.tolist()
    return [
        Link((t, t + k), (starts[j], starts[j] + span) if span else None, posterior)
        for (t, k, j, span), posterior in sorted(chosen.items())
    ]


@inner_kernel
def _longest_gap(side: GapSide, before: int) -> int:
    """Return how many words a gap after the word `before` may have.

    None of them is punctuation, and the word after it is in the same sentence.
    """
    (sentences, stems), size = side, 0
    for after in range(before + 2, min(before + LONGEST_GAP + 2, stems.shape[0])):
        if stems[after - 1] < 0 or sentences[after] != sentences[before]:
            break
        size += 1
    return size


@exact_kernel
def find_gaps(rows: Ints, columns: Ints, summary: GapSide, document: GapSide) -> list[Place]:
    """Return the gaps between links, whose rows and columns are sorted, in order.

    A gap is a phrase pair directly between two links, with at most `LONGEST_GAP` words on each side, without
    punctuation and inside one sentence of each text. Its words have no links to other words (it is
    consistent, Och & Ney 2004) and none to equal ones, and the share `COVERED` of the words of its document
    sentence is linked: if fewer are, most of the other words were left out, not rewritten.
    """
    found, (sentences, stems), length = [], document, len(summary[1])
    links, of_summary = np.zeros((length, len(stems)), np.bool_), np.zeros(length, np.int64)
    of_document, covered = np.zeros(len(stems), np.int64), np.zeros(len(stems))
    for m in range(len(rows)):
        links[rows[m], columns[m]] = True
        of_summary[rows[m]] += 1
        of_document[columns[m]] += 1
    for j in range(len(stems)):
        covered[sentences[j]] += (of_document[j] > 0) - COVERED if stems[j] >= 0 else 0.0
    for m in range(len(rows)):
        t, j = int(rows[m]), int(columns[m])
        if covered[sentences[j]] < 0.0:
            continue
        for k in range(1, _longest_gap(summary, t) + 1):
            for span in range(1, _longest_gap(document, j) + 1):
                if not links[t + k + 1, j + span + 1]:
                    continue
                inside, uses, of_other, same = 0, 0, 0, False
                for b in range(j + 1, j + span + 1):
                    of_other += of_document[b]
                for a in range(t + 1, t + k + 1):
                    uses += of_summary[a]
                    for b in range(j + 1, j + span + 1):
                        inside += links[a, b]
                        same |= links[a, b] and summary[1][a] == stems[b]
                if not same and uses == inside and of_other == inside:
                    found.append((t + 1, k, j + 1, span))
    return found
