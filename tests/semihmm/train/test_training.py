"""Any training: its objective, blocks, interruptions and saved models; alignment continues from it."""

import itertools
import math
import os
import pickle
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import yaml
from toy_training import JUMPS, LONGER, TREE_JUMPS, Similar, flat_trees, make, settings
from toy_wordnet import ToyReader
from vorlage.command.errors import InputError
from vorlage.semihmm.decode.aligner import Aligner
from vorlage.semihmm.model import Origin
from vorlage.semihmm.pairs import PairResources, make_pairs
from vorlage.semihmm.train import blocks, training
from vorlage.semihmm.train.blocks import Store, collect_pairs, make_index
from vorlage.semihmm.train.em import Iteration, Maximisation
from vorlage.semihmm.train.expectation import expectation
from vorlage.semihmm.train.training import Checkpoint, Resources, fit, train
from vorlage.semihmm.wordnet import WordNetDistances
from vorlage.settings import Training


@pytest.mark.parametrize("jump", JUMPS)
def test_the_objective_never_falls(jump):
    corpus = make(LONGER)
    trees = flat_trees(corpus) if jump in TREE_JUMPS else None
    _, iterations = train(
        corpus, jump, settings(iterations=15), Resources(WordNetDistances(ToyReader()), trees)
    )
    values = [iteration.log_posterior for iteration in iterations]
    assert len(values) == 15
    assert all(b >= a - 1e-9 * abs(a) for a, b in zip(values, values[1:], strict=False))
    assert values[-1] > values[0]


@pytest.mark.parametrize(
    ("likelihood", "message"),
    [(-1e6, "fell"), *((value, "log-posterior is") for value in (np.nan, np.inf, -np.inf))],
)
def test_an_objective_that_falls_or_is_no_number_is_an_error(likelihood, message):
    chosen = settings(wordnet=False)
    corpus = [(pair, extract.sentences) for pair, extract in make(LONGER[::8])]
    index = make_index([Store(make_pairs(corpus, PairResources(chosen)))], chosen, None)
    maximisation = Maximisation(index, chosen)
    start = maximisation.start("relative", (), False)
    of_block = expectation(index.blocks[0], start, index.norms(start.eta), chosen)
    expected = maximisation.add_up([of_block], start.jumps, np.zeros(len(index.table.kind)))
    done, _ = maximisation.step(start, expected, [], 0.0)
    with pytest.raises(ArithmeticError, match=message):
        maximisation.step(start, replace(expected, log_likelihood=likelihood), [done], 0.0)


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


def arrays_of(path):
    with np.load(path) as file:
        return dict(file)


@pytest.mark.parametrize(
    ("jump", "reverse", "processes"),
    [
        ("relative", False, 2),
        ("relative", True, 1),
        ("gaussian", False, 1),
        *((jump, False, 1) for jump in TREE_JUMPS),
    ],
)
def test_blocks_change_a_model_by_rounding_alone_and_processes_not_at_all(
    tmp_path, monkeypatch, jump, reverse, processes
):
    corpus = make(LONGER)
    trees = flat_trees(corpus) if jump in TREE_JUMPS else None
    resources = Resources(WordNetDistances(ToyReader()), trees, Similar())
    monkeypatch.setattr("vorlage.semihmm.train.blocks.CHUNK_ENTRIES", 40)

    def run(name, processes=1):
        # Each pass over the blocks starts its processes; a second search of fitted syntax amplifies rounding.
        chosen = settings(iterations=1 if jump in ("relative", "syntax") else 2, encoder=True)
        model, _ = train(corpus, jump, chosen, resources, reverse=reverse, processes=processes)
        model.save(tmp_path / name)

    run("whole.npz")
    monkeypatch.setattr(blocks, "BLOCK_PAIRS", 10)
    assert len(corpus) > blocks.BLOCK_PAIRS
    run("one.npz")
    if processes > 1:
        run("two.npz", processes)
        assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()
    one, other = arrays_of(tmp_path / "whole.npz"), arrays_of(tmp_path / "one.npz")
    assert one.keys() == other.keys()
    for name, array in one.items():
        if array.dtype.kind == "f":
            # A numerical search decides the parameters of a Gaussian.
            tolerance = 1e-6 if jump == "gaussian" else 1e-12
            np.testing.assert_allclose(other[name], array, rtol=tolerance, atol=tolerance, err_msg=name)
        else:
            assert np.array_equal(other[name], array), name


def test_jump_models_and_both_directions_share_what_is_collected(tmp_path, monkeypatch):
    """One collection, and one index for each direction, give the models that each training gives alone."""
    corpus, chosen = make(LONGER), settings(iterations=2)
    resources = Resources(WordNetDistances(ToyReader()), flat_trees(corpus))
    monkeypatch.setattr(blocks, "BLOCK_PAIRS", 10)
    collected = collect_pairs(corpus, resources.sources(chosen), tmp_path)
    indices = [
        make_index(collected, chosen, resources.wordnet, tmp_path, reverse) for reverse in (False, True)
    ]
    for jump, reverse in [*((jump, False) for jump in JUMPS), ("relative", True)]:
        fit(indices[reverse], jump, chosen, resources, tmp_path)[0].save(tmp_path / "shared.npz")
        train(corpus, jump, chosen, resources, reverse=reverse)[0].save(tmp_path / "alone.npz")
        assert (tmp_path / "shared.npz").read_bytes() == (tmp_path / "alone.npz").read_bytes()


def test_a_corpus_without_pairs_is_refused():
    with pytest.raises(InputError, match="no pairs to train on"):
        train([], "relative", settings(wordnet=False))


@pytest.mark.parametrize(("jump", "tolerance", "pairs"), [("relative", 1e-3, 10), ("syntax", 0, 256)])
def test_an_interrupted_training_continues_and_ends_the_same(tmp_path, monkeypatch, jump, tolerance, pairs):
    monkeypatch.setattr(blocks, "BLOCK_PAIRS", pairs)
    monkeypatch.setattr(training, "SECONDS", 0.0)
    corpus = make(LONGER)
    trees = flat_trees(corpus) if jump in TREE_JUMPS else None
    chosen = settings(iterations=4, tolerance=tolerance, wordnet=False)

    def run(name, key="k"):
        folder = tmp_path / name
        model, iterations = train(
            corpus, jump, chosen, Resources(trees=trees, origin=Origin(fingerprint=key)), folder=folder
        )
        model.save(tmp_path / f"{name}.npz")
        return iterations

    whole = run("whole")
    real = Checkpoint.save
    for last in range(1, len(whole) + 1):

        def save(self, parameters, iterations, last=last):
            real(self, parameters, iterations)
            if len(iterations) == last:
                raise KeyboardInterrupt

        monkeypatch.setattr(Checkpoint, "save", save)
        with pytest.raises(KeyboardInterrupt):
            run(f"stopped{last}")
        saved = []

        def save_and_note(self, parameters, iterations, saved=saved):
            real(self, parameters, iterations)
            saved.append(len(iterations))

        monkeypatch.setattr(Checkpoint, "save", save_and_note)
        assert [i.row().rsplit("\t", 1)[0] for i in run(f"stopped{last}")] == [
            i.row().rsplit("\t", 1)[0] for i in whole
        ]
        assert saved == list(range(last + 1, len(whole) + 1))
        assert (tmp_path / f"stopped{last}.npz").read_bytes() == (tmp_path / "whole.npz").read_bytes()
    saved.clear()
    run("stopped1", key="other")  # the state of another training is ignored
    assert saved == list(range(1, len(whole) + 1))


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


PRESET = yaml.safe_load((Path(__file__).parents[3] / "workflow/presets/paper.yaml").read_text())["semihmm"]
TRAINED = {key: value for key, value in PRESET.items() if key in Training.model_fields} | {"wordnet": False}


@pytest.mark.parametrize("jump", JUMPS)
def test_the_preset_trains_and_aligns(jump):
    corpus = make(LONGER[::4])
    trees = flat_trees(corpus)
    exact = settings(**TRAINED | {"beam": 1})
    model, iterations = train(corpus, jump, exact, Resources(trees=trees))
    values = [iteration.log_posterior for iteration in iterations]
    assert len(values) == 10 and all(b >= a - 1e-9 * abs(a) for a, b in zip(values, values[1:], strict=False))
    model, _ = train(corpus, jump, settings(**TRAINED), Resources(trees=trees))
    aligner = Aligner(model, trees=lambda sentences: trees)
    assert all(np.isfinite(aligner.align(pair, extract.sentences).log_likelihood) for pair, extract in corpus)


@pytest.mark.parametrize("size", [0, 0.5, 0.99])
def test_a_state_that_a_crash_has_cut_is_that_of_another_training(tmp_path, caplog, monkeypatch, size):
    monkeypatch.setattr(training, "SECONDS", 0.0)
    caplog.set_level("INFO", "vorlage")
    train(make(LONGER), "relative", settings(iterations=2, wordnet=False), folder=tmp_path)
    path = tmp_path / "state"
    state = Checkpoint(path, pickle.loads(path.read_bytes())[0])
    assert len(state.load()[1]) == 2
    os.truncate(path, int(size * path.stat().st_size))
    assert state.load() is None
    assert f"{path}: is of another training, or damaged" in caplog.messages[-1]


def test_kernels_have_one_thread_of_blas_in_training():
    code = """
from threadpoolctl import threadpool_info
from vorlage.semihmm.train.training import one_thread
with one_thread():
    import scipy.linalg.cython_blas
    print([pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"])
"""
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "2"}
    found = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, check=True)
    assert found.stdout.split() == [b"[1,", b"1]"]


def test_a_training_is_saved_at_most_every_30_seconds(tmp_path, monkeypatch):
    clock = iter(range(0, 200, 12))
    monkeypatch.setattr(training.time, "monotonic", lambda: next(clock))
    state = Checkpoint(tmp_path / "state", "k")
    corpus = [(pair, extract.sentences) for pair, extract in make(LONGER[:2])]
    index = make_index([Store(make_pairs(corpus, PairResources(settings())))], settings(), None)
    parameters, saved = Maximisation(index, settings()).start("relative", (), False), []
    for number in range(1, 7):
        state.save(
            parameters, [Iteration(i, 0.0, 0.0, 0.2, parameters.weights, 1.0, 0.0) for i in range(number)]
        )
        saved.append(len(state.load()[1]) if state.path.exists() else 0)
    assert saved == [0, 0, 3, 3, 3, 6]
