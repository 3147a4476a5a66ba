"""Draw the figures of a corpus: `vorlage figures`.

The figures show the scores of the systems, the jumps of gold and alignments (Daumé & Marcu 2005, Figure 2),
the jump probabilities that the models have learned, the jump models head to head, the course of EM, and how
reliable posteriors are. Each is saved as SVG for light and for dark pages, and as PNG. A figure without data
says why it is empty.
"""

from collections.abc import Callable, Mapping, Sequence, Sized
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from vorlage.command.errors import command
from vorlage.command.options import CommandParser
from vorlage.semihmm.jump_model import ByDistance
from vorlage.semihmm.mixture import PARTS
from vorlage.semihmm.model import Model
from vorlage.types import AnyArray, Floats, StrPath
from vorlage.workflow.report.columns import WORDS
from vorlage.workflow.report.frames import read_tables
from vorlage.workflow.report.style import COLOURS, GREY, LINES, escape_mathematics, make_panels, save_figure
from vorlage.workflow.score.systems import ANNOTATOR, GOLD
from vorlage.workflow.settings import semihmm_system

REACH = 15  # words: the longest jumps that figures show
DISTANCES = np.arange(-REACH, REACH + 1)
LABELS = 14  # constituents of the syntax model that its figure shows, the most probable ones


def draw_scores(table: pd.DataFrame, value: str, title: str) -> Figure:
    """Draw the F of each system with its interval, over all and over non-stop words.

    `value`: the column of F; `title`: its name.
    """
    systems = table["system"].unique()
    figure, axes = make_panels(1, 1, 4.6, 0.7 + 0.3 * len(systems))
    axis = axes[0, 0]
    heights = np.arange(len(systems))[::-1]
    for number, (words, label) in enumerate(WORDS.items()):
        rows = table[table["words"] == words].set_index("system").loc[systems]
        style = {"fmt": "os"[number], "color": COLOURS[number], "label": label}
        _draw_intervals(axis, rows, value, heights + 0.14 - 0.28 * number, style)
    labels = [escape_mathematics(system) for system in systems]
    axis.set(yticks=heights, yticklabels=labels, xlabel=f"{title}, 95 % interval over pairs", xlim=(0, 1))
    axis.grid(axis="y", visible=False)
    axis.set_ylim(-0.6, len(systems) - 0.4)
    axis.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=2)
    return figure


def _draw_intervals(
    axis: Axes, rows: pd.DataFrame, value: str, heights: AnyArray, style: Mapping[str, Any]
) -> None:
    errors = [rows[value] - rows["low"], rows["high"] - rows[value]]
    axis.errorbar(rows[value], heights, xerr=np.clip(errors, 0, None), markersize=4.5, capsize=2, **style)


def draw_jumps(table: pd.DataFrame) -> Figure:
    """Draw the share of jumps at each distance, a panel for each system; bars show the gold."""
    gold = _shares(table, GOLD)
    systems = [system for system in table["system"].unique() if system != GOLD] or [GOLD]
    columns = min(5, len(systems))
    rows = -(-len(systems) // columns)
    figure, axes = make_panels(rows, columns, 2.5, 1.75, sharex=True, sharey=True)
    for axis, system in zip(axes.flat, systems, strict=False):
        _draw_gold(axis, gold)
        shares = _shares(table, system)
        axis.step(DISTANCES, shares, where="mid", color=COLOURS[0], linewidth=1.2, label="system")
        axis.set_title(escape_mathematics(system))
        axis.set_yscale("symlog", linthresh=0.01)
        axis.set_yticks([0, 0.01, 0.1, 1], ["0", "1 %", "10 %", "100 %"])
    for axis in axes.flat[len(systems) :]:
        axis.set_axis_off()
    axes[0, 0].legend(loc="upper left", fontsize=7)
    figure.supxlabel("jump in words; +1 is the next word", fontsize=9)
    return figure


def _draw_gold(axis: Axes, shares: Floats) -> None:
    if shares.any():
        axis.bar(DISTANCES, shares, width=0.9, color=GREY, alpha=0.55, label="gold")


def _shares(table: pd.DataFrame, system: str) -> Floats:
    """Return the shares of a system at `DISTANCES`."""
    shares = table[table["system"] == system].set_index("jump")["share"]
    return shares.reindex(DISTANCES, fill_value=0.0).to_numpy()


def draw_learned(models: Sequence[Model]) -> Figure:
    """Draw what each jump model has learned, a panel each: its probabilities by distance, or its factors."""
    figure, axes = make_panels(1, len(models), 3.2, 2.6)
    for axis, model in zip(axes[0], models, strict=True):
        axis.set_title(f"{model.jump}, null {model.jumps.null_probability:.3f}")
        if isinstance(model.jumps, ByDistance):
            axis.bar(DISTANCES, _by_distance(model.jumps), width=0.9, color=COLOURS[0])
            axis.set(xlabel="jump in words", ylabel="probability")
        else:
            _draw_labels(axis, model.jumps.describe()["labels"])
    return figure


def draw_head_to_head(models: Sequence[Model], jumps: pd.DataFrame, scores: pd.DataFrame) -> Figure:
    """Draw the jump models against each other.

    Left: the probabilities by distance that they have learned, given a jump, over the jumps of the gold.
    Right, if there are scores: SoftF over all words of the semi-HMMs, also those of variants, and of
    the annotators, with intervals.
    """
    rows = scores[scores["words"] == "all"] if len(scores) else scores
    if len(rows):
        semihmms = rows["system"].map(lambda system: semihmm_system(system) is not None)
        rows = rows[semihmms | rows["system"].str.startswith(ANNOTATOR)]
    figure, axes = make_panels(1, 2 if len(scores) else 1, 4.2, max(2.8, 0.8 + 0.2 * len(rows)))
    gold = _shares(jumps, GOLD) if len(jumps) else np.zeros(len(DISTANCES))
    _draw_gold(axes[0, 0], gold)
    for model, line, colour in zip(models, cycle(LINES), cycle(COLOURS), strict=False):
        if isinstance(model.jumps, ByDistance):
            probabilities = _by_distance(model.jumps) / (1 - model.jumps.null_probability)
            axes[0, 0].step(DISTANCES, probabilities, line, where="mid", color=colour, label=model.jump)
    axes[0, 0].set_yscale("symlog", linthresh=0.001)
    axes[0, 0].set(xlabel="jump in words", ylabel="probability", ylim=(0, 1))
    axes[0, 0].legend(fontsize=7)
    if not len(scores):
        return figure
    heights = np.arange(len(rows))[::-1]
    _draw_intervals(axes[0, 1], rows, "soft_f", heights, {"fmt": "o", "color": COLOURS[0]})
    label = "SoftF of their alignments, 95 % interval over pairs"
    axes[0, 1].set(yticks=heights, yticklabels=rows["system"], xlabel=label, xlim=(0, 1))
    axes[0, 1].grid(axis="y", visible=False)
    return figure


def _by_distance(jumps: ByDistance) -> Floats:
    """Return J at `DISTANCES`."""
    probabilities: Floats = np.exp(jumps.logarithms(REACH))[: len(DISTANCES)]  # of −REACH … REACH + 1
    return probabilities


def _draw_labels(axis: Axes, labels: Mapping[str, float]) -> None:
    """Draw the largest factors of the syntax model; `labels`: constituent and direction → factor."""
    largest = sorted(labels.items(), key=lambda item: (-item[1], item[0]))[:LABELS]
    names, factors = zip(*largest, strict=True)
    axis.barh(range(len(names)), factors, color=COLOURS[0])
    axis.set(yticks=range(len(names)), yticklabels=names, xlabel="factor of a skipped constituent")
    axis.tick_params(axis="y", labelsize=7)
    axis.invert_yaxis()
    axis.grid(axis="y", visible=False)


def draw_em(courses: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw the course of EM: the log-posterior, the weights and, if it changes, the null probability.

    `courses`: the table `em.tsv` of each jump model.
    """
    parts = [
        part.name for part in PARTS if any(course[f"lambda_{part.name}"].any() for course in courses.values())
    ]
    part_colours = dict(zip(parts, [*COLOURS[2:], *COLOURS[:2]], strict=False))
    null_changes = any(course["null_probability"].nunique() > 1 for course in courses.values())
    figure, axes = make_panels(1, 3 if null_changes else 2, 3.4, 2.9)
    gain_axis, weight_axis, *null_axes = axes[0]
    for (jump, course), line in zip(courses.items(), LINES, strict=False):
        iterations = course["iteration"]
        gain = course["log_posterior"] - course["log_posterior"].iloc[0]
        gain_axis.plot(iterations, gain, line, color=COLOURS[0], marker=".", label=jump)
        for part, colour in part_colours.items():
            weight_axis.plot(iterations, course[f"lambda_{part}"], line, color=colour)
        for axis in null_axes:
            axis.plot(iterations, course["null_probability"], line, color=COLOURS[1], marker=".")
            axis.set(ylabel="null probability")
    for part, colour in part_colours.items():
        weight_axis.plot([], [], color=colour, label=part)
    gain_axis.set(ylabel="gain in log-posterior")
    weight_axis.set(ylabel="weight of a rewrite")
    for axis in axes[0]:
        axis.set_xlabel("iteration")
        axis.xaxis.get_major_locator().set_params(integer=True)
    for axis in (gain_axis, weight_axis):  # above the panels, where a legend hides no line
        options = {"ncols": 5, "handlelength": 2.6, "columnspacing": 1}
        axis.legend(fontsize=7, loc="lower center", bbox_to_anchor=(0.5, 1), **options)
    return figure


def draw_calibration(errors: pd.DataFrame, bins: pd.DataFrame) -> Figure:
    """Draw the share of right links at each posterior, a panel for each system; bars count the links."""
    systems = errors["system"].tolist()
    figure, axes = make_panels(1, len(systems), 2.6, 2.6, sharey=True)
    for axis, system, error in zip(axes[0], systems, errors["error"], strict=True):
        rows = bins[bins["system"] == system]
        share = rows["links"] / rows["links"].sum()
        axis.bar((rows["low"] + rows["high"]) / 2, share, width=0.09, color=GREY, alpha=0.45, label="links")
        axis.plot([0, 1], [0, 1], color=GREY, linewidth=0.8)
        axis.plot(rows["posterior"], rows["right"], "o-", color=COLOURS[0], markersize=4, label="right")
        title = f"{escape_mathematics(system)}\nexpected calibration error {error:.3f}"
        axis.set(title=title, xlabel="posterior", xlim=(0, 1), ylim=(0, 1))
    axes[0, 0].set_ylabel("share")
    axes[0, 0].legend(loc="upper left", fontsize=7)
    return figure


def draw_message(message: str) -> Figure:
    """Draw a figure that says why it is empty."""
    figure, axes = make_panels(1, 1, 4, 0.8)
    axes[0, 0].set_axis_off()
    axes[0, 0].text(0, 0.5, message, va="center")
    return figure


def plan_figures(folder: StrPath, models: Sequence[StrPath]) -> dict[str, Callable[[], Figure]]:
    """Return the functions that draw the figures, by name.

    `folder`: that of the score stage; `models`: files `model.npz`, each with its `em.tsv` beside it.
    """
    names = ("scores", "phrases", "jumps", "calibration", "reliability")
    scores, phrases, jumps, errors, bins = read_tables(folder, names).values()
    loaded = [Model.load(path) for path in models]
    courses = {
        model.jump: pd.read_table(Path(path).parent / "em.tsv")
        for model, path in zip(loaded, models, strict=True)
    }

    def unless_empty(
        data: Sized, message: str, draw: Callable[..., Figure], *arguments: Any
    ) -> Callable[[], Figure]:
        return partial(draw, data, *arguments) if len(data) else partial(draw_message, message)

    scored = (scores, "soft_f", "SoftF") if len(scores) else (phrases, "f", "F of phrases")
    unscored = "This corpus has no gold, so nothing was scored."
    untrained = "No semi-HMM was trained."
    uncalibrated = "Calibration needs posteriors and gold in tokens."
    return {
        "scores": unless_empty(scored[0], unscored, draw_scores, *scored[1:]),
        "jumps": unless_empty(jumps, "The alignments have no jumps.", draw_jumps),
        "learned": unless_empty(loaded, untrained, draw_learned),
        "head_to_head": unless_empty(loaded, untrained, draw_head_to_head, jumps, scores),
        "em": unless_empty(courses, untrained, draw_em),
        "calibration": unless_empty(errors, uncalibrated, draw_calibration, bins),
    }


@command
def main(arguments: list[str] | None = None) -> None:
    """Draw the figures of a corpus."""
    parser = CommandParser("figures", main)
    parser.add_argument("--scores", required=True, type=Path, help="folder of the score stage")
    parser.add_argument("--models", nargs="*", default=[], help="model.npz of each jump model")
    parser.add_argument("--output", required=True, type=Path, help="folder for the figures")
    options = parser.parse(arguments)
    for name, draw in plan_figures(options.scores, options.models).items():
        save_figure(draw, options.output, name)
