"""Training against EM by enumeration, and what must hold of any training."""

import numpy as np
import pytest
from naive import NaiveModel
from toy_wordnet import ToyReader, distance

from pipeline.corpus.pair import Pair
from pipeline.corpus.text import join_sentences
from pipeline.extract.extracts import Extract
from pipeline.semihmm import em
from pipeline.semihmm.aligner import Aligner
from pipeline.semihmm.model import Model
from pipeline.semihmm.senses import Senses
from pipeline.semihmm.train import TRAINING, train
from pipeline.settings import section
from pipeline.words import stem

CORPUS = [
    ("the personal computer sells", "a pc sells"),
    ("machines and computers", "the machine"),
    ("a printer offers the computer", "computers trade"),
    ("the printer", "a printer machine"),
    ("the printers sell", "printers sell"),
]


def settings(**changes):
    values = section("semihmm", {"lexical_threshold": 0, **changes})
    return {key: value for key, value in values.items() if any(key == t.split(".")[0] for t in TRAINING)}


def make(corpus):
    """(Pair, Extract) of each (document, summary), strings whose lines are sentences; whole documents."""
    made = []
    for i, texts in enumerate(corpus):
        document, summary = (join_sentences(text.split("\n"), tokenized=True) for text in texts)
        pair = Pair(f"p{i}", document, summary)
        made.append((pair, Extract(pair.id, tuple(range(len(document.sentences))), ())))
    return made


@pytest.mark.parametrize("wordnet", [True, False])
def test_em_agrees_with_enumeration(wordnet):
    chosen = settings(iterations=3, wordnet=wordnet)
    reader = Senses(ToyReader()) if wordnet else None
    model, iterations = train(make(CORPUS), "relative", chosen, reader)
    plain = NaiveModel(
        [(d.split(), s.split()) for d, s in CORPUS], chosen, stem, distance if wordnet else lambda d, s: None
    )
    for iteration in iterations:
        assert iteration.log_posterior == pytest.approx(plain.objective(), rel=1e-10)
        plain.step()
    assert model.jumps.null == pytest.approx(plain.phi, rel=1e-10)
    np.testing.assert_allclose(model.jumps.table, [plain.jump[d] for d in plain.distances], rtol=1e-10)
    assert model.mixture.eta == pytest.approx(plain.eta, rel=1e-9)
    np.testing.assert_allclose(
        model.mixture.weights,
        [plain.weights[part] for part in ("id", "stem", "wn", "rw")],
        rtol=1e-8,
        atol=1e-14,
    )
    null = dict(zip(model.words, model.null.probability, strict=True))
    assert {word: p for word, p in null.items() if p} == pytest.approx(plain.null, rel=1e-9)
    # The rewrite probabilities of the trained model, phrase pairs of every length included.
    aligner = Aligner(model, reader)
    for pair, extract in make(CORPUS):
        instance, support, inputs = aligner.prepare(pair, extract.sentences)
        for t, s in enumerate(pair.summary.words):
            for j, d in enumerate(pair.document.words):
                r = inputs.words[inputs.summary[t], inputs.document[j]]
                assert r == pytest.approx(plain.rewrite((d,), (s,)), rel=1e-9)
        for (t, k, j, span), r in zip(inputs.phrases.tolist(), inputs.phrase_r, strict=True):
            d, s = tuple(pair.document.words[j : j + span]), tuple(pair.summary.words[t : t + k])
            assert r == pytest.approx(plain.rewrite(d, s), rel=1e-9)
        links = {
            (t, j): p for (t, k, j, span), p in plain.sums(*_words(pair)).phrases.items() if k == span == 1
        }
        posteriors = aligner.posteriors(support, inputs)[1]
        for (t, j), posterior in links.items():
            assert posteriors.words[t, j] == pytest.approx(posterior, rel=1e-9)


def _words(pair):
    return pair.document.words, pair.summary.words


def test_the_longer_phrases_of_the_toy_are_used():
    """Guards the test above: it must have phrase pairs of several shapes to compare."""
    reader = Senses(ToyReader())
    model, _ = train(make(CORPUS), "relative", settings(iterations=1), reader)
    shapes = set()
    for pair, extract in make(CORPUS):
        _, _, inputs = Aligner(model, reader).prepare(pair, extract.sentences)
        shapes |= {(k, span) for _, k, _, span in inputs.phrases.tolist()}
    assert shapes >= {(1, 2), (2, 2)}


LONGER = [
    (
        f"the {a} printer of {b} ships in june\nit sells the old {c} printer for less",
        f"{b} sells a {a} printer in june",
    )
    for a in ("fast", "cheap", "new", "slow")
    for b in ("acme", "bolt", "crane")
    for c in ("laser", "matrix")
]


def test_the_objective_never_falls():
    _, iterations = train(make(LONGER), "relative", settings(iterations=40), Senses(ToyReader()))
    values = [iteration.log_posterior for iteration in iterations]
    assert len(values) == 40
    assert all(b >= a - 1e-9 * abs(a) for a, b in zip(values, values[1:], strict=False))
    assert values[-1] > values[0]


def test_a_fall_of_the_objective_is_an_error():
    with pytest.raises(ArithmeticError, match="fell"):
        em._check(-100.0, -100.1, 2, exact=True)


def test_tolerance_stops_early():
    _, iterations = train(
        make(LONGER), "relative", settings(iterations=40, tolerance=1e-4), Senses(ToyReader())
    )
    assert 2 < len(iterations) < 40


def test_threads_and_repetition_change_no_byte(tmp_path):
    files = []
    for name, threads in (("one", 1), ("two", 2), ("again", 2)):
        model, _ = train(make(LONGER), "relative", settings(iterations=5), Senses(ToyReader()), threads)
        files.append(tmp_path / name)
        model.save(files[-1])
    assert files[0].read_bytes() == files[1].read_bytes() == files[2].read_bytes()


def test_a_saved_model_aligns_like_the_one_in_memory(tmp_path):
    corpus = make(LONGER)
    senses = Senses(ToyReader())
    model, _ = train(corpus, "relative", settings(iterations=4), senses)
    model.save(tmp_path / "model.npz")
    loaded = Aligner(Model.load(tmp_path / "model.npz"), Senses(ToyReader()))
    for pair, extract in corpus:
        assert loaded.align(pair, extract.sentences) == Aligner(model, senses).align(pair, extract.sentences)


def test_alignment_continues_where_training_ended():
    """The likelihood of the trained model under `align` is the next one that EM would have reported."""
    corpus = make(LONGER)
    senses = Senses(ToyReader())
    model, _ = train(corpus, "relative", settings(iterations=4), senses)
    _, iterations = train(corpus, "relative", settings(iterations=5), senses)
    aligner = Aligner(model, senses)
    total = sum(aligner.align(p, e.sentences).log_likelihood for p, e in corpus)
    assert total == pytest.approx(iterations[-1].log_likelihood, rel=1e-10)


def test_unknown_words_and_longer_documents_are_aligned():
    corpus = make(LONGER)
    model, _ = train(corpus, "relative", settings(iterations=5), Senses(ToyReader()))
    ((new, extract),) = make([("zyx " * 40 + "quasar printer", "a quasar printer of zzz")])
    alignment = Aligner(model, Senses(ToyReader())).align(new, extract.sentences)
    assert np.isfinite(alignment.log_likelihood)
    links = {
        cell
        for link in alignment.links
        for cell in link.cells(alignment.summary_words, alignment.document_words)
    }
    assert {(1, 40), (2, 41)} <= links
