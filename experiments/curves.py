"""Measures what the semi-HMM needs: learning curves over pairs and over iterations, and ablations.

    python experiments/curves.py --data FOLDER

trains on pairs of the bundled corpus and scores the links on `genres`; with a folder of `mtref-train` and
`mtref-dev`, it trains on the one and scores on the other, too. No gold is of a pair that was trained on. Rows
of `docs/results/curves.tsv` and `docs/results/ablation.tsv` are kept; delete a file to measure it again.
"""

import argparse
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from itertools import chain
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pandas as pd
import yaml
from figures import draw_curves, save
from markdown_tables import decimals, insert_into_file, markdown_table, with_bounds, with_range
from runs import SEED, SOFT_F, compare
from vorlage.alignments.alignment import Link
from vorlage.documents.pair import Pair
from vorlage.documents.records import read_records, tokenize
from vorlage.encoder.similarities import Similarities, measure_all
from vorlage.encoder.transformer import open_encoder
from vorlage.extract import cosine
from vorlage.extract.methods import choose_extract
from vorlage.semihmm import mixture
from vorlage.semihmm.decode.aligner import Aligner
from vorlage.semihmm.decode.load import trees_by_parser
from vorlage.semihmm.jump_model import jump_model
from vorlage.semihmm.mixture import Parameters
from vorlage.semihmm.model import Model
from vorlage.semihmm.train.blocks import ExtractedPair
from vorlage.semihmm.train.em import Maximisation
from vorlage.semihmm.train.training import Resources, make_model, train
from vorlage.semihmm.wordnet import open_distances
from vorlage.settings import Embed, Extraction, Parse, SemiHmm, validate
from vorlage.trees.tree_arrays import Trees
from vorlage.types import AnyArray, JsonObject
from vorlage.workflow.gold import TOKENS, check_gold, read_annotations, select_gold
from vorlage.workflow.score.counts import compute_scores, count_links
from vorlage.workflow.score.phrases import count_words
from vorlage.workflow.score.reference import make_reference

PAGE = Path("docs/jump-models.md")
CURVES, ABLATION = Path("docs/results/curves.tsv"), Path("docs/results/ablation.tsv")
DRAWS = 3
PAPER = yaml.safe_load(Path("workflow/presets/paper.yaml").read_text(encoding="utf-8"))
SMOOTHED = "paper, smoothed"  # fake counts by frequency in each row of the table, as many as by default
_COUNTS = {"fake_counts": PAPER["semihmm"]["fake_counts"] | {"unigram": 2000}}
# The settings by name, with the sections of the config.
SETTINGS: dict[str, JsonObject] = {
    "paper": PAPER,
    "default": {"semihmm": {"encoder": True}},
    "without encoder": {"semihmm": {"encoder": False}},
    SMOOTHED: PAPER | {"semihmm": PAPER["semihmm"] | _COUNTS},
}
COMPARED = ("paper", "default")  # over pairs and in the ablation
JUMPS = ("relative", "gaussian", "syntax", "syntax-counts")
BUNDLED = ("sample", "genres")
# The set that is trained on, and that whose gold decides; how many pairs are drawn.
SETS = {"sample": ("genres", (4, 8, 16, 32)), "mtref-train": ("mtref-dev", (25, 50, 100, 200, 399))}
MIDDLE = {"sample": 32, "mtref-train": 100}  # the pairs of the curve over iterations
ITERATIONS = (1, 2, 3, 4, 5, 7, 10, 15, 20, 30)
LINKS = ("soft_precision", "recall", "soft_f")
KEYS = ["trained_on", "scored_on", "settings", "jump", "pairs", "draw", "iteration"]
CURVE_COLUMNS = (*KEYS, "log_likelihood", "heldout_log_likelihood", *LINKS)
ABLATION_COLUMNS = ("settings", "jump", "change", *LINKS, "difference", "low", "high")
# Changes of the settings `semihmm`; `factor` is one of all fake counts.
CHANGES: dict[str, dict[str, float]] = {
    "without phrases": {"max_document_phrase": 1, "max_summary_phrase": 1},
    "fake counts halved": {"factor": 0.5},
    "fake counts doubled": {"factor": 2},
    **{f"beam {beam:g}": {"beam": beam} for beam in (0.25, 0.5, 1)},
}


@dataclass(frozen=True)
class Corpus:
    """A set of pairs with gold, by the settings for extracts."""

    name: str
    folder: Path
    extract: JsonObject

    @cached_property
    def pairs(self) -> list[ExtractedPair]:
        """The pairs with their extracts, whole documents in sets that are not bundled."""
        whole, tokenized = self.name not in BUNDLED, self.name.startswith("mtref")
        pairs = [tokenize(record, tokenized) for record in read_records(self.folder / "corpus.jsonl")]
        counts = cosine.StemCounts()
        for pair in pairs:
            counts.add(cosine.sentence_stems(pair.document))
        weights = cosine.fit_weights(counts)
        settings = validate(Extraction, self.extract | ({"enabled": False} if whole else {}))
        return [(pair, choose_extract(pair, weights, settings)) for pair in pairs]

    @cached_property
    def counters(self) -> list[Callable[[Iterable[Link]], AnyArray]]:
        """What counts the links of each pair: words, or phrases for gold in characters."""
        golds, counters = read_annotations(self.folder / "gold.jsonl"), []
        for pair, _ in self.pairs:
            for gold in golds[pair.id]:
                check_gold(gold, pair)
            selected = select_gold(golds[pair.id])
            if selected[0].unit == TOKENS:
                counters.append(partial(count_links, reference=make_reference(pair, selected)))
            else:
                counters.append(partial(count_words, pair=pair, golds=selected))
        return counters

    @cached_property
    def trees(self) -> Trees:
        """The trees of all sentences of the extracts."""
        sentences = [
            pair.document.words[slice(*pair.document.sentences[number])]
            for pair, extract in self.pairs
            for number in extract.sentences
        ]
        return trees_by_parser(validate(Parse, {"backend": "pattern"}))(sentences)


class Encoded:
    """The similarities of pairs by the encoder, each measured once."""

    def __init__(self) -> None:
        self._encoder = open_encoder(Embed().model, Embed().layer)
        self.about, self._by_pair = self._encoder.about, {}

    def get_all(self, extracted: Sequence[tuple[Pair, Sequence[int]]]) -> list[Similarities]:
        """Return the similarities of pairs and sentences of their documents."""
        for pair, sentences in extracted:
            if (pair.id, tuple(sentences)) not in self._by_pair:
                [self._by_pair[pair.id, tuple(sentences)]] = measure_all(self._encoder, [(pair, sentences)])
        return [self._by_pair[pair.id, tuple(sentences)] for pair, sentences in extracted]


encoded = cache(Encoded)


def learn(
    pairs: Sequence[ExtractedPair],
    jump: str,
    settings: SemiHmm,
    trees: Trees | None,
    iterations: Sequence[int],
    start: Mapping[str, float] | None = None,
) -> list[tuple[Model, float]]:
    """Train on pairs; return the model after each of some iterations, and log Pr of the pairs before it.

    `start`: first weights of parts of the mixture in place of equal ones.
    """
    models, rest = [], settings.model_copy(update={"iterations": max(iterations)})
    resources = Resources(open_distances(settings.training), None, encoded() if settings.encoder else None)
    step, first = Maximisation.step, Maximisation.start

    def kept_step(self, parameters, expected, done, began):
        iteration, maximised = step(self, parameters, expected, done, began)
        if iteration.iteration in iterations:
            models.append((make_model(self, maximised, resources), iteration.log_likelihood))
        return iteration, maximised

    def weighted_start(self, *arguments) -> Parameters:
        parameters = first(self, *arguments)
        if not start:
            return parameters
        named = zip(mixture.PARTS, parameters.weights, strict=True)
        weights = np.array([start.get(part.name, 1.0) * (weight > 0) for part, weight in named])
        return replace(parameters, weights=weights / weights.sum())

    with patch.object(Maximisation, "step", kept_step), patch.object(Maximisation, "start", weighted_start):
        if settings.agreement:
            train(pairs, "relative", rest.training, resources, reverse=True)
        reverse, models = models, []
        resources = replace(resources, trees=trees if jump_model(jump).needs_trees else None)
        train(pairs, jump, rest.training, resources)
    others = [model for model, _ in reverse] or [None] * len(models)
    return [(replace(model, reverse=other), x) for (model, x), other in zip(models, others, strict=True)]


def link(model: Model, test: Corpus, decoding: SemiHmm) -> tuple[AnyArray, float]:
    """Return the counts of the links of a model by pair, over all words, and log Pr of all pairs."""
    measure = encoded().get_all if model.settings.encoder else None
    aligner = Aligner(model, open_distances(model.settings), lambda _: test.trees, measure)
    made = [aligner.align(pair, extract.sentences, decoding) for pair, extract in test.pairs]
    counts = [count(alignment.links)[0] for count, alignment in zip(test.counters, made, strict=True)]
    return np.stack(counts), sum(alignment.log_likelihood or 0.0 for alignment in made)


def settings_of(name: str, factor: float = 1, **changes: Any) -> SemiHmm:
    """Return the settings `semihmm` of a name with changes; `factor`: of all fake counts."""
    values = SETTINGS[name]["semihmm"] | changes
    counts = validate(SemiHmm, values, encoder=True).fake_counts.model_dump()
    scaled = {"fake_counts": {key: factor * count for key, count in counts.items()}}
    return validate(SemiHmm, values | scaled, encoder=True)


def curve(
    name: str, corpora: Mapping[str, Corpus], settings: str, jump: str, pairs: int, draw: int, at
) -> Iterator:
    """Yield the rows of a training on some drawn pairs, one for each of the iterations `at`."""
    chosen, training, test = settings_of(settings), corpora[name], corpora[SETS[name][0]]
    order = np.random.default_rng((SEED, draw)).permutation(len(training.pairs))
    drawn = [training.pairs[i] for i in sorted(order[:pairs])]
    trees = training.trees if jump_model(jump).needs_trees else None
    for iteration, (model, x) in zip(at, learn(drawn, jump, chosen, trees, at), strict=True):
        counts, heldout = link(model, test, chosen)
        scores = compute_scores(counts.sum(axis=0))
        measured = *decimals((x, heldout), 1), *decimals((scores[key] for key in LINKS), 4)
        yield [name, test.name, settings, jump, pairs, draw, iteration, *measured]


def plan_curves(names: Iterable[str]) -> Iterator[tuple]:
    """Yield the arguments of `curve`: over iterations with the pairs of `MIDDLE`, then over pairs."""
    for name in names:
        sizes = SETS[name][1]
        for settings in (*COMPARED, SMOOTHED):
            yield from ((name, settings, jump, MIDDLE[name], 1, ITERATIONS) for jump in JUMPS)
        for settings in COMPARED:
            last = (settings_of(settings).iterations,)
            for size in sizes:
                draws = range(1, 1 + (DRAWS if size < sizes[-1] else 1))
                yield from ((name, settings, jump, size, draw, last) for draw in draws for jump in JUMPS)


def ablate(settings: str, corpora: Mapping[str, Corpus], jump: str = "relative") -> Iterator[list]:
    """Yield the rows of the ablation, with differences from the settings as they are, trained on `sample`."""
    training, test, chosen = corpora["sample"], corpora["genres"], settings_of(settings)
    known = open_distances(chosen.training) is not None
    parts = [part.name for part in mixture.PARTS if part.enabled(chosen.training, known)]
    # For each run, changes of the settings, and first weights of parts of the mixture.
    runs: dict[str, tuple[dict[str, float], dict[str, float]]] = {"none": ({}, {})}
    runs |= {f"without {name}": ({}, {name: 0.0}) for name in parts}
    runs |= {f"{name} alone": ({}, dict.fromkeys(set(parts) - {name}, 0.0)) for name in parts}
    runs |= {name: (change, {}) for name, change in CHANGES.items() if name != f"beam {chosen.beam:g}"}
    base = None
    for name, (change, start) in runs.items():
        changed = settings_of(settings, **change)
        [(model, _)] = learn(training.pairs, jump, changed, None, (changed.iterations,), start)
        counts, _ = link(model, test, changed)
        base = counts if base is None else base
        value, less, low, high = compare((counts, SOFT_F), (base, SOFT_F))
        scores = compute_scores(counts.sum(axis=0))
        yield [settings, jump, name, *decimals((*(scores[key] for key in LINKS), value - less, low, high), 4)]


def known_keys(path: Path, columns: Sequence[str]) -> set[tuple[str, ...]]:
    """Return some columns of each row of a table, as texts; none without the file."""
    table = pd.read_table(path, dtype=str) if path.exists() else pd.DataFrame(columns=columns)
    return set(table[list(columns)].itertuples(index=False, name=None))


def append(path: Path, columns: Sequence[str], rows: Iterable[Sequence]) -> None:
    """Append rows to a table, which gets a heading first."""
    heading = [] if path.exists() else [columns]
    with path.open("a", encoding="utf-8") as file:
        for row in chain(heading, rows):
            print(*row, sep="\t", file=file, flush=True)


def ablation_table(ablation: pd.DataFrame) -> str:
    """Return the Markdown table of the ablation: SoftF and the difference from the settings as they are."""
    labels = {part.name: part.label for part in mixture.PARTS}
    cells = {
        (r.settings, r.change): with_bounds(f"{r.soft_f:.3f}, {r.difference:+.3f}", r.low, r.high)
        for r in ablation.itertuples()
    }
    rows = []
    for change in dict.fromkeys(ablation["change"]):
        label = " ".join(labels.get(word, word) for word in change.split())
        rows.append([label, *(cells.get((settings, change), "–") for settings in COMPARED)])
    return markdown_table(["change", *COMPARED], rows)


def curve_tables(table: pd.DataFrame, x: str) -> str:
    """Return a table of SoftF by `pairs` or `iteration` for each set: means over draws, and ranges."""
    tables = []
    for name, of_set in table.groupby("trained_on", sort=False):
        columns, rows = sorted(of_set[x].unique()), []
        for (settings, jump), of_jump in of_set.groupby(["settings", "jump"]):
            cells = dict.fromkeys(columns, "–")
            for number, scores in of_jump.groupby(x)["soft_f"]:
                several = with_range(scores.mean(), scores.min(), scores.max())
                cells[number] = several if len(scores) > 1 else f"{scores.mean():.3f}"
            rows.append([f"{settings}, {jump}", *cells.values()])
        tables.append(markdown_table([f"{name}, {x}:", *map(str, columns)], rows))
    return "\n\n".join(tables)


def tables() -> dict[str, str]:
    """Return the tables of the ablation and of the curves by their places, and draw the curves."""
    table = pd.read_table(CURVES).sort_values("trained_on", ascending=False, kind="stable")
    final = table["settings"].map({name: settings_of(name).iterations for name in SETTINGS})
    curves = {
        "pairs": table[(table["iteration"] == final) & table["settings"].isin(COMPARED)],
        "iteration": table[(table["pairs"] == table["trained_on"].map(MIDDLE)) & (table["draw"] == 1)],
    }
    for x, shown in curves.items():
        save(f"jump-models-{x}", partial(draw_curves, shown, x, "soft_f", "SoftF"))
    places = {f"curves {x}": curve_tables(shown, x) for x, shown in curves.items()}
    return places | {"curves ablation": ablation_table(pd.read_table(ABLATION))}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--data", type=Path, metavar="FOLDER", help="of the sets of mtref (default: skip them)"
    )
    options = parser.parse_args()
    folders = {name: Path("data") / name for name in BUNDLED}
    if options.data:
        folders |= {name: options.data / name for name in ("mtref-train", "mtref-dev")}
    sets = {
        settings: {name: Corpus(name, folder, values.get("extract", {})) for name, folder in folders.items()}
        for settings, values in SETTINGS.items()
    }
    for settings in COMPARED:
        if (settings,) not in known_keys(ABLATION, ["settings"]):
            append(ABLATION, ABLATION_COLUMNS, ablate(settings, sets[settings]))
    known = known_keys(CURVES, KEYS)
    for name, settings, jump, pairs, draw, at in plan_curves(SETS.keys() & folders.keys()):
        cell = name, SETS[name][0], settings, jump, str(pairs), str(draw)
        if not {(*cell, str(iteration)) for iteration in at} <= known:
            append(CURVES, CURVE_COLUMNS, curve(name, sets[settings], settings, jump, pairs, draw, at))
    table = pd.read_table(CURVES, dtype=dict.fromkeys(CURVE_COLUMNS[len(KEYS) :], str))
    table = table.drop_duplicates(KEYS, keep="last").sort_values(KEYS)
    table.to_csv(CURVES, sep="\t", index=False)
    insert_into_file(PAGE, tables())


if __name__ == "__main__":
    main()
