"""Any training: its objective, threads, interruptions and saved models; alignment continues from it."""

import itertools
import math

import numpy as np
import pytest
from toy_training import JUMPS, LONGER, flat_trees, make, settings
from toy_wordnet import ToyReader
from vorlage.semihmm.decode.aligner import Aligner
from vorlage.semihmm.jumps.base import jump_model
from vorlage.semihmm.kernels.phrase_table import IDENTICAL
from vorlage.semihmm.model import Model
from vorlage.semihmm.rewrite.lexicon import Lexicon, LexiconSearch
from vorlage.semihmm.rewrite.table import make_table, pad
from vorlage.semihmm.rewrite.wordnet_distance import WordNetDistances
from vorlage.semihmm.train import em
from vorlage.semihmm.train.checkpoint import Checkpoint
from vorlage.semihmm.train.expectation import SAMPLE, expectation, pruning_loss
from vorlage.semihmm.train.resources import Resources
from vorlage.semihmm.train.shard import collect
from vorlage.semihmm.train.training import initial_parameters, number_pairs, train


@pytest.mark.parametrize("jump", JUMPS)
def test_the_objective_never_falls(jump):
    corpus = make(LONGER)
    trees = flat_trees(corpus) if jump == "syntax" else None
    _, iterations = train(
        corpus, jump, settings(iterations=40), Resources(WordNetDistances(ToyReader()), trees)
    )
    values = [iteration.log_posterior for iteration in iterations]
    assert len(values) == 40
    assert all(b >= a - 1e-9 * abs(a) for a, b in zip(values, values[1:], strict=False))
    assert values[-1] > values[0]


def test_the_loss_of_pruning_is_measured_on_a_sample_or_on_all_pairs():
    chosen = settings(wordnet=False, beam=1.0)

    def measure(corpus):
        index, rows, pairs = number_pairs(collect(make(corpus), chosen), chosen)
        table = em.lexical(index, rows, np.zeros(len(rows.kind)))
        parameters = initial_parameters(index, table, "relative", chosen, None, False)
        everything = pairs.all_sentences()
        kept = np.arange(len(everything)) % 2 == 0
        expected = [
            expectation(pairs, parameters, some, chosen)[0].log_likelihood for some in (everything, kept)
        ]
        return expected, pruning_loss(pairs, parameters, kept, chosen)

    expected, (count, *found) = measure(LONGER)
    assert count == len(LONGER) and found == pytest.approx(expected, rel=1e-12)
    assert found[0] > found[1]
    # A pair in two of 127 is in the sample: here, all of them are equal.
    expected, (count, *found) = measure(LONGER[:1] * (2 * SAMPLE - 1))
    assert count == SAMPLE
    assert found == pytest.approx([SAMPLE / (2 * SAMPLE - 1) * value for value in expected], rel=1e-9)


def test_a_fall_of_the_objective_is_an_error():
    with pytest.raises(ArithmeticError, match="fell"):
        em._check_rise(-100.0, -100.1, 2, exact=True)


def test_tolerance_stops_early():
    _, iterations = train(
        make(LONGER),
        "relative",
        settings(iterations=40, tolerance=1e-4),
        Resources(WordNetDistances(ToyReader())),
    )
    assert 2 < len(iterations) < 40


def test_tolerance_is_relative_to_what_training_changes():
    """Thousands of fake counts a word do not stop training while the likelihood still moves."""
    tolerance, counts = 2e-3, {"word": 0, "identical": 4, "stem": 3, "unigram": 2000}

    def run(tolerance):
        chosen = settings(iterations=20, tolerance=tolerance, fake_counts=counts, wordnet=False)
        return train(make(LONGER), "relative", chosen)[1]

    whole, stopped = run(0), run(tolerance)
    values = [iteration.log_posterior for iteration in whole]
    changes = [abs(b - a) / abs(b) for a, b in itertools.pairwise(values)]
    last = next(i for i, change in enumerate(changes) if change < tolerance) + 2
    assert 2 < last < len(whole) == 20
    assert [i.log_posterior for i in stopped] == values[:last]
    # Against Σ fake · log t, it would have been over after two iterations.
    documents = {word for document, _ in LONGER for word in document.split()}
    words = [word for _, summary in LONGER for word in summary.split()]
    entropy = -sum(math.log(words.count(word) / len(words)) for word in words) / len(words)
    constant = len(documents) * counts["unigram"] * entropy
    assert abs(values[1] - values[0]) < tolerance * (constant - values[1])
    assert whole[1].log_likelihood - whole[0].log_likelihood > 0.01 * abs(whole[0].log_likelihood)


def test_threads_and_repetition_change_no_byte(tmp_path):
    files = []
    for name, threads in (("one", 1), ("two", 2), ("again", 2)):
        model, _ = train(
            make(LONGER),
            "relative",
            settings(iterations=5),
            Resources(WordNetDistances(ToyReader())),
            threads=threads,
        )
        files.append(tmp_path / name)
        model.save(files[-1])
    assert files[0].read_bytes() == files[1].read_bytes() == files[2].read_bytes()


@pytest.mark.parametrize("jump", JUMPS)
@pytest.mark.parametrize("tolerance", [0, 1e-3])
def test_an_interrupted_training_continues_and_ends_the_same(tmp_path, monkeypatch, jump, tolerance):
    corpus = make(LONGER)
    trees, chosen = flat_trees(corpus), settings(iterations=6, tolerance=tolerance, wordnet=False)

    def run(name, key="k"):
        checkpoint = Checkpoint(tmp_path / "checkpoint.npz", key)
        model, iterations = train(corpus, jump, chosen, Resources(trees=trees), checkpoint=checkpoint)
        model.save(tmp_path / name)
        return iterations

    whole = run("whole.npz")
    (tmp_path / "checkpoint.npz").unlink()
    real = Checkpoint.save
    for last in range(1, len(whole) + 1):

        def save(self, parameters, iterations, kept, last=last):
            real(self, parameters, iterations, kept)
            if len(iterations) == last:
                raise KeyboardInterrupt

        monkeypatch.setattr(Checkpoint, "save", save)
        with pytest.raises(KeyboardInterrupt):
            run("stopped.npz")
        began = []
        monkeypatch.setattr(Checkpoint, "save", lambda self, *state, began=began: began.append(len(state[1])))
        assert [i.row().rsplit("\t", 1)[0] for i in run("resumed.npz")] == [
            i.row().rsplit("\t", 1)[0] for i in whole
        ]
        assert began == list(range(last + 1, len(whole) + 1))
        assert (tmp_path / "resumed.npz").read_bytes() == (tmp_path / "whole.npz").read_bytes()
        (tmp_path / "checkpoint.npz").unlink()


def test_states_of_other_trainings_and_broken_states_are_ignored(tmp_path):
    corpus, chosen = make(LONGER), settings(iterations=2, wordnet=False)
    path = tmp_path / "checkpoint.npz"
    train(corpus, "relative", chosen, checkpoint=Checkpoint(path, "one"))
    assert Checkpoint(path, "one").load(jump_model("relative"))[1][-1].iteration == 2
    assert Checkpoint(path, "other").load(jump_model("relative")) is None
    path.write_bytes(path.read_bytes()[:1000])
    assert Checkpoint(path, "one").load(jump_model("relative")) is None
    path.unlink()
    assert Checkpoint(path, "one").load(jump_model("relative")) is None


@pytest.mark.parametrize("jump", JUMPS)
def test_a_saved_model_aligns_like_the_one_in_memory(tmp_path, jump):
    corpus = make(LONGER)
    wordnet, trees = WordNetDistances(ToyReader()), flat_trees(corpus)
    model, _ = train(corpus, jump, settings(iterations=4), Resources(wordnet, trees))
    model.save(tmp_path / "model.npz")
    loaded = Aligner(
        Model.load(tmp_path / "model.npz"), WordNetDistances(ToyReader()), lambda sentences: trees
    )
    kept = Aligner(model, wordnet, lambda sentences: trees)
    for pair, extract in corpus:
        assert loaded.align(pair, extract.sentences) == kept.align(pair, extract.sentences)


@pytest.mark.parametrize("jump", JUMPS)
def test_alignment_continues_where_training_ended(jump):
    """The likelihood that `align` reports is the one that EM would have reported next."""
    corpus = make(LONGER)
    wordnet, trees = WordNetDistances(ToyReader()), flat_trees(corpus)
    model, _ = train(corpus, jump, settings(iterations=4), Resources(wordnet, trees))
    _, iterations = train(corpus, jump, settings(iterations=5), Resources(wordnet, trees))
    aligner = Aligner(model, wordnet, lambda sentences: trees)
    total = sum(aligner.align(p, e.sentences).log_likelihood for p, e in corpus)
    assert total == pytest.approx(iterations[-1].log_likelihood, rel=1e-10)


def test_unknown_words_and_longer_documents_are_aligned():
    corpus = make(LONGER)
    model, _ = train(corpus, "relative", settings(iterations=5), Resources(WordNetDistances(ToyReader())))
    ((new, extract),) = make([("zyx " * 40 + "quasar printer", "a quasar printer of zzz")])
    alignment = Aligner(model, WordNetDistances(ToyReader())).align(new, extract.sentences)
    assert np.isfinite(alignment.log_likelihood)
    links = {
        cell
        for link in alignment.links
        for cell in link.cells(alignment.summary_words, alignment.document_words)
    }
    assert {(1, 40), (2, 41)} <= links


def test_phrases_are_looked_up_by_their_words():
    pairs = {((3, 1), (3, 1)): (2.5, 9.0), ((3, 1), (4, 1)): (0.5, 9.0), ((3, 1, 2), (3, 1, 2)): (1.5, 4.0)}
    search = LexiconSearch(lexicon_of(6, pairs))
    # (3, 1, 2, 5) is longer than every phrase of the lexicon, and -2 is an unknown word.
    asked = search.rows(pad([(3, 1), (3, 1, 2), (3, 1, 2, 5), (3, -2), (9, 9), (4, 1)]))
    assert search.totals(asked, np.arange(6.0)).tolist() == [9.0, 4.0, 2.0, 3.0, 4.0, 5.0]
    assert search.counts(asked, asked).tolist() == [2.5, 1.5, 0, 0, 0, 0]
    assert search.counts(*search.rows(pad([(3, 1), (4, 1)]))[:, None]).tolist() == [0.5]
    empty = LexiconSearch(lexicon_of(6, {}))
    assert empty.totals(empty.rows(pad([(3, 1), (9, 9)])), np.arange(2.0)).tolist() == [0.0, 1.0]


def lexicon_of(words, pairs):
    """Return a lexicon without word pairs; `pairs`: (document, summary) phrase → (count, total)."""
    longer = sorted({phrase for pair in pairs for phrase in pair})
    numbers = {phrase: words + i for i, phrase in enumerate(longer)}
    rows = sorted((numbers[d], numbers[s], *values) for (d, s), values in pairs.items())
    totals = np.zeros(words + len(longer))
    for d, _, _, total in rows:
        totals[d] = total
    table = make_table(
        pad(longer),
        np.zeros(words + 1, np.int64),
        np.empty(0, np.int32),
        np.array([row[:2] for row in rows], np.int32).reshape(-1, 2),
        np.full(len(rows), IDENTICAL, np.uint8),
    )
    return Lexicon(table, np.array([row[2] for row in rows]), totals, np.zeros(words, np.int64))
