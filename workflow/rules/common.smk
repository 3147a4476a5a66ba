"""What the rules share: the checked config, wildcards, targets and fingerprints of code. No rules."""

import os
import re
import sys
from functools import cache
from pathlib import Path

from snakemake.common.configfile import load_configfile

from pipeline import settings
from pipeline.errors import InputError
from pipeline.fingerprint import fingerprint, folder_digest

# Jobs run the Python that runs Snakemake, whether its environment is activated or not.
os.environ.update(PATH=f"{Path(sys.executable).parent}:{os.environ.get('PATH', os.defpath)}")

# Snakemake merges configs key by key; that would give a user's corpus the gold of the bundled one.
for given in [*map(load_configfile, workflow.overwrite_configfiles), workflow.config_settings.config]:
    if "corpus" in given:
        config["corpus"] = given["corpus"]

try:
    config = settings.complete(config)
    settings.check_corpus(config["corpus"])
except InputError as error:
    sys.exit(f"error: {error}")

CORPUS = config["corpus"]
SEMIHMM = config["semihmm"]
# Settings that only the decoder reads: a change of one does not train again.
DECODING = ("decoder", "posterior_threshold")


wildcard_constraints:
    corpus=re.escape(CORPUS["name"]),
    jump="|".join(SEMIHMM["jumps"]),


def targets():
    """What `snakemake` makes when asked for nothing else."""
    results = f"results/{CORPUS['name']}"
    made = [f"{results}/corpus/statistics.tsv"]
    made += [f"{results}/train/{jump}/model.npz" for jump in SEMIHMM["jumps"]]
    made += [f"{results}/align/{system}/alignments.jsonl" for system in config["systems"]]
    if CORPUS["gold"]:
        made += [f"{results}/extract/evaluation.tsv", f"{results}/score/scores.tsv"]
    return made


def code(*modules):
    """The fingerprint of modules as one params value for each part: `pipeline.words 0123456789ab`.

    Snakemake compares params as a set and prints what is in one set alone, so that the reason of a
    rerun names the modules that changed.
    """
    return [f"{name} {version}" for name, version in fingerprint(*modules).items()]


def code_of_jump(module):
    """The fingerprint of what a jump model adds to `module`, which imports the model by name.

    An edit to the model trains this one again and no other.
    """
    shared = code(module)

    def added(wildcards):
        both = code(module, f"pipeline.semihmm.{wildcards.jump}")
        return ", ".join(part for part in both if part not in shared)

    return added


def growing(amount):
    """A resource that grows with each attempt at the job."""
    return lambda wildcards, attempt: amount * attempt


@cache
def corpus_listing():
    """Stands for the content of a corpus that is a folder; a file is an input that Snakemake watches."""
    return folder_digest(CORPUS["path"]) if Path(CORPUS["path"]).is_dir() else None


def corpus_files():
    """The inputs of the corpus stage. A folder's own time says little: `corpus_listing` watches it."""
    path = CORPUS["path"]
    files = {"path": ancient(path) if Path(path).is_dir() else path}
    return files | ({"gold": CORPUS["gold"]} if CORPUS["gold"] else {})


def wordnet_folder():
    """The input `wordnet` of the rules that use it."""
    return {"wordnet": "results/wordnet"} if SEMIHMM["wordnet"] else {}


def wordnet_option(input):
    """The option that names the WordNet folder to a command."""
    return f"--wordnet-data {input.wordnet}" if SEMIHMM["wordnet"] else ""
