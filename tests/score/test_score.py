"""Compare scores with a count of every cell in exact fractions, a worked example and SciPy's bootstrap."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from vorlage.alignments.alignment import Link
from vorlage.score.bootstrap import resample, soft_f_interval
from vorlage.score.counts import FIELDS, WORDS, count_links
from vorlage.score.metrics import scores
from vorlage.score.reference import make_reference
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
    assert np.array(measured.soft) == pytest.approx(np.array([(4 / 5, 1), (2 / 4, 2 / 4), (8 / 13, 2 / 3)]))
    assert np.array(measured.hard) == pytest.approx(np.array([(4 / 7, 1), (2 / 4, 2 / 4), (8 / 15, 2 / 3)]))


def test_the_soft_rule_applies_to_the_hypothesis_only():
    pair = make_pair("a1", "an Apple Macintosh", "Apple Macintosh")
    gold = make_gold("a1", "A", ((0, 2), (1, 3), True))
    measured = scores(count_links([Link((0, 2), (1, 3))], make_reference(pair, [gold])))
    assert (measured.soft.precision == 1).all() and (measured.soft.recall == 1 / 2).all()
    assert (measured.hard.precision == 1).all() and (measured.hard.recall == 1).all()


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
        for rule, got in (("soft", measured.soft), ("hard", measured.hard)):
            expected = [float(x) for x in naive(pairs, rule, words)]
            assert [values[index] for values in got] == pytest.approx(expected, rel=1e-14, abs=0)


def random_counts(pairs, seed=0):
    generator = np.random.default_rng(seed)
    counts = np.zeros((pairs, len(WORDS), len(FIELDS)), dtype=np.int64)
    counts[..., [FIELDS.index("sure"), FIELDS.index("soft")]] = generator.integers(20, 60, (pairs, 2, 2))
    counts[..., [FIELDS.index("soft_sure"), FIELDS.index("soft_possible")]] = generator.integers(
        5, 20, (pairs, 2, 2)
    )
    return counts


def test_interval_equals_that_of_scipy():
    counts = random_counts(pairs=23)
    sure, soft, soft_possible, soft_sure = (
        FIELDS.index(name) for name in ("sure", "soft", "soft_possible", "soft_sure")
    )
    low, high = soft_f_interval(counts, resample(len(counts), samples=200, seed=5))
    for index in range(len(WORDS)):

        def soft_f(rows, of=counts[:, index]):
            precision = of[rows, soft_possible].sum() / of[rows, soft].sum()
            recall = of[rows, soft_sure].sum() / of[rows, sure].sum()
            return 2 / (1 / precision + 1 / recall)

        expected = stats.bootstrap(
            (np.arange(len(counts)),),
            soft_f,
            n_resamples=200,
            vectorized=False,
            method="percentile",
            rng=np.random.default_rng(5),
        ).confidence_interval
        assert (low[index], high[index]) == pytest.approx(expected, rel=1e-12)


def test_samples_are_drawn_with_replacement_and_by_seed():
    weights = resample(7, samples=500, seed=1)
    assert weights.shape == (500, 7) and (weights.sum(axis=1) == 7).all() and weights.max() > 1
    assert (weights == resample(7, samples=500, seed=1)).all()
    assert (weights != resample(7, samples=500, seed=2)).any()
