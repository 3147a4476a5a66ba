"""Every system and every variant of the semi-HMM on corpora with gold: ``python benchmarks/experiments.py``.

    python benchmarks/experiments.py --data DIR --output docs/experiments.tsv
    python benchmarks/experiments.py --tables

DIR has a folder for each set, with ``corpus.jsonl`` and ``gold.jsonl``. The workflow is run for the peers and
for each variant (``variants.py``), in ``results/<set>-<variant>``; what is there already is not made again.
All systems of a set are scored together, on the same bootstrap samples, as ``pipeline.score`` does. The
second command makes the tables of docs/experiments.md from the two files that the first has written.
"""

import argparse
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from tables import tables
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

from pipeline.report.markdown import insert
from pipeline.score import calibration, phrases
from pipeline.score.analysis import has_token_gold
from pipeline.score.bootstrap import difference, interval, resample
from pipeline.score.counts import everything, non_identical
from pipeline.score.metrics import scores
from pipeline.score.reference import make_reference, read_annotated
from pipeline.score.rows import difference_rows, stack
from pipeline.score.systems import read_system
from pipeline.score.tsv import write_tsv

PAGE = ROOT / "docs" / "experiments.md"
OUTPUT = ROOT / "docs" / "experiments.tsv"
SAMPLES, SEED = 1000, 1
MEASURES = ("precision", "recall", "f", "low", "high", "ece", "encoding", "training", "aligning")
AGAINST = ("against", "difference", "difference_low", "difference_high", "p")
COLUMNS = ("set", "variant", "system", "words", *MEASURES, *AGAINST)
ORDER = ("set", "words", "family", "system", "f", "other_family", "other", "other_f", "difference")
ORDER += ("low", "high", "p")
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


class Measure(NamedTuple):
    """What is counted and how scores are made of it.

    ``words``: the names of what the two rows of counts are over, None for one that is left out; ``count``:
    from the alignments of a system, by pair, to counts (pairs, 2, …); ``score``: from sums of counts to a
    dict of precision, recall and F.
    """

    words: tuple
    count: object
    score: object

    def f(self, counts):
        """F of summed counts."""
        return self.score(counts)["f"]


def soft(counts):
    """Precision, recall and F of summed counts under the soft rule."""
    found = scores(counts)
    return {"precision": found["soft_precision"], "recall": found["recall"], "f": found["soft_f"]}


def measures_of(annotated, tokens):
    """``(measures, references)`` of gold in tokens, or in characters, where there are no references."""
    if not tokens:
        targets = phrases.find_targets(annotated)

        def count(found):
            pairs = {key: pair for key, (pair, _) in annotated.items()}
            return np.stack([phrases.count(found[key].links, pairs[key], *targets[key]) for key in pairs])

        return [Measure(("phrases", "phrases-nonstop"), count, phrases.scores)], None
    references = {key: make_reference(pair, golds) for key, (pair, golds) in annotated.items()}
    return [
        Measure(("all", "nonstop"), lambda found: stack(found, references, everything), soft),
        Measure(("nonidentical", None), lambda found: stack(found, references, non_identical), soft),
    ], references


def score_set(name, folders):
    """``(rows, order)`` of a set; ``folders``: of each variant, :data:`PEERS` first."""
    corpus, gold = (folders[PEERS] / "corpus" / f"{file}.jsonl" for file in ("corpus", "gold"))
    tokens = has_token_gold(gold)
    annotated, ids = read_annotated(corpus, gold, "token" if tokens else "char")
    measures, references = measures_of(annotated, tokens)
    weights = resample(len(annotated), SAMPLES, SEED)
    counts, plain = [{} for _ in measures], {}
    for variant, folder in folders.items():
        for system in systems_of(variant):
            _, found = read_system(folder / "align" / system / "alignments.jsonl", annotated, ids)
            key = system if variant == PEERS else f"{system} {variant}"
            for measure, of in zip(measures, counts, strict=True):
                of[key] = measure.count(found)
            times = zip(("encoding", "training", "aligning"), seconds(folder, system), strict=True)
            plain[key] = {"set": name, "variant": variant, "system": system, **dict(times)}
            plain[key]["ece"] = calibration_error(found, references) if references else ""
    rows, order = [], []
    for measure, of in zip(measures, counts, strict=True):
        rows += rows_of(measure, of, plain, weights)
        order += order_of(name, measure, of, weights)
    return rows, order


def rows_of(measure, counts, plain, weights):
    """A row with the keys ``COLUMNS`` for each system and words of a measure."""
    compared = {(r["system"], r["words"]): r for r in difference_rows(counts, weights, measure.f)}
    for key, of in counts.items():
        found = measure.score(of.sum(axis=0))
        found["low"], found["high"] = interval(measure.f(np.tensordot(weights, of, axes=1)), weights)
        for index, (words, called) in enumerate(zip(measure.words, ("all", "nonstop"), strict=True)):
            if words:
                row = plain[key] | {"words": words}
                row |= {column: float(values[index]) for column, values in found.items()}
                against = compared.get((key, called), {})
                names = ("against", "difference", "low", "high", "p")
                row |= {new: against.get(old, "") for new, old in zip(AGAINST, names, strict=True)}
                yield {column: row[column] for column in COLUMNS}


def order_of(name, measure, counts, weights):
    """A row with the keys ``ORDER`` for each claim: the best of a family against the best of another."""
    f = {key: measure.f(of.sum(axis=0)) for key, of in counts.items()}
    for index, words in enumerate(measure.words):
        # Cut & Paste has no links between other words than equal ones, up to stem.
        for family, other in CLAIMS if words not in (None, "nonidentical") else ():
            known = [[key for key in FAMILIES[of] if key in counts] for of in (family, other)]
            if not all(known):
                continue
            one, two = (max(keys, key=lambda key: f[key][index]) for keys in known)
            low, high, p = difference(counts[one][:, index], counts[two][:, index], weights, measure.f)
            values = [name, words, family, one.split()[0], float(f[one][index])]
            values += [other, two.split()[0], float(f[two][index])]
            values += [float(f[one][index] - f[two][index]), low, high, p]
            yield dict(zip(ORDER, values, strict=True))


def calibration_error(found, references):
    """The expected calibration error of a system, empty where it has no posteriors."""
    observed = [calibration.observe(found[key], reference) for key, reference in references.items()]
    if any(one is None for one in observed):
        return ""
    whole, _ = calibration.rows("", *(np.concatenate(parts) for parts in zip(*observed, strict=True)))
    return whole["error"]


def beside(output):
    """The file for the order of the families, beside that for all scores."""
    return output.with_name(f"{output.stem}-order.tsv")


def write_tables(output, page):
    """Put the tables of the files that a run has written into the page."""
    text = page.read_text(encoding="utf-8")
    for mark, table in tables(pd.read_table(output), pd.read_table(beside(output))).items():
        text = insert(text, mark, table)
    page.write_text(text, encoding="utf-8")


def main():
    """Run the variants, score them, write the table; or put the tables into the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, help="folder with a folder for each set")
    parser.add_argument("--sets", nargs="+", choices=SETS, default=SETS, help="sets to take (default: all)")
    parser.add_argument("--only", nargs="+", choices=VARIANTS, help="variants to take (default: all)")
    parser.add_argument("--output", type=Path, default=OUTPUT, help="table to write (default: docs/)")
    parser.add_argument("--tables", action="store_true", help="make the tables of the page, and run nothing")
    given = parser.parse_args()
    if given.tables:
        write_tables(given.output, PAGE)
        return
    if not given.data:
        parser.error("give --data, or --tables")
    rows, order = [], []
    for name in given.sets:
        folders = {}
        for variant in (PEERS, *(given.only or VARIANTS)):
            began = time.time()
            folders[variant] = run(given.data.resolve(), name, variant)
            print(f"{folders[variant]}: {time.time() - began:.0f} s", flush=True)
        found = score_set(name, folders)
        rows, order = rows + found[0], order + found[1]
        write_tsv(given.output, rows, COLUMNS)
        write_tsv(beside(given.output), order, ORDER)


if __name__ == "__main__":
    main()
