"""Ideas that were tried and dropped, beside what was kept of their kind: ``python benchmarks/trials.py``.

    python benchmarks/trials.py --corpus results/edinburgh-train-encoder --trials form directions

Trains and aligns within this process, both directions, on a corpus that the workflow has taken to the encode
stage (``benchmarks/experiments.py --only encoder``), and prints a line for each trial: F of the links whose
posterior is above the threshold, over the words that the gold allows, and the expected calibration error.
docs/experiments.md says what came of them.
"""

import argparse
import logging
from collections import Counter
from dataclasses import replace
from difflib import SequenceMatcher
from functools import cache, partial
from pathlib import Path
from types import SimpleNamespace

import numpy as np
from experiments import calibration_error, measures_of
from ideas import (
    COMBINED,
    FORMS,
    Learned,
    LeaveOneOut,
    Near,
    Tried,
    idf,
    multiplied,
    multiplied_both,
    of_form,
    windows,
)

from pipeline.align.decode import Posteriors, agreed, among_neighbours
from pipeline.alignments import Link
from pipeline.encode.encoder import open_encoder
from pipeline.encode.similarities import measure
from pipeline.encode.store import Store
from pipeline.extract.extracts import read_extracted_pairs
from pipeline.score.analysis import has_token_gold
from pipeline.score.reference import read_annotated
from pipeline.semihmm.jumps.base import Shape, jump_model
from pipeline.semihmm.kernels import forward_backward as kernels
from pipeline.semihmm.phrases.rewrite import Mixture
from pipeline.semihmm.phrases.wordnet_distance import Senses
from pipeline.settings import section
from pipeline.text.words import stem
from pipeline.train import em
from pipeline.train.__main__ import reversed_null, similarities_of
from pipeline.train.merge import make_index
from pipeline.train.shard import collect
from pipeline.wordnet.reader import open_wordnet

WORDNET = Path("results/wordnet")
LEAST = 0.05  # smaller posteriors are no candidates
THRESHOLD = 0.4


class Bench:
    """A corpus in memory, with its gold; ``folder``: results of the workflow; ``wordnet``: a folder."""

    def __init__(self, folder, wordnet=WORDNET):
        self.folder = Path(folder)
        corpus, gold = (self.folder / "corpus" / f"{name}.jsonl" for name in ("corpus", "gold"))
        self.pairs = list(read_extracted_pairs(corpus, self.folder / "extract" / "extracts.jsonl"))
        tokens = has_token_gold(gold)
        annotated, _ = read_annotated(corpus, gold, "token" if tokens else "char")
        self.measures, self.references = measures_of(annotated, tokens)
        self.senses = Senses(open_wordnet(wordnet))
        self.shard = cache(self._shard)

    def _shard(self, reverse, encoder, layer):
        similar = self._similarities(layer) if encoder else None
        return collect(self.pairs, section("semihmm", {}), self.senses, None, similar, reverse)

    def _similarities(self, layer):
        """A function from (Pair, Extract) to similarities, by the store or by another layer."""
        if layer is None:
            return similarities_of(Store(self.folder / "encode"))
        encoder = open_encoder(section("embed", {})["model"], layer)
        return lambda pair, extract: measure(encoder, pair, extract.sentences)

    def train(self, reverse, kind=Tried, near=None, layer=None, **changed):
        """Posteriors of all links, a matrix (T, n) for each pair, and what is to be said of the training.

        ``kind``: the class of the pairs; ``near``: makes factors of pairs of words, see :mod:`ideas`;
        ``layer``: of the encoder, None for that of the store; others are settings.
        """
        settings = section("semihmm", changed)
        shard = self.shard(reverse, settings["encoder"] or near in MULTIPLIED, layer)
        instances = shard.instances
        if near:
            weights = idf([pair for pair, _ in self.pairs])
            instances = [
                replace(one, affinity=Near(one.affinity, near(pair, one.affinity.contexts, reverse, weights)))
                for one, (pair, _) in zip(instances, self.pairs, strict=True)
            ]
        index, (numbers,) = make_index([shard.tables()], settings, [[]], self.senses)
        temperature = settings["encoder_temperature"]
        pairs = kind(instances, shard.support, len(shard.words), numbers, index.fake, temperature)
        if reverse:
            settings = settings | {"null_start": reversed_null(settings["null_start"], index)}
        jumps = jump_model("relative").start(Shape(index.longest, ()), settings)
        parameters = em.start(index, jumps, Mixture.start(True, settings["encoder"]))
        objectives = []
        for _ in range(settings["iterations"]):
            expected, _ = em.expectation(pairs, parameters, pairs.whole(), settings, threads=2)
            objectives.append(em.objective(index, parameters, expected.log_likelihood, settings))
            parameters = em.maximisation(index, parameters, pairs.after(expected), settings)
        said = {"null": parameters.jumps.null, "encoder": parameters.mixture.weights[-1], **pairs.said()}
        said["falls"] = int((np.diff(objectives) < 0).sum())
        values = pairs.rewrite.values(*pairs.rewrites(parameters))
        found = [links_of(pairs, i, values, parameters) for i in range(len(instances))]
        return [links.T if reverse else links for links in found], said

    def both(self, **how):
        """The posteriors of both directions, and what is to be said of the first."""
        (one, said), (other, _) = (self.train(reverse, **how) for reverse in (False, True))
        return one, other, said

    def line(self, name, posteriors, threshold, said=None):
        """Print the scores of some posteriors."""
        found = {}
        for (pair, _), links in zip(self.pairs, posteriors, strict=True):
            others = (links >= LEAST) & (links <= threshold)
            found[pair.id] = SimpleNamespace(
                links=listed(links, links > threshold), candidates=listed(links, others)
            )
        parts = []
        for one in self.measures:
            values = one.f(one.count(found).sum(axis=0))
            parts += [f"{words} {f:.3f}" for words, f in zip(one.words, values, strict=True) if words]
        if self.references:
            parts.append(f"ece {calibration_error(found, self.references):.3f}")
        parts += [f"({key} {value:.3g})" for key, value in (said or {}).items() if value]
        print(f"{name:36s} {'  '.join(parts)}", flush=True)


def listed(links, chosen):
    """The links of one word each that are chosen of a matrix of posteriors."""
    return [Link((t, t + 1), (j, j + 1), float(links[t, j])) for t, j in np.argwhere(chosen).tolist()]


def links_of(pairs, index, values, parameters):
    """Posteriors of the links of a pair; ``values``: of its rewrites under the last parameters."""
    weight = parameters.mixture.weights[-1]
    context = weight * pairs.context(index) if weight else None
    inputs = pairs.inputs(index, values, parameters.null[pairs.words], parameters.jumps, context)
    links = np.empty((len(inputs.summary), len(inputs.document)))
    _, _, nulls, found, *_ = kernels.expect(*inputs, 1.0, links)
    kinds = pairs.support.kind[pairs.support.place_entries[index]]
    return Posteriors.of(links, nulls, inputs.phrases, found, kinds).links


def compare(bench, cases):
    """A line for each case, name → what differs in training, both directions put together as always."""
    for name, how in cases.items():
        one, other, said = bench.both(**how)
        bench.line(name, list(map(agreed, one, other)), THRESHOLD, said)


def alike(one, other):
    """Whether two words are equal, have one stem, are spelled much the same, or none of it."""
    if one == other:
        return "equal"
    if stem(one) == stem(other):
        return "one stem"
    begin = min(len(one), len(other)) >= 4 and one[:4] == other[:4]
    return "alike" if begin or SequenceMatcher(None, one, other).ratio() >= 0.75 else "unlike"


def directions(bench, encoder):
    """Ways to put both directions together."""
    one, other, _ = bench.both(encoder=encoder)
    bench.line("document to summary > 0.5", one, 0.5)
    bench.line("summary to document > 0.5", other, 0.5)
    for name, (combine, thresholds) in COMBINED.items():
        for threshold in thresholds:
            bench.line(f"{name} > {threshold}", list(map(combine, one, other)), threshold)


def neighbours(bench, encoder):
    """How often links are right by what is around them, and F where they see it."""
    one, other, _ = bench.both(encoder=encoder)
    posteriors = list(map(agreed, one, other))
    counts = {kind: np.zeros((2, len(BINS) - 1)) for kind in AROUND if bench.references}
    for (pair, _), links in zip(bench.pairs, posteriors, strict=True):
        for kind, cells in around(links > THRESHOLD).items() if bench.references else ():
            gold = np.zeros(links.shape, dtype=bool)
            for link in bench.references[pair.id].possible:
                gold[link] = True
            counts[kind] += [np.histogram(links[cells & right], BINS)[0] for right in (True, gold)]
    for kind, (every, right) in counts.items():
        shares = "  ".join(f"{r / n:.2f} of {n:.0f}" for r, n in zip(right, every, strict=True))
        print(f"{kind:20s} {shares}")
    for support, discount in SEEN:
        seen = [among_neighbours(links, support, discount) for links in posteriors]
        bench.line(f"support {support}, discount {discount}", seen, THRESHOLD)


def around(taken):
    """Which links are of which kind, by those that are taken; a matrix of booleans for each kind."""
    padded = np.pad(taken, 1)
    free = ~taken.any(axis=1, keepdims=True), ~taken.any(axis=0, keepdims=True)
    beside = free[1] & (padded[1:-1, :-2] | padded[1:-1, 2:]) | free[0] & (
        padded[:-2, 1:-1] | padded[2:, 1:-1]
    )
    diagonal = free[0] & free[1] & (padded[:-2, :-2] | padded[2:, 2:])
    apart = free[0] & free[1] & ~diagonal
    kinds = beside, diagonal, apart, ~(beside | diagonal | apart)
    return {kind: cells & ~taken for kind, cells in zip(AROUND, kinds, strict=True)}


def missed(bench, encoder):
    """Of what kinds the sure links are, and which of them are missed."""
    one, other, _ = bench.both(encoder=encoder)
    every, lost = Counter(), Counter()
    for (pair, _), p, q in zip(bench.pairs, one, other, strict=True):
        reference, found = bench.references[pair.id], agreed(p, q) > THRESHOLD
        words = reference.summary_words, reference.document_words
        partners = [Counter(link[side] for link in reference.sure) for side in (0, 1)]
        for i, j in reference.sure:
            kinds = ["all", alike(words[0][i].lower(), words[1][j].lower())]
            kinds.append("non-stop" if reference.content_links([(i, j)]) else "stop")
            kinds.append("many-to-many" if max(partners[0][i], partners[1][j]) > 1 else "one-to-one")
            every.update(kinds)
            lost.update(kinds if not found[i, j] else ())
    for kind, count in every.most_common():
        shares = count / every["all"], lost[kind] / count, lost[kind] / lost["all"]
        print(
            f"{kind:14s} {shares[0]:.3f} of the sure links, {shares[1]:.3f} missed, {shares[2]:.3f} of those"
        )


# Of links that are not taken; the last is of words that have another one.
AROUND = ("beside one taken", "on its diagonal", "of two free words", "other")
BINS = (0.05, 0.1, 0.2, 0.3, 0.4)
SEEN = ((0, 0), (0.2, 0), (0.4, 0), (0.6, 0), (0, 0.5), (0.4, 0.25), (0.4, 0.5), (0.4, 1))
MULTIPLIED = (multiplied, multiplied_both)
NO_UNIGRAM = {"fake_counts": {"word": 2, "unigram": 0}}
UNIGRAM = {f"unigram: {n}": {"fake_counts": {"unigram": n}} for n in (500, 2000, 8000, 50000)}
BOTH_COUNTS = {f"word: {n}, unigram: 2000": {"fake_counts": {"word": n}} for n in (0.5, 1)}
NEAR = {"no local factors": {}}
NEAR |= {f"local factors, power {p}": {"near": partial(windows, power=p)} for p in (0.5, 1.0)}
ENCODED = {
    "form": {name: {"kind": of_form(name)} for name in FORMS},
    "temperature": {
        **{f"temperature {t}": {"encoder_temperature": t} for t in (0.03, 0.05, 0.08, 0.12)},
        "temperature learned": {"kind": Learned},
    },
    "layer": {f"layer {n}": {"layer": n} for n in (2, 3, 4, 5, 6)},
    "encoder-null": {"null kept": {}, "null learned": {"null_learned": True}},
    "encoder-near": NEAR,
}
TRIALS = {
    "missed": partial(missed, encoder=False),
    "encoder-missed": partial(missed, encoder=True),
    "directions": partial(directions, encoder=False),
    "encoder-directions": partial(directions, encoder=True),
    "neighbours": partial(neighbours, encoder=False),
    "encoder-neighbours": partial(neighbours, encoder=True),
    "unigram": partial(compare, cases=UNIGRAM | BOTH_COUNTS | {"word: 2, unigram: 0": NO_UNIGRAM}),
    "leave-one-out": partial(
        compare, cases={"without unigram": NO_UNIGRAM, "left out": NO_UNIGRAM | {"kind": LeaveOneOut}}
    ),
    "null": partial(compare, cases={"null kept": {}, "null learned": {"null_learned": True}}),
    "near": partial(compare, cases=NEAR),
    "jumps": partial(compare, cases={f"smoothing {n}": {"jump_smoothing": n} for n in (0.01, 1, 10)}),
    "multiplied": partial(
        compare, cases={"one side": {"near": multiplied}, "both sides": {"near": multiplied_both}}
    ),
    **{
        name: partial(compare, cases={case: {"encoder": True, **how} for case, how in cases.items()})
        for name, cases in ENCODED.items()
    },
}


def main():
    """Run the trials that are named."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--corpus", nargs="+", required=True, help="folders of results, such as <set>-encoder"
    )
    parser.add_argument("--trials", nargs="+", choices=TRIALS, default=list(TRIALS), help="default: all")
    given = parser.parse_args()
    logging.getLogger("pipeline").setLevel(logging.WARNING)
    for folder in given.corpus:
        bench = Bench(folder)
        for name in given.trials:
            print(f"\n{Path(folder).name}, {name}", flush=True)
            TRIALS[name](bench)


if __name__ == "__main__":
    main()
