"""Draws one pair through the recursions: the figure and the tables of `docs/recursions.md`.

Run `python tools/recursions.py` after a change of the model that comes with the package. The recursions
are written here as in `docs/model.md`, step by step; a test compares them with the kernels.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from markdown import insert_into_file
from vorlage.corpus.pair import Pair
from vorlage.corpus.records import Record, tokenize
from vorlage.semihmm.decode.load import SHIPPED, open_aligner
from vorlage.semihmm.jumps.base import ByDistance
from vorlage.semihmm.kernels.arguments import KernelInputs
from vorlage.semihmm.kernels.viterbi import viterbi
from vorlage.types import Floats

DOCS = Path(__file__).parents[1] / "docs"
DOCUMENT = "The council bought the old mill in May."
SUMMARY = "In May the town council purchased a mill."
SHOWN = 0.02  # posterior of a transition below which the figure leaves it out
LEFT, TOP, ACROSS, DOWN = 78, 62, 54, 26


class Step(NamedTuple):
    """A transition: summary words t … t+k−1 from position p to document words j … j+l−1, j from 1.

    The null state has j = 0: it stays at p.
    """

    t: int
    p: int
    k: int
    j: int
    l: int  # noqa: E741

    @property
    def end(self) -> tuple[int, int]:
        """The number of summary words generated, and the position, after the step."""
        return self.t + self.k, self.j + self.l - 1 if self.j else self.p


class Lattice(NamedTuple):
    """The recursions of a pair: `alpha` and `beta` (T+1, n+1), Pr(s|d), and the posterior of each step.

    `jumps` (n+1, n+2): J(p→j), with the end at n+1; `best`: the steps of the best path.
    """

    alpha: Floats
    beta: Floats
    total: float
    steps: dict[Step, float]
    jumps: Floats
    rewrites: dict[tuple[int, int, int, int], float]
    best: list[Step]

    @property
    def states(self) -> Floats:
        """The posterior of each state, α·β / Pr(s|d)."""
        return self.alpha * self.beta / self.total


def prepare() -> tuple[Pair, KernelInputs, ByDistance]:
    """Return the pair, its inputs to the kernels, and the jumps of the model that comes with the package."""
    pair = tokenize(Record("one", "", DOCUMENT, SUMMARY))
    aligner = open_aligner(SHIPPED / "without-encoder.npz")
    assert isinstance(aligner.model.jumps, ByDistance)
    return pair, aligner.prepare(pair, range(len(pair.document.sentences))).inputs, aligner.model.jumps


def run(inputs: KernelInputs, model: ByDistance) -> Lattice:
    """Run the recursions over all steps of a pair, forward and backward."""
    n, length, phi = len(inputs.document), len(inputs.summary), model.null
    distance = np.arange(n + 2)[None, :] - np.arange(n + 1)[:, None]
    jumps = np.exp(model.logarithms(n))[distance + n]
    words = inputs.word_rewrites[inputs.summary][:, inputs.document]
    rewrites = {(t, 1, j + 1, 1): float(r) for (t, j), r in np.ndenumerate(words)}
    for (t, k, j, size), r in zip(inputs.phrases.tolist(), inputs.phrase_rewrites.tolist(), strict=True):
        rewrites[t, k, j + 1, size] = r
    weights = {
        Step(t, p, 1, 0, 0): phi * inputs.null_rewrites[t] for t in range(length) for p in range(n + 1)
    }
    for (t, k, j, size), r in rewrites.items():
        weights |= {Step(t, p, k, j, size): jumps[p, j] * r for p in range(n + 1)}
    ordered = sorted(weights)
    alpha, beta = np.zeros((length + 1, n + 1)), np.zeros((length + 1, n + 1))
    alpha[0, 0], beta[length] = 1.0, jumps[:, n + 1]
    for step in ordered:
        alpha[step.end] += alpha[step.t, step.p] * weights[step]
    for step in reversed(ordered):
        beta[step.t, step.p] += weights[step] * beta[step.end]
    total = float(beta[0, 0])
    steps = {s: float(alpha[s.t, s.p] * weights[s] * beta[s.end] / total) for s in ordered}
    best, p = [], 0
    for t, k, j, size in viterbi(inputs)[1].tolist():
        best.append(Step(t, p, k, j + 1, size))
        p = best[-1].end[1]
    return Lattice(alpha, beta, total, steps, jumps, rewrites, best)


def draw(pair: Pair, found: Lattice) -> str:
    """Return the figure: the states of the forward recursion, and the posteriors of states and steps."""
    forward = found.alpha / found.alpha.sum(axis=1, keepdims=True)
    height = TOP + DOWN * found.alpha.shape[1]
    width = LEFT + ACROSS * found.alpha.shape[0] - 10
    panels = [
        _panel(pair, forward, {}, [], "Forward: where the words so far may end"),
        f'<g transform="translate(0 {height + 6})">',
        _panel(pair, found.states, found.steps, found.best, "Forward and backward: posteriors of the whole"),
        "</g>",
    ]
    return "\n".join([_HEAD.format(width=width, height=2 * height + 12), *panels, "</svg>\n"])


_HEAD = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"
    font-family="sans-serif" font-size="12">
<style>
  .paper {{ fill: #ffffff }} text {{ fill: #333333 }} .title {{ font-weight: bold }} .grid {{ fill: #cccccc }}
  .state {{ fill: #1565c0 }} .step {{ stroke: #1565c0 }} .null {{ stroke: #c75300; stroke-dasharray: 4 3 }}
  .step, .null {{ fill: none; opacity: 0.6 }} .best {{ opacity: 1 }}
  @media (prefers-color-scheme: dark) {{
    .paper {{ fill: #1f2129 }} text {{ fill: #dddddd }} .grid {{ fill: #555a66 }} .state {{ fill: #64b5f6 }}
    .step {{ stroke: #64b5f6 }} .null {{ stroke: #ffb074 }}
  }}
</style>
<rect class="paper" width="100%" height="100%" rx="6"/>"""


def _panel(pair: Pair, states: Floats, steps: dict[Step, float], best: list[Step], title: str) -> str:
    """Return a lattice: circles with the area of the states, and lines with the width of the steps."""
    lines = [f'<text class="title" x="12" y="20">{title}</text>']
    for t, word in enumerate(pair.summary.words):
        x = LEFT + ACROSS * (t + 0.5)
        lines.append(f'<text x="{x:g}" y="{TOP - 18}" text-anchor="middle" font-size="11">{word}</text>')
    for p, word in enumerate(["start", *pair.document.words]):
        lines.append(f'<text x="{LEFT - 14}" y="{_y(p) + 4:g}" text-anchor="end">{word}</text>')
    for step, weight in steps.items():
        if weight >= SHOWN:
            t, p = step.end
            x, to, bend = _x(step.t), _x(t), ACROSS * 0.45
            path = f"M{x} {_y(step.p)}C{x + bend:g} {_y(step.p)} {to - bend:g} {_y(p)} {to} {_y(p)}"
            kind = ("step" if step.j else "null") + (" best" if step in best else "")
            lines.append(f'<path class="{kind}" stroke-width="{6 * weight:.2f}" d="{path}"/>')
    for (t, p), weight in np.ndenumerate(states):
        lines.append(f'<circle class="grid" cx="{_x(t)}" cy="{_y(p)}" r="1.5"/>')
        if weight >= SHOWN:
            radius = 9 * np.sqrt(weight)
            lines.append(f'<circle class="state" cx="{_x(t)}" cy="{_y(p)}" r="{radius:.2f}"/>')
    return "\n".join(lines)


def _x(t: int) -> int:
    return LEFT + ACROSS * t


def _y(p: int) -> int:
    return TOP + DOWN * p


def make_tables(pair: Pair, found: Lattice) -> dict[str, str]:
    """Return the tables of the page: the first phrase by number, and where each summary word comes from."""
    return {
        "recursions step": _table("| what | symbol | value |\n|---|---|---:|", _first_step(pair, found)),
        "recursions words": _table(
            "| summary word | best path | posterior of this step | of no source |\n|---|---|---:|---:|",
            _words(pair, found),
        ),
    }


def _table(head: str, rows: Iterable[tuple[str, ...]]) -> str:
    return "\n".join([head, *(f"| {' | '.join(row)} |" for row in rows)])


def _first_step(pair: Pair, found: Lattice) -> Iterator[tuple[str, ...]]:
    """Yield what the first step of the best path adds to its state: the meaning, the symbol, the value."""
    step = found.best[0]
    t, p = step.end
    source = pair.document.words[step.j - 1 : step.j - 1 + step.l]
    rewrite = found.rewrites[step.t, step.k, step.j, step.l]
    enter = found.jumps[0, step.j]
    for meaning, symbol, value in (
        (f"jump from the start to *{source[0]}*", f"J(0 \\to {step.j})", enter),
        (
            f"rewrite of *{' '.join(source)}* as *{' '.join(pair.summary.words[:t])}*",
            f"r(s_{{1 \\dots {t}}} \\mid d_{{{step.j} \\dots {p}}})",
            rewrite,
        ),
        ("their product, one term of the forward recursion", f"a_0({step.j})\\, r", enter * rewrite),
        ("sum of all terms that end here", f"\\alpha_{t}({p})", found.alpha[t, p]),
        ("the rest of the summary from here", f"\\beta_{t}({p})", found.beta[t, p]),
        ("whole summary", "\\Pr(s \\mid d)", found.total),
        (
            "posterior of this phrase pair",
            f"a_0({step.j})\\, r\\, \\beta_{t}({p}) / \\Pr(s \\mid d)",
            found.steps[step],
        ),
    ):
        yield meaning, f"${symbol}$", f"{value:.3g}"


def _words(pair: Pair, found: Lattice) -> Iterator[tuple[str, ...]]:
    """Yield, for each summary word, its source on the best path and two posteriors."""
    for best in found.best:
        source = " ".join(pair.document.words[best.j - 1 : best.j - 1 + best.l]) if best.j else "no source"
        for t in range(best.t, best.t + best.k):
            same = [w for s, w in found.steps.items() if s._replace(p=0) == best._replace(p=0)]
            null = [w for s, w in found.steps.items() if s.t == t and not s.j]
            shown = null if not best.j else same
            yield pair.summary.words[t], source, f"{sum(shown):.3f}", f"{sum(null):.3f}"


if __name__ == "__main__":
    pair, inputs, model = prepare()
    found = run(inputs, model)
    (DOCS / "recursions.svg").write_text(draw(pair, found), encoding="utf-8")
    insert_into_file(DOCS / "recursions.md", make_tables(pair, found))
