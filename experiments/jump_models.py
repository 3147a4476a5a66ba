"""Compares the jump models on pairs with gold, for the tables of docs/jump-models.md:

    python experiments/jump_models.py DATA

trains on each of `SETS` and aligns it: on the bundled ones, and on those of a folder, which has a folder with
`corpus.jsonl` and `gold.jsonl` for each.
"""

from collections.abc import Iterator
from pathlib import Path
from time import process_time

from curves import BUNDLED, PAGE, SETTINGS, Corpus, encoded, learn, link, settings_of
from markdown_tables import decimals, markdown_table, write_pages
from runs import SOFT_F, Measure, differences
from vorlage.semihmm.train.training import Resources, train
from vorlage.semihmm.wordnet import open_distances
from vorlage.workflow.score import phrases

# The measure of the gold of each set.
SETS: dict[str, Measure] = dict.fromkeys((*BUNDLED, "mtref-dev", "mtref-train"), SOFT_F)
SETS["spark-dev"] = lambda sums: phrases.compute_scores(sums)["f"]
TIMED = ("sample", "genres", "mtref-dev")
JUMPS = ("relative", "syntax-counts", "syntax")
# The names of settings in the table, and in `curves.SETTINGS`.
VARIANTS = {"default": "without encoder", "encoder": "default", "paper": "paper"}


def open_corpus(name: str, data: Path, settings: str) -> Corpus:
    """Return a set with the extracts of some settings; `data`: the folder of those that are not bundled."""
    folder = Path("data") if name in BUNDLED else data
    return Corpus(name, folder / name, SETTINGS[settings].get("extract", {}))


def score_rows(name: str, data: Path) -> Iterator[list[str]]:
    """Yield a row for each variant: F by jump model, and the difference of the last one from the first."""
    for variant, settings in VARIANTS.items():
        corpus, chosen, made = open_corpus(name, data, settings), settings_of(settings), []
        for jump in JUMPS:
            [(model, _)] = learn(corpus.pairs, jump, chosen, corpus.trees, [chosen.iterations])
            made.append(link(model, corpus, chosen)[0])
        *_, gain = differences(made, SETS[name])
        values = decimals(SETS[name](counts.sum(axis=0)) for counts in made)
        yield [f"{name}, {variant}", str(len(corpus.pairs)), *values, gain]
    encoded.cache_clear()  # ids are those of one set


def time_row(name: str, data: Path) -> list[str]:
    """Return the processor time of each training, the least of three, and that of syntax over relative."""
    corpus, training = open_corpus(name, data, "without encoder"), settings_of("without encoder").training
    resources, seconds = Resources(open_distances(training), corpus.trees), []
    for jump in JUMPS:
        times = []
        for _ in range(3):
            began = process_time()
            train(corpus.pairs, jump, training, resources)
            times.append(process_time() - began)
        seconds.append(min(times))
    return [name, *decimals(seconds, 1), f"{seconds[-1] / seconds[0]:.2f}"]


def tables(data: Path) -> dict[Path, dict[str, str]]:
    """Return the tables of scores and of times."""
    heading = ["set, settings", "pairs", *JUMPS, "syntax − relative"]
    scores = markdown_table(heading, [row for name in SETS for row in score_rows(name, data)])
    rows = (time_row(name, data) for name in TIMED)
    times = markdown_table(["seconds of", *JUMPS, "syntax / relative"], rows)
    return {PAGE: {"jump scores": scores, "jump times": times}}


if __name__ == "__main__":
    write_pages(tables)
