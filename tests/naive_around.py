"""The context of the words of a pair in plain Python: factors of sentences, and an encoder's part."""

import math
from decimal import Decimal


class Around:
    """The context of the words of a pair; both texts are lists of sentences, each a list of words.

    `factors`: by summary and document sentence, by default 1; `contexts`: the encoder's part e by summary
    and document word, by default none.
    """

    def __init__(self, document, summary, factors=None, contexts=None):
        self.document, self.summary = numbered(document), numbered(summary)
        self.factors = factors or [[1.0] * len(document) for _ in summary]
        self.contexts = contexts

    def factor(self, t, j):
        return self.factors[self.summary[t]][self.document[j]]

    def holds(self, t, k, j, span):
        """Return whether neither phrase crosses the edge of a sentence."""
        return self.document[j] == self.document[j + span - 1] and self.inside(t, k)

    def inside(self, t, k):
        """Return whether a summary phrase is inside a sentence."""
        return self.summary[t] == self.summary[t + k - 1]


def numbered(sentences):
    """Return the number of the sentence of each word."""
    return [number for number, sentence in enumerate(sentences) for _ in sentence]


def context_part(cosines, summary, frequency, temperature, baseline):
    """Return the encoder's part of each summary and document word, at least 1e-12, as lists.

    `frequency`: the share of each word of the `summary` in the summaries of training, by word. Decimals
    hold e^1000, which a float does not.
    """
    temperature, baseline = Decimal(temperature), Decimal(baseline)
    cosines = [[Decimal(x) for x in row] for row in cosines]
    shares = [Decimal(frequency[word]) for word in summary]
    distinct = dict(zip(summary, shares, strict=True))
    part = [[0.0] * len(row) for row in cosines]
    for j in range(len(cosines[0])):
        raised = [
            share * ((row[j] - baseline) / temperature).exp()
            for share, row in zip(shares, cosines, strict=True)
        ]
        norm = max(1 - sum(distinct.values()), Decimal("0.01"))
        for word in distinct:
            places = [x for other, x in zip(summary, raised, strict=True) if other == word]
            norm += sum(places) / len(places)
        for t, row in enumerate(cosines):
            nearest = ((row[j] - max(row)) / (2 * temperature)).exp()
            part[t][j] = max(float(raised[t] / norm * nearest), 1e-12)
    return part


def relative(cosines, power, least=0.03):
    """Return each cosine to a power over the geometric mean of the means of its row and column, as lists."""
    raised = [[(max(x, 0.0) + least) ** power for x in row] for row in cosines]
    columns = [sum(column) / len(column) for column in zip(*raised, strict=True)]
    return [
        [x / math.sqrt(sum(row) / len(row) * column) for x, column in zip(row, columns, strict=True)]
        for row in raised
    ]


def supported(cosines, power, related, least=0.03):
    """Return each cosine to a power, over that of the cosine of related sentences, as lists."""
    return [[((max(x, 0.0) + least) / related) ** power for x in row] for row in cosines]


def length_ratios(summary, document, power):
    """Return the words of each summary sentence per word of each document sentence, at most 1, to a power."""
    return [[min(1.0, len(ours) / len(theirs)) ** power for theirs in document] for ours in summary]


def tf_idf_cosines(document, summary, stem, is_stop_word, every=None):
    """Return cosines of summary and document sentences by tf · (1 + ln((1 + N) / (1 + df))), as lists.

    `every`: the N sentences that are counted; by default those of the document.
    """

    def bag(sentence):
        stems = [stem(word) for word in sentence if not is_stop_word(word)]
        return {one: stems.count(one) for one in stems}

    bags = [bag(sentence) for sentence in every or document]
    known = {one for found in bags for one in found}
    idf = {one: 1 + math.log((1 + len(bags)) / (1 + sum(one in found for found in bags))) for one in known}

    def cosine(left, right):
        left, right = ({s: n * idf[s] for s, n in one.items() if s in known} for one in (left, right))
        norms = [math.sqrt(sum(x * x for x in one.values())) for one in (left, right)]
        dot = sum(x * right.get(s, 0.0) for s, x in left.items())
        return dot / math.prod(norms) if all(norms) else 0.0

    return [[cosine(bag(ours), bag(theirs)) for theirs in document] for ours in summary]
