"""How much of an alignment is identity, and of what sizes its phrases are.

Daumé & Marcu 2005, Section 2.3: of the aligned summary words and phrases, 51 % are equal to the document
phrase and 67 % equal up to stem in their gold (Section 5.3: 69 % and 81 % in their model's alignments).
"""

from collections import Counter

from pipeline.text.words import stem

PHRASES = ("all", "words", "phrases")
IDENTITY = ("system", "phrases", "links", "identical", "stem_identical")
SHAPES = ("1–1", "1–n", "n–1", "n–n")
SIZES = ("system", "links", *SHAPES, "summary_1", "summary_2", "summary_3", "summary_more")


def count(links, summary_words, document_words):
    """Counts over the links of one pair, null links aside: a Counter.

    Keys are (kind, shape, words of the summary side): kind is ``identical`` where both sides have equal
    words (case aside), ``stem`` where each word has the same stem, else ``other``; shapes are ``SHAPES``,
    summary words – document words.
    """
    counts = Counter()
    for link in links:
        if link.document is None:
            continue
        left = [word.lower() for word in summary_words[slice(*link.summary)]]
        right = [word.lower() for word in document_words[slice(*link.document)]]
        kind = "other"
        if left == right:
            kind = "identical"
        elif [stem(word) for word in left] == [stem(word) for word in right]:
            kind = "stem"
        shape = f"{_number(left)}–{_number(right)}"
        counts[kind, shape, len(left)] += 1
    return counts


def identity_rows(system, counts):
    """Shares of identical and of stem-identical links (the identical ones among them), for ``PHRASES``.

    Dicts with the keys ``IDENTITY``; ``words``: links of one word on both sides, ``phrases``: all others.
    """
    for phrases in PHRASES:
        taken = Counter()
        for (kind, shape, _), number in counts.items():
            if phrases == "all" or (phrases == "words") == (shape == SHAPES[0]):
                taken[kind] += number
        total = taken.total()
        yield {
            "system": system,
            "phrases": phrases,
            "links": total,
            "identical": share(taken["identical"], total),
            "stem_identical": share(taken["identical"] + taken["stem"], total),
        }


def size_row(system, counts):
    """Shares of the shapes of links and of the sizes of their summary side: a dict with keys ``SIZES``."""
    shapes, sizes, total = Counter(), Counter(), counts.total()
    for (_, shape, size), number in counts.items():
        shapes[shape] += number
        sizes[min(size, 4)] += number
    return {
        "system": system,
        "links": total,
        **{shape: share(shapes[shape], total) for shape in SHAPES},
        **{column: share(sizes[size], total) for size, column in enumerate(SIZES[-4:], start=1)},
    }


def share(part, whole):
    """``part / whole``, 0 where there is nothing."""
    return part / whole if whole else 0.0


def _number(words):
    return "1" if len(words) == 1 else "n"
