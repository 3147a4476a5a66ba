"""The extraction of awesome-align, against its definition written out cell by cell."""

from math import exp

import numpy as np
from vorlage.baselines.awesome import match_both_ways


def links_by_definition(summary, document, threshold):
    """Return the links whose probabilities, each with its own sum, are above the threshold."""
    scores = [[sum(a * b for a, b in zip(u, v, strict=True)) for v in document] for u in summary]
    links = {}
    for i, row in enumerate(scores):
        for j, score in enumerate(row):
            of_row = exp(score) / sum(exp(other) for other in row)
            of_column = exp(score) / sum(exp(other[j]) for other in scores)
            if of_row > threshold and of_column > threshold:
                links.setdefault(i, []).append(j)
    return links


def test_links_are_those_of_the_definition():
    rng = np.random.default_rng(1)
    sizes = set()
    for threshold in (0.001, 0.05, 0.4):
        for _ in range(20):
            m, n = rng.integers(1, 6, size=2)
            summary, document = (rng.normal(size=(k, 3)).astype(np.float32) * 2 for k in (m, n))
            expected = links_by_definition(summary.tolist(), document.tolist(), threshold)
            assert match_both_ways(summary, document, threshold) == expected
            sizes |= {len(columns) for columns in expected.values()}
    assert sizes > {1, 2}  # words with several links were among them


def test_a_word_that_only_one_side_chooses_has_no_link():
    document = np.eye(2, dtype=np.float32) * 5
    # Both summary words choose document word 0, which chooses the longer vector.
    summary = np.array([[5, 0], [3, 0]], dtype=np.float32)
    assert match_both_ways(summary, document) == {0: [0]}
