"""What the texts around words say, against plain Python and by its stated properties."""

import naive_around
import numpy as np
import pytest
from hypothesis import given, strategies
from hypothesis.extra.numpy import arrays
from toy_training import Similar, make, settings
from vorlage.semihmm.rewrite.affinity import (
    VECTOR_POWER,
    absolute_similarity,
    length_ratio,
    make_affinity,
    relative_similarity,
    stem_cosines,
)
from vorlage.semihmm.rewrite.instances import Vocabulary, make_instance
from vorlage.text.words import is_stop_word, stem

((PAIR, EXTRACT), (STOPS, _), (SHORT, _)) = make(
    [
        (
            "Two boats left the harbour .\nIt rained .\nOne of the boats sank at noon .\nThe boats",
            "Boats are leaving the harbour .\nIt was .\nA boat sank , and rain fell on boats",
        ),
        ("It was the .\nof , and", "The .\nA boat"),
        ("a printer", "printers\nsell"),
    ]
)
COSINES = arrays(
    np.float64, strategies.tuples(*[strategies.integers(1, 6)] * 2), elements=strategies.floats(-1, 1)
)


def sentences(text):
    return [text.words[first:last] for first, last in text.sentences]


@pytest.mark.parametrize("chosen", [(0, 1, 2, 3), (0, 2), (3,)])
def test_stem_cosines_are_those_of_tf_idf_in_the_extract(chosen):
    document = [sentences(PAIR.document)[s] for s in chosen]
    expected = naive_around.tf_idf_cosines(document, sentences(PAIR.summary), stem, is_stop_word)
    found = stem_cosines(PAIR, chosen)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-11)
    assert found[0].any() and not found[1].any()


def test_a_pair_of_stop_words_alone_is_alike_everywhere():
    assert not stem_cosines(STOPS, (0, 1)).any()
    found = make_affinity(STOPS, (0, 1), settings(sentence_similarity=1.5, sentence_support=0))
    np.testing.assert_allclose(found.factors, 1.0, rtol=1e-12)
    assert found.contexts is None
    found = make_affinity(STOPS, (0, 1), settings(sentence_similarity=1.5, sentence_support=0.5))
    np.testing.assert_allclose(found.factors, (0.03 / 0.4) ** 0.5, rtol=1e-12)


@given(COSINES, strategies.floats(0.1, 10))
def test_relative_is_the_power_over_the_geometric_mean_of_the_means_of_row_and_column(cosines, power):
    found = relative_similarity(cosines, power)
    expected = naive_around.relative(cosines.tolist(), power)
    np.testing.assert_allclose(found, expected, rtol=1e-9)
    raised = (np.maximum(cosines, 0) + 0.03) ** power
    by_row, by_column = (raised / raised.mean(axis=axis, keepdims=True) for axis in (1, 0))
    np.testing.assert_allclose(by_row.mean(axis=1), 1.0)
    np.testing.assert_allclose(by_column.mean(axis=0), 1.0)
    np.testing.assert_allclose(found, np.sqrt(by_row * by_column), rtol=1e-9)


@given(COSINES)
def test_relative_is_about_1_in_the_mean_and_the_same_for_swapped_sides(cosines):
    found = relative_similarity(cosines, 1.5)
    # By the inequality of Cauchy and Schwarz.
    assert 0 < found.mean() <= 1 + 1e-12
    np.testing.assert_allclose(relative_similarity(cosines.T, 1.5), found.T, rtol=1e-12)
    np.testing.assert_allclose(relative_similarity(np.full_like(cosines, 0.5), 1.5), 1.0, rtol=1e-12)


@given(COSINES, strategies.sampled_from([0, 0.5, 4.5]), strategies.sampled_from([0.4, 0.78]))
def test_support_is_the_power_of_a_cosine_over_that_of_related_sentences(cosines, power, related):
    found = absolute_similarity(cosines, power, related)
    expected = naive_around.supported(cosines.tolist(), power, related)
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    assert (found > 0).all()
    # Unlike the relative similarity, it knows nothing of the other sentences of the pair.
    alone = [absolute_similarity(np.array([[x]]), power, related)[0, 0] for x in cosines.ravel()]
    np.testing.assert_allclose(found.ravel(), alone, rtol=1e-12)
    at = np.array([[related - 0.03, 0.0, -0.5]])
    unlike = (0.03 / related) ** power
    np.testing.assert_allclose(absolute_similarity(at, power, related), [[1, unlike, unlike]], rtol=1e-12)


def test_a_long_document_sentence_cannot_have_become_a_short_summary_sentence():
    found = length_ratio([(0, 5), (5, 6)], [(0, 10), (10, 14), (14, 15)])
    np.testing.assert_allclose(found, [[0.5, 1, 1], [0.1, 0.25, 1]], rtol=1e-15)


@pytest.mark.parametrize("power", [0, 1.5])
@pytest.mark.parametrize("support", [0, 0.5, 2])
def test_factors_are_products_of_stems_and_vectors(power, support):
    similar = Similar().of(PAIR, EXTRACT.sentences)
    document, summary = sentences(PAIR.document), sentences(PAIR.summary)
    chosen = settings(sentence_similarity=power, sentence_support=support)
    by_stems = make_affinity(PAIR, EXTRACT.sentences, chosen)
    cosines = naive_around.tf_idf_cosines(document, summary, stem, is_stop_word)
    expected = np.ones((len(summary), len(document)))
    if power:
        expected *= naive_around.relative(cosines, power)
    expected *= [[((max(x, 0) + 0.03) / 0.4) ** support for x in row] for row in cosines]
    assert (by_stems is None) == (not power and not support)
    if by_stems is not None:
        np.testing.assert_allclose(by_stems.factors, expected, rtol=1e-9)
    both = make_affinity(PAIR, EXTRACT.sentences, chosen, similar).factors
    vectors = similar.sentences.astype(float).tolist()
    expected *= naive_around.relative(vectors, VECTOR_POWER)
    expected *= [[((max(x, 0) + 0.03) / 0.78) ** (4.5 * support) for x in row] for row in vectors]
    expected *= [[min(1, len(s) / len(d)) ** (2 * support) for d in document] for s in summary]
    np.testing.assert_allclose(both, expected, rtol=1e-6)


def made(chosen=(0, 2, 3)):
    similar = Similar().of(PAIR, chosen)
    affinity = make_affinity(PAIR, chosen, settings(), similar)
    return similar, affinity, make_instance(PAIR, chosen, Vocabulary(), None, affinity)


def test_factors_of_words_and_phrases_are_those_of_their_sentences():
    chosen = (0, 2, 3)
    _, affinity, instance = made(chosen)
    summary = [number for number, s in enumerate(sentences(PAIR.summary)) for _ in s]
    document = [number for number, s in enumerate(chosen) for _ in sentences(PAIR.document)[s]]
    words = affinity.of_words()
    assert words.shape == (len(summary), len(document)) == (len(instance.summary), len(instance.document))
    for t, s in enumerate(summary):
        for j, d in enumerate(document):
            assert words[t, j] == affinity.factors[s, d]
    places = np.array([(0, 2, 0, 1), (1, 3, 6, 2), (9, 1, 14, 3)])
    found = affinity.of_phrases(places)
    expected = [affinity.factors[summary[t], document[j]] ** k for t, k, j, _ in places.tolist()]
    np.testing.assert_allclose(found, expected, rtol=1e-15)


def test_the_other_direction_has_its_sides_swapped():
    similar, affinity, instance = made()
    swapped = instance.reversed()
    np.testing.assert_array_equal(swapped.document, instance.summary)
    np.testing.assert_array_equal(swapped.summary, instance.document)
    assert (swapped.document_breaks, swapped.summary_breaks) == (
        tuple(instance.summary_breaks),
        instance.document_breaks,
    )
    assert swapped.id == instance.id and swapped.forest is None
    np.testing.assert_array_equal(swapped.affinity.factors, affinity.factors.T)
    np.testing.assert_array_equal(swapped.affinity.contexts, similar.words.T)
    np.testing.assert_array_equal(swapped.affinity.of_words(), affinity.of_words().T)
    again = swapped.reversed()
    assert (again.document_breaks, again.summary_breaks) == (
        tuple(instance.document_breaks),
        tuple(instance.summary_breaks),
    )
    for name in ("document", "summary"):
        np.testing.assert_array_equal(getattr(again, name), getattr(instance, name))
    for one, other in zip(again.affinity, affinity, strict=True):
        np.testing.assert_array_equal(one, other)
    plain = make_instance(PAIR, (0,), Vocabulary())
    assert plain.reversed().affinity is None
