"""Training compared with EM by enumeration: each E-step, each M-step and the objective of each iteration."""

import itertools

import numpy as np
import pytest
from hypothesis import HealthCheck, given, strategies
from hypothesis import settings as tries
from nltk import Tree
from scipy.optimize import minimize_scalar
from scipy.special import logsumexp
from toy_training import (
    BRACKETS,
    CORPUS,
    PAPER,
    TREE_JUMPS,
    flat_tree,
    flat_trees,
    make,
    settings,
    spans_of,
    toy_trees,
)
from toy_wordnet import ToyReader
from twins import Twins, check
from vorlage.semihmm.decode.aligner import Aligner
from vorlage.semihmm.jumps import syntax
from vorlage.semihmm.mixture import ENCODER as ENCODER_PART
from vorlage.semihmm.mixture import STEEPEST
from vorlage.semihmm.train.em import best_eta
from vorlage.semihmm.train.training import Resources, train
from vorlage.semihmm.wordnet import LONGEST, WordNetDistances

# Lines are sentences.
SENTENCES = [
    ("the personal computer\nit sells", "a pc sells"),
    ("machines and\ncomputers", "the\nmachine"),
    ("a printer\noffers the computer", "computers\ntrade"),
    ("the printer\nnew printer", "a printer machine"),
    ("the printers\nsell", "printers sell"),
]
UNIGRAM = {"fake_counts": {"word": 0, "identical": 4, "stem": 3, "unigram": 50}}
FULL = {"fake_counts": {"word": 2, "identical": 4, "stem": 3, "phrase": 0.5, "unigram": 0}}
NULL_JUMPS = {"null_state": "jumps"}
OF_2004 = {"paper": 2004, "null_state": "jumps-phrases", "null_smoothing": 2}
FACTORS = {"sentence_similarity": 1.5}
SUPPORT = {"sentence_support": 0.5}
ENCODER = {"encoder": True, "encoder_temperature": 0.2}
FIXED = {"null_learned": False}
ALL = UNIGRAM | FACTORS | SUPPORT | ENCODER | FIXED


@pytest.fixture(autouse=True)
def whole_searches(monkeypatch):
    """Let the M-step of syntax jumps search for the maximum, not only come nearer."""
    monkeypatch.setattr(syntax, "STEPS", 10_000)


def bracketed():
    """Return the trees of CORPUS, and the constituents of each document."""
    return toy_trees(), [spans_of(Tree.fromstring(text)) for text in BRACKETS]


def flat(corpus):
    """Return flat trees of every sentence, and the constituents of each document."""
    constituents = []
    for pair, _ in make(corpus):
        constituents.append({})
        for first, last in pair.document.sentences:
            spans = spans_of(flat_tree(pair.document.words[first:last]))
            constituents[-1] |= {(a + first, b + first): label for (a, b), label in spans.items()}
    return flat_trees(make(corpus)), constituents


@pytest.mark.parametrize(
    ("jump", "wordnet", "size"),
    [
        ("relative", "first", 256),
        ("relative", False, 256),
        ("relative", "first", 1),
        ("relative", False, 2),
        ("gaussian", False, 256),
        ("exponential", False, 3),
        ("syntax", False, 256),
        ("syntax", False, 2),
        ("syntax-counts", False, 256),
        ("syntax-counts", False, 2),
    ],
)
def test_em_agrees_with_enumeration(jump, wordnet, size):
    trees = bracketed() if jump in TREE_JUMPS else None
    check(Twins(CORPUS, jump, settings(**PAPER | {"wordnet": wordnet}), trees, size))


EXTENSIONS = {
    "unigram": UNIGRAM,
    "full table": FULL,
    "null of the table": NULL_JUMPS,
    "null of the table, full table": NULL_JUMPS | FULL,
    "2004": OF_2004,
    "2004, full table": OF_2004 | FULL,
    "2004, null of the text": OF_2004 | {"null_state": "stays"},
    "factors": FACTORS,
    "support": SUPPORT,
    "encoder": ENCODER,
    "null fixed": FIXED,
    "all": ALL,
}
LITERAL = {
    "literal": {"gaussian": "literal"},
    "literal, null of the table": {"gaussian": "literal"} | NULL_JUMPS,
}


@pytest.mark.parametrize(
    ("jump", "extension"),
    [
        *itertools.product(("relative", *TREE_JUMPS), EXTENSIONS),
        *(("gaussian", extension) for extension in ("all", *LITERAL)),
        ("exponential", "all"),
    ],
)
def test_extensions_of_the_paper_agree_with_enumeration(jump, extension):
    changes = (EXTENSIONS | LITERAL)[extension]
    trees = flat(SENTENCES) if jump in TREE_JUMPS else None
    chosen = settings(**PAPER | {"wordnet": "first" if jump == "relative" else False} | changes)
    twins = check(Twins(SENTENCES, jump, chosen, trees, size=2))
    if chosen.encoder:
        assert 0.01 < twins.parameters.weight(ENCODER_PART) < 1
    if not chosen.null_learned:
        assert twins.parameters.jumps.null_probability == pytest.approx(chosen.null_probability, rel=1e-12)


def test_jumps_by_moments_may_lose_likelihood():
    chosen = settings(**PAPER | {"wordnet": False} | LITERAL["literal"] | UNIGRAM)
    twins = Twins(CORPUS, "gaussian", chosen)
    for _ in range(6):
        twins.step()
    assert twins.done[-1].log_posterior < twins.done[-2].log_posterior


def test_thousands_of_fake_counts_do_not_hide_the_likelihood():
    """The objective is that of the likelihood and what training makes of the fake counts, no more."""
    counts = {"word": 0, "identical": 4, "stem": 3, "unigram": 2000}
    twins = Twins(CORPUS, "relative", settings(**PAPER | {"fake_counts": counts}))
    plain, shares, jumps = twins.plain, [], []
    for _ in range(4):
        shares.append(plain.lexical_prior() + plain.null_prior())
        jumps.append(plain.jumps.log_prior())
        twins.step()
    twins.compare_objectives()
    done = twins.done
    for iteration, share, jump in zip(done, shares, jumps, strict=True):
        found = iteration.log_posterior - iteration.log_likelihood - jump
        assert found == pytest.approx(share, rel=1e-9, abs=1e-8)
        # EM begins with the fake counts alone, and what it departs from them, the likelihood gains.
        gain = iteration.log_likelihood + jump - done[0].log_likelihood - jumps[0]
        assert -gain - 1e-9 <= share <= 1e-9
    assert shares[0] == pytest.approx(0, abs=1e-8) and shares[-1] < -1e-4
    rises = [b.log_posterior - a.log_posterior for a, b in itertools.pairwise(done)]
    assert all(rise > 1e-4 * abs(done[-1].log_posterior) for rise in rises)


WORDS = strategies.sampled_from("the printer printers sells sell pc machine a".split())
DOCUMENTS = strategies.lists(strategies.lists(WORDS, min_size=1, max_size=3), min_size=1, max_size=2)
SUMMARIES = strategies.lists(strategies.lists(WORDS, min_size=1, max_size=2), min_size=1, max_size=2)
FROM_0 = strategies.sampled_from([0, 0.5, 30])
CHOSEN = strategies.fixed_dictionaries(
    {
        "fake_counts": strategies.fixed_dictionaries(
            {kind: FROM_0 for kind in ("word", "identical", "stem", "phrase", "unigram")}
        ),
        "sentence_similarity": strategies.sampled_from([0, 1.5, 4]),
        "sentence_support": strategies.sampled_from([0, 0.5, 3]),
        "encoder": strategies.booleans(),
        "encoder_temperature": strategies.sampled_from([0.05, 0.2, 3]),
        "encoder_baseline": strategies.sampled_from([-1, 0.3, 1]),
        "null_learned": strategies.booleans(),
        "paper": strategies.sampled_from([2005, 2004]),
        "null_state": strategies.sampled_from(["stays", "jumps", "jumps-phrases"]),
        "null_probability": strategies.sampled_from([0.05, 0.2]),
        "wordnet": strategies.sampled_from([True, False, "first"]),
    }
)


@pytest.mark.parametrize("jump", ["relative", *TREE_JUMPS])
def test_any_texts_and_settings_agree_with_enumeration(jump):
    @tries(max_examples=25, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(
        texts=strategies.lists(strategies.tuples(DOCUMENTS, SUMMARIES), min_size=1, max_size=2),
        chosen=CHOSEN,
        size=strategies.sampled_from([1, 2]),
    )
    def compare(texts, chosen, size):
        corpus = [tuple("\n".join(map(" ".join, side)) for side in pair) for pair in texts]
        if jump == "syntax-counts":
            # Beside null states that jump, a rewrite of 1e-17 has no share; the enumeration has a tiny one.
            chosen |= {"null_state": "stays"}
        trees = flat(corpus) if jump in TREE_JUMPS else None
        check(Twins(corpus, jump, settings(**chosen), trees, size), 2)

    compare()


def test_longer_phrases_have_an_effect():
    """Without phrase pairs of several shapes, the tests above would compare nothing."""
    reader = WordNetDistances(ToyReader())
    model, _ = train(make(CORPUS), "relative", settings(iterations=1), Resources(reader))
    shapes = set()
    for pair, extract in make(CORPUS):
        phrases = Aligner(model, reader).prepare([(pair, extract.sentences)])[0].inputs.phrases
        shapes |= {(k, span) for _, k, _, span in phrases.tolist()}
    assert shapes >= {(1, 2), (2, 2)}


def test_any_texts_and_settings_agree_with_the_jumps_that_the_paper_counts():
    @tries(max_examples=25, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(
        texts=strategies.lists(strategies.tuples(DOCUMENTS, SUMMARIES), min_size=1, max_size=2), chosen=CHOSEN
    )
    def compare(texts, chosen):
        corpus = [tuple("\n".join(map(" ".join, side)) for side in pair) for pair in texts]
        # Beside null states that jump, a rewrite of 1e-17 has no share, where the enumeration has a tiny one.
        twins = Twins(
            corpus, "syntax-counts", settings(**chosen | {"null_state": "stays"}), flat(corpus), size=1
        )
        check(twins, 2)

    compare()


@pytest.mark.parametrize("share", [0.0, 1e-6, 0.3, 1.2])
def test_eta_is_as_good_as_that_of_an_optimiser(share):
    rng, x = np.random.default_rng(1), np.arange(LONGEST)
    for _ in range(20):
        histograms = rng.poisson(0.2, (8, LONGEST)) * 10.0 ** rng.uniform(-3, 3, (8, LONGEST))
        histograms[:, rng.integers(20)] += 1.0
        mass = rng.exponential(1.0, 8)
        nearest, mean = mass @ np.argmax(histograms > 0, axis=1), mass @ (histograms @ x / histograms.sum(1))
        distance = nearest + share * (mean - nearest)

        def cost(eta, histograms=histograms, mass=mass, distance=distance):
            return eta * distance + mass @ logsumexp(-eta * x, b=histograms, axis=1)

        best = minimize_scalar(cost, bounds=(0.0, STEEPEST), method="bounded", options={"xatol": 1e-9})
        found = best_eta(histograms, mass, distance)
        assert 0.0 <= found <= STEEPEST
        assert cost(found) <= best.fun + 1e-12 * abs(best.fun)
