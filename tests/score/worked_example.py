"""The worked example of the scores, and a count of every cell in exact fractions."""

from fractions import Fraction

from vorlage.documents.pair import Pair
from vorlage.text.tokenize import make_text
from vorlage.text.words import STOP_WORDS
from vorlage.workflow.gold import Gold, GoldLink


def make_pair(key, document, summary):
    return Pair(key, make_text([document], tokenized=True), make_text([summary], tokenized=True))


def make_gold(key, annotator, *links):
    """Return gold with (summary span, document span, sure) triples."""
    return Gold(key, annotator, "token", tuple(GoldLink((s,), (d,), sure) for s, d, sure in links))


# The worked example. Document: 0 The 1 Apple 2 Macintosh 3 was 4 sold 5 by 6 dealers; summary: 0 the
# 1 Macintosh 2 sold 3 by 4 sellers. Stop words: The, was, by; the, by.
EXAMPLE = make_pair("a1", "The Apple Macintosh was sold by dealers", "the Macintosh sold by sellers")
GOLD = [
    # S = {(1,1), (1,2), (2,4)}, P = S + (3,5)
    make_gold("a1", "A", ((1, 2), (1, 3), True), ((2, 3), (4, 5), True), ((3, 4), (5, 6), False)),
    # S = {(2,4), (4,6)}, P = S + (0,0)
    make_gold("a1", "B", ((2, 3), (4, 5), True), ((4, 5), (6, 7), True), ((0, 1), (0, 1), False)),
]


def naive(pairs, rule, words):
    """Return precision, recall and F as fractions, from every cell of every (pair, golds, links)."""
    sure = hypothesis = in_possible = in_sure = 0
    for pair, golds, links in pairs:
        summary, document = pair.summary.words, pair.document.words
        for i, word in enumerate(summary):
            for j, other in enumerate(document):
                if words == "nonstop" and (word.lower() in STOP_WORDS or other.lower() in STOP_WORDS):
                    continue
                marks = [m for gold in golds for m in gold.links if covers(m.summary[0], m.document[0], i, j)]
                is_sure, linked = any(mark.sure for mark in marks), False
                for link in links:
                    if link.document is not None and covers(link.summary, link.document, i, j):
                        left = [w.lower() for w in summary[slice(*link.summary)]]
                        right = [w.lower() for w in document[slice(*link.document)]]
                        diagonal = i - link.summary[0] == j - link.document[0]
                        linked |= diagonal or rule == "hard" or left != right
                sure += is_sure
                hypothesis += linked
                in_possible += linked and bool(marks)
                in_sure += linked and is_sure
    precision = Fraction(in_possible, hypothesis) if hypothesis else Fraction(0)
    recall = Fraction(in_sure, sure) if sure else Fraction(0)
    f = 2 * precision * recall / (precision + recall) if precision + recall else Fraction(0)
    return precision, recall, f


def covers(summary, document, i, j):
    return summary[0] <= i < summary[1] and document[0] <= j < document[1]
