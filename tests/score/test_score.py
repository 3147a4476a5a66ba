"""Compare scores with a count of every cell in exact fractions, a worked example and SciPy's bootstrap."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from vorlage.alignments.alignment import Link
from vorlage.workflow.score.counts import WORDS, count_links, scores
from vorlage.workflow.score.reference import make_reference
from vorlage.workflow.score.rows import MEASURES, compare, difference_rows, resample, score_rows
from worked_example import EXAMPLE, GOLD, make_gold, make_pair, naive

LINKS = [
    Link((0, 1), (0, 1), 0.9),  # right, but only possible; stop words
    Link((1, 2), (2, 3), 0.9),  # right
    Link((2, 4), (4, 6), 0.8),  # equal phrases: soft (2,4) and (3,5); hard also (2,5) and (3,4)
    Link((4, 5), (3, 4), 0.6),  # wrong; a stop word on one side
    Link((3, 4), None, 0.7),
]


def test_worked_example():
    measured = scores(count_links(LINKS, make_reference(EXAMPLE, GOLD)))
    # All words: S has 4 links. Soft: 5 links, 4 of them in P, 2 in S. Hard: 7, 4, 2.
    # Non-stop: S has the same 4. Soft: (1,2), (2,4), both in P and S; hard likewise.
    expected = [(4 / 5, 1), (2 / 4, 2 / 4), (8 / 13, 2 / 3), (4 / 7, 1), (8 / 15, 2 / 3)]
    assert list(measured) == list(MEASURES)
    assert np.array(list(measured.values())) == pytest.approx(np.array(expected))


@st.composite
def annotated_pairs(draw):
    """Draw a tiny pair with gold by one to three annotators, and links that may overlap."""
    vocabulary = st.sampled_from(["the", "The", "mac", "Mac", "sold"])
    sides = [draw(st.lists(vocabulary, min_size=1, max_size=6)) for _ in range(2)]
    document, summary = sides

    def spans(side):
        return st.integers(0, len(side) - 1).flatmap(
            lambda start: st.tuples(st.just(start), st.integers(start + 1, min(start + 3, len(side))))
        )

    mark = st.tuples(spans(summary), spans(document), st.booleans())
    golds = [
        make_gold("a", str(number), *draw(st.lists(mark, max_size=3)))
        for number in range(draw(st.integers(1, 3)))
    ]
    link = st.builds(Link, spans(summary), st.one_of(st.none(), spans(document)))
    pair = make_pair("a", " ".join(document), " ".join(summary))
    return pair, golds, draw(st.lists(link, max_size=4))


@settings(max_examples=150, deadline=None)
@given(st.lists(annotated_pairs(), min_size=1, max_size=3))
def test_scores_equal_those_from_every_cell(pairs):
    totals = sum(count_links(links, make_reference(pair, golds)) for pair, golds, links in pairs)
    measured = scores(totals)
    for index, words in enumerate(WORDS):
        soft, hard = (naive(pairs, rule, words) for rule in ("soft", "hard"))
        expected = [float(x) for x in (*soft, hard[0], hard[2])]
        got = [values[index] for values in measured.values()]
        assert got == pytest.approx(expected, rel=1e-14, abs=0)


def test_intervals_and_comparisons_equal_those_of_scipy_and_a_loop():
    random = np.random.default_rng(3)
    sure, right, linked = random.integers(5, 9, 23), random.integers(0, 4, 23), random.integers(5, 9, 23)
    systems = {}
    for name, gain in (("paper-relative", 1), ("b", 0)):
        counts = np.stack([sure, linked, right + gain, right + gain] + [right] * 3, axis=1)
        systems[name] = np.stack([counts, counts // 2], axis=1)
    weights = resample(23, 200, 5)

    def soft_f(rows, counts):
        total = counts[rows].sum(axis=0)
        return 2 / (total[1] / total[2] + total[0] / total[3])

    first, second = (counts[:, 0] for counts in systems.values())
    expected = stats.bootstrap(
        (np.arange(23),),
        lambda rows: soft_f(rows, first),
        n_resamples=200,
        vectorized=False,
        method="percentile",
        rng=np.random.default_rng(5),
    ).confidence_interval
    row, _ = score_rows("a", systems["paper-relative"], weights, "")
    assert (row["low"], row["high"]) == pytest.approx(expected, rel=1e-12)
    assert (row["pairs"], row["links"]) == (23, linked.sum())
    samples = [np.repeat(np.arange(23), sample) for sample in weights]
    gains = [soft_f(rows, first) - soft_f(rows, second) for rows in samples]
    row, _ = difference_rows(systems, weights)
    assert (row["low"], row["high"]) == pytest.approx(np.percentile(gains, [2.5, 97.5]))
    worse, better = sum(gain <= 0 for gain in gains), sum(gain >= 0 for gain in gains)
    assert row["p"] == pytest.approx(min(1, 2 * min(worse + 1, better + 1) / 201))
    assert (row["system"], row["words"], row["against"]) == ("paper-relative", "all", "b")
    assert compare(np.ones(9), np.ones(9), weights) == (0, 0, 1)


def test_samples_are_drawn_with_replacement_and_by_seed():
    weights = resample(7, samples=500, seed=1)
    assert weights.shape == (500, 7) and (weights.sum(axis=1) == 7).all() and weights.max() > 1
    assert (weights == resample(7, samples=500, seed=1)).all()
    assert (weights != resample(7, samples=500, seed=2)).any()
