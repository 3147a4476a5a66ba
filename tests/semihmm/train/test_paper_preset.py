"""The preset `paper` has no smoothing where the paper has none, as far as 64 bits can tell."""

from pathlib import Path

import numpy as np
import pytest
import yaml
from toy_training import CORPUS, JUMPS, LONGER, flat_trees, make, settings
from vorlage.semihmm.decode.aligner import Aligner
from vorlage.semihmm.jumps.base import jump_model
from vorlage.semihmm.train.blocks import Collector
from vorlage.semihmm.train.em import Maximisation
from vorlage.semihmm.train.index import make_index
from vorlage.semihmm.train.store import ArrayStore
from vorlage.semihmm.train.training import Resources, train
from vorlage.settings import Training

PRESET = yaml.safe_load((Path(__file__).parents[3] / "workflow/presets/paper.yaml").read_text())["semihmm"]
TRAINED = {key: value for key, value in PRESET.items() if key in Training.model_fields} | {"wordnet": False}


def test_jumps_are_relative_frequencies():
    chosen = settings(**TRAINED)
    jumps = jump_model("relative").start(3, (), chosen)
    counts = np.array([0.0, 0.25, 1e-9, 3.0, 0.5, 0.0, 0.125])
    found = jumps.maximised(counts, 1.5, counts.sum())
    assert (found.table[counts > 0] == (counts / (counts.sum() + 1.5))[counts > 0]).all()
    assert (found.table[counts == 0] > 0).all() and (found.table[counts == 0] < 1e-29).all()
    labels = jump_model("syntax-counts").start(3, ("NP", "VP"), chosen)
    counts = np.array([[0.0, 2.0], [0.5, 1.0]])
    found = labels.maximised(np.vstack([counts, np.ones((2, 2))]), 1.5, 4.0)
    assert (found.factors[counts > 0] == (counts / 3.5)[counts > 0]).all() and 0 < found.factors[0, 0] < 1e-29


def test_null_words_are_relative_frequencies():
    chosen = settings(**TRAINED)
    blocks = [Collector(chosen).collect(make(CORPUS), ArrayStore())]
    index = make_index(blocks, chosen, None, ArrayStore(), 1)
    maximisation = Maximisation(index, chosen)
    uses = np.zeros(len(index.words))
    uses[index.summary_words[:3]] = 2.0, 0.5, 1.5
    null, _ = maximisation.null_words(uses)
    assert null[uses > 0].tolist() == [0.5, 0.125, 0.375] and null.max() == 0.5
    start = maximisation.start("relative", (), False).null[index.summary_words]
    assert start == pytest.approx(1 / len(start))


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
