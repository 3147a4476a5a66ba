"""Compare the jump models on pairs with gold, and put the tables into docs/jump-models.md:

    python experiments/jump_models.py --data FOLDER

trains and aligns the bundled sets and those of `SETS` in a folder, which has a folder with `corpus.jsonl` and
`gold.jsonl` for each. Finished results are kept; `--sets` names those to run, `--cores` limits the processes.
"""

import argparse
import resource
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import yaml
from extract_methods import SAMPLES, SEED, differences
from markdown_tables import insert_into_file, markdown_table
from vorlage.score import counts, phrases
from vorlage.score.bootstrap import resample
from vorlage.score.reference import make_reference, read_annotated
from vorlage.score.systems import read_systems
from vorlage.settings import TREE_JUMPS
from vorlage.types import AnyArray, JsonObject

PAGE, RESULTS = Path("docs/jump-models.md"), Path("results")
BUNDLED = ("sample", "genres")
# The unit of the gold of each set.
SETS = {
    "sample": "token",
    "genres": "token",
    "mtref-dev": "token",
    "mtref-train": "token",
    "spark-dev": "char",
}
JUMPS = ("relative", "syntax-counts", "syntax")
# The settings of a run, as variants of one config.
VARIANTS: dict[str, JsonObject] = {
    "default": {"semihmm": {"encoder": False}},
    "encoder": {"semihmm": {"encoder": True}},
    "paper": yaml.safe_load(Path("workflow/presets/paper.yaml").read_text(encoding="utf-8")),
}
FILES = {
    "corpus": "corpus/corpus.jsonl",
    "extracts": "extract/extracts.jsonl",
    "trees": "parse/trees.npz",
}
SYSTEMS = [f"{variant}-{jump}" for variant in VARIANTS for jump in JUMPS]


def folder_of(name: str) -> Path:
    """Return the results of a set."""
    return RESULTS / f"jumps-{name}"


def run(name: str, folder: Path, cores: str) -> None:
    """Train on a set and align it by all systems; a set that is not bundled has whole documents."""
    whole = {} if name in BUNDLED else {"enabled": False}
    variants = {key: {**one, "extract": one.get("extract", {}) | whole} for key, one in VARIANTS.items()}
    corpus = {"name": f"jumps-{name}", "reader": "jsonl"}
    corpus |= {key: str(folder / f"{file}.jsonl") for key, file in (("path", "corpus"), ("gold", "gold"))}
    config = {
        "corpus": corpus | {"tokenized": SETS[name] == "token" and name not in BUNDLED},
        "extract": whole,
        "parse": {"backend": "pattern"},
        "semihmm": {"encoder": False, "jumps": ["relative"]},
        "variants": variants,
        "systems": SYSTEMS,
    }
    files = [str(folder_of(name) / "corpus/gold.jsonl"), *map(str, (alignments(name, s) for s in SYSTEMS))]
    path = RESULTS / f"jumps-{name}.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(yaml.safe_dump(config), encoding="utf-8")
    subprocess.run(["snakemake", "--cores", cores, "--configfile", str(path), "--", *files], check=True)


def alignments(name: str, system: str) -> Path:
    """Return the file of the alignments of a system."""
    return folder_of(name) / f"align/{system}/alignments.jsonl"


def count(name: str) -> dict[str, AnyArray]:
    """Return the counts of each system by pair, over all words."""
    corpus, gold = (folder_of(name) / f"corpus/{file}.jsonl" for file in ("corpus", "gold"))
    annotated, ids = read_annotated(corpus, gold, SETS[name])
    references, found = {}, {}
    if SETS[name] == "token":
        references = {key: make_reference(*both) for key, both in annotated.items()}
    paths = [alignments(name, system) for system in SYSTEMS]
    for system, (_, made) in zip(SYSTEMS, read_systems(paths, annotated, ids), strict=True):
        if references:
            links = [counts.count_links(made[key].links, of_pair)[0] for key, of_pair in references.items()]
            found[system] = np.array(links)
        else:
            found[system] = phrases.count_all(made, annotated)[:, 0]
    return found


def score_rows(name: str) -> Iterable[list[str]]:
    """Yield a row for each variant: F by jump model, and the difference of the last one from the first."""
    found = count(name)
    scores, measure = (counts.scores, "soft_f") if SETS[name] == "token" else (phrases.scores, "f")
    for variant in VARIANTS:
        of_jump = [found[f"{variant}-{jump}"] for jump in JUMPS]
        weights = resample(len(of_jump[0]), SAMPLES, SEED)
        values = [(scores(c.sum(axis=0))[measure], scores(weights @ c)[measure]) for c in of_jump]
        _, *gains = differences(values, weights)
        yield [f"{name}, {variant}", str(len(of_jump[0])), *(f"{v:.3f}" for v, _ in values), gains[-1]]


def time_row(name: str) -> list[str]:
    """Return the processor time of each training, the least of three, and that of syntax over relative."""
    seconds = [min(train(name, jump) for _ in range(3)) for jump in JUMPS]
    return [name, *(f"{one:.1f}" for one in seconds), f"{seconds[-1] / seconds[0]:.2f}"]


def train(name: str, jump: str) -> float:
    """Return the processor time of a training on a set in one direction, without the encoder, in seconds."""
    files = [f"--{file}={folder_of(name) / path}" for file, path in FILES.items()]
    inputs = files if jump in TREE_JUMPS else files[:-1]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryDirectory() as made:
        outputs = [f"--model={made}/model.npz", f"--em={made}/em.tsv", "--encoder=false"]
        subprocess.run(["vorlage", "train", f"--jump={jump}", *inputs, *outputs], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--data", type=Path, required=True, metavar="FOLDER", help="with a folder for each set"
    )
    parser.add_argument("--sets", nargs="*", default=SETS, help=f"of {', '.join(SETS)} (default: all)")
    parser.add_argument("--cores", default="all", help="of Snakemake (default: all)")
    options = parser.parse_args()
    for name in options.sets:
        run(name, (Path("data") if name in BUNDLED else options.data) / name, options.cores)
    heading = ["set, settings", "pairs", *JUMPS, "syntax − relative"]
    rows = [row for name in options.sets for row in score_rows(name)]
    tables = {
        "jump scores": markdown_table(heading, rows),
        "jump times": markdown_table(
            ["seconds of", *JUMPS, "syntax / relative"], map(time_row, options.sets)
        ),
    }
    insert_into_file(PAGE, tables)


if __name__ == "__main__":
    main()
