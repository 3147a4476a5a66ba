"""The preset `paper` has no smoothing where the paper has none, as far as 64 bits can tell."""

from pathlib import Path

import numpy as np
import pytest
import yaml
from toy_training import JUMPS, LONGER, flat_trees, make, settings
from vorlage.semihmm.decode.aligner import Aligner
from vorlage.semihmm.train.training import Resources, train
from vorlage.settings import Training

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
