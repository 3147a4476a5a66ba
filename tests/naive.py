"""The semi-HMM by plain enumeration: every segmentation and every jump of a tiny pair, in plain Python.

The twin of pipeline/semihmm: slow, obvious, and written from the paper's definitions alone.
"""

import math
from dataclasses import dataclass, field


@dataclass
class Sums:
    """Expectations over all paths of one pair, each divided by the total probability."""

    total: float = 0.0
    best: float = 0.0
    best_path: tuple = ()
    phrases: dict = field(default_factory=dict)  # (t, k, j, l) → posterior, j from 0
    nulls: dict = field(default_factory=dict)  # t → posterior
    jumps: dict = field(default_factory=dict)  # distance → expected count


def paths(n, length, longest, phi, jump, null, rewrite, t=0, p=0):
    """Yield ``(probability, steps, distances)`` of every way to generate summary words t … from position p.

    ``jump(δ)``, ``null(t)`` and ``rewrite(t, k, j, l)`` give probabilities; ``longest`` is (document,
    summary). A step is (t, k, j, l) with j = −1 for the null state.
    """
    if t == length:
        yield jump(n + 1 - p), (), (n + 1 - p,)
        return
    for q, steps, distances in paths(n, length, longest, phi, jump, null, rewrite, t + 1, p):
        yield phi * null(t) * q, ((t, 1, -1, 0), *steps), distances
    for j in range(n):
        for span in range(1, min(longest[0], n - j) + 1):
            for k in range(1, min(longest[1], length - t) + 1):
                r = rewrite(t, k, j, span)
                if r == 0:
                    continue
                step = jump(j + 1 - p) * r
                for q, steps, distances in paths(
                    n, length, longest, phi, jump, null, rewrite, t + k, j + span
                ):
                    yield step * q, ((t, k, j, span), *steps), (j + 1 - p, *distances)


def expectations(*arguments):
    """Sum over :func:`paths`."""
    sums = Sums()
    for probability, steps, distances in paths(*arguments):
        sums.total += probability
        if probability > sums.best:
            sums.best, sums.best_path = probability, steps
        for step in steps:
            table, key = (sums.nulls, step[0]) if step[2] < 0 else (sums.phrases, step)
            table[key] = table.get(key, 0.0) + probability
        for distance in distances:
            sums.jumps[distance] = sums.jumps.get(distance, 0.0) + probability
    for table in (sums.phrases, sums.nulls, sums.jumps):
        for key in table:
            table[key] /= sums.total
    return sums


class NaiveModel:
    """EM by enumeration on a corpus of (document, summary) word lists, one sentence each.

    ``stem`` and ``distance`` are functions of words and of phrases; ``distance`` gives None for no
    path. ``settings`` as in the section ``semihmm``.
    """

    def __init__(self, corpus, settings, stem, distance):
        self.corpus, self.settings, self.stem, self.distance = corpus, settings, stem, distance
        self.longest = settings["max_document_phrase"], settings["max_summary_phrase"]
        self.vocabulary = {word for pair in corpus for side in pair for word in side}
        self.summary_words = {word for _, summary in corpus for word in summary}
        self.summary_phrases = {phrase for _, s in corpus for phrase in spans(s, self.longest[1])}
        pairs = {
            (d, s)
            for document, summary in corpus
            for d in spans(document, self.longest[0])
            for s in spans(summary, self.longest[1])
        }
        self.pairs = sorted(
            pair for pair in pairs if self.fake(*pair) > 0 or self.distance(*pair) is not None
        )
        self.counts = dict.fromkeys(self.pairs, 0.0)
        parts = 4 if settings["wordnet"] else 3
        self.weights = {"id": 1 / parts, "stem": 1 / parts, "rw": 1 / parts, "wn": 1 - 3 / parts}
        self.eta = 1.0
        self.null = {word: 1 / len(self.summary_words) for word in self.summary_words}
        longest = max(len(document) for document, _ in corpus)
        self.distances = range(1 - longest, longest + 2)
        self.phi = settings["null_start"]
        self.jump = {d: (1 - self.phi) / len(self.distances) for d in self.distances}

    def same_stems(self, d, s):
        return len(d) == len(s) and all(self.stem(x) == self.stem(y) for x, y in zip(d, s, strict=True))

    def fake(self, d, s):
        fake = self.settings["fake_counts"]
        return (
            fake["word"] * (len(d) == len(s) == 1)
            + fake["identical"] * (d == s)
            + fake["stem"] * self.same_stems(d, s)
        )

    def parts(self, d, s):
        """λ-weighted parts of r(s|d) by name."""
        stem = math.prod(1 / sum(self.stem(w) == self.stem(x) for w in self.vocabulary) for x in d)
        total = sum(self.counts[p] + self.fake(*p) for p in self.pairs if p[0] == d)
        near, wordnet = self.distance(d, s), 0.0
        if near is not None:
            wordnet = math.exp(-self.eta * near) / self.norm(d, self.eta)
        return {
            "id": self.weights["id"] * (d == s),
            "stem": self.weights["stem"] * stem * self.same_stems(d, s),
            "wn": self.weights["wn"] * wordnet,
            "rw": self.weights["rw"] * (self.counts[d, s] + self.fake(d, s)) / total if total else 0.0,
        }

    def norm(self, d, eta):
        far = [self.distance(d, s) for s in self.summary_phrases]
        return sum(math.exp(-eta * x) for x in far if x is not None)

    def rewrite(self, d, s):
        return sum(self.parts(d, s).values()) if (d, s) in self.counts else 0.0

    def sums(self, document, summary):
        return expectations(
            len(document),
            len(summary),
            self.longest,
            self.phi,
            self.jump.__getitem__,
            lambda t: self.null[summary[t]],
            lambda t, k, j, span: self.rewrite(tuple(document[j : j + span]), tuple(summary[t : t + k])),
        )

    def objective(self):
        value = sum(math.log(self.sums(*pair).total) for pair in self.corpus)
        for d, s in self.pairs:
            if self.fake(d, s):
                total = sum(self.counts[p] + self.fake(*p) for p in self.pairs if p[0] == d)
                value += self.fake(d, s) * math.log((self.counts[d, s] + self.fake(d, s)) / total)
        value += self.settings["jump_smoothing"] * sum(map(math.log, self.jump.values()))
        return value + self.settings["null_smoothing"] * sum(map(math.log, self.null.values()))

    def step(self):
        """One EM iteration."""
        used = dict.fromkeys(self.pairs, 0.0)
        nulls = dict.fromkeys(self.null, self.settings["null_smoothing"])
        jumps = dict.fromkeys(self.distances, self.settings["jump_smoothing"])
        moves = 0.0
        for document, summary in self.corpus:
            sums = self.sums(document, summary)
            for (t, k, j, span), posterior in sums.phrases.items():
                used[tuple(document[j : j + span]), tuple(summary[t : t + k])] += posterior
            for t, posterior in sums.nulls.items():
                nulls[summary[t]] += posterior
                moves += posterior
            for distance, count in sums.jumps.items():
                jumps[distance] += count
        shares = {pair: self.parts(*pair) for pair in self.pairs}
        split = {
            name: {
                pair: used[pair] * shares[pair][name] / sum(shares[pair].values()) if used[pair] else 0.0
                for pair in self.pairs
            }
            for name in self.weights
        }
        mass = {name: sum(split[name].values()) for name in self.weights}
        self.weights = {name: mass[name] / sum(mass.values()) for name in mass}
        self.counts = split["rw"]
        if mass["wn"]:
            self.eta = self.best_eta(split["wn"])
        total = sum(jumps.values()) + moves
        self.phi, self.jump = moves / total, {d: count / total for d, count in jumps.items()}
        self.null = {word: count / sum(nulls.values()) for word, count in nulls.items()}

    def best_eta(self, mass):
        """Bisection on the slope of the expected log-likelihood of the WordNet part."""

        def mean(d, eta):
            far = [x for x in (self.distance(d, s) for s in self.summary_phrases) if x is not None]
            return sum(x * math.exp(-eta * x) for x in far) / self.norm(d, eta)

        def slope(eta):
            return sum(m * (mean(d, eta) - self.distance(d, s)) for (d, s), m in mass.items() if m)

        low, high = 0.0, 50.0
        for _ in range(200):
            middle = (low + high) / 2
            low, high = (middle, high) if slope(middle) > 0 else (low, middle)
        return low


def spans(words, longest):
    """All phrases of up to ``longest`` words."""
    return {
        tuple(words[i : i + k])
        for i in range(len(words))
        for k in range(1, longest + 1)
        if i + k <= len(words)
    }
