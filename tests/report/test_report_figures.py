"""The content of the figures, read from their axes."""

from math import exp
from types import SimpleNamespace

import numpy as np
import pytest
from vorlage.semihmm.jumps.gaussian import Gaussian
from vorlage.semihmm.jumps.relative import Relative
from vorlage.workflow.report import figures


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


def test_an_empty_figure_says_why(tmp_path):
    messages = {
        name: draw().axes[0].texts[0].get_text() for name, draw in figures.figures(tmp_path, []).items()
    }
    assert messages["learned"] == messages["em"] == "No semi-HMM was trained."
    assert messages["scores"] == "This corpus has no gold, so nothing was scored."
