"""What a system makes of the phrases of the gold: correct, partial, incorrect.

The error table of Daumé & Marcu 2005 (Section 5.3).
"""

from collections import Counter

import numpy as np

from pipeline.score.counts import soft_links

CLASSES = ("correct", "partial", "incorrect")
OUTCOMES = ("system", "phrases", *CLASSES, "null", "null_words", "null_found")
ERRORS = ("system", "id", "first", "last", "summary", "document", "aligned", "class")
NULL = "null"


def outcomes(links, reference, spans):
    """Yield ``(span, true words, aligned words, class)`` of each summary phrase of the gold in ``spans``.

    Words are document tokens, sorted. A phrase is ``correct`` when the system's links (soft rule) hold all
    sure words of the gold and none beyond the possible ones; ``partial`` when some word of theirs is
    possible; else ``incorrect``.
    """
    sure, possible = _by_summary(reference.sure), _by_summary(reference.possible)
    found = _by_summary(soft_links(links, reference.summary_words, reference.document_words))
    for span in spans:
        wanted, allowed, aligned = (_within(span, cells) for cells in (sure, possible, found))
        if wanted <= aligned <= allowed:
            outcome = "correct"
        else:
            outcome = "partial" if aligned & allowed else "incorrect"
        yield span, sorted(wanted), sorted(aligned), outcome


def sure_spans(golds):
    """The distinct summary spans that the annotators of a pair (a list of Gold) were sure of, in order."""
    return sorted({link.summary[0] for gold in golds for link in gold.links if link.sure})


def count(found, links, reference):
    """Counts of one pair: a Counter.

    Of the classes, of the incorrect phrases that are aligned to nothing (``null``), of the summary words that
    the gold leaves unaligned (``null_words``) and of those that the system leaves so too (``null_found``).
    """
    counts = Counter(outcome for *_, outcome in found)
    counts["null"] = sum(not aligned for _, _, aligned, outcome in found if outcome == "incorrect")
    gold = {i for i, _ in reference.possible}
    system = {i for link in links if link.document is not None for i in range(*link.summary)}
    empty = set(range(len(reference.summary_words))) - gold
    counts["null_words"], counts["null_found"] = len(empty), len(empty - system)
    return counts


def row(system, counts):
    """A dict with the keys ``OUTCOMES``: numbers of phrases and words."""
    total = sum(counts[name] for name in CLASSES)
    return {"system": system, "phrases": total, **{name: counts[name] for name in OUTCOMES[2:]}}


def examples(system, found, references, most, seed):
    """At most ``most`` errors drawn at random, in corpus order: dicts with the keys ``ERRORS``.

    ``found``: pair id → outcomes. ``first`` and ``last`` (exclusive) are summary tokens. A gap in a
    phrase is shown as “…”.
    """
    errors = [(key, *one) for key, ones in found.items() for one in ones if one[-1] != "correct"]
    drawn = np.random.default_rng(seed).permutation(len(errors))[:most]
    for number in sorted(drawn.tolist()):
        key, span, wanted, aligned, outcome = errors[number]
        reference = references[key]
        yield {
            "system": system,
            "id": key,
            "first": span[0],
            "last": span[1],
            "summary": " ".join(reference.summary_words[slice(*span)]),
            "document": phrase(wanted, reference.document_words),
            "aligned": phrase(aligned, reference.document_words),
            "class": outcome,
        }


def phrase(tokens, words):
    """The words at ``tokens`` (sorted) as text, with “…” for a gap, or ``null`` for none."""
    if not tokens:
        return NULL
    parts = [words[tokens[0]]]
    for before, token in zip(tokens, tokens[1:], strict=False):
        parts += [words[token]] if token == before + 1 else ["…", words[token]]
    return " ".join(parts)


def _by_summary(cells):
    grouped = {}
    for i, j in cells:
        grouped.setdefault(i, set()).add(j)
    return grouped


def _within(span, grouped):
    return set().union(*(grouped.get(i, ()) for i in range(*span)))
