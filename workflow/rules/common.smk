"""What all rules share: config, parts, wildcards, fingerprints of code, the end of a run. Contains no rules."""

import json
import math
import os
import re
import subprocess
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from vorlage import settings_by_key as settings
from vorlage.baselines.translation import MODELS as TRANSLATION_MODELS
from vorlage.baselines.translation import SOURCES
from vorlage.corpus import gold as gold_file
from vorlage.corpus.layouts.known import LAYOUTS

from vorlage.encoder.installed import find_model
from vorlage.fingerprint import PACKAGE, file_digest, fingerprint
from vorlage.files.yaml import read_yaml
from vorlage.report.catalogue import DECOMPOSITIONS, FIGURES
from vorlage.report.catalogue import TABLES as ANALYSES
from vorlage.command.errors import InputError, one_line

# Jobs use the Python that runs Snakemake, even if its environment is not activated.
os.environ.update(PATH=f"{Path(sys.executable).parent}:{os.environ.get('PATH', os.defpath)}")
# They share a terminal, so they draw no progress bars.
os.environ["TQDM_DISABLE"] = "1"

try:
    # Snakemake has read these files too, but less strictly.
    read = {path: read_yaml(path) for path in workflow.configfiles}
    # Snakemake merges them key by key, which would give a user's corpus the gold of the bundled one.
    for given in [*map(read.get, workflow.overwrite_configfiles), workflow.config_settings.config]:
        if "corpus" in given:
            config["corpus"] = given["corpus"]
    encoder = settings.section("embed", config.get("embed"))["model"]
    decides = config.get("semihmm", {}).get("encoder", "auto") == "auto"
    config = settings.complete(config, encoder=find_model(encoder) is not None)
    language = config["corpus"]["language"]
    config["semihmm"] |= {
        "language": language,
        "wordnet": config["semihmm"]["wordnet"] and language == "en",
    }
    settings.check_paths(config)
    settings.check_corpus(config["corpus"])

    settings.check_parse(config)
except InputError as error:
    sys.exit(f"error: {one_line(str(error))}")

if decides and not config["semihmm"]["encoder"] and workflow.is_main_process:
    logger.warning(f"The encoder {encoder} is not installed: links are found without it.")

CORPUS = config["corpus"]
PARSE = config["parse"]
SEMIHMM = config["semihmm"]
# In paths, the name of the model of the other direction, from summary to document, instead of a jump model.
REVERSE = "reverse"
HEURISTICS = ("gdfa", "intersect")
FIGURE_ENDINGS = (".svg", ".png", ".dark.svg")
EXTRACTS = "results/{corpus}/extract/extracts.jsonl"
# Megabytes of the corpus on disk for each part, which has jobs of its own.
PART_MEGABYTES = 64


def corpus_bytes():
    """Return the size of the corpus on disk, a file or a folder."""
    path = CORPUS["path"]
    return (
        sum(file.stat().st_size for file in Path(path).rglob("*"))
        if Path(path).is_dir()
        else os.path.getsize(path)
    )


scattergather:
    pairs=max(1, round(corpus_bytes() / (PART_MEGABYTES * 10**6))),


# `--set-scatter pairs=32` sets it too.
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
    corpus=re.escape(CORPUS["name"]),
    jump="|".join([*SEMIHMM["jumps"], REVERSE]),
    direction="forward|reverse",
    model="[A-Za-z0-9._-]+",
    encoder=r"[A-Za-z0-9_][A-Za-z0-9._-]*(/[A-Za-z0-9_][A-Za-z0-9._-]*)?",
    shard=r"\d+-of-\d+",
    cutpaste="cutpaste(-[123])?(-document)?",
    translation="|".join(TRANSLATION_MODELS),
    encoded="embed|awesome|(simalign|transport)-[a-z]+",
    directed="|".join([*TRANSLATION_MODELS, "giza"]),
    source="|".join(SOURCES),
    heuristic="|".join(HEURISTICS),
    parted="extract/extracts|align/[^/]+/alignments",


@cache
def gold_units():
    """Return the units of the gold, ``token`` and ``char``."""
    if not CORPUS["gold"]:
        return set()
    try:
        return {gold.unit for gold in gold_file.read_gold(CORPUS["gold"])}
    except InputError as error:
        sys.exit(f"error: {one_line(str(error))}")


def code(*modules):
    """Return the fingerprint of modules, one params value for each part: `vorlage.text.words 0123456789ab`.

    Snakemake compares params as sets and prints the difference, so the reason of a rerun names the changed modules.
    """
    return [f"{name} {version}" for name, version in fingerprint(*modules).items()]


def added_code(module, plugin):
    """Return what `plugin`, which `module` imports by a computed name, adds to the fingerprint of `module`."""
    shared = code(module)
    return ", ".join(part for part in code(module, plugin) if part not in shared)


def jump_of(wildcards):
    """Return the jump model of a model; the other direction has a jump model by distance: summaries are not parsed."""
    return "relative" if wildcards.jump == REVERSE else wildcards.jump


def code_of_jump(module):
    """Return the fingerprint of a jump model, so that an edit to it retrains this jump model alone."""
    return lambda wildcards: added_code(module, f"vorlage.semihmm.jumps.{jump_of(wildcards)}")


def files_in(folder):
    """Return the files of a folder of the package, as inputs that are not code but decide an output.

    The package may be elsewhere than the rules, if these are a module of another workflow. The paths start at the
    working directory, because Snakemake would read braces above it as wildcards.
    """
    files = (path for path in (PACKAGE / folder).iterdir() if path.is_file())
    return sorted(os.path.relpath(path) for path in files)


def memory(least, per_input_mb=0):
    """Return a resource in MB: `least` plus `per_input_mb` for each MB of input, times the attempt."""
    return lambda wildcards, input, attempt: math.ceil((least + per_input_mb * megabytes(input)) * attempt)


def runtime(least, per_input_mb=0):
    """Return a resource in minutes: `least` plus `per_input_mb` for each MB of input, times the attempt."""
    return memory(least, per_input_mb)


def cores(most):
    """Return a number of threads: `most`, or 1 for a corpus so small that other jobs use the cores better."""
    return lambda wildcards, input: most if megabytes([input.corpus]) >= 1 else 1


def megabytes(paths):
    """Return the size of files and folders in MB; a file that does not exist yet, as in a group of jobs, counts 0."""
    return sum(size_of(path, Path(path).stat().st_mtime_ns) for path in paths if Path(path).exists())


@cache
def size_of(path, modified):
    """Return the MB of a file or folder; `modified` is its time, for the cache."""
    files = Path(path).rglob("*") if Path(path).is_dir() else [Path(path)]
    return sum(file.stat().st_size for file in files) / 2**20


@cache
def content(path):
    """Return a digest of a user's file or folder, whose times decide nothing: it may be older than the last one."""
    return file_digest(path)


def named_options(input, *names):
    """Return the options that name those of a rule's inputs that exist among `names`."""
    return settings.options({name.replace("_", "-"): input[name] for name in names if name in input.keys()})


def check_slurm():
    """End the run with one line if jobs are to be submitted to a SLURM that does not answer."""
    if workflow.executor_plugin.name != "slurm":
        return
    try:
        ping = subprocess.run(["scontrol", "ping"], capture_output=True, text=True, timeout=60)
        problem = ping.returncode and (ping.stderr or ping.stdout).strip().rpartition("\n")[2]
    except (OSError, subprocess.TimeoutExpired) as error:
        problem = error
    if problem:
        sys.exit(
            f"error: no SLURM answers here (scontrol ping: {problem}); run this on a login node of a cluster, "
            "or without --profile slurm"
        )


onstart:
    check_slurm()


onsuccess:
    if any(job.rule.name == "page" for job in workflow.dag.jobs):
        logger.info(f"Report: results/{CORPUS['name']}/report/index.html")
