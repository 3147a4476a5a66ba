"""What the papers of 2004 and 2005 describe, measured on a corpus: `python benchmarks/paper_variants.py`.

    python benchmarks/paper_variants.py --results results/sample
    python benchmarks/paper_variants.py --tables

The first command takes the results of the workflow (`make align`) for a corpus with gold in tokens. It
trains and aligns each variant that `docs/paper-variants.tsv` lacks, scores it, and adds its rows to that
file, each with the difference from its base on the same bootstrap samples. Alignments are in the folder
`paper-variants` of the results; remove it to make them again. The second command writes the tables.

The trees of other parsers have to be there first, as `paper-variants/trees-benepar/trees.npz` and
`trees-flat/trees.npz`: `parse/trees.npz` of runs with `parse.backend: benepar`, and with `trees` and
a file in which each tree of `parse/trees.mrg` has its tagged words directly below the root.
"""

import argparse
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import yaml
from markdown import insert_into_file
from paper_variant_tables import tables
from variants import PRESETS, ROOT
from vorlage.extract import stage as extract
from vorlage.score.bootstrap import difference, resample, soft_f_interval
from vorlage.score.metrics import scores
from vorlage.score.reference import make_references, read_annotated
from vorlage.score.rows import soft_f, stack
from vorlage.score.systems import read_system
from vorlage.semihmm.decode import stage as align
from vorlage.semihmm.train import stage as train
from vorlage.settings import options, read_by, section
from vorlage.types import AnyArray, JsonObject
from warm_start import train_warm

OUTPUT = ROOT / "docs" / "paper-variants.tsv"
WHOLE = "paper-variants/whole.jsonl"  # extracts of all sentences
SAMPLES, SEED = 1000, 1
BOTH = ("relative", "syntax")
ONE_DIRECTION = {"agreement": False, "posterior_threshold": 0.5}
JUMPS = ("relative", "gaussian", "exponential", "syntax")
COLUMNS = ("corpus", "variant", "jump", "words", "soft_precision", "recall", "soft_f", "low", "high")
COLUMNS += ("base", "difference", "difference_low", "difference_high", "p")


class Variant(NamedTuple):
    """Settings that differ from those of a base, and the jump models to train.

    `files`: other files of the results than those of the base, such as trees by another parser. `pairs`:
    how many pairs to train on, the first ones; 0 means all. `warm`: whether the rewrite model of syntax
    jumps starts from that of relative jumps.
    """

    base: str
    changed: dict[str, Any]
    jumps: tuple[str, ...] = ("relative",)
    files: dict[str, str] = {}
    pairs: int = 0
    warm: bool = False


BASES: dict[str, JsonObject] = {
    "default": {"encoder": False},
    "encoder": {"encoder": True},
    "paper": yaml.safe_load((PRESETS / "paper.yaml").read_text(encoding="utf-8"))["semihmm"],
}
VARIANTS = {
    **{name: Variant(name, {}, JUMPS) for name in BASES},
    "paper, smoothed": Variant("paper", {"jump_smoothing": 0.01, "null_smoothing": 0.01}, JUMPS),
    # After the iterations of Model 1, as many of the semi-HMM as in the base.
    **{
        f"{base}, Model 1 {number}": Variant(
            base, {"model1": number, "iterations": iterations + number}, JUMPS
        )
        for base, iterations in (("default", 5), ("encoder", 5), ("paper", 10))
        for number in (1, 5)
    },
    **{
        f"{base}, {name}": Variant(base, changed)
        for base in BASES
        for name, changed in {
            "own sentences only": {"corresponding": {"sentences": 3, "factor": 0}},
            "own sentences × 10": {"corresponding": {"sentences": 3, "factor": 0.1}},
            "remade extracts, 3": {"remade_extracts": 3},
            "remade extracts, 1": {"remade_extracts": 1},
        }.items()
    },
    **{
        f"{base}, whole documents{name}": Variant(base, changed, files={"extracts": WHOLE})
        for base in ("default", "paper")
        for name, changed in {
            "": {},
            ", own sentences only": {"corresponding": {"sentences": 3, "factor": 0}},
            ", remade extracts, 3": {"remade_extracts": 3},
        }.items()
    },
    # Why syntax jumps are worse than relative ones.
    **{
        f"{base}, {name}": variant._replace(base=base)
        for base in BASES
        for name, variant in {
            "trees by benepar": Variant(
                "", {}, ("syntax",), {"trees": "paper-variants/trees-benepar/trees.npz"}
            ),
            "flat trees": Variant("", {}, ("syntax",), {"trees": "paper-variants/trees-flat/trees.npz"}),
            "8 pairs": Variant("", {}, BOTH, pairs=8),
            "16 pairs": Variant("", {}, BOTH, pairs=16),
            "single words": Variant("", {"max_document_phrase": 1, "max_summary_phrase": 1}, BOTH),
            "one iteration": Variant("", {"iterations": 1}, BOTH),
            "two iterations": Variant("", {"iterations": 2}, BOTH),
            "100 fake counts": Variant("", {"jump_smoothing": 100}, BOTH),
            "table of relative jumps": Variant("", {}, ("syntax",), warm=True),
        }.items()
    },
    **{
        f"{base}, φ {null}": Variant(base, {"null_start": null, "null_learned": False}, BOTH)
        for base, nulls in (
            ("default", (0.5, 0.8, 0.95)),
            ("encoder", (0.8, 0.95)),
            ("paper", (0.5, 0.8, 0.95)),
        )
        for null in nulls
    },
    "default, one direction": Variant("default", ONE_DIRECTION, JUMPS),
    "encoder, one direction": Variant("encoder", ONE_DIRECTION, JUMPS),
}


def run(results: Path, name: str, jump: str) -> Path:
    """Train and align a variant, or reuse what it left; return its alignments."""
    variant, folder = VARIANTS[name], results / "paper-variants" / name.replace(" ", "-").replace(",", "")
    aligned = folder / f"{jump}.jsonl"
    if aligned.exists():
        return aligned
    folder.mkdir(parents=True, exist_ok=True)
    files = {
        "corpus": "corpus/corpus.jsonl",
        "extracts": "extract/extracts.jsonl",
        "trees": "parse/trees.npz",
    }
    files = {key: str(results / path) for key, path in (files | variant.files).items()}
    settings = section("semihmm", {**BASES[variant.base], **variant.changed})
    shared = {key: files[key] for key in ("corpus", "extracts")}
    shared |= {"similarities": str(results / "encode")} if settings["encoder"] else {}
    trained = options(settings, only=read_by("train"))
    trained += f" {options(shared | first_pairs(files, folder, variant.pairs))}"
    reverse = []
    if settings["agreement"]:
        reverse = ["--reverse-model", str(folder / "reverse.npz")]
        if not Path(reverse[1]).exists():
            made = {"jump": "relative", "model": reverse[1], "em": str(folder / "reverse.tsv")}
            train.main(["--reverse", *shlex.split(f"{options(made)} {trained}")])
    trees = {"trees": files["trees"]} if jump == "syntax" else {}
    made = {"jump": jump, "model": str(folder / f"{jump}.npz"), "em": str(folder / f"{jump}.tsv")}
    training = [*reverse, *shlex.split(f"{options(trees | made)} {trained}")]
    if variant.warm:
        before = {"jump": "relative", "model": str(folder / "start.npz"), "em": str(folder / "start.tsv")}
        first = [*reverse, *shlex.split(f"{options(before)} {trained}")]
        train_warm(first, training, files["trees"], settings)
    else:
        train.main(training)
    decoded = options(settings, only=read_by("decode"))
    given = options(shared | trees | {"model": made["model"], "output": str(aligned)})
    align.main(shlex.split(f"{given} {decoded}"))
    return aligned


def first_pairs(files: dict[str, str], folder: Path, count: int) -> dict[str, str]:
    """Return files with the first `count` pairs and their extracts, written to a folder; none for 0."""
    made = {}
    for key in ("corpus", "extracts") if count else ():
        made[key] = str(folder / f"{key}.jsonl")
        lines = Path(files[key]).read_text(encoding="utf-8").splitlines(keepends=True)
        Path(made[key]).write_text("".join(lines[:count]), encoding="utf-8")
    return made


def rows(results: Path, done: pd.DataFrame, only: list[str] | None) -> Iterator[dict[str, Any]]:
    """Yield the rows of each variant that is not in `done`, or of those in `only`."""
    corpus, gold = (results / "corpus" / f"{name}.jsonl" for name in ("corpus", "gold"))
    annotated, ids = read_annotated(corpus, gold)
    references = make_references(annotated)
    weights = resample(len(references), SAMPLES, SEED)
    counts: dict[tuple[str, str], AnyArray] = {}
    finished = {*zip(done["corpus"], done["variant"], done["jump"], strict=True)}

    def count(name: str, jump: str, path: Path) -> AnyArray:
        if (name, jump) not in counts:
            counts[name, jump] = stack(read_system(path, annotated, ids)[1], references)
        return counts[name, jump]

    if not (results / WHOLE).exists():
        extract.main(["--enabled", "false", "--corpus", str(corpus), "--output", str(results / WHOLE)])
    for name, variant in VARIANTS.items():
        for jump in variant.jumps:
            if name not in (only or [name]) or (not only and (results.name, name, jump) in finished):
                continue
            of_variant = count(name, jump, run(results, name, jump))
            before = results / "paper-variants" / variant.base / f"{jump}.jsonl"
            measured, (low, high) = scores(of_variant.sum(axis=0)).soft, soft_f_interval(of_variant, weights)
            for index, words in enumerate(("all", "nonstop")):
                values = [float(x[index]) for x in (*measured, low, high)]
                compared: list[Any] = ["", "", "", "", ""]
                if name != variant.base and before.exists():
                    base = count(variant.base, jump, before)[:, index]
                    gain = values[2] - float(soft_f(base.sum(axis=0)))
                    compared = [variant.base, gain, *difference(of_variant[:, index], base, weights, soft_f)]
                row = [results.name, name, jump, words, *values, *compared]
                yield dict(zip(COLUMNS, row, strict=True))
            print(f"{name}, {jump}: SoftF {measured.f[0]:.3f}", flush=True)


def main() -> None:
    """Run the variants, or write the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--results", type=Path, help="folder of the results of a corpus")
    parser.add_argument(
        "--only", nargs="+", choices=VARIANTS, help="run these, also again (default: new ones)"
    )
    parser.add_argument(
        "--tables", action="store_true", help="write the tables of the pages, and run nothing"
    )
    given = parser.parse_args()
    done = pd.read_table(OUTPUT) if OUTPUT.exists() else pd.DataFrame(columns=COLUMNS)
    if given.tables:
        for page, of_page in tables(done).items():
            insert_into_file(ROOT / "docs" / page, of_page)
        return
    if not given.results:
        parser.error("pass --results, or --tables")
    for row in rows(given.results, done, given.only):
        done = pd.concat([done, pd.DataFrame([row])], ignore_index=True)
        done = done.drop_duplicates(["corpus", "variant", "jump", "words"], keep="last")
        done.to_csv(OUTPUT, sep="\t", index=False, float_format="%.6f")


if __name__ == "__main__":
    main()
