"""The figures of the tables, as SVG and PNG."""

import matplotlib

matplotlib.use("Agg")
matplotlib.rcParams["svg.hashsalt"] = "palimpsest"
import matplotlib.pyplot as plt  # noqa: E402


def plot_lengths(table, folder):
    """Milliseconds a pair against words of the document."""
    figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
    words = table["document words"]
    for name, style in (("one by one ms", "D-."), ("relative ms", "o-"), ("syntax ms", "s--")):
        axes.loglog(words, table[name], style, label=name.removesuffix(" ms"))
    both = table.dropna(subset=["dense BLAS / relative"])
    times = both["dense BLAS / relative"] * both["relative ms"]
    axes.loglog(both["document words"], times, "^:", label="dense matrix, BLAS")
    axes.set(xlabel="words of the document", ylabel="ms a pair and iteration, one thread")
    axes.set_xticks(words, [f"{n:,}" for n in words])
    axes.minorticks_off()
    axes.grid(alpha=0.3)
    axes.legend()
    _save(figure, folder, "speed-length")


def plot_models(table, folder):
    """Milliseconds a pair of a whole training, for every model."""
    last = table.drop_duplicates(["model", "threads"], keep="last").iloc[::-1]
    figure, axes = plt.subplots(figsize=(7, 0.42 * len(last) + 1), layout="constrained")
    names = [f"{row.model}, {row.threads} thread{'s' * (row.threads > 1)}" for row in last.itertuples()]
    bars = axes.barh(names, last["ms a pair in all"])
    axes.bar_label(bars, fmt="{:,.0f}", padding=3)
    axes.set(xscale="log", xlabel="ms a pair, whole training")
    axes.margins(x=0.15)
    _save(figure, folder, "speed-models")


def _save(figure, folder, name):
    folder.mkdir(parents=True, exist_ok=True)
    figure.savefig(folder / f"{name}.svg", metadata={"Date": None})
    figure.savefig(folder / f"{name}.png", dpi=150)
    plt.close(figure)
