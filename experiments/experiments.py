"""Every system and every variant of the semi-HMM on corpora with gold: `python benchmarks/experiments.py`.

    python benchmarks/experiments.py --data DIR --output docs/experiments.tsv
    python benchmarks/experiments.py --tables

DIR has a folder for each set, with `corpus.jsonl` and `gold.jsonl`. The first command runs the workflow
for the peers and for each variant (`variants.py`), in `results/<set>-<variant>`, and reuses finished
results. It scores all systems of a set together, on the same bootstrap samples, as `vorlage.score` does.
The second command writes the tables of docs/experiments.md from the two files that the first has written.
"""

import argparse
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from experiment_tables import tables
from markdown import insert
from variants import (
    CUTPASTE,
    PEERS,
    RELATIVE,
    ROOT,
    SETS,
    SYSTEMS,
    TRANSLATION,
    VARIANTS,
    run,
    seconds,
    systems_of,
)
from vorlage.alignments.alignment import Alignment
from vorlage.corpus.gold import Gold
from vorlage.corpus.pair import Pair
from vorlage.score import calibration, phrases
from vorlage.score.analysis import has_token_gold
from vorlage.score.bootstrap import difference, interval, resample
from vorlage.score.counts import everything, non_identical
from vorlage.score.metrics import Scores, scores
from vorlage.score.reference import Reference, make_reference, read_annotated
from vorlage.score.rows import difference_rows, stack
from vorlage.score.systems import read_system
from vorlage.score.tsv import write_tsv
from vorlage.types import AnyArray, Floats, LongInts

Row = dict[str, Any]
Alignments = Mapping[str, Alignment]  # by pair
Annotated = Mapping[str, tuple[Pair, list[Gold]]]
References = Mapping[str, Reference]
Counts = dict[str, AnyArray]  # by system

PAGE = ROOT / "docs" / "experiments.md"
OUTPUT = ROOT / "docs" / "experiments.tsv"
SAMPLES, SEED = 1000, 1
MEASURES = ("precision", "recall", "f", "low", "high", "ece", "encoding", "training", "aligning")
AGAINST = ("against", "difference", "difference_low", "difference_high", "p")
COLUMNS = ("set", "variant", "system", "words", *MEASURES, *AGAINST)
COMPARED = ("set", "words", "family", "system", "f", "other_family", "other", "other_f")
ORDER = (*COMPARED, "difference", "low", "high", "p")
# The families whose order Daumé & Marcu (2005) found, and what translation models can do today.
FAMILIES = {
    "default": [f"{RELATIVE} default"],
    "paper": [f"{RELATIVE} paper"],
    "Cut & Paste": list(CUTPASTE),
    "HMM, Model 4": [name for name in TRANSLATION if not name.startswith("eflomal")],
    "all translation models": [name for name in SYSTEMS if name not in ("identity", *CUTPASTE, "embed")],
}
CLAIMS = (
    ("default", "Cut & Paste"),
    ("paper", "Cut & Paste"),
    ("Cut & Paste", "HMM, Model 4"),
    ("default", "all translation models"),
)


@dataclass(frozen=True)
class Measure:
    """A way of counting links and the scores of the counts.

    `words`: the names of the words that the two rows of counts are over, None for a row to leave out;
    `count`: from the alignments of a system, by pair, to counts, shape (pairs, 2, …); `score`: from sums
    of counts to precision, recall and F.
    """

    words: tuple[str | None, str | None]
    count: Callable[[Alignments], AnyArray]
    score: Callable[[AnyArray], Scores]

    def f(self, counts: AnyArray) -> Floats:
        """Return F of summed counts."""
        return self.score(counts).f


def soft(counts: AnyArray) -> Scores:
    """Return precision, recall and F of summed counts under the soft rule."""
    return scores(counts).soft


def measures_of(annotated: Annotated, tokens: bool) -> tuple[list[Measure], References | None]:
    """Return the measures for gold in tokens, and its references; or for gold in characters, and None."""
    if not tokens:
        targets = phrases.find_targets(annotated)

        def count(alignments: Alignments) -> AnyArray:
            pairs = {key: pair for key, (pair, _) in annotated.items()}
            return np.stack(
                [phrases.count(alignments[key].links, pairs[key], *targets[key]) for key in pairs]
            )

        return [Measure(("phrases", "phrases-nonstop"), count, phrases.scores)], None
    references = {key: make_reference(pair, golds) for key, (pair, golds) in annotated.items()}
    return [
        Measure(("all", "nonstop"), lambda alignments: stack(alignments, references, everything), soft),
        Measure(
            ("nonidentical", None), lambda alignments: stack(alignments, references, non_identical), soft
        ),
    ], references


def score_set(name: str, folders: Mapping[str, Path]) -> tuple[list[Row], list[Row]]:
    """Return the rows of both files for a set; `folders`: of each variant, `PEERS` first."""
    corpus, gold = (folders[PEERS] / "corpus" / f"{file}.jsonl" for file in ("corpus", "gold"))
    tokens = has_token_gold(gold)
    annotated, ids = read_annotated(corpus, gold, "token" if tokens else "char")
    measures, references = measures_of(annotated, tokens)
    weights = resample(len(annotated), SAMPLES, SEED)
    counts: list[Counts] = [{} for _ in measures]
    described: dict[str, Row] = {}
    for variant, folder in folders.items():
        for system in systems_of(variant):
            _, alignments = read_system(folder / "align" / system / "alignments.jsonl", annotated, ids)
            key = system if variant == PEERS else f"{system} {variant}"
            for measure, by_system in zip(measures, counts, strict=True):
                by_system[key] = measure.count(alignments)
            described[key] = {"set": name, "variant": variant, "system": system}
            described[key] |= seconds(folder, system)._asdict()
            described[key]["ece"] = calibration_error(alignments, references) if references else ""
    rows: list[Row] = []
    order: list[Row] = []
    for measure, by_system in zip(measures, counts, strict=True):
        rows += score_rows(measure, by_system, described, weights)
        order += order_rows(name, measure, by_system, weights)
    return rows, order


def score_rows(
    measure: Measure, counts: Counts, described: Mapping[str, Row], weights: LongInts
) -> Iterator[Row]:
    """Yield a row with the keys `COLUMNS` for each system and the words of a measure."""
    compared = {(r["system"], r["words"]): r for r in difference_rows(counts, weights, measure.f)}
    for key, of_system in counts.items():
        values = measure.score(of_system.sum(axis=0))._asdict()
        sampled = measure.f(np.tensordot(weights, of_system, axes=1))
        values["low"], values["high"] = interval(sampled, weights)
        for index, (words, compared_words) in enumerate(zip(measure.words, ("all", "nonstop"), strict=True)):
            if words:
                row = described[key] | {"words": words}
                row |= {column: float(by_words[index]) for column, by_words in values.items()}
                against = compared.get((key, compared_words), {})
                names = ("against", "difference", "low", "high", "p")
                row |= {new: against.get(old, "") for new, old in zip(AGAINST, names, strict=True)}
                yield {column: row[column] for column in COLUMNS}


def order_rows(name: str, measure: Measure, counts: Counts, weights: LongInts) -> Iterator[Row]:
    """Yield a row with the keys `ORDER` for each claim: the best of a family against that of another."""
    f = {key: measure.f(of_system.sum(axis=0)) for key, of_system in counts.items()}
    for index, words in enumerate(measure.words):
        # Cut & Paste links only words that are equal up to their stem.
        if words in (None, "nonidentical"):
            continue
        for family, other_family in CLAIMS:
            members = [[key for key in FAMILIES[each] if key in counts] for each in (family, other_family)]
            if not all(members):
                continue
            best, other = (max(keys, key=lambda key: f[key][index]) for keys in members)
            low, high, p = difference(counts[best][:, index], counts[other][:, index], weights, measure.f)
            values = [name, words, family, best.split()[0], float(f[best][index])]
            values += [other_family, other.split()[0], float(f[other][index])]
            values += [float(f[best][index] - f[other][index]), low, high, p]
            yield dict(zip(ORDER, values, strict=True))


def calibration_error(alignments: Alignments, references: References) -> float | str:
    """Return the expected calibration error of a system, "" for one without posteriors."""
    observed = [calibration.observe(alignments[key], reference) for key, reference in references.items()]
    if any(pair is None for pair in observed):
        return ""
    whole, _ = calibration.rows("", *(np.concatenate(parts) for parts in zip(*observed, strict=True)))
    return whole["error"]


def order_file(output: Path) -> Path:
    """Return the file for the order of the families, next to that for all scores."""
    return output.with_name(f"{output.stem}-order.tsv")


def write_tables(output: Path, page: Path) -> None:
    """Write the tables of the files of a run into the page."""
    text = page.read_text(encoding="utf-8")
    for mark, table in tables(pd.read_table(output), pd.read_table(order_file(output))).items():
        text = insert(text, mark, table)
    page.write_text(text, encoding="utf-8")


def main() -> None:
    """Run the variants, score them and write the files; or write the tables of the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, help="folder with a folder for each set")
    parser.add_argument("--sets", nargs="+", choices=SETS, default=SETS, help="sets (default: all)")
    parser.add_argument("--only", nargs="+", choices=VARIANTS, help="variants (default: all)")
    parser.add_argument(
        "--output", type=Path, default=OUTPUT, help="table to write (default: docs/experiments.tsv)"
    )
    parser.add_argument("--tables", action="store_true", help="write the tables of the page, and run nothing")
    given = parser.parse_args()
    if given.tables:
        write_tables(given.output, PAGE)
        return
    if not given.data:
        parser.error("pass --data, or --tables")
    rows: list[Row] = []
    order: list[Row] = []
    for name in given.sets:
        folders = {}
        for variant in (PEERS, *(given.only or VARIANTS)):
            began = time.time()
            folders[variant] = run(given.data.resolve(), name, variant)
            print(f"{folders[variant]}: {time.time() - began:.0f} s", flush=True)
        of_set, order_of_set = score_set(name, folders)
        rows, order = rows + of_set, order + order_of_set
        write_tsv(given.output, rows, COLUMNS)
        write_tsv(order_file(given.output), order, ORDER)


if __name__ == "__main__":
    main()
