"""Check that two checkouts give the same alignments: `python benchmarks/same_results.py --help`.

    python benchmarks/same_results.py --before ../old-checkout --data FOLDER --keep /tmp/kept
    python benchmarks/same_results.py --before /tmp/kept/before --data FOLDER

Runs the workflow of each checkout on the bundled corpus and on two corpora of the folder `--data`, each a
folder with `corpus.jsonl` and `gold.jsonl`: with the three jump models, and with the preset `encoder`
and the relative model. A checkout runs with its own environment `.venv`, if it has one, in a temporary
folder, so its results stay as they are. Every `alignments.jsonl` is then compared byte for byte, without
the field `fingerprint`. The exit status is 1 if a line differs.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import product, zip_longest
from pathlib import Path
from typing import NamedTuple

import pandas as pd
import yaml

ROOT = Path(__file__).parents[1]
BUNDLED = "sample"
CORPORA = ("mtref-dev", "edinburgh-train")
# Name → preset, if any, and the jump models.
SETTINGS: dict[str, tuple[str | None, list[str]]] = {
    "default": (None, ["relative", "gaussian", "syntax"]),
    "encoder": ("encoder", ["relative"]),
}
FINGERPRINT = re.compile(rb'"fingerprint": "\w*", ')
ALIGNMENTS = "alignments.jsonl"


class Experiment(NamedTuple):
    """A corpus with settings; its results are in a folder of the name `<corpus>-<settings>`."""

    corpus: str
    settings: str

    def __str__(self) -> str:
        return f"{self.corpus}-{self.settings}"

    @property
    def systems(self) -> list[str]:
        """The systems that align the corpus."""
        return [f"semihmm-{jump}" for jump in SETTINGS[self.settings][1]]

    def config(self, checkout: Path, data: Path) -> dict[str, object]:
        """Return the config for a checkout, without the preset."""
        folder = checkout / "data" / BUNDLED if self.corpus == BUNDLED else data / self.corpus
        files = {"path": str(folder / "corpus.jsonl"), "gold": str(folder / "gold.jsonl")}
        tokenized = self.corpus != BUNDLED
        config: dict[str, object] = {
            "corpus": {"name": str(self), "reader": "jsonl", **files, "tokenized": tokenized},
            "semihmm": {"jumps": SETTINGS[self.settings][1]},
            "systems": self.systems,
        }
        if tokenized:
            config["extract"] = {"enabled": False}
        return config


def run(experiment: Experiment, checkout: Path, data: Path, folder: Path) -> None:
    """Run the workflow of a checkout in `folder`."""
    shutil.copy(checkout / "config.yaml", folder)
    config = folder / f"{experiment}.yaml"
    config.write_text(yaml.safe_dump(experiment.config(checkout, data)))
    preset = SETTINGS[experiment.settings][0]
    binaries = checkout / ".venv/bin"
    python = binaries / "python" if binaries.is_dir() else Path(sys.executable)
    targets = [f"results/{experiment}/align/{system}/{ALIGNMENTS}" for system in experiment.systems]
    command = [str(python), "-m", "snakemake", *targets, "--snakefile", str(checkout / "Snakefile")]
    command += ["--directory", str(folder), "--cores", "all", "--configfile"]
    command += [str(checkout / f"workflow/presets/{preset}.yaml")] * bool(preset) + [str(config)]
    environment = os.environ | {"PYTHONPATH": str(checkout)}
    environment["PATH"] = f"{python.parent}:{os.environ['PATH']}"
    environment.pop("SNAKEMAKE_PROFILE", None)
    print(f"{checkout}: {experiment}", flush=True)
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"error: {experiment} failed in {checkout}:\n{done.stderr[-3000:]}")


def alignments_of(side: Path, experiments: list[Experiment], data: Path, kept: Path) -> Path:
    """Return a folder with `<corpus>-<settings>/<system>/alignments.jsonl`; `side` itself if it is one.

    Otherwise `side` is a checkout, whose alignments are copied to `kept`.
    """
    if not (side / "Snakefile").exists():
        return side
    with tempfile.TemporaryDirectory() as name:
        for experiment in experiments:
            run(experiment, side, data, Path(name))
            for system in experiment.systems:
                target = kept / str(experiment) / system
                target.mkdir(parents=True, exist_ok=True)
                shutil.copy(Path(name) / f"results/{experiment}/align/{system}/{ALIGNMENTS}", target)
    return kept


def first_difference(before: Path, after: Path) -> tuple[int, str | None]:
    """Return the number of pairs, and the id of the first one that differs, or None."""
    pairs, differing = 0, None
    with open(before, "rb") as old, open(after, "rb") as new:
        for lines in zip_longest(old, new, fillvalue=b""):
            pairs += 1
            one, other = (FINGERPRINT.sub(b"", line, count=1) for line in lines)
            if one != other and differing is None:
                differing = json.loads(one or other)["id"]
    return pairs, differing


def compare(before: Path, after: Path, experiments: list[Experiment]) -> Iterator[dict[str, object]]:
    """Yield a row for each file of alignments."""
    for experiment in experiments:
        for system in experiment.systems:
            files = [side / str(experiment) / system / ALIGNMENTS for side in (before, after)]
            missing = [str(path) for path in files if not path.exists()]
            if missing:
                sys.exit(f"error: {missing[0]} is missing; make it again from a checkout")
            pairs, differing = first_difference(*files)
            yield {
                "corpus": experiment.corpus,
                "settings": experiment.settings,
                "system": system,
                "pairs": pairs,
                "first differing pair": differing or "same",
            }


def main() -> int:
    """Run what is not given, print the table, and return 1 if an alignment differs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    side = "a checkout, or results that --keep has kept"
    parser.add_argument("--before", type=Path, required=True, help=side)
    parser.add_argument("--after", type=Path, default=ROOT, help=f"{side} (default: this checkout)")
    parser.add_argument("--data", type=Path, required=True, help="folder with a folder for each corpus")
    parser.add_argument("--corpora", nargs="+", choices=(BUNDLED, *CORPORA), default=[BUNDLED, *CORPORA])
    parser.add_argument("--settings", nargs="+", choices=SETTINGS, default=list(SETTINGS))
    parser.add_argument("--keep", type=Path, help="folder to keep the results in, as before/ and after/")
    given = parser.parse_args()
    experiments = [Experiment(*both) for both in product(given.corpora, given.settings)]
    with tempfile.TemporaryDirectory() as name:
        folder = (given.keep or Path(name)).resolve()
        before, after = (
            alignments_of(path.resolve(), experiments, given.data.resolve(), folder / which)
            for which, path in (("before", given.before), ("after", given.after))
        )
        table = pd.DataFrame(compare(before, after, experiments))
    print(table.to_string(index=False))
    return int((table["first differing pair"] != "same").any())


if __name__ == "__main__":
    sys.exit(main())
