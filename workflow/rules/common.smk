"""What the rules share: config, wildcards, fingerprints of code, the end of a run. No rules."""

import json
import math
import os
import re
import sys
from functools import cache
from pathlib import Path

from pipeline import checksums, failures, settings, signals
from pipeline.baselines.encoder import find_model
from pipeline.baselines.translation import MODELS as TRANSLATION_MODELS
from pipeline.baselines.translation import SOURCES
from pipeline.clock import settle
from pipeline.corpus.gold import read_gold
from pipeline.errors import InputError, one_line
from pipeline.fingerprint import file_digest, fingerprint, folder_digest, folder_size
from pipeline.report.catalogue import FIGURES
from pipeline.report.catalogue import TABLES as ANALYSES
from pipeline.strict_yaml import read_yaml
from pipeline.sweep import sweep

# Jobs run the Python that runs Snakemake, whether its environment is activated or not.
os.environ.update(PATH=f"{Path(sys.executable).parent}:{os.environ.get('PATH', os.defpath)}")
# What they write has checksums, see pipeline/checksums.py.
os.environ[checksums.VARIABLE] = "1"
# They end with this process.
os.environ[signals.RUN] = str(os.getpid())

if workflow.is_main_process:
    settle("results")

try:
    # Snakemake has read them, but less strictly.
    read = {path: read_yaml(path) for path in workflow.configfiles}
    # It merges them key by key; that would give a user's corpus the gold of the bundled one.
    for given in [*map(read.get, workflow.overwrite_configfiles), workflow.config_settings.config]:
        if "corpus" in given:
            config["corpus"] = given["corpus"]
    config = settings.complete(config)
    settings.check_paths(config)
    settings.check_corpus(config["corpus"])
    settings.check_parse(config["parse"])
except InputError as error:
    sys.exit(f"error: {one_line(str(error))}")

CORPUS = config["corpus"]
PARSE = config["parse"]
SEMIHMM = config["semihmm"]
# Settings that only the decoder reads: a change of one does not train again.
DECODING = ("decoder", "posterior_threshold", "candidate_threshold")
HEURISTICS = ("gdfa", "intersect")
FIGURE_ENDINGS = (".svg", ".png", ".dark.svg")
# So many expectations of shards are added up by one job.
ADDED = 16
EXTRACTS = "results/{corpus}/extract/extracts.jsonl"


# Megabytes of the corpus as it stands on disk, for each part that is worked on by a job of its own.
PART_MEGABYTES = 64


def corpus_bytes():
    """The size of the corpus on disk, of all files where it is a folder."""
    path = CORPUS["path"]
    return folder_size(path) if Path(path).is_dir() else os.path.getsize(path)


scattergather:
    pairs=max(1, round(corpus_bytes() / (PART_MEGABYTES * 10**6))),


# `--set-scatter pairs=32` sets it too.
PARTS = len(gather.pairs("{scatteritem}"))
if PARSE["shards"] is None:
    PARSE["shards"] = min(max(PARTS, 4), 256)


def of_part(path):
    """A log or a benchmark of the job for a part: `some/name/3-of-10.log`; `path` where there is one part."""
    root, ending = os.path.splitext(path)
    return path if PARTS == 1 else f"{root}/{{scatteritem}}{ending}"


def part_output(path):
    """The output of the job for a part, removed when `gather` has put it to the others."""
    return path if PARTS == 1 else temp(of_part(path))


def part_option(wildcards):
    """The option that names the part to a command."""
    return f"--part {wildcards.scatteritem}" if PARTS > 1 else ""


wildcard_constraints:
    corpus=re.escape(CORPUS["name"]),
    jump="|".join(SEMIHMM["jumps"]),
    model="[A-Za-z0-9._-]+",
    encoder=r"[A-Za-z0-9_][A-Za-z0-9._-]*(/[A-Za-z0-9_][A-Za-z0-9._-]*)?",
    shard=r"\d+-of-\d+",
    cutpaste="cutpaste(-[123])?",
    translation="|".join(TRANSLATION_MODELS),
    directed="|".join([*TRANSLATION_MODELS, "giza"]),
    source="|".join(SOURCES),
    heuristic="|".join(HEURISTICS),
    parted="extract/extracts|align/[^/]+/alignments|score/scored/[^/]+",


def score_tables():
    """The tables of the score stage: which scores there are depends on the gold."""
    tables = list(ANALYSES)
    tables += ["scores", "agreement"] * ("token" in gold_units())
    tables += ["phrases", "phrase_significance"] * ("char" in gold_units())
    return [f"results/{{corpus}}/score/{table}.tsv" for table in tables]


def scored_files():
    """What is scored of a corpus in several parts: its pairs, and the alignments of each system."""
    return [f"results/{{corpus}}/score/scored/{name}.jsonl" for name in ("corpus", *config["systems"])]


def portrait_files():
    """The input `portraits` of the analysis of a corpus in several parts without gold in tokens."""
    if PARTS == 1 or "token" in gold_units():
        return {}
    return {"portraits": gather.pairs("results/{{corpus}}/score/portraits/{scatteritem}.json")}


def portraits_option(input):
    """The option that names the portraits to a command."""
    if "portraits" not in input.keys():
        return ""
    return settings.options({"portraits": str(Path(input.portraits[0]).parent), "of": PARTS})


@cache
def gold_units():
    """The units of the gold, ``token`` and ``char``."""
    if not CORPUS["gold"]:
        return set()
    try:
        return {gold.unit for _, gold in read_gold(CORPUS["gold"])}
    except InputError as error:
        sys.exit(f"error: {one_line(str(error))}")


def code(*modules):
    """The fingerprint of modules as one params value for each part: `pipeline.words 0123456789ab`.

    Snakemake compares params as a set and prints what is in one set alone, so that the reason of a
    rerun names the modules that changed.
    """
    return [f"{name} {version}" for name, version in fingerprint(*modules).items()]


def added_code(module, plugin):
    """The fingerprint of what `plugin`, which `module` imports by its name, adds to that of `module`."""
    shared = code(module)
    return ", ".join(part for part in code(module, plugin) if part not in shared)


def code_of_jump(module):
    """The fingerprint of a jump model: an edit to it trains this one again and no other."""
    return lambda wildcards: added_code(module, f"pipeline.semihmm.{wildcards.jump}")


def figure_caption(figure):
    """The caption of a figure; that of the scores is of phrases where these are what is scored."""
    return "phrases" if figure == "scores" and gold_units() == {"char"} else figure


def shown_settings():
    """The settings that the report page shows; a change of another one does not make the page again."""
    shown = ("corpus", "extract", "semihmm", "systems", "score", "seed")
    return {name: config[name] for name in shown} | {"parser": parser_options()}


def files_in(folder):
    """The files of a folder of the project, as inputs: what is not code but decides an output.

    From the working directory on: Snakemake would take braces in the path to it for wildcards.
    """
    files = (path for path in (Path(workflow.basedir) / folder).iterdir() if path.is_file())
    return sorted(os.path.relpath(path) for path in files)


def memory(least, per_input_mb=0):
    """A resource in MB: so much at least and so much for each MB of input, times the attempt."""
    return lambda wildcards, input, attempt: math.ceil((least + per_input_mb * megabytes(input)) * attempt)


def runtime(least, per_input_mb=0):
    """A resource in minutes: so many at least and so many for each MB of input, times the attempt."""
    return memory(least, per_input_mb)


def megabytes(paths):
    """The size of files and of the files in folders; what is not there yet, as in a group of jobs, is 0."""
    return sum(size_of(path, Path(path).stat().st_mtime_ns) for path in paths if Path(path).exists())


@cache
def size_of(path, modified):
    """The MB of a file or folder that was modified then."""
    files = Path(path).rglob("*") if Path(path).is_dir() else [Path(path)]
    return sum(file.stat().st_size for file in files) / 2**20


@cache
def content(path):
    """Stands for what a user's file or folder holds. Its times decide nothing: a file may be older than the last."""
    return folder_digest(path) if Path(path).is_dir() else file_digest(path)


def corpus_files():
    """The inputs of the corpus stage, which are watched by their `content`."""
    return {name: ancient(CORPUS[name]) for name in ("path", "gold") if CORPUS[name]}


def corpus_content():
    """Stands for what the corpus and its gold hold."""
    return " ".join(f"{name} {content(CORPUS[name])}" for name in corpus_files())


def weights_input():
    """The input `weights` of the extracts of a part: counts of stems in the whole corpus."""
    return {"weights": "results/{corpus}/extract/weights.json"} if PARTS > 1 else {}


def cutpaste_options(wildcards):
    """The options of Cut & Paste; `cutpaste-1` has its own length of runs."""
    run = wildcards.cutpaste.partition("-")[2]
    return settings.options(config["cutpaste"] | ({"run": int(run)} if run else {}))


def training_data(wildcards):
    """The inputs of a translation model: the model that it is trained from, or the corpus and its extracts."""
    results, start = f"results/{wildcards.corpus}", TRANSLATION_MODELS[wildcards.translation][1]
    if start:
        return {"start": f"{results}/train/{start}-{wildcards.source}"}
    return {"corpus": f"{results}/corpus/corpus.jsonl", "extracts": f"{results}/extract/extracts.jsonl"}


def parse_shards():
    """The names of the shards of sentences."""
    return [f"{shard}-of-{PARSE['shards']}" for shard in range(PARSE["shards"])]


def parser_files():
    """The inputs of the parser: its model, or the user's trees."""
    if PARSE["backend"] == "trees":
        return {"trees": PARSE["trees"]}
    if PARSE["backend"] == "benepar":
        model = PARSE["benepar_model"]
        return {"benepar_model": model if Path(model).exists() else f"results/benepar/{model}"}
    return {}


def parser_inputs():
    """The same as Snakemake watches them: a user's own by their `content`."""
    return {name: path if is_made(path) else ancient(path) for name, path in parser_files().items()}


def parser_content():
    """Stands for what the user's own files of the parser hold."""
    return " ".join(f"{name} {content(path)}" for name, path in parser_files().items() if not is_made(path))


def is_made(path):
    """Whether a file of the parser is made by a rule."""
    return path.startswith("results/benepar/")


def parser_options():
    """The options that name the parser and its files to a command."""
    return settings.options({"backend": PARSE["backend"]} | parser_files())


def encoder_folder():
    """The folder of the encoder: one that is here, or what the rule `encoder` makes of its name."""
    model = config["embed"]["model"]
    return find_model(model) or f"results/encoders/{model}"


def encoder_files():
    """The inputs of the embedding aligner beside the corpus: the encoder, where a rule makes it."""
    folder = encoder_folder()
    return {"encoder": folder} if folder.startswith("results/encoders/") else {}


def trees(wildcards):
    """The input `trees` of the rules that use it: a jump model that walks over trees."""
    return {"trees": f"results/{wildcards.corpus}/parse/trees.npz"} if wildcards.jump == "syntax" else {}


def wordnet_folder():
    """The input `wordnet` of the rules that use it."""
    return {"wordnet": "results/wordnet"} if SEMIHMM["wordnet"] else {}


def wordnet_option(input):
    """The option that names the WordNet folder to a command."""
    return settings.options({"wordnet-data": input.wordnet}) if SEMIHMM["wordnet"] else ""


def named_options(input, *names):
    """The options that name some of a rule's inputs, those that it has, to a command."""
    return settings.options({name: input[name] for name in names if name in input.keys()})


def em_folder(wildcards, iteration):
    """The folder of an iteration of a sharded training."""
    return f"results/{wildcards.corpus}/train/{wildcards.jump}/em/{iteration}"


def state_before(wildcards):
    """The parameters that an iteration begins with."""
    return f"{em_folder(wildcards, int(wildcards.iteration) - 1)}/state"


def expected_from(wildcards):
    """What an expectation is made from, beside the shard and the index."""
    made = {"state": state_before(wildcards)}
    if wildcards.jump == "syntax":
        made["forests"] = f"results/{wildcards.corpus}/train/forests/{wildcards.shard}"
    if SEMIHMM["prune"] and int(wildcards.iteration) > 1:
        made["previous"] = f"{em_folder(wildcards, int(wildcards.iteration) - 1)}/{wildcards.shard}.npz"
    return made


def added(wildcards, level, group):
    """The expectations that sum `group` of a `level` is made from: on level 1 shards, above it sums."""
    below = reduction_sizes()[level - 1]
    members = range(ADDED * group, min(ADDED * (group + 1), below))
    folder = em_folder(wildcards, wildcards.iteration)
    if level == 1:
        return [f"{folder}/{member + 1}-of-{SEMIHMM['shards']}.npz" for member in members]
    return [f"{folder}/sum-{level - 1}-{member}.npz" for member in members]


def all_expectations(wildcards):
    """What the M-step adds up: all shards, or the last sums of them."""
    return added(wildcards, len(reduction_sizes()), 0)


def reduction_sizes():
    """How many expectations there are on each level of the reduction: shards, sums of them, …, at most ADDED."""
    sizes = [SEMIHMM["shards"]]
    while sizes[-1] > ADDED:
        sizes.append(-(-sizes[-1] // ADDED))
    return sizes


def failure_report():
    """What failed in this run, for the end of what Snakemake prints."""
    corpus = f"results/{CORPUS['name']}/corpus/corpus.jsonl"
    return failures.report(
        workflow.scheduler.failed, corpus, getattr(workflow.executor_settings, "logdir", None)
    )


onsuccess:
    sweep(f"results/{CORPUS['name']}")


onerror:
    sweep(f"results/{CORPUS['name']}")
    logger.error(failure_report())
