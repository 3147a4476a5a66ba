"""The measures of the field: worked examples, scikit-learn, and the links of a made system."""

import numpy as np
import pytest
from field.measures import auroc, average_precision, calibration_error, measure_rows, share_of
from field.published import link_measures
from sklearn.metrics import average_precision_score, roc_auc_score
from vorlage.alignments.alignment import Alignment, Link
from vorlage.workflow.score.reference import Reference
from vorlage.workflow.score.rows import resample

ONE = np.ones((1, 60), dtype=np.int64)


@pytest.fixture
def ranked():
    """Scores with ties, labels, and weights of bootstrap samples in which every class occurs."""
    generator = np.random.default_rng(5)
    labels = generator.random(60) < 0.3
    scores = np.round(np.clip(generator.normal(0.4, 0.2, 60) + 0.2 * labels, 0, 1), 1)
    return scores, labels, resample(60, 20, 1)


@pytest.mark.parametrize(
    ("ours", "theirs"), [(auroc, roc_auc_score), (average_precision, average_precision_score)]
)
def test_rankings_are_those_of_scikit_learn(ranked, ours, theirs):
    scores, labels, weights = ranked
    assert ours(scores, labels, ONE)[0] == pytest.approx(theirs(labels, scores))
    expected = [theirs(labels, scores, sample_weight=sample) for sample in weights]
    np.testing.assert_allclose(ours(scores, labels, weights), expected)


def test_calibration_error_of_a_worked_example():
    # Two bins: 0.1 and 0.15 with half true (mean 0.125), 0.9 with all true.
    scores, labels = np.array([0.1, 0.15, 0.9]), np.array([True, False, True])
    assert calibration_error(scores, labels, ONE[:, :3])[0] == pytest.approx((2 * 0.375 + 0.1) / 3)
    weights = np.array([[0, 2, 1]])
    assert calibration_error(scores, labels, weights)[0] == pytest.approx((2 * 0.15 + 0.1) / 3)


def test_rows_have_intervals_and_differences_of_the_same_samples():
    weights = resample(4, 500, 3)
    right, whole = np.array([1, 0, 2, 2]), np.array([2, 2, 2, 2])
    ours, theirs = share_of(right, whole), share_of(right - np.array([0, 0, 1, 0]), whole)
    first, second = measure_rows({"ours": {"share": ours}, "theirs": {"share": theirs}}, weights)
    assert first["value"] == 5 / 8 and second["value"] == 4 / 8
    assert second["difference"] == pytest.approx(-1 / 8) and np.isnan(first["difference"])
    sampled = (weights @ right) / 8
    assert [first["low"], first["high"]] == pytest.approx(np.quantile(sampled, [0.025, 0.975]).tolist())
    lost = weights[:, 2] / 8
    assert second["difference_low"] == pytest.approx(-np.quantile(lost, 0.975))
    assert second["p"] == pytest.approx(min(1, 2 * ((lost <= 0).sum() + 1) / 501))


def test_published_measures_of_a_worked_example():
    # Three pairs: A = {00, 11}, S = {00}, P = {00, 11}; A = {00, 01}, S = P = {00, 11}; all empty.
    words = [["a", "b"], ["c", "d"]]
    golds = [({(0, 0)}, {(0, 0), (1, 1)}), ({(0, 0), (1, 1)}, {(0, 0), (1, 1)}), (set(), set())]
    links = [[((0, 1), (0, 1)), ((1, 2), (1, 2))], [((0, 1), (0, 2))], []]
    references = {str(k): Reference(*words, *map(frozenset, gold)) for k, gold in enumerate(golds)}
    alignments = {
        str(k): Alignment(str(k), "s", None, *words, [Link(*link) for link in of_pair])
        for k, of_pair in enumerate(links)
    }
    measured = {name: m(ONE[:, :3])[0] for name, m in link_measures(alignments, references).items()}
    expected = {
        "sure_precision": (0.5 + 0.5 + 1) / 3,
        "sure_recall": (1 + 0.5 + 1) / 3,
        "sure_exact": 1 / 3,
        "possible_precision": (1 + 0.5 + 1) / 3,
        "possible_recall": (1 + 0.5 + 1) / 3,
        "possible_exact": 2 / 3,
        # |A| = 4, |S| = 3, |A ∩ S| = 2, |A ∩ P| = 3.
        "aer": 1 - 5 / 7,
        "soft_f": 2 * (3 / 4) * (2 / 3) / (3 / 4 + 2 / 3),
    }
    assert {name: measured[name] for name in expected} == pytest.approx(expected)
