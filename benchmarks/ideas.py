"""What was tried and dropped, in the terms of the package: ``benchmarks/trials.py`` measures it."""

from collections import Counter

import numpy as np
from scipy import sparse

from pipeline.align.decode import agreed
from pipeline.semihmm.phrases.affinity import LEAST, LEAST_COSINE, context_part, relative
from pipeline.semihmm.phrases.kernel_inputs import word_values
from pipeline.semihmm.phrases.rewrite import add_at
from pipeline.text.words import stem
from pipeline.train.pairs import Pairs


def softmax(scaled, axis):
    """A distribution along an axis."""
    raised = np.exp(scaled - scaled.max(axis=axis, keepdims=True))
    return raised / raised.sum(axis=axis, keepdims=True)


def one_sided(contexts, temperature):
    """The encoder's part as a distribution over the summary alone."""
    return np.maximum(softmax(contexts.astype(float) / temperature, 0), LEAST)


def product(contexts, temperature):
    """That times a distribution over the document."""
    return one_sided(contexts, temperature) * one_sided(contexts.T, temperature).T


def geometric(contexts, temperature):
    """The geometric mean of the two distributions."""
    return np.sqrt(product(contexts, temperature))


def both_best(contexts, temperature):
    """Both sides against the most similar word, neither a distribution."""
    scaled = contexts.astype(float) / temperature
    best = scaled.max(axis=0, keepdims=True) + scaled.max(axis=1, keepdims=True)
    return np.maximum(np.exp(2 * scaled - best), LEAST)


FORMS = {
    "kept": context_part,
    "one-sided": one_sided,
    "product": product,
    "geometric": geometric,
    "both-best": both_best,
}


class Tried(Pairs):
    """Pairs whose encoder's part may have another form."""

    form = staticmethod(context_part)

    def context(self, index):
        """See :class:`Pairs`."""
        affinity = self.instances[index].affinity
        if affinity.contexts is None:
            return None
        return self.form(affinity.contexts, self._temperature)

    def after(self, expected):
        """The expectations that the M-step is to have."""
        return expected

    def said(self):
        """What the line of the trial says of it."""
        return {}


def of_form(name):
    """The pairs with the encoder's part in a form of ``FORMS``."""
    return type(name, (Tried,), {"form": staticmethod(FORMS[name])})


class Learned(Tried):
    """The temperature is learned: of three, that of the highest expected log-likelihood of the part."""

    steps = 2.0 ** np.array([-0.25, 0.0, 0.25])

    def of_table(self, index, cells, values, context=None):
        """See :class:`Pairs`."""
        table = word_values(self.instances[index], self.support, index, values)
        used = cells * (context / (context + table))
        contexts = self.instances[index].affinity.contexts
        sums = [(used * np.log(self.form(contexts, self._temperature * s))).sum() for s in self.steps]
        self.__dict__.setdefault("sums", {})[index] = sums
        return super().of_table(index, cells, values, context)

    def after(self, expected):
        """See :class:`Tried`."""
        sums = sum(np.array(self.sums[index]) for index in sorted(self.sums))
        self._temperature *= self.steps[int(sums.argmax())]
        return expected

    def said(self):
        """See :class:`Tried`."""
        return {"temperature": self._temperature}


class LeaveOneOut(Tried):
    """Lexical counts of the other pairs alone: what a pair has itself added is taken out of its table."""

    def rewrites(self, parameters):
        """See :class:`Pairs`."""
        self.held = super().rewrites(parameters)
        return self.held

    def _lexical(self, index):
        """``(with, without)``: the lexical part of the pairs of words, by all counts and without its own."""
        mixture, counts, totals, _ = self.held
        instance = self.instances[index]
        entries = self._entries(index)
        fake = self.rewrite.table.fake[0][self.support.kind[entries]]
        all_counts, total = counts[entries] + fake, totals[instance.document]
        own = self.__dict__.setdefault("own", {}).get(index)
        if own is None:
            return (mixture.weights[3] * all_counts / total,) * 2
        (rows, row), (columns, column) = instance.summary_types, instance.document_types
        by_type = np.zeros((len(rows), len(columns)))
        np.add.at(by_type, (row[:, None], column[None, :]), own)
        left = np.maximum(all_counts - by_type[row][:, column], 0.0)
        others = left / np.maximum(total - by_type.sum(axis=0)[column], 1e-9)
        return mixture.weights[3] * all_counts / total, mixture.weights[3] * others

    def _entries(self, index):
        instance = self.instances[index]
        return self.support.cells[index][instance.summary_types[1]][:, instance.document_types[1]]

    def inputs(self, index, values, null, jumps, context=None):
        """See :class:`Pairs`."""
        found = super().inputs(index, values, null, jumps, context)
        whole, others = self._lexical(index)
        words = found.words + (others - whole) * self.instances[index].affinity.of_words()
        return found._replace(words=np.maximum(words, 1e-300))

    def of_table(self, index, cells, values, context=None):
        """See :class:`Pairs`."""
        whole, others = self._lexical(index)
        table = word_values(self.instances[index], self.support, index, values) - whole + others
        self.own[index] = cells * others / np.maximum(table, 1e-300)
        return super().of_table(index, cells, values, context)

    def after(self, expected):
        """See :class:`Tried`."""
        counts = expected.counts.copy()
        counts[: len(self.support.summary)] = 0.0
        for index, own in sorted(self.own.items()):
            add_at(counts, self._entries(index).ravel(), own.ravel())
        expected.counts[:] = counts
        return expected


class Near:
    """An :class:`Affinity` in its own direction with a further factor for each pair of words, ``near``."""

    def __init__(self, affinity, near):
        self.contexts, self._affinity, self._near = affinity.contexts, affinity, near

    def of_words(self):
        """See :class:`Affinity`."""
        return self._affinity.of_words() * self._near

    def of_phrases(self, places):
        """See :class:`Affinity`."""
        t, k, j, _ = places.T
        return self._affinity.of_phrases(places) * self._near[t, j] ** k


def idf(pairs):
    """log(sentences / sentences with it) of every stem of some pairs: a dict."""
    texts = [text for pair in pairs for text in (pair.document, pair.summary)]
    frequency = Counter(
        word
        for text in texts
        for first, last in text.sentences
        for word in {stem(word) for word in text.words[first:last]}
    )
    count = sum(len(text.sentences) for text in texts)
    return {word: np.log(count / sentences) for word, sentences in frequency.items()}


def windows(pair, contexts, reverse, weights, width=3.0, power=1.0):
    """Local factors: cosines of the stems around two words, which weigh ``weights``, less with distance."""
    numbers, vectors = {}, []
    for text in (pair.summary, pair.document):
        stems = [stem(word) for word in text.words]
        found = {}
        for first, last in text.sentences:
            for i in range(first, last):
                for k in range(max(first, i - int(3 * width)), min(last, i + int(3 * width) + 1)):
                    if k != i:
                        place = i, numbers.setdefault(stems[k], len(numbers))
                        weight = weights[stems[k]] * np.exp(-abs(k - i) / width)
                        found[place] = found.get(place, 0.0) + weight
        vectors.append((found, len(stems)))
    rows = [_rows(found, (length, len(numbers))) for found, length in vectors]
    factors = relative((rows[0] @ rows[1].T).toarray() + 0.1 - LEAST_COSINE, power)
    return factors.T if reverse else factors


def _rows(found, shape):
    """Unit rows of a sparse matrix."""
    places = np.array(list(found), dtype=int).reshape(-1, 2)
    values = np.array(list(found.values()))
    lengths = np.sqrt(np.bincount(places[:, 0], values**2, minlength=shape[0]))[places[:, 0]]
    values = values / np.where(lengths > 0, lengths, 1.0)
    return sparse.csr_array((values, tuple(places.T)), shape=shape)


def multiplied(pair, contexts, reverse, weights):
    """The encoder as a factor in place of a part: how much more than by chance it chooses a summary word."""
    scaled = contexts.astype(float) / 0.1
    return np.maximum(softmax(scaled, 0) * len(scaled), 1e-8)


def multiplied_both(pair, contexts, reverse, weights):
    """The same, the geometric mean of both sides."""
    return np.sqrt(
        multiplied(pair, contexts, reverse, weights) * multiplied(pair, contexts.T, reverse, weights).T
    )


def grown(p, q):
    """Grow-diag: neighbours that one direction has, for words without a link, from links of the mean."""
    links, either = (p + q) / 2 > 0.5, np.maximum(p, q) > 0.5
    rows, columns = links.any(axis=1), links.any(axis=0)
    todo = np.argwhere(links).tolist()
    near = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b]
    while todo:
        t, j = todo.pop()
        for a, b in near:
            u, v = t + a, j + b
            inside = 0 <= u < len(rows) and 0 <= v < len(columns)
            if inside and either[u, v] and not links[u, v] and not (rows[u] and columns[v]):
                links[u, v] = rows[u] = columns[v] = True
                todo.append([u, v])
    return links.astype(float)


# Of the posteriors of both directions, and the thresholds that are tried.
COMBINED = {
    "kept": (agreed, (0.3, 0.35, 0.4, 0.45, 0.5)),
    "arithmetic": (lambda p, q: (p + q) / 2, (0.4, 0.45, 0.5)),
    "geometric": (lambda p, q: np.sqrt(p * q), (0.3, 0.4)),
    "product": (lambda p, q: p * q, (0.1, 0.2, 0.3)),
    "union": (np.maximum, (0.5,)),
    "intersection": (np.minimum, (0.5,)),
    "grow-diag": (grown, (0.5,)),
}
