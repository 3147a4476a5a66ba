"""Compare the jump models on pairs with gold, and put the tables into docs/jump-models.md:

    python experiments/jump_models.py --data FOLDER

trains and aligns the bundled sets and those of `SETS` in a folder, which has a folder with `corpus.jsonl` and
`gold.jsonl` for each. Finished results are kept; `--sets` names those to run, `--cores` limits the processes.
"""

import argparse
import resource
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import yaml
from markdown_tables import insert_into_file, markdown_table
from variants import alignments_of, differences, read
from vorlage.semihmm.jump_model import jump_model
from vorlage.types import JsonObject
from vorlage.workflow.gold import CHARACTERS, TOKENS
from vorlage.workflow.score import counts, phrases

PAGE, RESULTS = Path("docs/jump-models.md"), Path("results")
BUNDLED = ("sample", "genres")
# The unit of the gold of each set.
SETS = dict.fromkeys((*BUNDLED, "mtref-dev", "mtref-train"), TOKENS) | {"spark-dev": CHARACTERS}
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
        "corpus": corpus | {"tokenized": SETS[name] == TOKENS and name not in BUNDLED},
        "extract": whole,
        "parse": {"backend": "pattern"},
        "semihmm": {"encoder": False, "jumps": ["relative"]},
        "variants": variants,
        "systems": SYSTEMS,
    }
    made = [folder_of(name) / "corpus/gold.jsonl", *(alignments_of(folder_of(name), s) for s in SYSTEMS)]
    path = RESULTS / f"jumps-{name}.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(yaml.safe_dump(config), encoding="utf-8")
    command = ["snakemake", "--cores", cores, "--configfile", path, "--", *made]
    subprocess.run(command, check=True)


def score_rows(name: str) -> Iterator[list[str]]:
    """Yield a row for each variant: F by jump model, and the difference of the last one from the first."""
    scores, measure = (
        (counts.compute_scores, "soft_f") if SETS[name] == TOKENS else (phrases.compute_scores, "f")
    )
    for variant in VARIANTS:
        systems = [f"{variant}-{jump}" for jump in JUMPS]
        made = [of_system for _, of_system in read(folder_of(name), systems, SETS[name])]
        values = (f"{scores(of_system.sum(axis=0))[measure]:.3f}" for of_system in made)
        *_, gain = differences(made, lambda sums: scores(sums)[measure])
        yield [f"{name}, {variant}", str(len(made[0])), *values, gain]


def time_row(name: str) -> list[str]:
    """Return the processor time of each training, the least of three, and that of syntax over relative."""
    seconds = [min(train(name, jump) for _ in range(3)) for jump in JUMPS]
    return [name, *(f"{one:.1f}" for one in seconds), f"{seconds[-1] / seconds[0]:.2f}"]


def train(name: str, jump: str) -> float:
    """Return the processor time of a training on a set in one direction, without the encoder, in seconds."""
    files = [f"--{file}={folder_of(name) / path}" for file, path in FILES.items()]
    inputs = files if jump_model(jump).needs_trees else files[:-1]
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
    scores = markdown_table(heading, [row for name in options.sets for row in score_rows(name)])
    times = markdown_table(["seconds of", *JUMPS, "syntax / relative"], map(time_row, options.sets))
    insert_into_file(PAGE, {"jump scores": scores, "jump times": times})


if __name__ == "__main__":
    main()
