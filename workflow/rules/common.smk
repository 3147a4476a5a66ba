"""What all rules share: config, parts of a corpus, fingerprints of code. Contains no rules."""

import math
import os
import re
import shlex
import sys
from functools import cache
from pathlib import Path

from vorlage.workflow.baselines.systems.translation import MODELS as TRANSLATION_MODELS
from vorlage.workflow.baselines.systems.translation import SOURCES
from vorlage.workflow.baselines.systems.translation import START_MODELS as TRANSLATION_START
from vorlage.command.errors import InputError, one_line
from vorlage.workflow.config import load_config
from vorlage.workflow.gold import read_gold
from vorlage.encoder.installed import MULTILINGUAL, find_model
from vorlage.workflow.config import read_yaml
from vorlage.workflow.fingerprint import fingerprint
from vorlage.files.digests import PACKAGE, digest, file_digest
from vorlage.workflow.settings import BASELINES, READERS, Corpus, baselines
from vorlage.extensions import JUMPS
from vorlage.workflow import LINK_SCORER
from vorlage.semihmm.jump_model import jump_model
from vorlage.settings import Decoding, Training, fetched_parser

# Jobs use the Python that runs Snakemake, even if its environment is not activated.
# They share a terminal, so they draw no progress bars.
os.environ.update(
    PATH=f"{Path(sys.executable).parent}:{os.environ.get('PATH', os.defpath)}", TQDM_DISABLE="1"
)

try:
    # Snakemake has read these files, too, but it accepts repeated keys.
    contents = {path: read_yaml(path) or {} for path in workflow.configfiles}
    changes = *map(contents.get, workflow.overwrite_configfiles), workflow.config_settings.config
    CONFIG = load_config(config, *changes)
    CORPUS = CONFIG.corpus
    GOLD = list(read_gold(CORPUS.gold)) if CORPUS.gold else []
except InputError as error:
    sys.exit(f"error: {one_line(str(error))}")

SEED = f"--seed {CONFIG.seed}"
EXTRACTS = "results/{corpus}/extract/extracts.jsonl"
HEURISTICS = ("gdfa", "intersect")
# The family of each system that aligns by a baseline without training.
BASELINE_OF = {
    name: baseline for baseline in baselines() if not baseline.symmetrized for name in baseline.systems
}
GOLD_UNITS = {gold.unit for gold in GOLD}


def megabytes(paths):
    """Return the size of a path or of several in MB; one that does not exist yet, as in a group of jobs, counts 0."""
    paths = [paths] if isinstance(paths, str) else paths
    files = [file for path in map(Path, paths) for file in ([path] if path.is_file() else path.rglob("*"))]
    return sum(file.stat().st_size for file in files) / 10**6


scattergather:
    pairs=max(1, round(megabytes(CORPUS.path) / 64)),


# Each part has jobs of its own, by default for 64 MB of the corpus; `--set-scatter pairs=32` sets their number.
PARTS = len(gather.pairs("{scatteritem}"))


def of_part(path):
    """Return the log or benchmark of the job for a part, `some/name/3-of-10.log`; `path` if there is one part."""
    root, ending = os.path.splitext(path)
    return path if PARTS == 1 else f"{root}/{{scatteritem}}{ending}"


def part_output(path):
    """Return the output of the job for a part, which is removed after the rule `gather`."""
    return path if PARTS == 1 else temp(of_part(path))


def part_option(wildcards):
    """Return the option that names the part."""
    return f"--part {wildcards.scatteritem}" if PARTS > 1 else ""


wildcard_constraints:
    corpus=re.escape(CORPUS.name),
    model="[A-Za-z0-9._-]+",
    encoder=r"[A-Za-z0-9_][A-Za-z0-9._-]*(/[A-Za-z0-9_][A-Za-z0-9._-]*)?",
    translation="|".join(TRANSLATION_MODELS),
    baseline="|".join(BASELINE_OF),
    source="|".join(SOURCES),
    heuristic="|".join(HEURISTICS),
    parted="(variants/[^/]+/)?extract/extracts|align/[^/]+/alignments",


def code(*modules):
    """Return the fingerprints of modules, a value for each, so that the reason of a rerun names the changed ones."""
    return [f"{name} {version}" for name, version in fingerprint(*modules).items()]


def added_code(module, plugin):
    """Return what `plugin`, which `module` imports by a computed name, adds to the fingerprint of `module`."""
    shared = code(module)
    return [part for part in code(module, plugin) if part not in shared]


def code_of_jump(module):
    """Return the fingerprint of a jump model, so that an edit to it retrains this model alone."""
    return lambda wildcards: added_code(module, JUMPS.module(jump_of(wildcards)))


def code_of_scorer(wildcards):
    """Return the fingerprint of the decoder `rescored`, which other alignments do without."""
    rescored = decoding(wildcards).decoder == "rescored"
    return added_code("vorlage.semihmm.decode.load", LINK_SCORER) if rescored else []


def baseline_module(wildcards):
    """Return the module of the family of a baseline, so that an edit to it runs its own systems alone."""
    return BASELINES.module(BASELINE_OF[wildcards.baseline].name)


def files_in(folder):
    """Return the files of a folder of the package, which are no code but decide an output, with relative paths."""
    return sorted(os.path.relpath(path) for path in (PACKAGE / folder).iterdir() if path.is_file())


@cache
def watched(path):
    """Return a user's file or folder with its digest; times decide nothing: it may be older than the last one."""
    return f"{shlex.quote(path)} {file_digest(path)}"
