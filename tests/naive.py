"""The semi-HMM by plain enumeration: every segmentation and every jump of a tiny pair, in plain Python.

The twin of `vorlage.semihmm`: slow, obvious, and written from the definitions of the paper alone.
"""

import math
from dataclasses import dataclass, field

from naive_around import Around
from naive_jumps import NaiveJumps


@dataclass
class Sums:
    """Expected counts over all paths of one pair; all but `best` and `total` are divided by `total`."""

    total: float = 0.0
    best: float = 0.0
    best_paths: set = field(default_factory=set)  # those that are `best` but for rounding
    phrases: dict = field(default_factory=dict)  # (t, k, j, l) → posterior, j from 0
    nulls: dict = field(default_factory=dict)  # (t, k) → posterior
    jumps: dict = field(default_factory=dict)  # (p, j) → expected count


def paths(n, length, longest, phi, jump, null, rewrite, null_jumps=False, t=0, p=0):
    """Yield `(probability, steps, jumps)` of every path that generates summary words t … from position p.

    `jump(p, j)`, `null(t, k)` and `rewrite(t, k, j, l)` give probabilities; `longest` is (document,
    summary). `null_jumps`: whether the model jumps to the null state of a word. A step is (t, k, j, l) with
    j = −1 for the null state; a jump is (p, j), j from 1.
    """
    if t == length:
        yield jump(p, n + 1), (), ((p, n + 1),)
        return

    def rest(t, p):
        return paths(n, length, longest, phi, jump, null, rewrite, null_jumps, t, p)

    for k in range(1, min(longest[1] if null_jumps else 1, length - t) + 1):
        emitted = phi * null(t, k)
        if emitted == 0:
            continue
        if not null_jumps:
            for q, steps, jumps in rest(t + k, p):
                yield emitted * q, ((t, k, -1, 0), *steps), jumps
        else:  # to the null state of word i, jump(∅) · jump(i − p)
            for i in range(1, n + 1):
                for q, steps, jumps in rest(t + k, i):
                    yield emitted * jump(p, i) * q, ((t, k, -1, 0), *steps), ((p, i), *jumps)
    for j in range(n):
        for span in range(1, min(longest[0], n - j) + 1):
            for k in range(1, min(longest[1], length - t) + 1):
                r = rewrite(t, k, j, span)
                if r == 0:
                    continue
                step = jump(p, j + 1) * r
                for q, steps, jumps in rest(t + k, j + span):
                    yield step * q, ((t, k, j, span), *steps), ((p, j + 1), *jumps)


def expectations(*arguments):
    """Return the `Sums` over `paths`, which takes the same arguments."""
    sums = Sums()
    for probability, steps, jumps in paths(*arguments):
        sums.total += probability
        if probability > sums.best * (1 + 1e-12):
            sums.best, sums.best_paths = probability, set()
        if probability >= sums.best * (1 - 1e-12):
            sums.best_paths.add(steps)
        for step in steps:
            table, key = (sums.nulls, step[:2]) if step[2] < 0 else (sums.phrases, step)
            table[key] = table.get(key, 0.0) + probability
        for jump in jumps:
            sums.jumps[jump] = sums.jumps.get(jump, 0.0) + probability
    for table in (sums.phrases, sums.nulls, sums.jumps):
        for key in table:
            table[key] /= sums.total
    return sums


class NaiveModel:
    """EM by enumeration on a corpus of (document, summary) word lists.

    `stem` is a function of a word, `distance` of two phrases; it returns None if there is no path.
    `settings`: those of training. `jumps`: a `NaiveJumps`, by default of distances.
    `around`: an `Around` for each pair; by default every side is one sentence. `more`: further parts of the
    mixture, functions of two phrases by name.
    """

    def __init__(self, corpus, settings, stem, distance, jumps=None, around=None, more=None):
        self.more = more or {}
        self.corpus, self.settings, self.stem, self.distance = corpus, settings, stem, distance
        self.around = around or [Around([document], [summary]) for document, summary in corpus]
        self.longest = settings.max_document_phrase, settings.max_summary_phrase
        self.vocabulary = {word for pair in corpus for side in pair for word in side}
        every = [word for _, summary in corpus for word in summary]
        self.frequency = {word: every.count(word) / len(every) for word in every}
        self.summary_words = set(every)
        sides = [
            (spans(d, self.longest[0], a.document), spans(s, self.longest[1], a.summary))
            for (d, s), a in zip(corpus, self.around, strict=True)
        ]
        self.summary_phrases = {phrase for _, summary in sides for phrase in summary}
        self.together = {(d, s) for document, summary in sides for d in document for s in summary}
        # Fake counts by frequency go to all summary words, even those in no text with the document word.
        apart = {((d,), (s,)) for document, _ in corpus for d in document for s in self.summary_words}
        self.pairs = sorted(
            pair
            for pair in self.together | apart
            if self.fake(*pair) > 0
            or (pair in self.together and (self.same_stems(*pair) or self.distance(*pair) is not None))
        )
        self.counts = dict.fromkeys(self.pairs, 0.0)
        self.of_2004 = settings.paper == 2004
        self.null_jumps = settings.null_state != "stays"
        listed = [pair for pair in self.together if max(map(len, pair)) == 1 or pair in self.counts]
        self.stem_counts = dict.fromkeys((self.stems_of(*pair) for pair in listed), 0.0)
        parts = 3 + bool(settings.wordnet) + settings.encoder + len(self.more)
        self.weights = {
            **dict.fromkeys(("stem", "rw", *self.more), 1 / parts),
            "id": (not self.of_2004) / parts,
            "stems": self.of_2004 / parts,
            "wn": bool(settings.wordnet) / parts,
            "encoder": settings.encoder / parts,
        }
        self.eta = 1.0
        self.emitted = {(word,) for word in self.summary_words}
        if settings.null_state == "jumps-phrases" and settings.fake_counts.phrase:
            self.emitted |= self.summary_phrases
        self.null = self.null_words({})
        longest = max(len(document) for document, _ in corpus)
        self.jumps = jumps or NaiveJumps(
            range(1 - longest, longest + 2), settings.jump_smoothing, settings.null_probability
        )
        self.known = {}

    def same_stems(self, d, s):
        return len(d) == len(s) and all(self.stem(x) == self.stem(y) for x, y in zip(d, s, strict=True))

    def fake(self, d, s):
        fake = self.settings.fake_counts
        if len(d) == len(s) == 1 and (d, s) not in self.together:
            return self.spread(d, s)
        return (
            (fake.word if len(d) == len(s) == 1 else fake.phrase)
            + fake.identical * (d == s)
            + fake.stem * self.same_stems(d, s)
            + self.spread(d, s)
        )

    def spread(self, d, s):
        """Return the fake counts by frequency."""
        return self.settings.fake_counts.unigram * self.frequency[s[0]] if len(d) == len(s) == 1 else 0.0

    def stems_of(self, *phrases):
        return tuple(tuple(map(self.stem, phrase)) for phrase in phrases)

    def stem_fake(self, d, s):
        """Return the fake counts of a pair of phrases of stems."""
        fake = self.settings.fake_counts
        return (fake.word if len(d) == len(s) == 1 else fake.phrase) + fake.stem * (d == s)

    def stem_total(self, d):
        return sum(n + self.stem_fake(*pair) for pair, n in self.stem_counts.items() if pair[0] == d)

    def by_stems(self, d, s):
        """Return the probability of a phrase by the table over stems, its share of that of its stems."""
        pair, share = self.stems_of(d, s), math.prod(1 / self.stem_class(word) for word in s)
        total = self.stem_total(pair[0])
        return share * (self.stem_counts[pair] + self.stem_fake(*pair)) / total if total else 0.0

    def stem_class(self, word):
        """Return how many words have the stem of a word."""
        return sum(self.stem(word) == self.stem(other) for other in self.vocabulary)

    def null_fake(self, phrase):
        """Return the fake counts of a phrase in the null state."""
        if len(phrase) > 1:
            return self.settings.fake_counts.phrase
        return self.settings.null_smoothing + self.settings.fake_counts.unigram * self.frequency[phrase[0]]

    def null_words(self, uses):
        """Return the null state's distribution over what it emits; `uses`: expected, by phrase."""
        counts = {phrase: uses.get(phrase, 0.0) + self.null_fake(phrase) for phrase in self.emitted}
        total = sum(counts.values())
        return {phrase: count / total for phrase, count in counts.items()}

    def total(self, d):
        return sum(self.counts[p] + self.fake(*p) for p in self.pairs if p[0] == d)

    def parts(self, d, s):
        """Return the parts of r(s|d) by name, weighted by λ, without the encoder's."""
        stem = math.prod(1 / self.stem_class(word) for word in d)
        total = self.total(d)
        near, wordnet = self.distance(d, s), 0.0
        if near is not None:
            wordnet = math.exp(-self.eta * near) / self.norm(d, self.eta)
        return {
            "id": self.weights["id"] * (d == s),
            "stem": self.weights["stem"] * stem * self.same_stems(d, s),
            "wn": self.weights["wn"] * wordnet,
            "rw": self.weights["rw"] * (self.counts[d, s] + self.fake(d, s)) / total if total else 0.0,
            "stems": self.weights["stems"] * self.by_stems(d, s) if (d, s) in self.together else 0.0,
            **{
                name: self.weights[name] * value(d, s) if (d, s) in self.together else 0.0
                for name, value in self.more.items()
            },
        }

    def norm(self, d, eta):
        far = [self.distance(d, s) for s in self.summary_phrases]
        return sum(math.exp(-eta * x) for x in far if x is not None)

    def rewrite(self, d, s):
        return sum(self.parts(d, s).values()) if (d, s) in self.counts else 0.0

    def encoder(self, number, t, k, j, span):
        """Return the encoder's part of a rewrite at its place in a pair, weighted."""
        contexts = self.around[number].contexts
        return self.weights["encoder"] * contexts[t][j] if contexts and k == span == 1 else 0.0

    def sums(self, number, document, summary):
        """Return the `Sums` of a pair; `known` keeps those of unchanged parameters."""
        if number not in self.known:
            self.known[number] = self.enumerated(number, document, summary)
        return self.known[number]

    def enumerated(self, number, document, summary):
        around, table = self.around[number], {}

        def rewrite(t, k, j, span):
            if not around.holds(t, k, j, span):
                return 0.0
            pair = tuple(document[j : j + span]), tuple(summary[t : t + k])
            if pair not in table:
                table[pair] = self.rewrite(*pair)
            return (table[pair] + self.encoder(number, t, k, j, span)) * around.factor(t, j) ** k

        return expectations(
            len(document),
            len(summary),
            self.longest,
            self.jumps.phi,
            lambda p, j: self.jumps.probability(number, p, j),
            lambda t, k: self.null.get(tuple(summary[t : t + k]), 0.0) if around.inside(t, k) else 0.0,
            rewrite,
            self.null_jumps,
        )

    def objective(self):
        """Return the objective: likelihood and priors, where a table of fake counts alone has the prior 1."""
        value = sum(math.log(self.sums(i, *pair).total) for i, pair in enumerate(self.corpus))
        return value + self.lexical_prior() + self.stem_prior() + self.null_prior() + self.jumps.log_prior()

    def lexical_prior(self):
        value, rows = 0.0, {d for d, _ in self.pairs}
        totals = {d: self.total(d) for d in rows}
        fakes = {d: sum(self.fake(*pair) for pair in self.pairs if pair[0] == d) for d in rows}
        for d, s in self.pairs:
            fake = self.fake(d, s)
            if fake:
                chance, before = (self.counts[d, s] + fake) / totals[d], fake / fakes[d]
                value += fake * math.log(chance / before)
        return value

    def stem_prior(self):
        value = 0.0
        for pair, count in self.stem_counts.items():
            fake = self.stem_fake(*pair)
            if self.of_2004 and fake:
                before = sum(self.stem_fake(*other) for other in self.stem_counts if other[0] == pair[0])
                value += fake * math.log((count + fake) / self.stem_total(pair[0]) / (fake / before))
        return value

    def null_prior(self):
        total = sum(map(self.null_fake, self.null))
        return sum(
            self.null_fake(word) * math.log(chance / (self.null_fake(word) / total))
            for word, chance in self.null.items()
        )

    def expected(self):
        """Return `(used, parts, split, nulls, jumps)` of one E-step.

        Expected uses of each phrase pair of the table, of each part, of each part by phrase pair, of null
        words and of jumps.
        """
        used = dict.fromkeys(self.pairs, 0.0)
        nulls = dict.fromkeys(self.null, 0.0)
        jumps, by_encoder = {}, 0.0
        for number, (document, summary) in enumerate(self.corpus):
            sums = self.sums(number, document, summary)
            for (t, k, j, span), posterior in sums.phrases.items():
                pair = tuple(document[j : j + span]), tuple(summary[t : t + k])
                encoder, table = self.encoder(number, t, k, j, span), self.rewrite(*pair)
                by_encoder += posterior * encoder / (encoder + table)
                if table:
                    used[pair] += posterior * table / (encoder + table)
            for (t, k), posterior in sums.nulls.items():
                nulls[tuple(summary[t : t + k])] += posterior
            jumps |= {(number, *jump): count for jump, count in sums.jumps.items()}
        shares = {pair: self.parts(*pair) for pair in self.pairs}
        split = {
            name: {
                pair: used[pair] * shares[pair][name] / sum(shares[pair].values()) if used[pair] else 0.0
                for pair in self.pairs
            }
            for name in ("id", "stem", "wn", "rw", "stems", *self.more)
        }
        parts = {name: sum(split[name].values()) for name in split} | {"encoder": by_encoder}
        return used, parts, split, nulls, jumps

    def step(self):
        """Run one EM iteration."""
        _, mass, split, nulls, jumps = self.expected()
        self.known.clear()
        self.stem_counts = dict.fromkeys(self.stem_counts, 0.0)
        null_uses = sum(nulls.values())
        if sum(mass.values()):
            self.weights = {name: mass[name] / sum(mass.values()) for name in mass}
        self.counts = split["rw"]
        for pair, count in split["stems"].items():
            if count:
                self.stem_counts[self.stems_of(*pair)] += count
        if mass["wn"]:
            self.eta = self.best_eta(split["wn"])
        phi = self.jumps.phi
        self.jumps.maximise(jumps, null_uses)
        if not self.settings.null_learned:
            self.jumps.with_null(phi)
        self.null = self.null_words(nulls)

    def best_eta(self, mass):
        """Return the best η, by bisection on the slope."""
        low, high = 0.0, 50.0
        for _ in range(200):
            middle = (low + high) / 2
            low, high = (middle, high) if self.slope(mass, middle) > 0 else (low, middle)
        return low

    def slope(self, mass, eta):
        """Return the slope of the WordNet part's expected log-likelihood; `mass`: uses by phrase pair."""

        def mean(d):
            far = [x for x in (self.distance(d, s) for s in self.summary_phrases) if x is not None]
            return sum(x * math.exp(-eta * x) for x in far) / self.norm(d, eta)

        return sum(m * (mean(d) - self.distance(d, s)) for (d, s), m in mass.items() if m)


def spans(words, longest, sentence):
    """Return all phrases of up to `longest` words inside a sentence; `sentence`: that of each word."""
    return {
        tuple(words[i : i + k])
        for i in range(len(words))
        for k in range(1, longest + 1)
        if i + k <= len(words) and sentence[i] == sentence[i + k - 1]
    }
