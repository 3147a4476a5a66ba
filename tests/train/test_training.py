"""What must hold of any training: interrupted, by threads, saved; and that alignment continues it."""

from types import SimpleNamespace

import numpy as np
import pytest
from toy_training import JUMPS, LONGER, flat_trees, make, settings
from toy_wordnet import ToyReader

from pipeline.align.aligner import Aligner, PhraseTable
from pipeline.semihmm.jumps.base import jump_model
from pipeline.semihmm.model import Model
from pipeline.semihmm.phrases.table import padded
from pipeline.semihmm.phrases.wordnet_distance import Senses
from pipeline.train import em
from pipeline.train.__main__ import train
from pipeline.train.checkpoint import Checkpoint


@pytest.mark.parametrize("jump", JUMPS)
def test_the_objective_never_falls(jump):
    corpus = make(LONGER)
    trees = flat_trees(corpus) if jump == "syntax" else None
    _, iterations = train(corpus, jump, settings(iterations=40), Senses(ToyReader()), trees=trees)
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


@pytest.mark.guarantee("same bytes")
def test_threads_and_repetition_change_no_byte(tmp_path):
    files = []
    for name, threads in (("one", 1), ("two", 2), ("again", 2)):
        model, _ = train(make(LONGER), "relative", settings(iterations=5), Senses(ToyReader()), threads)
        files.append(tmp_path / name)
        model.save(files[-1])
    assert files[0].read_bytes() == files[1].read_bytes() == files[2].read_bytes()


@pytest.mark.parametrize("jump", JUMPS)
@pytest.mark.parametrize("tolerance", [0, 1e-3])
def test_an_interrupted_training_goes_on_and_ends_the_same(tmp_path, monkeypatch, jump, tolerance):
    corpus = make(LONGER)
    trees, chosen = flat_trees(corpus), settings(iterations=6, tolerance=tolerance, wordnet=False)

    def run(name, key="k"):
        checkpoint = Checkpoint(tmp_path / "checkpoint.npz", key)
        model, iterations = train(corpus, jump, chosen, trees=trees, checkpoint=checkpoint)
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


def test_the_state_of_another_training_and_a_broken_one_are_not_taken_up(tmp_path):
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
    senses, trees = Senses(ToyReader()), flat_trees(corpus)
    model, _ = train(corpus, jump, settings(iterations=4), senses, trees=trees)
    model.save(tmp_path / "model.npz")
    loaded = Aligner(Model.load(tmp_path / "model.npz"), Senses(ToyReader()), lambda sentences: trees)
    kept = Aligner(model, senses, lambda sentences: trees)
    for pair, extract in corpus:
        assert loaded.align(pair, extract.sentences) == kept.align(pair, extract.sentences)


@pytest.mark.parametrize("jump", JUMPS)
def test_alignment_continues_where_training_ended(jump):
    """The likelihood of the trained model under `align` is the next one that EM would have reported."""
    corpus = make(LONGER)
    senses, trees = Senses(ToyReader()), flat_trees(corpus)
    model, _ = train(corpus, jump, settings(iterations=4), senses, trees=trees)
    _, iterations = train(corpus, jump, settings(iterations=5), senses, trees=trees)
    aligner = Aligner(model, senses, lambda sentences: trees)
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


def test_phrases_are_found_in_the_table_by_their_words_alone():
    pairs = {((3, 1), (3, 1)): (2.5, 9.0), ((3, 1), (4, 1)): (0.5, 9.0), ((3, 1, 2), (3, 1, 2)): (1.5, 4.0)}
    table = PhraseTable(
        SimpleNamespace(
            phrases=np.stack([[padded([d, (0, 0, 0)])[0], padded([s, (0, 0, 0)])[0]] for d, s in pairs]),
            phrase_counts=np.array([count for count, _ in pairs.values()]),
            phrase_totals=np.array([total for _, total in pairs.values()]),
        )
    )
    # (3, 1, 2, 5) is longer than any in the table, and -2 a word that it does not know.
    asked = padded([(3, 1), (3, 1, 2), (3, 1, 2, 5), (3, -2), (9, 9), (0, 0)])
    assert table.totals(asked, np.arange(6.0)).tolist() == [9.0, 4.0, 2.0, 3.0, 4.0, 5.0]
    assert table.counts(asked, asked).tolist() == [2.5, 1.5, 0, 0, 0, 0]
    assert table.counts(padded([(3, 1)]), padded([(4, 1)])).tolist() == [0.5]
    none = SimpleNamespace(
        phrases=np.empty((0, 2, 1), np.int32), phrase_counts=np.empty(0), phrase_totals=np.empty(0)
    )
    assert PhraseTable(none).totals(asked, np.arange(6.0)).tolist() == list(range(6))
