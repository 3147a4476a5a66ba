"""What the figures show, read back from their axes."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

from pipeline.report import figures
from pipeline.semihmm.phrases.rewrite import PARTS


def model(jump, **learned):
    return SimpleNamespace(jump=jump, jumps=SimpleNamespace(describe=lambda: {"null": 0.2} | learned))


def bars(axis):
    return [(bar.get_x() + bar.get_width() / 2, bar.get_height()) for bar in axis.patches]


def test_bars_are_what_the_jump_models_have_learned():
    relative = model("relative", distances={"1": 0.5, "-2": 0.25})
    gaussian = model("gaussian", mean=1.0, deviation=2.0)
    syntax = model("syntax", labels={"NP": 0.5, "S": 2.0, "VP": 0.5})
    first, second, third = figures.draw_learned([relative, gaussian, syntax]).axes
    shown = {round(place): height for place, height in bars(first) if height}
    assert shown == {1: 0.5, -2: 0.25}
    places, heights = np.array(bars(second)).T
    assert heights == pytest.approx(0.8 * norm(1, 2).pdf(places.round()))
    assert [text.get_text() for text in third.get_yticklabels()] == ["S", "NP", "VP"]
    assert [bar.get_width() for bar in third.patches] == [2.0, 0.5, 0.5]


def test_the_course_of_em_begins_at_its_start():
    parts = {f"lambda_{part}": [0.25, 0.5] for part in PARTS} | {"lambda_encoder": [0.0, 0.0]}
    course = pd.DataFrame(
        {"iteration": [1, 2], "log_posterior": [-9.0, -7.0], "null_probability": [0.1, 0.2]} | parts
    )
    gain, null, weights = figures.draw_em({"relative": course}).axes
    assert gain.lines[0].get_ydata().tolist() == [0, 2]
    assert null.lines[0].get_ydata().tolist() == [0.1, 0.2]
    assert [line.get_ydata().tolist() for line in weights.lines[:4]] == [[0.25, 0.5]] * 4
    assert {text.get_text() for text in weights.get_legend().get_texts()} == {"id", "stem", "wn", "rw"}
    with_encoder = figures.draw_em({"relative": course, "syntax": course.assign(lambda_encoder=0.1)})
    assert "encoder" in {text.get_text() for text in with_encoder.axes[2].get_legend().get_texts()}


def test_what_there_is_nothing_of_is_said(tmp_path):
    drawn = figures.figures(tmp_path, [])
    said = {name: draw().axes[0].texts[0].get_text() for name, draw in drawn.items()}
    assert said["learned"] == said["em"] == "No semi-HMM was trained."
    assert said["scores"] == "No gold, so there are no scores."
