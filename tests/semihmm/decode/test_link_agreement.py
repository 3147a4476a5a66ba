"""Both directions combined: the formulas against plain loops, and a model that contains its reverse."""

import math
from dataclasses import replace

import numpy as np
import pytest
from toy_training import JUMPS, LONGER, TREE_JUMPS, Similar, flat_trees, make, settings
from toy_wordnet import ToyReader
from vorlage.semihmm.decode.aligner import Aligner
from vorlage.semihmm.decode.posteriors import WordPosteriors, agreed_phrases
from vorlage.semihmm.pairs import PairResources, make_pairs
from vorlage.semihmm.table import IDENTICAL, SAME_STEM, UNLIKE
from vorlage.semihmm.train.training import Resources, train
from vorlage.semihmm.wordnet import WordNetDistances
from whole_posteriors import agreed, whole

# Few invented sentence vectors are as near as those of related sentences, so that support counts little.
CHOSEN = settings(iterations=3, encoder=True, null_probability=0.2, sentence_support=0.05)


def random_posteriors(rng, length, n, places):
    """Return what posteriors of one direction are made of, see `whole_posteriors.by_words`.

    Phrases never cover a link with more than its posterior.
    """
    words, nulls = rng.random((length, n)) * rng.integers(0, 2, (length, n)) / n, rng.random(length)
    places = np.array(places, dtype=np.int32).reshape(-1, 4)
    kinds = rng.choice([IDENTICAL, SAME_STEM, UNLIKE], len(places)).astype(np.uint8)
    # Phrases of unequal length are neither equal nor equal up to stem.
    kinds[places[:, 1] != places[:, 3]] = UNLIKE
    return words, nulls, places, rng.random(len(places)) / 4, kinds


@pytest.mark.parametrize("seed", range(20))
def test_agreement_of_directions_equals_plain_loops(seed):
    rng = np.random.default_rng(seed)
    every = [(0, 2, 1, 2), (0, 1, 2, 3), (1, 2, 0, 1), (2, 2, 3, 2), (1, 3, 1, 3)]
    ours = sorted(place for place in every if rng.random() < 0.7)
    theirs = sorted((j, span, t, k) for t, k, j, span in ours)
    directions = random_posteriors(rng, 4, 5, ours), random_posteriors(rng, 5, 4, theirs)
    found, (one, other) = agreed(*directions), (whole(*direction) for direction in directions)
    links = [part.links.dense() for part in (one, other, found)]

    def both(p, q):
        return ((math.sqrt(p) + math.sqrt(q)) / 2) ** 2

    sources = [[math.sqrt(one.sources[t, j] * other.sources[j, t]) for j in range(5)] for t in range(4)]
    for t in range(4):
        for j in range(5):
            assert links[2][t, j] == pytest.approx(both(links[0][t, j], links[1][j, t]), rel=1e-12)
        left = 1 - min(max(other.sources[j, t] for j in range(5)), 1.0)
        null = both(one.nulls[t], left) if any(sources[t]) else 1.0
        assert found.nulls[t] == pytest.approx(null, rel=1e-12)
        for j in range(5):
            share = sources[t][j] / sum(sources[t]) if any(sources[t]) else 0.0
            assert found.sources[t, j] == pytest.approx((1 - null) * share, rel=1e-12, abs=1e-15)
        assert found.sources[t].sum() + found.nulls[t] == pytest.approx(1, rel=1e-12)
    for number, (place, p, q, kind) in enumerate(
        zip(ours, one.phrases, found.phrases, one.kinds, strict=True)
    ):
        t, k, j, span = place
        of_words = [
            sum(found.sources[t + a, j + b] for b in range(span) if kind == UNLIKE or a == b)
            for a in range(k)
        ]
        assert found.written(number) == pytest.approx(min(of_words), rel=1e-12)
        assert q == pytest.approx(both(p, other.phrases[theirs.index((j, span, t, k))]), rel=1e-12)
    assert found.places.tolist() == one.places.tolist() and found.kinds.tolist() == one.kinds.tolist()


@pytest.fixture(scope="module")
def models():
    """Return (model with its reverse, the model without it, the reverse) for each jump model."""
    corpus = make(LONGER)
    similar = Similar()
    resources = Resources(WordNetDistances(ToyReader()), similarities=similar)
    reverse, _ = train(corpus, "relative", CHOSEN, resources, reverse=True)
    resources = replace(resources, reverse_model=reverse)
    made = {}
    for jump in JUMPS:
        trees = flat_trees(corpus) if jump in TREE_JUMPS else None
        made[jump] = train(corpus, jump, CHOSEN, replace(resources, trees=trees))[0], reverse
    return made


def aligner(model, corpus):
    trees = flat_trees(corpus) if model.jumps.needs_trees else None
    return Aligner(model, WordNetDistances(ToyReader()), lambda sentences: trees, Similar().get_all)


def test_the_other_direction_is_trained_on_swapped_pairs(models):
    """It equals training on a corpus with documents and summaries exchanged, except for the first φ."""
    corpus = make(LONGER)
    chosen = settings(iterations=3, sentence_similarity=0, sentence_support=0)
    resources = Resources(WordNetDistances(ToyReader()))
    reverse, _ = train(corpus, "relative", chosen, resources, reverse=True)
    swapped = make([(summary, document) for document, summary in LONGER])
    start = {"null_probability": reverse.settings.null_probability}
    forward, _ = train(swapped, "relative", chosen.model_copy(update=start), resources)
    assert reverse.vocabulary.words == forward.vocabulary.words
    for ours, theirs in zip(reverse.table, forward.table, strict=True):
        np.testing.assert_array_equal(ours, theirs)
    for name in ("counts", "totals"):
        ours, theirs = (getattr(model.parameters, name) for model in (reverse, forward))
        np.testing.assert_allclose(ours, theirs, rtol=1e-12, err_msg=name)
    np.testing.assert_allclose(reverse.jumps.table, forward.jumps.table, rtol=1e-12)
    np.testing.assert_allclose(reverse.parameters.null, forward.parameters.null, rtol=1e-12)
    shares = sum(len(d.split()) for d, _ in LONGER), sum(len(s.split()) for _, s in LONGER)
    expected = 1 - (1 - chosen.null_probability) * math.sqrt(shares[1] / shares[0])
    assert reverse.jumps.null_probability == pytest.approx(expected, rel=1e-12)
    assert models["relative"][1].jumps.null_probability == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("jump", JUMPS)
def test_an_aligner_of_both_directions_combines_two_aligners(models, jump):
    corpus = make([*LONGER[:4], ("zyx quasars of acme ship\na printer", "acme ships\nquasar printers")])
    model, reverse = models[jump]
    both, forward, backward = (aligner(one, corpus) for one in (model, replace(model, reverse=None), reverse))
    shares = []
    for pair, extract in corpus:
        [prepared] = both.prepare([(pair, extract.sentences)])
        likelihood, found = next(both.unadjusted([prepared], 0.5))
        one_likelihood, one = next(forward.unadjusted(forward.prepare([(pair, extract.sentences)]), 0.5))
        # An aligner prepares pairs in its own direction; the other's inputs are made by hand.
        sources = PairResources(CHOSEN, backward._forward.wordnet, similarities=Similar().get_all)
        swapped = make_pairs([(pair, extract.sentences)], sources).reversed()
        [swapped] = backward._forward.prepare(swapped, reverse.parameters)
        other = next(backward.unadjusted([swapped], 0.5))[1]
        assert likelihood == one_likelihood
        parts = [WordPosteriors(part.links.dense(), part.sources, part.nulls) for part in (one, other)]
        expected = parts[0].combine(parts[1])
        np.testing.assert_array_equal(links := found.links.dense(), expected.links)
        for name in ("sources", "nulls"):
            np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))
        phrases = agreed_phrases(one.phrases, other.places, other.phrases)
        np.testing.assert_array_equal(found.phrases, phrases)
        assert not np.allclose(links, one.links.dense())
        assert links.min() >= 0 and links.max() <= 1 + 1e-9
        shares.append(found.nulls - next(both.unadjusted([prepared], 0))[1].nulls)
    shares = np.concatenate(shares)
    assert (shares >= -1e-12).all() and shares.max() > 0.01
