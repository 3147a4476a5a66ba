"""Fits the trees of the decoder `rescored` to gold.

What they gain is measured by cross-validation: the trees that score a pair, and their threshold, come from
the gold of pairs with other documents.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from vorlage.command.errors import InputError
from vorlage.documents.pair import Pair
from vorlage.extract.long_pairs import choose_sentences
from vorlage.files.digests import digest
from vorlage.semihmm.decode.aligner import Aligner
from vorlage.settings import Decoding
from vorlage.types import AnyArray, Bools, JsonObject, LongInts
from vorlage.workflow.gold import Gold
from vorlage.workflow.rescorer.rescorer import Cells, Rescorer, digest_of, make_cells
from vorlage.workflow.score.counts import compute_scores, count_links
from vorlage.workflow.score.reference import make_reference
from vorlage.workflow.score.rows import compare_samples, resample
from vorlage.workflow.tables import Row

FOLDS = 5
# One thread, because the sums of several would depend on their number.
PARAMETERS = {
    "objective": "binary",
    "num_iterations": 120,
    "num_leaves": 24,
    "learning_rate": 0.1,
    "lambda_l2": 1.0,
    "num_threads": 1,
    "deterministic": True,
    "verbosity": -1,
}
THRESHOLDS = np.arange(5, 96) / 100
SAMPLES = 1000
MEASURES = {"P": "soft_precision", "R": "recall", "F": "soft_f"}


class Example(NamedTuple):
    """A pair with gold.

    `digest`, `document`: what the pair and its document are known by. `sure`, `possible`: which of its
    `cells` the gold has as such links. `usual`: the counts of the links of the decoder `posterior`, by
    `vorlage.workflow.score.counts.FIELDS`.
    """

    digest: str
    document: str
    cells: Cells
    sure: Bools
    possible: Bools
    usual: LongInts

    def counts(self, chosen: Bools) -> LongInts:
        """Return the counts of chosen cells as links of one word to one word."""
        links = [np.count_nonzero(part) for part in (chosen, chosen & self.possible, chosen & self.sure)]
        return np.array([self.usual[0], *links, *links])


def make_example(aligner: Aligner, pair: Pair, golds: Sequence[Gold], decoding: Decoding) -> Example:
    """Return a pair and its gold as an example for the trees."""
    [pair_input] = aligner.prepare([(pair, choose_sentences(pair))])
    [(log_likelihood, posteriors)] = aligner.posteriors([pair_input], decoding, whole=True)
    alignment = aligner.decode(pair, pair_input, log_likelihood, posteriors, decoding)
    cells, reference = make_cells(pair, pair_input, posteriors.links.dense()), make_reference(pair, golds)
    columns = pair_input.positions[cells.columns]
    links = list(zip(cells.rows.tolist(), columns.tolist(), strict=True))
    sure, possible = (
        np.array([link in gold for link in links], dtype=bool)
        for gold in (reference.sure, reference.possible)
    )
    usual = count_links(alignment.links, reference)[0]
    return Example(digest_of(pair), digest(pair.document.words), cells, sure, possible, usual)


def fit(examples: Sequence[Example], link_threshold: float, encoder: JsonObject) -> Rescorer:
    """Return trees that are fitted to examples.

    Args:
        examples: the pairs with gold; cells that are possible links but not sure ones are left out.
        link_threshold: what the probability of a link must exceed.
        encoder: that of the model of the examples.
    """
    import lightgbm  # of the group `gold`, which other trainings do without

    features = np.concatenate([example.cells.features for example in examples])
    sure = np.concatenate([example.sure for example in examples])
    certain = sure | ~np.concatenate([example.possible for example in examples])
    trees = lightgbm.train(PARAMETERS, lightgbm.Dataset(features[certain], sure[certain]))
    pairs = frozenset(example.digest for example in examples)
    return Rescorer(trees.model_to_string(), link_threshold, encoder, pairs)


def cross_validate(examples: Sequence[Example]) -> tuple[list[Bools], float]:
    """Return which cells of each example are links by the gold of other documents, and the best threshold.

    Raises:
        InputError: for fewer documents than `FOLDS`, and for gold without sure links.
    """
    documents = list(dict.fromkeys(example.document for example in examples))
    numbers = {document: number for number, document in enumerate(documents)}
    folds = np.array([numbers[example.document] % FOLDS for example in examples])
    if len(documents) < FOLDS:
        raise InputError(
            f"gold of {len(documents)} documents, but cross-validation takes {FOLDS}; annotate more of them"
        )
    others = [[e for e, own in zip(examples, folds, strict=True) if own != fold] for fold in range(FOLDS)]
    if any(not sum(example.sure.sum() for example in part) for part in others):
        raise InputError("the gold has no sure links in most pairs; mark links as `sure`")
    parts = [fit(part, 0.5, {}) for part in others]
    probabilities = [
        parts[fold].probabilities(example.cells) for fold, example in zip(folds, examples, strict=True)
    ]
    # (pairs, thresholds, FIELDS)
    counts = np.array(
        [
            [example.counts(p > threshold) for threshold in THRESHOLDS]
            for example, p in zip(examples, probabilities, strict=True)
        ]
    )
    thresholds = [_best_threshold(counts[folds != fold]) for fold in range(FOLDS)]
    chosen = [p > thresholds[fold] for p, fold in zip(probabilities, folds, strict=True)]
    return chosen, _best_threshold(counts)


def gain_rows(examples: Sequence[Example], chosen: Sequence[Bools]) -> list[Row]:
    """Return a row of scores for each decoder; that of `rescored` has the gain in F with its interval.

    `chosen`: the cells that are links, see `cross_validate`.
    """
    counts = np.array(
        [[example.usual, example.counts(links)] for example, links in zip(examples, chosen, strict=True)]
    )
    weights = resample(len(examples), SAMPLES, seed=1)
    sampled = compute_scores(np.tensordot(weights, counts, axes=1))["soft_f"]
    low, high, _ = compare_samples(sampled[:, 1], sampled[:, 0], weights)
    total = compute_scores(counts.sum(axis=0))
    rows: list[Row] = [
        {"decoder": name, **{label: float(total[key][i]) for label, key in MEASURES.items()}}
        for i, name in enumerate(("posterior", "rescored"))
    ]
    gain = total["soft_f"][1] - total["soft_f"][0]
    rows[0]["gain"], rows[1]["gain"] = "", f"{gain:+.3f} ({low:+.3f} to {high:+.3f})"
    return rows


def _best_threshold(counts: AnyArray) -> float:
    """Return the threshold with the highest F; `counts` (pairs, thresholds, fields)."""
    return float(THRESHOLDS[compute_scores(counts.sum(axis=0))["soft_f"].argmax()])
