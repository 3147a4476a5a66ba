"""Check that two checkouts give the same alignments:

    python experiments/same_results.py --first ../other-checkout --data FOLDER --keep /tmp/kept
    python experiments/same_results.py --first /tmp/kept/first --data FOLDER

Each checkout aligns the bundled corpus and three corpora of the folder `--data`, each a folder with
`corpus.jsonl` and `gold.jsonl`: with the three jump models, and with the preset `encoder` and the relative
model. A checkout runs with its own environment `.venv`, if it has one, in a temporary folder. Every
`alignments.jsonl` is compared byte for byte, without the field `fingerprint`. The exit status is 1 if a line
differs.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from itertools import product, zip_longest
from pathlib import Path
from typing import NamedTuple

import pandas as pd
import yaml

ROOT = Path(__file__).parents[1]
BUNDLED = "sample"
TOKENIZED = ("mtref-dev", "edinburgh-train")
CORPORA = (BUNDLED, *TOKENIZED, "spark-dev")
# Name → preset, if any, and the jump models.
SETTINGS: dict[str, tuple[str | None, list[str]]] = {
    "default": (None, ["relative", "gaussian", "syntax"]),
    "encoder": ("encoder", ["relative"]),
}
FINGERPRINT = re.compile(rb'"fingerprint": "\w*", ')
ALIGNMENTS = "alignments.jsonl"


class Run(NamedTuple):
    """A corpus with settings; its results are in a folder of the name `<corpus>-<settings>`."""

    corpus: str
    settings: str

    @property
    def name(self) -> str:
        """The name of the folder of results."""
        return f"{self.corpus}-{self.settings}"

    @property
    def systems(self) -> list[str]:
        """The systems that align the corpus."""
        return [f"semihmm-{jump}" for jump in SETTINGS[self.settings][1]]

    def config(self, checkout: Path, data: Path) -> dict[str, object]:
        """Return the config for a checkout, without the preset."""
        folder = checkout / "data" / BUNDLED if self.corpus == BUNDLED else data / self.corpus
        files = {"path": str(folder / "corpus.jsonl"), "gold": str(folder / "gold.jsonl")}
        return {
            "corpus": {"name": self.name, "reader": "jsonl", **files, "tokenized": self.corpus in TOKENIZED},
            "extract": {"enabled": self.corpus == BUNDLED},
            "semihmm": {"jumps": SETTINGS[self.settings][1]},
            "systems": self.systems,
        }


def align(run: Run, checkout: Path, data: Path, folder: Path) -> None:
    """Run the workflow of a checkout in `folder`."""
    shutil.copy(checkout / "config.yaml", folder)
    config = folder / f"{run.name}.yaml"
    config.write_text(yaml.safe_dump(run.config(checkout, data)))
    preset = SETTINGS[run.settings][0]
    python = checkout / ".venv/bin/python"
    if not python.exists():
        python = Path(sys.executable)
    targets = [f"results/{run.name}/align/{system}/{ALIGNMENTS}" for system in run.systems]
    command = [str(python), "-m", "snakemake", *targets, "--snakefile", str(checkout / "Snakefile")]
    command += ["--directory", str(folder), "--cores", "all", "--configfile"]
    command += [str(checkout / f"workflow/presets/{preset}.yaml")] * bool(preset) + [str(config)]
    environment = os.environ | {"PYTHONPATH": str(checkout / "pipeline")}
    environment["PATH"] = f"{python.parent}:{os.environ['PATH']}"
    print(f"{checkout}: {run.name}", flush=True)
    subprocess.run(command, cwd=folder, env=environment, check=True)


def alignments_of(side: Path, runs: list[Run], data: Path, kept: Path) -> Path:
    """Return a folder with `<corpus>-<settings>/<system>/alignments.jsonl`; `side` itself if it is one.

    Otherwise `side` is a checkout, whose alignments are copied to `kept`.
    """
    if not (side / "Snakefile").exists():
        return side
    with tempfile.TemporaryDirectory() as name:
        for run in runs:
            align(run, side, data, Path(name))
            for system in run.systems:
                target = kept / run.name / system
                target.mkdir(parents=True, exist_ok=True)
                shutil.copy(Path(name) / f"results/{run.name}/align/{system}/{ALIGNMENTS}", target)
    return kept


def first_difference(first: Path, second: Path) -> str | None:
    """Return the id of the first pair that differs in two files of alignments, or None."""
    with open(first, "rb") as one, open(second, "rb") as other:
        for lines in zip_longest(one, other, fillvalue=b""):
            left, right = (FINGERPRINT.sub(b"", line, count=1) for line in lines)
            if left != right:
                return str(json.loads(left or right)["id"])
    return None


def main() -> int:
    """Align where alignments are not given, print the table, and return 1 if an alignment differs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    side = "a checkout, or alignments that --keep has kept"
    parser.add_argument("--first", type=Path, required=True, help=side)
    parser.add_argument("--second", type=Path, default=ROOT, help=f"{side} (default: this checkout)")
    parser.add_argument("--data", type=Path, required=True, help="folder with a folder for each corpus")
    parser.add_argument("--corpora", nargs="+", choices=CORPORA, default=CORPORA)
    parser.add_argument("--settings", nargs="+", choices=SETTINGS, default=list(SETTINGS))
    parser.add_argument("--keep", type=Path, help="folder to keep the alignments in, as first/ and second/")
    options = parser.parse_args()
    runs = [Run(*both) for both in product(options.corpora, options.settings)]
    rows = []
    with tempfile.TemporaryDirectory() as name:
        kept = (options.keep or Path(name)).resolve()
        first, second = (
            alignments_of(path.resolve(), runs, options.data.resolve(), kept / which)
            for which, path in (("first", options.first), ("second", options.second))
        )
        for run in runs:
            for system in run.systems:
                files = [side / run.name / system / ALIGNMENTS for side in (first, second)]
                rows.append((run.corpus, run.settings, system, first_difference(*files) or "same"))
    table = pd.DataFrame(rows, columns=["corpus", "settings", "system", "first differing pair"])
    print(table.to_string(index=False))
    return int((table["first differing pair"] != "same").any())


if __name__ == "__main__":
    sys.exit(main())
