"""The content of the figures, read from their axes."""

from math import exp
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from vorlage.report import figures
from vorlage.score.profile import jump_rows
from vorlage.semihmm.jumps.exponential import Exponential
from vorlage.semihmm.jumps.gaussian import Gaussian
from vorlage.semihmm.jumps.relative import Relative
from vorlage.semihmm.jumps.syntax import Syntax


def draw(jumps):
    model = SimpleNamespace(jump=type(jumps).__name__.lower(), jumps=jumps)
    return figures.draw_learned([model]).axes[0]


def bars(axis):
    return {round(bar.get_x() + bar.get_width() / 2): bar.get_height() for bar in axis.patches}


def test_bars_are_the_jump_table():
    table = np.linspace(1.0, 2.0, 41)
    jumps = Relative(0.2, -19, table * 0.8 / table.sum(), 0.0)
    axis = draw(jumps)
    assert axis.get_title() == "relative, null 0.200"
    assert bars(axis) == pytest.approx({distance: jumps.table[distance + 19] for distance in range(-15, 16)})


@pytest.mark.parametrize("mean, deviation", [(1.0, 0.3), (1.4, 2.0), (0.0, 30.0)])
def test_bars_are_the_probabilities_of_the_gaussian_model(mean, deviation):
    """A density would exceed 1 for a small standard deviation."""
    null, longest = 0.2, 20
    weights = {
        distance: exp(-((distance - mean) ** 2) / (2 * deviation**2))
        for distance in range(1 - longest, longest + 2)
    }
    total = sum(weights.values())
    heights = bars(draw(Gaussian(null, longest, mean, deviation)))
    assert heights == pytest.approx({d: (1 - null) * weights[d] / total for d in range(-15, 16)})
    if deviation == 0.3:
        assert heights[1] == pytest.approx(0.79, abs=0.01) and sum(heights.values()) == pytest.approx(0.8)


def test_jump_models_stand_head_to_head():
    models = [
        SimpleNamespace(jump="exponential", jumps=Exponential(0.2, 20, 0.3, 0.1)),
        SimpleNamespace(jump="syntax", jumps=Syntax(0.2, ("S",), np.array([[0.5, 0.5]]), 1.0, 50.0)),
    ]
    jumps = pd.DataFrame([row for row in jump_rows("gold", {1: 3.0, -2: 1.0})])
    names = ("cutpaste", "semihmm-exponential", "semihmm-syntax", "annotator-A")
    scores = pd.DataFrame(
        [[name, "all", 0.1 * i, 0.1 * i - 0.05, 0.1 * i + 0.05] for i, name in enumerate(names, 1)],
        columns=["system", "words", "soft_f", "low", "high"],
    )
    left, right = figures.draw_head_to_head(models, jumps, scores).axes
    heights = {d: height for d, height in bars(left).items() if height}
    assert heights == pytest.approx({1: 0.75, -2: 0.25})
    (line,) = left.get_lines()
    found = dict(zip(line.get_xdata(), line.get_ydata(), strict=True))
    # By definition, a step forward from the peak loses e^-0.3, a step backward e^-0.1.
    assert found[2] / found[1] == pytest.approx(exp(-0.3)) and found[-4] / found[-3] == pytest.approx(
        exp(-0.1)
    )
    assert right.containers[0][0].get_xdata() == pytest.approx([0.2, 0.3, 0.4])
    assert [text.get_text() for text in right.get_yticklabels()] == list(names[1:])
    (bare,) = figures.draw_head_to_head(models, pd.DataFrame(), pd.DataFrame()).axes
    assert not bars(bare)


def test_an_empty_figure_says_why(tmp_path):
    messages = {
        name: draw().axes[0].texts[0].get_text() for name, draw in figures.figures(tmp_path, []).items()
    }
    assert messages["learned"] == messages["em"] == "No semi-HMM was trained."
    assert messages["scores"] == "This corpus has no gold, so nothing was scored."
