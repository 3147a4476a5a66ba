"""Variants of the workflow's settings, and a run of one of them on a corpus."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import yaml
from vorlage.baselines.translation import MODELS, SOURCES
from vorlage.corpus.gold import read_gold
from vorlage.settings import SEMIHMM

ROOT = Path(__file__).parents[1]
PRESETS = ROOT / "workflow" / "presets"
SETS = ("mtref-train", "mtref-dev", "edinburgh-train", "spark-dev")
PEERS = "peers"
RELATIVE = f"{SEMIHMM}relative"
TRANSLATION = tuple(f"{model}-{side}" for model in ("hmm", "model4", "eflomal") for side in ("doc", "sum"))
BOTH = tuple(f"{model}-{how}" for model in ("hmm", "model4", "eflomal") for how in ("gdfa", "intersect"))
CUTPASTE = ("cutpaste-1", "cutpaste-2")
SYSTEMS = ("identity", *CUTPASTE, *TRANSLATION, *BOTH, "embed")
# What tables call the default: without the encoder.
PLAIN: dict[str, Any] = {"encoder": False}
# The former default; with its one direction, a link is taken if it is more probable than not.
FORMER: dict[str, Any] = {
    "iterations": 10,
    "agreement": False,
    "null_start": 0.15,
    "null_learned": True,
    "fake_counts": {"word": 2, "unigram": 0},
    "wordnet_senses": "first",
    "sentence_similarity": 0,
    "sentence_support": 0,
    "posterior_threshold": 0.5,
    "gap_threshold": 1,
    "stretch_support": 0,
    "phrase_support": 0,
}
# One setting changed; the best threshold of one direction alone is 0.5.
ABLATIONS: dict[str, dict[str, Any]] = {
    "one-direction": {"agreement": False, "posterior_threshold": 0.5},
    "no-sentences": {"sentence_similarity": 0},
    "word-counts": {"fake_counts": {"word": 2, "unigram": 0}},
    "null-learned": {"null_learned": True},
    "no-support": {"phrase_support": 0},
}
OF_DEFAULT = ABLATIONS | {
    "discount": {"diagonal_discount": 0.5},
    "ten-iterations": {"iterations": 10},
    "no-wordnet": {"wordnet": False},
}
OF_ENCODER = ABLATIONS | {"no-discount": {"diagonal_discount": 0}}


class Variant(NamedTuple):
    """A preset, or None for config.yaml alone, and the settings of the semi-HMM that differ from it."""

    preset: str | None
    changed: dict[str, Any]

    @property
    def jumps(self) -> list[str]:
        """The jump models to train."""
        return self.changed.get("jumps", ["relative"])


VARIANTS = {
    "default": Variant(None, PLAIN | {"jumps": ["relative", "gaussian", "syntax"]}),
    "encoder": Variant("encoder", {}),
    "paper": Variant("paper", {}),
    "former": Variant(None, PLAIN | FORMER),
    **{f"default-{name}": Variant(None, PLAIN | changed) for name, changed in OF_DEFAULT.items()},
    **{f"encoder-{name}": Variant("encoder", changed) for name, changed in OF_ENCODER.items()},
}
# Stages that do not depend on the variant → the variant whose results are taken.
SHARED = {"corpus": PEERS, "extract": PEERS, "encode": "encoder"}


class Seconds(NamedTuple):
    """Wall seconds of the jobs of a system."""

    encoding: float
    training: float
    aligning: float


def systems_of(variant: str) -> list[str]:
    """Return the systems that a variant aligns with."""
    if variant == PEERS:
        return list(SYSTEMS)
    return [f"{SEMIHMM}{jump}" for jump in VARIANTS[variant].jumps]


def config_of(data: Path, name: str, variant: str) -> dict[str, Any]:
    """Return the config of a variant on the corpus `name` of the folder `data`, without its preset."""
    files = {key: str(data / name / f"{file}.jsonl") for key, file in (("path", "corpus"), ("gold", "gold"))}
    tokenized = all(gold.unit == "token" for _, gold in read_gold(files["gold"]))
    changed = {} if variant == PEERS else VARIANTS[variant].changed
    return {
        "corpus": {"name": f"{name}-{variant}", "reader": "jsonl", **files, "tokenized": tokenized},
        "extract": {"enabled": False},
        "semihmm": {"jumps": ["relative"], **changed},
        "systems": systems_of(variant),
    }


def run(data: Path, name: str, variant: str) -> Path:
    """Align a corpus with the systems of a variant, reuse finished results, and return their folder."""
    results = Path("results")
    folder = results / f"{name}-{variant}"
    for stage, owner in SHARED.items():
        share(results / f"{name}-{owner}" / stage, folder / stage)
    config = results / f"{name}-{variant}.yaml"
    config.write_text(yaml.safe_dump(config_of(data, name, variant)))
    preset = None if variant == PEERS else VARIANTS[variant].preset
    targets = [f"{folder}/align/{system}/alignments.jsonl" for system in systems_of(variant)]
    command = ["snakemake", *targets, f"{folder}/corpus/gold.jsonl", "--snakefile", str(ROOT / "Snakefile")]
    command += ["--cores", str(os.cpu_count()), "--quiet", "all", "--configfile"]
    command += [str(PRESETS / f"{preset}.yaml")] * bool(preset) + [str(config)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{folder} failed:\n{done.stderr[-3000:]}")
    return folder


def share(source: Path, target: Path) -> None:
    """Make `target` a copy of a folder of results, of hard links, which keep the times of the files."""
    if source == target or not source.is_dir():
        return
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target, copy_function=os.link)


def seconds(folder: Path, system: str) -> Seconds:
    """Return the seconds of the jobs of a system, by Snakemake's benchmarks."""
    model = re.fullmatch(r"(\w+)-(\w+)", system)
    encoding: list[str] = []
    training: list[str] = []
    aligning = [f"align-{system}"]
    if system.startswith(SEMIHMM):
        training = ["train-reverse", f"train-{system.removeprefix(SEMIHMM)}"]
        encoding = ["encode/1-of-1"]
    elif model and model[1] in MODELS:
        sources = [model[2]] if model[2] in SOURCES else list(SOURCES)
        chain = [model[1]]
        while start := MODELS[chain[-1]][1]:
            chain.append(start)
        training = [f"train-{name}-{source}" for name in chain for source in sources]
        aligning += [f"align-{model[1]}-{source}" for source in sources if source != model[2]]
    return Seconds(*(sum(_job(folder, name) for name in jobs) for jobs in (encoding, training, aligning)))


def _job(folder: Path, name: str) -> float:
    """Return the seconds of a job, 0 for one that did not run."""
    path = folder / "benchmarks" / f"{name}.tsv"
    return float(pd.read_table(path)["s"].iloc[0]) if path.exists() else 0.0
