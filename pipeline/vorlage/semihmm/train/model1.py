"""IBM Model 1 (Brown et al. 1993) as the first iterations of EM, for a start of the lexical table.

Daumé & Marcu (2005, Section 6) suggest it: it ignores order and is quick. Each summary word s comes from any
of the n document words or from the null state, all equally probable:

    Pr(s|d) = Π_i (t(s_i|∅) + Σ_j t(s_i|d_j)) / (n + 1)

t is the lexical part of the rewrite model with its fake counts, and t(s|∅) the null state's distribution.
The weights λ and the jumps wait for the semi-Markov iterations.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from vorlage.semihmm.kernels.phrase_table import add_at
from vorlage.semihmm.rewrite.mixture import PARTS
from vorlage.semihmm.train.expectation import Expectations
from vorlage.semihmm.train.pairs import ShardPairs
from vorlage.semihmm.train.parameters import Parameters


def is_by_model1(done: Sequence[object], settings: Mapping[str, Any]) -> bool:
    """Return whether the iteration after those `done` is one of Model 1."""
    return len(done) < int(settings["model1"])


def expectation(pairs: ShardPairs, parameters: Parameters) -> Expectations:
    """Take the E-step of Model 1 over the pairs of a shard, in the numbers of the shard.

    Expected are uses of the lexical table and of the null state; the other sums are 0.
    """
    mixture, *table = pairs.rewrite_arguments(parameters)
    lexical = np.array([float(part == "rw") for part in PARTS])
    t = pairs.rewrite.rewrites(replace(mixture, weights=lexical), *table)
    counts, nulls = np.zeros(len(t)), np.zeros(len(pairs.words))
    null = parameters.null[pairs.words]
    log_likelihood = 0.0
    for instance, occurrences in zip(pairs.instances, pairs.occurrences, strict=True):
        (words, place), (_, document_place) = instance.summary_types, instance.document_types
        times, document_times = np.bincount(place), np.bincount(document_place)
        by_pair = t[occurrences.cells] * document_times
        sums = null[words] + by_pair.sum(axis=1)
        share = times / sums
        add_at(counts, occurrences.cells.ravel(), (by_pair * share[:, None]).ravel())
        add_at(nulls, words, null[words] * share)
        log_likelihood += float(times @ np.log(sums / (len(instance.document) + 1)))
    zeros = parameters.jumps.zeros(), 0.0, np.zeros(len(PARTS)), np.zeros_like(parameters.norms), 0.0
    return Expectations(counts, nulls, *zeros, log_likelihood)
