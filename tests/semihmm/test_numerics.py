"""Numbers at their limits: long pairs, probabilities of 0, and settings at the limits of the schema."""

import json
import os

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies
from long_pairs import normalised_walks, power_law, tree_walks, wide_gaussian
from scipy.special import logsumexp
from toy_training import JUMPS, TREE_JUMPS, flat_trees, make
from toy_training import settings as of_training
from vorlage.alignments.alignment import make_alignment
from vorlage.command.errors import InputError
from vorlage.semihmm.decode.aligner import Aligner
from vorlage.semihmm.kernels.forward_backward import KernelInputs, expect
from vorlage.semihmm.kernels.toeplitz import make_toeplitz
from vorlage.semihmm.kernels.transitions import toeplitz_transitions
from vorlage.semihmm.kernels.viterbi import viterbi
from vorlage.semihmm.pairs import LONGEST, sentence_tokens
from vorlage.semihmm.rewrite import check_expected
from vorlage.semihmm.train.training import Resources, train
from vorlage.settings import SemiHmm

# Words of the document and of the summary. The longer pair takes minutes, mostly for the plain recursion.
LONG = (20_000, 2_000) if os.environ.get("LONG_PAIRS") else (4_000, 400)
LIVE, TYPES = 200, 5


def long_inputs(n, length, transitions):
    """Return the words of a document that can be sources, and inputs in which no other word can.

    Rewrites and null words have probabilities down to 1e-30, and a summary of
    2,000 words has a probability of about 1e-18000.
    """
    rng = np.random.default_rng(7)
    live = np.sort(rng.choice(n, LIVE, replace=False))
    document = np.full(n, TYPES, dtype=np.int32)
    document[live] = rng.integers(0, TYPES, LIVE)
    summary = rng.integers(0, TYPES, length).astype(np.int32)
    words = np.zeros((TYPES, TYPES + 1))
    words[:, :TYPES] = 10.0 ** rng.uniform(-30, 0, (TYPES, TYPES))
    null = 10.0 ** rng.uniform(-30, -10, length)
    words = words[summary][:, document]
    return live, KernelInputs(words, null, *without_phrases(), transitions)


def without_phrases():
    return np.empty((0, 4), dtype=np.int32), np.empty(0, dtype=np.int32), np.empty(0)


@pytest.mark.parametrize("make_transitions", [power_law, wide_gaussian, tree_walks, normalised_walks])
def test_long_pairs_lose_nothing(make_transitions):
    n, length = LONG
    transitions, log_jump = make_transitions(n)
    live, inputs = long_inputs(n, length, transitions)
    jumps = np.array([[log_jump(p, j) for j in [*(live + 1), n + 1]] for p in [0, *(live + 1)]])
    words, null, *_ = inputs
    alpha, best = (np.full(LIVE + 1, -np.inf) for _ in range(2))
    alpha[0] = best[0] = 0.0
    for t in range(length):
        emit, stay = np.log(words[t, live]), np.log(0.1 * null[t])
        enter = logsumexp(alpha[:, None] + jumps[:, :-1], axis=0) + emit
        first = (best[:, None] + jumps[:, :-1]).max(axis=0) + emit
        alpha, best = alpha + stay, best + stay
        alpha[1:], best[1:] = np.logaddexp(alpha[1:], enter), np.maximum(best[1:], first)
    expected = expect([inputs])[0]
    assert expected.log_likelihood == pytest.approx(logsumexp(alpha + jumps[:, -1]), rel=1e-12)
    assert expected.log_likelihood < -1000 * np.log(10)
    check_expected("long", inputs, expected.word_uses.sum(), expected)
    value, steps = viterbi(inputs)
    assert value == pytest.approx((best + jumps[:, -1]).max(), rel=1e-12)
    assert steps[:, 1].sum() == length


def test_words_that_float64_loses_are_an_error():
    # Jumps have a standard deviation of one word; the only two usable words are 400 apart.
    n = 400
    logs = -0.5 * (np.arange(-n, n + 2) - 1.0) ** 2
    transitions = toeplitz_transitions(0.1, make_toeplitz(logs))
    words = np.zeros((3, n))
    words[:, [0, -1]] = 0.5
    inputs = KernelInputs(words, np.full(3, 0.1), *without_phrases(), transitions)
    expected = expect([inputs])[0]
    with pytest.raises(InputError, match="pair far: .* differ by more than numbers can hold"):
        check_expected("far", inputs, expected.word_uses.sum(), expected)


@pytest.mark.parametrize("make_transitions", [power_law, tree_walks, normalised_walks])
def test_a_pair_of_probability_0_is_an_error_and_nothing_is_nan(make_transitions):
    transitions = make_transitions(30)[0]
    inputs = KernelInputs(np.zeros((4, 30)), np.zeros(4), *without_phrases(), transitions)
    expected = expect([inputs])[0]
    assert expected.log_likelihood == -np.inf
    assert all(np.all(part == 0) for part in expected[1:])
    with pytest.raises(InputError, match="pair none: no alignment has a probability above 0; raise"):
        check_expected("none", inputs, expected.word_uses.sum(), expected)


def test_a_sentence_that_memory_cannot_hold_is_an_error():
    ((pair, extract),) = make([("boat " * (LONGEST + 1), "a boat")])
    with pytest.raises(InputError, match="pair p0: a sentence of its document has 8,001 words, and"):
        sentence_tokens(pair, extract.sentences)


WORDS = strategies.sampled_from("boat boats harbour , the The ship 1989 x".split())
TEXTS = strategies.lists(WORDS, min_size=1, max_size=7).map(" ".join)
CORPORA = strategies.lists(strategies.tuples(TEXTS, TEXTS), min_size=1, max_size=3)
POSITIVE = strategies.sampled_from([1e-30, 1e-9, 0.01, 1.0, 1e6])
FROM_0 = strategies.sampled_from([0, 1e-300, 0.5, 2, 1e6])
EXTREMES = strategies.fixed_dictionaries(
    {},
    optional={
        "null_probability": strategies.sampled_from([1e-30, 0.999999, "uniform"]),
        "jump_smoothing": POSITIVE,
        "null_smoothing": POSITIVE,
        "null_learned": strategies.booleans(),
        "fake_counts": strategies.fixed_dictionaries(
            {"word": FROM_0, "identical": FROM_0, "stem": FROM_0, "unigram": FROM_0}
        ),
        "sentence_similarity": strategies.sampled_from([0, 1e-300, 10]),
        "sentence_support": strategies.sampled_from([0, 1e-300, 10]),
        "max_document_phrase": strategies.sampled_from([1, 8]),
        "max_summary_phrase": strategies.sampled_from([1, 8]),
        "beam": strategies.sampled_from([1e-300, 0.5, 1]),
        "lexical_threshold": strategies.sampled_from([0, 0.5, 1e6]),
    },
)


DECODINGS = strategies.builds(
    SemiHmm,
    unigram_null=strategies.sampled_from([0, 1e-300, 0.5, 1]),
    stretch_support=strategies.sampled_from([0, 1e-300, 0.2, 1]),
    phrase_support=strategies.sampled_from([0, 0.4]),
    diagonal_discount=strategies.sampled_from([0, 0.5]),
    posterior_threshold=strategies.sampled_from([1e-300, 0.4]),
    gap_threshold=strategies.sampled_from([1e-300, 0.1, 1]),
    candidate_threshold=strategies.sampled_from([1e-300, 0.05]),
)


@pytest.mark.parametrize("jump", JUMPS)
def test_any_settings_train_models_that_align_or_say_why_not(jump, tmp_path_factory):
    path = tmp_path_factory.mktemp("models") / "model.npz"

    @settings(max_examples=4, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(texts=CORPORA, chosen=EXTREMES, decoding=DECODINGS, both=strategies.booleans())
    def check(texts, chosen, decoding, both):
        corpus = make(texts)
        trees = flat_trees(corpus) if jump in TREE_JUMPS else None
        chosen, reverse = of_training(iterations=4, wordnet=False, **chosen), None
        try:
            if both:
                reverse, _ = train(corpus, "relative", chosen, reverse=True)
            resources = Resources(trees=trees, reverse_model=reverse)
            model, iterations = train(corpus, jump, chosen, resources)
        except InputError as error:
            assert "pair p" in str(error)
            return
        assert all(np.isfinite([i.log_likelihood, i.log_posterior]).all() for i in iterations)
        model.save(path)
        aligner = Aligner(type(model).load(path), trees=lambda sentences: trees)
        for pair, extract in corpus:
            for decoder in ("posterior", "viterbi"):
                chosen = decoding.model_copy(update={"decoder": decoder})
                aligned = aligner.align(pair, extract.sentences, chosen)
                assert np.isfinite(aligned.log_likelihood)
                covered = sum(
                    range_end - first for first, range_end in (link.summary for link in aligned.links)
                )
                assert covered >= len(pair.summary.tokens)
                assert all(0 <= link.posterior <= 1 + 1e-9 for link in aligned.links)
                found = next(aligner.posteriors(aligner.prepare([(pair, extract.sentences)]), chosen))[1]
                assert found.sources.min() >= 0 and found.nulls.min() >= 0
                np.testing.assert_allclose(found.sources.sum(axis=1) + found.nulls, 1.0, rtol=1e-6)
                assert aligned.nulls == found.nulls.tolist()
                for link in aligned.links:
                    nulls = aligned.nulls[slice(*link.summary)]
                    if link.document is None:
                        assert [link.posterior] == nulls
                    else:
                        assert link.posterior <= 1 - max(nulls) + 1e-6
                assert make_alignment(json.loads(json.dumps(aligned.to_json())), "line 1") == aligned

    check()
