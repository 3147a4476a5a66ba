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
    jumps: dict = field(default_factory=dict)  # (p, j) → expected count


def paths(n, length, longest, phi, jump, null, rewrite, t=0, p=0):
    """Yield ``(probability, steps, jumps)`` of every way to generate summary words t … from position p.

    ``jump(p, j)``, ``null(t)`` and ``rewrite(t, k, j, l)`` give probabilities; ``longest`` is (document,
    summary). A step is (t, k, j, l) with j = −1 for the null state; a jump is (p, j), j from 1.
    """
    if t == length:
        yield jump(p, n + 1), (), ((p, n + 1),)
        return
    for q, steps, jumps in paths(n, length, longest, phi, jump, null, rewrite, t + 1, p):
        yield phi * null(t) * q, ((t, 1, -1, 0), *steps), jumps
    for j in range(n):
        for span in range(1, min(longest[0], n - j) + 1):
            for k in range(1, min(longest[1], length - t) + 1):
                r = rewrite(t, k, j, span)
                if r == 0:
                    continue
                step = jump(p, j + 1) * r
                for q, steps, jumps in paths(n, length, longest, phi, jump, null, rewrite, t + k, j + span):
                    yield step * q, ((t, k, j, span), *steps), ((p, j + 1), *jumps)


def expectations(*arguments):
    """Sum over :func:`paths`."""
    sums = Sums()
    for probability, steps, jumps in paths(*arguments):
        sums.total += probability
        if probability > sums.best:
            sums.best, sums.best_path = probability, steps
        for step in steps:
            table, key = (sums.nulls, step[0]) if step[2] < 0 else (sums.phrases, step)
            table[key] = table.get(key, 0.0) + probability
        for move in jumps:
            sums.jumps[move] = sums.jumps.get(move, 0.0) + probability
    for table in (sums.phrases, sums.nulls, sums.jumps):
        for key in table:
            table[key] /= sums.total
    return sums


def fewest(start, end, constituents):
    """The labels of the fewest ``constituents`` (span → label) that words start … end−1 can be cut into."""
    if start == end:
        return []
    ways = [
        [label, *fewest(last, end, constituents)]
        for (first, last), label in constituents.items()
        if first == start and last <= end
    ]
    return min(ways, key=len)


def walk(p, j, constituents):
    """What a jump from position p to word j (from 1) skips: (label, direction) of each constituent."""
    if j > p:
        return [(label, "f") for label in fewest(p, j - 1, constituents)]
    return [(label, "b") for label in fewest(j - 1, p, constituents)]


class NaiveJumps:
    """A jump model in plain Python: a factor for each feature of a jump, re-estimated from counts."""

    def __init__(self, features, smoothing, phi):
        """``features``: all there are, the start is uniform over them."""
        self.smoothing, self.phi = smoothing, phi
        self.factors = dict.fromkeys(features, (1 - phi) / len(features))

    def of(self, document, p, j):
        """The features of a jump in the document of that number."""
        return [j - p]

    def probability(self, document, p, j):
        return math.prod(self.factors[feature] for feature in self.of(document, p, j))

    def log_prior(self):
        return self.smoothing * sum(map(math.log, self.factors.values()))

    def maximise(self, jumps, nulls):
        """``jumps``: {(document, p, j): expected count}."""
        counts = dict.fromkeys(self.factors, self.smoothing)
        for move, count in jumps.items():
            for feature in self.of(*move):
                counts[feature] += count
        total = sum(counts.values()) + nulls
        self.phi = nulls / total
        self.factors = {feature: count / total for feature, count in counts.items()}


class NaiveGaussian(NaiveJumps):
    """Factors by distance from a mean and a deviation, which a search over a grid finds."""

    def log_prior(self):
        return 0.0

    def maximise(self, jumps, nulls):
        counts = dict.fromkeys(self.factors, 0.0)
        for (_, p, j), count in jumps.items():
            counts[j - p] += count
        total = sum(counts.values())
        self.phi = nulls / (nulls + total)
        centre, step = (1.0, 0.0), (8.0, 4.0)
        for _ in range(60):  # a finer grid around the best of the one before
            grid = [
                (centre[0] + a * step[0] / 4, centre[1] + b * step[1] / 4)
                for a in range(-4, 5)
                for b in range(-4, 5)
            ]
            centre = max(
                grid, key=lambda at: sum(c * math.log(self.density(*at)[d]) for d, c in counts.items())
            )
            step = step[0] * 0.7, step[1] * 0.7
        self.mean, self.deviation = centre[0], math.exp(centre[1])
        self.factors = {d: (1 - self.phi) * x for d, x in self.density(*centre).items()}

    def density(self, mean, log_deviation):
        squares = {d: ((d - mean) / math.exp(log_deviation)) ** 2 / 2 for d in self.factors}
        least = min(squares.values())
        weights = {d: max(math.exp(least - x), 1e-300) for d, x in squares.items()}
        return {d: weight / sum(weights.values()) for d, weight in weights.items()}


class NaiveSyntax(NaiveJumps):
    """Factors by label and direction; ``constituents``: {span: label} of each document."""

    def __init__(self, constituents, smoothing, phi):
        self.constituents = constituents
        labels = {label for spans in constituents for label in spans.values()}
        super().__init__([(label, way) for label in labels for way in "fb"], smoothing, phi)
        self.factors = dict.fromkeys(self.factors, 1 / len(self.factors))

    def of(self, document, p, j):
        return walk(p, j, self.constituents[document])

    def probability(self, document, p, j):
        return (1 - self.phi) * super().probability(document, p, j)

    def maximise(self, jumps, nulls):
        super().maximise(jumps, 0.0)
        self.phi = nulls / (nulls + sum(jumps.values()))


class NaiveModel:
    """EM by enumeration on a corpus of (document, summary) word lists, one sentence each.

    ``stem`` and ``distance`` are functions of words and of phrases; ``distance`` gives None for no
    path. ``settings`` as in the section ``semihmm``. ``jumps``: a :class:`NaiveJumps`, by distance if none.
    """

    def __init__(self, corpus, settings, stem, distance, jumps=None):
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
        self.jumps = jumps or NaiveJumps(
            range(1 - longest, longest + 2), settings["jump_smoothing"], settings["null_start"]
        )

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

    def sums(self, number, document, summary):
        return expectations(
            len(document),
            len(summary),
            self.longest,
            self.jumps.phi,
            lambda p, j: self.jumps.probability(number, p, j),
            lambda t: self.null[summary[t]],
            lambda t, k, j, span: self.rewrite(tuple(document[j : j + span]), tuple(summary[t : t + k])),
        )

    def objective(self):
        value = sum(math.log(self.sums(i, *pair).total) for i, pair in enumerate(self.corpus))
        for d, s in self.pairs:
            if self.fake(d, s):
                total = sum(self.counts[p] + self.fake(*p) for p in self.pairs if p[0] == d)
                value += self.fake(d, s) * math.log((self.counts[d, s] + self.fake(d, s)) / total)
        return (
            value
            + self.jumps.log_prior()
            + self.settings["null_smoothing"] * sum(map(math.log, self.null.values()))
        )

    def step(self):
        """One EM iteration."""
        used = dict.fromkeys(self.pairs, 0.0)
        nulls = dict.fromkeys(self.null, self.settings["null_smoothing"])
        jumps = {}
        moves = 0.0
        for number, (document, summary) in enumerate(self.corpus):
            sums = self.sums(number, document, summary)
            for (t, k, j, span), posterior in sums.phrases.items():
                used[tuple(document[j : j + span]), tuple(summary[t : t + k])] += posterior
            for t, posterior in sums.nulls.items():
                nulls[summary[t]] += posterior
                moves += posterior
            jumps |= {(number, *move): count for move, count in sums.jumps.items()}
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
        self.counts = {
            pair: count if self.is_kept(pair, count) else 0.0 for pair, count in split["rw"].items()
        }
        if mass["wn"]:
            self.eta = self.best_eta(split["wn"])
        self.jumps.maximise(jumps, moves)
        self.null = {word: count / sum(nulls.values()) for word, count in nulls.items()}

    def is_kept(self, pair, count):
        """Whether a count is kept, by the settings ``lexical_prune`` and ``lexical_cooccurrence``."""
        d, s = pair
        held = sum(d[0] in document and s[0] in summary for document, summary in self.corpus)
        alone = len(d) == len(s) == 1 and not self.same_stems(d, s) and self.distance(d, s) is None
        few = alone and held < self.settings["lexical_cooccurrence"]
        return count >= self.settings["lexical_prune"] and not few

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
