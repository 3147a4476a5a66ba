"""Draw the figures of a corpus: ``python -m pipeline.report.figures``.

Scores of the systems, jumps in gold and alignments (Daumé & Marcu 2005, Figure 2), the jump tables that
were learned, the course of EM, and how far posteriors can be trusted. Each is saved as SVG for light and for
dark pages and as PNG; one that has nothing to show says so.
"""

import argparse
from pathlib import Path

import numpy as np
import pandas as pd

from pipeline.io.inputs import open_file
from pipeline.report.page import WORDS, read_table
from pipeline.report.style import GREY, LINES, colours, panels, plain, save_all
from pipeline.run.errors import command
from pipeline.run.progress import start_log
from pipeline.score.systems import GOLD
from pipeline.semihmm.model import Model
from pipeline.semihmm.phrases.rewrite import PARTS

REACH = 15  # words to either side that figures of jumps show
LABELS = 14  # of the syntax model, the most probable ones


def draw_scores(table, value, title):
    """F of each system with its interval, over all and over non-stop words; ``value``: the column of F."""
    systems = table["system"].unique()
    figure, axes = panels(1, 1, 6.2, 0.7 + 0.3 * len(systems))
    axis = axes[0, 0]
    height = np.arange(len(systems))[::-1]
    for number, (words, label) in enumerate(WORDS.items()):
        rows = table[table["words"] == words].set_index("system").loc[systems]
        spread = [rows[value] - rows["low"], rows["high"] - rows[value]]
        axis.errorbar(
            rows[value],
            height + 0.14 - 0.28 * number,
            xerr=np.clip(spread, 0, None),
            fmt="os"[number],
            markersize=4.5,
            capsize=2,
            color=colours()[number],
            label=label,
        )
    axis.set(
        yticks=height,
        yticklabels=[plain(system) for system in systems],
        xlabel=f"{title}, 95 % interval over pairs",
        xlim=(0, 1),
    )
    axis.set_ylim(-0.6, len(systems) - 0.4)
    axis.grid(axis="y", visible=False)
    axis.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=2)
    return figure


def draw_jumps(table):
    """Share of jumps by distance, a panel for each system, with the gold behind it where there is gold."""
    gold = _shares(table, GOLD)
    systems = [system for system in table["system"].unique() if system != GOLD] or [GOLD]
    columns = min(3, len(systems))
    rows = -(-len(systems) // columns)
    figure, axes = panels(rows, columns, 2.5, 1.75, sharex=True, sharey=True)
    places = np.arange(-REACH, REACH + 1)
    for axis, system in zip(axes.flat, systems, strict=False):
        if gold.any():
            axis.bar(places, gold, width=0.9, color=GREY, alpha=0.55, label="gold")
        axis.step(
            places, _shares(table, system), where="mid", color=colours()[0], linewidth=1.2, label="system"
        )
        axis.set_title(plain(system))
        axis.set_yscale("symlog", linthresh=0.01)
        axis.set_yticks([0, 0.01, 0.1, 1], ["0", "1 %", "10 %", "100 %"])
    for axis in axes.flat[len(systems) :]:
        axis.set_axis_off()
    axes[0, 0].legend(loc="upper left", fontsize=7)
    figure.supxlabel("jump in words; +1 is the next word", fontsize=9)
    return figure


def _shares(table, system):
    shares = table[table["system"] == system].set_index("jump")["share"]
    return shares.reindex(np.arange(-REACH, REACH + 1), fill_value=0.0).to_numpy()


def draw_learned(models):
    """What the jump models have learned, a panel each: distances, their normal curve, labels."""
    figure, axes = panels(1, len(models), 3.2, 2.6)
    for axis, model in zip(axes[0], models, strict=True):
        learned = model.jumps.describe()
        axis.set_title(f"{model.jump}, null {learned['null']:.3f}")
        if "labels" in learned:
            _draw_labels(axis, learned["labels"])
        else:
            places = np.arange(-REACH, REACH + 1)
            shares = np.array([_probability(learned, place) for place in places])
            axis.bar(places, shares, width=0.9, color=colours()[0])
            axis.set(xlabel="jump in words", ylabel="probability")
    return figure


def _probability(learned, distance):
    if "distances" in learned:
        return learned["distances"].get(str(distance), 0.0)
    spread = (distance - learned["mean"]) / learned["deviation"]
    density = np.exp(-(spread**2) / 2) / (learned["deviation"] * np.sqrt(2 * np.pi))
    return (1 - learned["null"]) * density


def _draw_labels(axis, labels):
    largest = sorted(labels.items(), key=lambda item: (-item[1], item[0]))[:LABELS]
    names, factors = zip(*largest, strict=True)
    axis.barh(range(len(names)), factors, color=colours()[0])
    axis.set(yticks=range(len(names)), yticklabels=names, xlabel="factor of a skipped constituent")
    axis.tick_params(axis="y", labelsize=7)
    axis.invert_yaxis()
    axis.grid(axis="y", visible=False)


def draw_em(courses):
    """The course of EM, a panel each: log-posterior, null probability, weights; ``courses``: jump → table."""
    figure, axes = panels(1, 3, 3.0, 2.4)
    parts = [part for part in PARTS if any(course[f"lambda_{part}"].any() for course in courses.values())]
    for (jump, course), line in zip(courses.items(), LINES, strict=False):
        gain = course["log_posterior"] - course["log_posterior"].iloc[0]
        axes[0, 0].plot(course["iteration"], gain, line, color=colours()[0], marker=".", label=jump)
        axes[0, 1].plot(course["iteration"], course["null_probability"], line, color=colours()[1], marker=".")
        for part, colour in zip(parts, [*colours()[2:], *colours()[:2]], strict=False):
            axes[0, 2].plot(course["iteration"], course[f"lambda_{part}"], line, color=colour)
    for part, colour in zip(parts, [*colours()[2:], *colours()[:2]], strict=False):
        axes[0, 2].plot([], [], color=colour, label=part)
    axes[0, 0].set(ylabel="log-posterior, gain over the start")
    axes[0, 1].set(ylabel="null probability")
    axes[0, 2].set(ylabel="weight of a rewrite")
    axes[0, 0].legend(fontsize=7)
    axes[0, 2].legend(fontsize=7, ncols=2)
    for axis in axes[0]:
        axis.set_xlabel("iteration")
        axis.xaxis.get_major_locator().set_params(integer=True)
    return figure


def draw_calibration(bins, errors):
    """Share of right links against their posterior, a panel for each system; bars: how many links."""
    systems = errors["system"].tolist()
    figure, axes = panels(1, len(systems), 2.6, 2.6, sharey=True)
    for axis, system in zip(axes[0], systems, strict=True):
        rows = bins[bins["system"] == system]
        error = errors.set_index("system").loc[system, "error"]
        share = rows["links"] / rows["links"].sum()
        axis.bar((rows["low"] + rows["high"]) / 2, share, width=0.09, color=GREY, alpha=0.45, label="links")
        axis.plot([0, 1], [0, 1], color=GREY, linewidth=0.8)
        axis.plot(rows["posterior"], rows["right"], "o-", color=colours()[0], markersize=4, label="right")
        axis.set(title=f"{plain(system)}\nexpected calibration error {error:.3f}", xlabel="posterior")
        axis.set(xlim=(0, 1), ylim=(0, 1))
    axes[0, 0].set_ylabel("share")
    axes[0, 0].legend(loc="upper left", fontsize=7)
    return figure


def nothing(reason):
    """A figure that says why it is empty."""
    figure, axes = panels(1, 1, 4, 0.8)
    axes[0, 0].set_axis_off()
    axes[0, 0].text(0, 0.5, reason, va="center")
    return figure


def figures(folder, models):
    """Name → function that draws it. ``folder``: of the score stage; ``models``: files ``model.npz``.

    The course of EM is read from ``em.tsv`` beside each model.
    """
    scores, phrases = read_table(folder, "scores"), read_table(folder, "phrases")
    jumps, errors = read_table(folder, "jumps"), read_table(folder, "calibration")
    bins = read_table(folder, "reliability")
    loaded = [Model.load(path) for path in models]
    courses = {
        model.jump: _read_course(Path(path).parent / "em.tsv")
        for model, path in zip(loaded, models, strict=True)
    }

    def scored():
        if len(scores):
            return draw_scores(scores, "soft_f", "SoftF")
        if len(phrases):
            return draw_scores(phrases, "f", "F of phrases")
        return nothing("No gold, so there are no scores.")

    def calibrated():
        if len(errors):
            return draw_calibration(bins, errors)
        return nothing("No posteriors to compare with gold in tokens.")

    return {
        "scores": scored,
        "jumps": lambda: draw_jumps(jumps) if len(jumps) else nothing("No jumps."),
        "learned": lambda: draw_learned(loaded) if loaded else nothing("No semi-HMM was trained."),
        "em": lambda: draw_em(courses) if courses else nothing("No semi-HMM was trained."),
        "calibration": calibrated,
    }


def _read_course(path):
    with open_file(path, encoding="utf-8") as file:
        return pd.read_table(file)


@command
def main(arguments=None):
    """Draw the figures of a corpus."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.report.figures", description=main.__doc__)
    parser.add_argument("--scores", required=True, type=Path, help="folder of the score stage")
    parser.add_argument("--models", nargs="*", default=[], help="model.npz of each jump model")
    parser.add_argument("--output", required=True, type=Path, help="folder for the figures")
    parser.add_argument("--log", help="log file (default: standard error)")
    given = parser.parse_args(arguments)
    start_log(given.log)
    for name, draw in figures(given.scores, given.models).items():
        save_all(draw, given.output, name)


if __name__ == "__main__":
    main()
