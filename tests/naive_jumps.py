"""The jump models in plain Python: a factor for each feature of a jump, re-estimated from counts."""

import math
from functools import cache

import pytest

CLOSE = 1e-10


def fewest(start, end, constituents):
    """Return the labels of the fewest `constituents` (span → label) that make up words start … end−1."""
    if start == end:
        return []
    covers = [
        [label, *fewest(last, end, constituents)]
        for (first, last), label in constituents.items()
        if first == start and last <= end
    ]
    return min(covers, key=len)


def walk(p, j, constituents):
    """Return (label, direction) of each constituent that a jump from position p to word j (from 1) skips."""
    if j > p:
        return [(label, "f") for label in fewest(p, j - 1, constituents)]
    return [(label, "b") for label in fewest(j - 1, p, constituents)]


class NaiveJumps:
    """A jump model in plain Python: a factor for each feature of a jump, re-estimated from counts."""

    def __init__(self, features, smoothing, phi):
        """`features`: all of them; the start is uniform."""
        self.smoothing, self.phi = smoothing, phi
        self.factors = dict.fromkeys(features, (1 - phi) / len(features))

    def of(self, document, p, j):
        """Return the features of a jump in the document of that number."""
        return [j - p]

    def probability(self, document, p, j):
        return math.prod(self.factors[feature] for feature in self.of(document, p, j))

    def log_prior(self):
        return self.smoothing * sum(map(math.log, self.factors.values()))

    def maximise(self, jumps, nulls):
        """Run the M-step.

        `jumps`: {(document, p, j): expected count}; `nulls`: expected uses of the null state.
        """
        counts = dict.fromkeys(self.factors, self.smoothing)
        for jump, count in jumps.items():
            for feature in self.of(*jump):
                counts[feature] += count
        total = sum(counts.values()) + nulls
        self.phi = nulls / total
        self.factors = {feature: count / total for feature, count in counts.items()}

    def compare(self, jumps):
        """Compare the parameters with those of the jump model; what a search found is followed from there."""
        assert jumps.table.tolist() == pytest.approx(list(self.factors.values()), rel=CLOSE)

    def with_null(self, phi):
        """Give the null state the probability `phi`, and scale the jumps to the rest."""
        self.factors = {feature: x * (1 - phi) / (1 - self.phi) for feature, x in self.factors.items()}
        self.phi = phi


class NaiveDensity(NaiveJumps):
    """Factors that are a function of the distance with two parameters, which a search finds."""

    def log_prior(self):
        return 0.0

    def count(self, jumps, nulls):
        """Find φ, and return the expected count of each distance."""
        counts = dict.fromkeys(self.factors, 0.0)
        for (_, p, j), count in jumps.items():
            counts[j - p] += count
        self.phi = nulls / (nulls + sum(counts.values()))
        return counts

    def use(self, *parameters):
        self.factors = {d: (1 - self.phi) * x for d, x in self.density(*parameters).items()}

    def fit(self, counts, *parameters):
        density = self.density(*parameters)
        return sum(c * math.log(density[d]) for d, c in counts.items() if c)


class NaiveGaussian(NaiveDensity):
    """Factors by distance from a mean and a standard deviation, which a grid search finds."""

    def maximise(self, jumps, nulls):
        counts = self.count(jumps, nulls)
        centre, step = (1.0, 0.0), (8.0, 4.0)
        for _ in range(60):  # a finer grid around the best point of the one before
            grid = [
                (centre[0] + a * step[0] / 4, centre[1] + b * step[1] / 4)
                for a in range(-4, 5)
                for b in range(-4, 5)
            ]
            centre = max(grid, key=lambda at: self.fit(counts, *at))
            step = step[0] * 0.7, step[1] * 0.7
        self.follow(centre[0], math.exp(centre[1]))

    def compare(self, jumps):
        assert jumps.mean == pytest.approx(self.mean, abs=1e-3)
        assert jumps.standard_deviation == pytest.approx(self.deviation, rel=1e-3)
        self.follow(jumps.mean, jumps.standard_deviation)

    def follow(self, mean, deviation):
        """Use this mean and standard deviation from now on."""
        self.mean, self.deviation = mean, deviation
        self.use(mean, math.log(deviation))

    def density(self, mean, log_deviation):
        squares = {d: ((d - mean) / math.exp(log_deviation)) ** 2 / 2 for d in self.factors}
        least = min(squares.values())
        weights = {d: max(math.exp(least - x), 1e-300) for d, x in squares.items()}
        return {d: weight / sum(weights.values()) for d, weight in weights.items()}


class NaiveLiteral(NaiveDensity):
    """Factors by equation 1 of the paper with a minus sign, exp(−(d − mean)² / variance), by the moments."""

    def maximise(self, jumps, nulls):
        counts = self.count(jumps, nulls)
        total = sum(counts.values())
        self.mean = sum(d * count for d, count in counts.items()) / total
        variance = sum((d - self.mean) ** 2 * count for d, count in counts.items()) / total
        self.variance = max(variance, 0.3**2)
        self.use()

    def compare(self, jumps):
        assert jumps.mean == pytest.approx(self.mean, rel=CLOSE)
        assert jumps.standard_deviation**2 == pytest.approx(self.variance, rel=CLOSE)

    def density(self):
        weights = {d: math.exp(-((d - self.mean) ** 2) / self.variance) for d in self.factors}
        return {d: weight / sum(weights.values()) for d, weight in weights.items()}


class NaiveExponential(NaiveDensity):
    """Factors that fall from distance 1 on, at rates that a search along each of them finds in turn."""

    def maximise(self, jumps, nulls):
        counts = self.count(jumps, nulls)
        rates = [1.0, 1.0]
        for _ in range(40):
            for side in (0, 1):
                low, high = 0.0, 30.0
                for _ in range(45):  # golden sections, because the likelihood is concave
                    a, b = high - 0.618034 * (high - low), low + 0.618034 * (high - low)
                    values = []
                    for at in (a, b):
                        rates[side] = at
                        values.append(self.fit(counts, rates))
                    low, high = (low, b) if values[0] >= values[1] else (a, high)
                rates[side] = (low + high) / 2
        self.best = self.fit(counts, rates)
        self.counts = counts
        self.follow(*rates)

    def compare(self, jumps):
        rates = jumps.forward, jumps.backward
        density = {d: x / (1 - self.phi) for d, x in self.factors.items()}
        assert self.density(rates) == pytest.approx(density, abs=1e-5)
        assert self.fit(self.counts, rates) >= self.best - 1e-9 * abs(self.best)
        self.follow(*rates)

    def follow(self, forward, backward):
        """Use these rates from now on."""
        self.use((forward, backward))

    def density(self, rates):
        weights = {
            d: math.exp(-rates[0] * (d - 1)) if d >= 1 else math.exp(-rates[1] * (1 - d))
            for d in self.factors
        }
        return {d: weight / sum(weights.values()) for d, weight in weights.items()}


class NaiveSyntaxCounts(NaiveJumps):
    """Factors by label and direction; `constituents`: {span: label} of each document."""

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

    def compare(self, jumps):
        expected = {f"{label}-{direction}": factor for (label, direction), factor in self.factors.items()}
        assert jumps.describe()["labels"] == pytest.approx(expected, rel=CLOSE)

    def with_null(self, phi):
        self.phi = phi


class NaiveSyntax(NaiveJumps):
    """Factors by label and direction and of the next word, normalised over all jumps from a position."""

    NEXT = "next word"

    def __init__(self, constituents, precision, phi):
        self.constituents, self.precision, self.phi = constituents, precision, phi
        labels = {label for spans in constituents for label in spans.values()}
        self.factors = dict.fromkeys([*((label, way) for label in labels for way in "fb"), self.NEXT], 1.0)
        self.of, self.norm = cache(self.of), cache(self.norm)

    def of(self, document, p, j):
        # The spans of sentences are among the constituents.
        inside = any(first < p < last for first, last in self.constituents[document])
        return [self.NEXT] if j == p + 1 and inside else walk(p, j, self.constituents[document])

    def weight(self, *jump):
        return math.prod(self.factors[feature] for feature in self.of(*jump))

    def norm(self, document, p, factors):
        """Return the sum of the weights from a position; `factors` are the present ones, for the cache."""
        words = max(last for _, last in self.constituents[document])
        return sum(self.weight(document, p, i) for i in range(1, words + 2))

    def probability(self, document, p, j):
        norm = self.norm(document, p, tuple(self.factors.values()))
        return (1 - self.phi) * self.weight(document, p, j) / norm

    def log_prior(self):
        total = 0.0
        for direction in "fb":
            logs = [math.log(x) for feature, x in self.factors.items() if feature[1] == direction]
            total -= self.precision / 2 * sum((x - sum(logs) / len(logs)) ** 2 for x in logs)
        return total

    def maximise(self, jumps, nulls):
        """Find φ; `follow` takes the factors over, and `slopes` tells whether they are the best ones."""
        self.jumps, self.phi = jumps, nulls / (nulls + sum(jumps.values()))

    def compare(self, jumps):
        """Follow factors, and compare their slopes with 0."""
        described = jumps.describe()
        factors = {tuple(name.rsplit("-", 1)): factor for name, factor in described["labels"].items()}
        self.follow(factors | {self.NEXT: described["next_word"]})
        size = sum(self.jumps.values())
        for feature, slope in self.slopes().items():
            highest = factors.get(feature) == 1.0
            assert -1e-4 * size <= slope and (highest or slope <= 1e-4 * size), feature

    def follow(self, factors):
        """Use these factors from now on."""
        assert factors.keys() == self.factors.keys()
        self.factors = factors

    def slopes(self, step=1e-5):
        """Return the derivatives of what an M-step maximises by the logarithms of factors, by differences."""
        found = {}
        for feature, value in self.factors.items():
            sides = []
            for self.factors[feature] in (value * math.exp(step), value * math.exp(-step)):
                logs = (
                    count * math.log(self.probability(*jump)) for jump, count in self.jumps.items() if count
                )
                sides.append(sum(logs) + self.log_prior())
            self.factors[feature] = value
            found[feature] = (sides[0] - sides[1]) / (2 * step)
        return found

    def with_null(self, phi):
        self.phi = phi
