"""The context of the words of a pair in plain Python: factors of sentences, and an encoder's part."""

import math


class Around:
    """The context of the words of a pair; both texts are lists of sentences, each a list of words.

    ``factors``: by summary and document sentence, by default 1; ``contexts``: the encoder's part e by summary
    and document word, by default none.
    """

    def __init__(self, document, summary, factors=None, contexts=None):
        self.document, self.summary = numbered(document), numbered(summary)
        self.firsts = [self.document.index(number) for number in range(len(document))]
        self.factors = factors or [[1.0] * len(document) for _ in summary]
        self.contexts = contexts

    def factor(self, t, j):
        return self.factors[self.summary[t]][self.document[j]]

    def holds(self, t, k, j, span):
        """Return whether neither phrase crosses the edge of a sentence."""
        return self.document[j] == self.document[j + span - 1] and self.summary[t] == self.summary[t + k - 1]


def numbered(sentences):
    """Return the number of the sentence of each word."""
    return [number for number, sentence in enumerate(sentences) for _ in sentence]


def context_part(cosines, temperature):
    """Return softmax over the summary · e^((cosine − summary word's best) / τ), at least 1e-12, as lists."""
    sums = [sum(math.exp(row[j] / temperature) for row in cosines) for j in range(len(cosines[0]))]
    return [
        [
            max(math.exp(x / temperature) / sums[j] * math.exp((x - max(row)) / temperature), 1e-12)
            for j, x in enumerate(row)
        ]
        for row in cosines
    ]


def relative(cosines, power, least=0.03):
    """Return each cosine to a power over the geometric mean of the means of its row and column, as lists."""
    raised = [[(max(x, 0.0) + least) ** power for x in row] for row in cosines]
    columns = [sum(column) / len(column) for column in zip(*raised, strict=True)]
    return [
        [x / math.sqrt(sum(row) / len(row) * column) for x, column in zip(row, columns, strict=True)]
        for row in raised
    ]


def tf_idf_cosines(document, summary, stem, is_stop_word):
    """Return cosines of summary and document sentences by tf · (1 + ln((1 + N) / (1 + df))), as lists."""

    def bag(sentence):
        stems = [stem(word) for word in sentence if not is_stop_word(word)]
        return {one: stems.count(one) for one in stems}

    bags = [bag(sentence) for sentence in document]
    known = {one for found in bags for one in found}
    idf = {one: 1 + math.log((1 + len(bags)) / (1 + sum(one in found for found in bags))) for one in known}

    def cosine(left, right):
        left, right = ({s: n * idf[s] for s, n in one.items() if s in known} for one in (left, right))
        norms = [math.sqrt(sum(x * x for x in one.values())) for one in (left, right)]
        dot = sum(x * right.get(s, 0.0) for s, x in left.items())
        return dot / math.prod(norms) if all(norms) else 0.0

    return [[cosine(bag(sentence), found) for found in bags] for sentence in summary]
