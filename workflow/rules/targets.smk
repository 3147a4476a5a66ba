"""
The default targets of `snakemake`: every result that is not temporary. Contains no rules.

These are more files than a user looks at. Snakemake makes a missing target, but not a missing file on the way to an
existing target; and a job that fails or is killed loses its earlier outputs. Without these targets, the next run would
keep results that were made from the lost files.
"""


def targets():
    """Return all files and folders of the results that are not temporary."""
    stages = (corpus_targets, encode_targets, parse_targets, train_targets, translation_targets)
    made = [
        f"results/{CORPUS['name']}/{name}"
        for stage in (*stages, align_targets, score_targets)
        for name in stage()
    ]
    return made + [table.format(corpus=CORPUS["name"]) for table in score_tables()]


def corpus_targets():
    """Return the results of the corpus and extract stages."""
    made = [f"corpus/{name}" for name in ("corpus.jsonl", "gold.jsonl", "statistics.tsv")]
    made += ["extract/extracts.jsonl"]
    if PARTS > 1:
        made += ["extract/weights.json"]
    if CORPUS["gold"]:
        made += ["extract/evaluation.tsv"]
    return made


def encode_targets():
    """Return the results of the encode stage, if training reads them."""
    if not (SEMIHMM.get("encoder") and SEMIHMM["jumps"]):
        return []
    return gather.pairs("encode/{scatteritem}")


def parse_targets():
    """Return the results of the parse stage, if a jump model needs trees."""
    if "syntax" not in SEMIHMM["jumps"]:
        return []
    return ["parse/trees.mrg", "parse/trees.npz"]


def train_targets():
    """Return the results of the train stage."""
    if not SEMIHMM["jumps"]:
        return []
    reverse = [REVERSE] * SEMIHMM["agreement"]
    models = [*SEMIHMM["jumps"], *reverse]
    made = [f"train/{model}/{name}" for model in models for name in ("model.npz", "em.tsv")]
    if SEMIHMM["shards"] > 1:
        directions = ("forward", *reverse)
        folders = [f"{direction}/shards" for direction in directions]
        folders += ["forests"] * ("syntax" in SEMIHMM["jumps"])
        made += [f"train/{folder}/{shard}" for folder in folders for shard in SHARDS]
        made += [f"train/{direction}/index" for direction in directions]
        made += [f"train/{direction}/entries/{part}" for direction in directions for part in ROW_PARTS]
    return made


def translation_targets():
    """Return the translation models of the systems, and the models that they start from."""
    made = []
    for model, sources in translation_systems():
        while model:
            made += [f"train/{model}-{source}" for source in sources]
            model = TRANSLATION_MODELS[model].start
    return made


def translation_systems():
    """Yield each translation model among the systems, with its sources."""
    for system in config["systems"]:
        model, _, side = system.rpartition("-")
        if model in TRANSLATION_MODELS:
            yield model, [side] if side in SOURCES else SOURCES


def align_targets():
    """Return the alignments of the systems, and those that are symmetrized."""
    systems = set(config["systems"])
    for system in config["systems"]:
        directed, _, heuristic = system.rpartition("-")
        if heuristic in HEURISTICS:
            systems |= {f"{directed}-{source}" for source in SOURCES}
    return [f"align/{system}/alignments.jsonl" for system in sorted(systems)]


def score_targets():
    """Return the results of the decompose and report stages."""
    made = [f"report/figures/{figure}{ending}" for figure in FIGURES for ending in FIGURE_ENDINGS]
    return made + ["decompose/sentences.tsv", "report/index.html"]
