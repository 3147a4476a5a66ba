"""Figures of the benchmark tables, as SVG and PNG."""

from pathlib import Path

import matplotlib

matplotlib.use("Agg")
matplotlib.rcParams["svg.hashsalt"] = "vorlage"
import matplotlib.pyplot as plt  # noqa: E402
import pandas as pd  # noqa: E402


def plot_lengths(table: pd.DataFrame, folder: Path) -> None:
    """Plot milliseconds a pair against words of the document."""
    figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
    words = table["document words"]
    for name, style in (("one by one ms", "D-."), ("relative ms", "o-"), ("syntax ms", "s--")):
        axes.loglog(words, table[name], style, label=name.removesuffix(" ms"))
    dense = table.dropna(subset=["dense BLAS / relative"])
    times = dense["dense BLAS / relative"] * dense["relative ms"]
    axes.loglog(dense["document words"], times, "^:", label="dense matrix, BLAS")
    axes.set(xlabel="words of the document", ylabel="ms a pair and iteration, one thread")
    axes.set_xticks(words, [f"{n:,}" for n in words])
    axes.minorticks_off()
    axes.grid(alpha=0.3)
    axes.legend()
    _save(figure, folder, "speed-length")


def plot_models(table: pd.DataFrame, folder: Path) -> None:
    """Plot milliseconds a pair of a whole training, for every model."""
    last = table.drop_duplicates(["model", "threads"], keep="last").iloc[::-1]
    figure, axes = plt.subplots(figsize=(7, 0.42 * len(last) + 1), layout="constrained")
    rows = zip(last["model"], last["threads"], strict=True)
    names = [f"{model}, {threads} thread{'s' * (threads > 1)}" for model, threads in rows]
    bars = axes.barh(names, last["ms a pair in all"])
    axes.bar_label(bars, fmt="{:,.0f}", padding=3)
    axes.set(xscale="log", xlabel="ms a pair, whole training")
    axes.margins(x=0.15)
    _save(figure, folder, "speed-models")


def _save(figure: plt.Figure, folder: Path, name: str) -> None:
    """Write a figure as SVG and PNG and close it."""
    folder.mkdir(parents=True, exist_ok=True)
    figure.savefig(folder / f"{name}.svg", metadata={"Date": None})
    figure.savefig(folder / f"{name}.png", dpi=150)
    plt.close(figure)
