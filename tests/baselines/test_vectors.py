"""Links by word vectors: definitions written out, closed forms, Sinkhorn in plain Python, a real encoder."""

from argparse import Namespace
from math import exp, log

import numpy as np
import pytest
from toy_pairs import make_pair
from vorlage.command.errors import InputError
from vorlage.encoder.installed import PACKAGE, PACKAGED, find_model
from vorlage.extract.extracts import Extract
from vorlage.workflow.baselines.encoded import match_both_ways, match_mutually, open_system
from vorlage.workflow.baselines.simalign import METHODS, open_simalign
from vorlage.workflow.baselines.transport import CHOSEN, EPSILON, match_by_transport, transport


def test_mutual_matches():
    document = np.eye(3)[[0, 1, 1, 2]]
    summary = np.array([[0.8, 0.6, 0], [0, 0.6, 0.8], [0.9, 0.1, 0], [0, 0, 0]])
    # Row 2 is nearer to document row 0 than row 0 is; row 0 then has no match, and a zero row never has one.
    assert match_mutually(summary, document) == {1: [3], 2: [0]}
    assert match_mutually(np.eye(2), np.eye(2)[[0, 0, 1]]) == {0: [0], 1: [2]}


def test_matches_both_ways_are_those_of_the_definition():
    rng = np.random.default_rng(1)
    sizes = set()
    for threshold in (0.001, 0.05, 0.4):
        for _ in range(20):
            m, n = rng.integers(1, 6, size=2)
            summary, document = (rng.normal(size=(k, 3)).astype(np.float32) * 2 for k in (m, n))
            scores = [[sum(map(float, u * v)) for v in document] for u in summary]
            expected = {}
            for i, row in enumerate(scores):
                for j, score in enumerate(row):
                    by_row = exp(score) / sum(map(exp, row))
                    by_column = exp(score) / sum(exp(other[j]) for other in scores)
                    if by_row > threshold and by_column > threshold:
                        expected.setdefault(i, []).append(j)
            assert match_both_ways(summary, document, threshold) == expected
            sizes |= {len(columns) for columns in expected.values()}
    assert sizes > {1, 2}  # words with several links were among them
    # Both summary words choose document word 0, which chooses the longer vector.
    assert match_both_ways(np.float32([[5, 0], [3, 0]]), np.eye(2, dtype=np.float32) * 5) == {0: [0]}


@pytest.fixture
def pot():
    pytest.importorskip("ot", reason="POT is not installed; `make torch` installs it")


def test_balanced_transport_is_that_of_sinkhorn_iterations(pot):
    e = exp(-0.3 / EPSILON)
    made = transport("balanced", np.array([[0, 0.3], [0.3, 0]]), np.ones(2), np.ones(2))
    assert np.allclose(made, np.array([[1, e], [e, 1]]) / (2 * (1 + e)), atol=1e-8)
    rng = np.random.default_rng(2)
    cost, summary, document = rng.random((3, 4)), rng.random(3), rng.random(4)
    kernel = [[exp(-c / EPSILON) for c in row] for row in cost.tolist()]
    u, v = [1.0] * 3, [1.0] * 4
    for _ in range(5000):
        u = [summary[i] / summary.sum() / sum(kernel[i][j] * v[j] for j in range(4)) for i in range(3)]
        v = [document[j] / document.sum() / sum(kernel[i][j] * u[i] for i in range(3)) for j in range(4)]
    expected = [[u[i] * kernel[i][j] * v[j] for j in range(4)] for i in range(3)]
    assert np.allclose(transport("balanced", cost, summary, document), expected, atol=1e-5)


@pytest.mark.parametrize("penalty", [0.05, 0.3, 2.0])
def test_unbalanced_transport_of_one_word_has_its_closed_form(pot, penalty):
    """The derivative of cost·p + ε·(p log p − p) + penalty·(KL(p, a) + KL(p, b)) is zero at this p."""
    a, b, cost = 2.0, 0.5, 0.3
    expected = exp((penalty * (log(a) + log(b)) - cost) / (EPSILON + 2 * penalty))
    made = transport("unbalanced", np.array([[cost]]), np.array([a]), np.array([b]), penalty)
    assert made[0, 0] == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize("kind", CHOSEN)
def test_equal_words_are_linked_and_words_without_a_vector_are_not(pot, kind):
    document, summary = (np.eye(4, dtype=np.float32)[rows] for rows in ([0, 1, 2, 2], [2, 0, 0]))
    document[3] = summary[2] = 0
    assert match_by_transport(kind, *CHOSEN[kind], summary, document) == {0: [2], 1: [0]}
    assert match_by_transport(kind, 1.0, 0.5, summary, np.zeros((2, 4), np.float32)) == {}


@pytest.fixture(scope="module")
def encoder():
    pytest.importorskip(PACKAGE, reason="the encoder is not installed; `make setup` installs it")
    return find_model(PACKAGED)


def link(system, document, summary, sentences):
    """Return the pair and the cells that a system of the encoder links."""
    pair = make_pair(document, summary)
    baseline = open_system(Namespace(system=system))
    links = baseline.align(pair, Extract("p", tuple(sentences), ()))
    return pair, {cell for item in links for cell in item.all_cells()}


SUMMARY = "In Spring the firm sold an old plant and unrecognizable harbourmasters ."
DOCUMENT = "The company sold its old factory in Spring , said unrecognizable harbourmasters ."


@pytest.mark.embed
@pytest.mark.parametrize(("method", "name"), [("argmax", "inter"), ("itermax", "itermax"), ("match", "mwmf")])
def test_sentences_are_linked_as_by_the_package_of_simalign(encoder, method, name):
    package = pytest.importorskip("simalign", reason="simalign is not installed; `make torch` installs it")
    aligner = package.SentenceAligner(encoder, matching_methods=METHODS[method], layer=4)
    expected = aligner.get_word_aligns(SUMMARY.split(), DOCUMENT.split())[name]
    assert len(expected) >= 8
    assert link(f"simalign-{method}", [DOCUMENT], [SUMMARY], [0])[1] == set(expected)


def test_simalign_reads_no_pickle(tmp_path):
    (tmp_path / "pytorch_model.bin").write_bytes(b"")
    with pytest.raises(InputError, match="no weights as safetensors"):
        open_simalign(str(tmp_path), 4, "cpu", "match")
