"""
The field: systems on the sets of a folder, by the measures that their gold allows. Run it by `make field`.

Inputs:
    {field.data}/{set}/corpus.jsonl, gold.jsonl    or, with a name such as `wice-dev`, the set in its public layout
Outputs:
    results/field/{set}/input/                     the corpus and the gold of a public layout
    results/field/{set}/corpus/                    and extract/, train/ and align/ by the rules of these stages
    results/field/{set}/align/{system}/            alignments.jsonl, or evidence.jsonl of a system without links
    results/field/{set}/score/field.tsv            the scores of all systems
"""

from importlib.util import find_spec

# The models of the package by the names of their systems; the first system is compared with all others.
SHIPPED = {"palimpsest": "with-encoder", "palimpsest-without-encoder": "without-encoder"}
# Systems that link words, by a rule below and those of baselines.smk, and what they need besides `make setup`.
BASELINES = "pipeline.baselines"
LINKING = {
    **dict.fromkeys([*SHIPPED, "identity", "cutpaste-1", "embed"], ()),
    "awesome": (f"{BASELINES}.awesome",),
    **dict.fromkeys(
        ["simalign-argmax", "simalign-itermax", "simalign-match"], (f"{BASELINES}.simalign", "simalign")
    ),
    **dict.fromkeys(
        ["transport-balanced", "transport-partial", "transport-unbalanced"], (f"{BASELINES}.transport", "ot")
    ),
}
# Translation models that are trained on the set itself, which takes the links of many pairs of sentences.
TRAINED = {"hmm-gdfa": (), "model4-intersect": (), "eflomal-intersect": ()}
# Methods of `pipeline.baselines.passages`, which score passages or words and have no links.
SCORING = {
    **dict.fromkeys(
        ["idf-overlap", "coverage", "density", "sentence-cosine", "greedy-matching"],
        (f"{BASELINES}.passages",),
    ),
    "bm25": (f"{BASELINES}.passages", "rank_bm25"),
    "rouge-l": (f"{BASELINES}.passages", "rouge_score"),
    "bertscore": (f"{BASELINES}.passages", "bert_score"),
}
# The systems for each kind of gold.
FIELD_SYSTEMS = {
    evidence_gold.TOKENS: [*LINKING, *TRAINED],
    **dict.fromkeys([evidence_gold.CHARACTERS, evidence_gold.FUSED], [*LINKING]),
    **dict.fromkeys(
        [evidence_gold.PASSAGES, evidence_gold.SUPPORTED, evidence_gold.UNSUPPORTED], [*LINKING, *SCORING]
    ),
}
# The systems of all kinds, and those of them that cannot run because a package is missing.
ALL_SYSTEMS = {**LINKING, **TRAINED, **SCORING}
MISSING = [system for system, modules in ALL_SYSTEMS.items() if not all(map(find_spec, modules))]
CHOSEN_SYSTEMS = config["field"]["systems"] or list(ALL_SYSTEMS)
if FIELD_SETS and workflow.is_main_process and set(MISSING) & set(CHOSEN_SYSTEMS):
    logger.warning(f"Not installed, so left out: {', '.join(MISSING)}")
for unknown in set(CHOSEN_SYSTEMS) - set(ALL_SYSTEMS):
    sys.exit(f"error: config: `field.systems` has {unknown}; choose from {', '.join(ALL_SYSTEMS)}")


def field_systems(name):
    """Return the systems of a set: those of its kind that are chosen and can run."""
    systems = FIELD_SYSTEMS[field_kind(name)]
    return [system for system in systems if system in CHOSEN_SYSTEMS and system not in MISSING]


def field_folder(name):
    """Return the folder with the corpus.jsonl and the gold.jsonl of a set."""
    given = FIELD_SETS[name]
    return given if (given / "corpus.jsonl").is_file() else Path(f"results/field/{name}/input")


@cache
def field_kind(name):
    """Return the kind of the gold of a set."""
    given = FIELD_SETS[name]
    try:
        if (given / "gold.jsonl").is_file():
            return evidence_gold.gold_kind(given / "gold.jsonl")
    except InputError as error:
        sys.exit(f"error: {one_line(str(error))}")
    return LAYOUTS[name.partition("-")[0]].kind


def field_files(wildcards):
    """Return the inputs of the corpus stage of a set."""
    folder = field_folder(wildcards.set)
    return {key: ancient(f"{folder}/{file}.jsonl") for key, file in (("path", "corpus"), ("gold", "gold"))}


def field_gold_option(wildcards, input):
    """Return the option that names gold in links, which the corpus stage checks; the score stage checks other gold."""
    links = field_kind(wildcards.set) in (evidence_gold.TOKENS, evidence_gold.CHARACTERS)
    return named_options(input, "gold") if links else ""


def field_content(wildcards):
    """Return digests of the user's own files of a set."""
    return " ".join(
        content(str(path)) for path in sorted(FIELD_SETS[wildcards.set].iterdir()) if path.is_file()
    )


def field_tokenized(wildcards):
    """Return whether the tokens of a set are separated by spaces: gold in tokens counts them."""
    return field_kind(wildcards.set) in (evidence_gold.TOKENS, evidence_gold.FUSED)


def field_outputs(wildcards, scoring):
    """Return the outputs of the systems of a set, of those that score passages or of those that link words."""
    systems = [name for name in field_systems(wildcards.set) if (name in SCORING) == scoring]
    file = "evidence" if scoring else "alignments"
    return [f"results/field/{wildcards.set}/align/{name}/{file}.jsonl" for name in systems]


wildcard_constraints:
    set="|".join(map(re.escape, FIELD_SETS)) or "none",
    shipped="|".join(SHIPPED),
    scoring="|".join(SCORING),


rule field_input:
    output:
        corpus="results/field/{set}/input/corpus.jsonl",
        gold="results/field/{set}/input/gold.jsonl",
    log:
        "results/field/{set}/logs/input.log",
    benchmark:
        "results/field/{set}/benchmarks/input.tsv"
    threads: 1
    resources:
        mem_mb=memory(2000),
        runtime=runtime(30),
    params:
        *code("pipeline.corpus.convert"),
        content=field_content,
        layout=lambda wildcards: wildcards.set.partition("-")[0],
        path=lambda wildcards: FIELD_SETS[wildcards.set],
        folder=subpath(output.corpus, parent=True),
    shell:
        "python -m pipeline.corpus.convert --layout {params.layout:q} --path {params.path:q}"
        " --output {params.folder:q} --log {log:q}"


rule field_corpus:
    input:
        unpack(field_files),
    output:
        corpus="results/field/{set}/corpus/corpus.jsonl",
        offsets="results/field/{set}/corpus/corpus.offsets.npy",
        gold="results/field/{set}/corpus/gold.jsonl",
    log:
        "results/field/{set}/logs/corpus.log",
        rejected="results/field/{set}/corpus/rejected.tsv",
    benchmark:
        "results/field/{set}/benchmarks/corpus.tsv"
    threads: 1
    resources:
        mem_mb=memory(4000),
        runtime=runtime(60),
    params:
        *code("pipeline.corpus"),
        content=field_content,
        tokenized=lambda wildcards: settings.options({"tokenized": field_tokenized(wildcards)}),
        gold=field_gold_option,
        folder=subpath(output.corpus, parent=True),
    shell:
        "python -m pipeline.corpus --reader jsonl --path {input.path:q} {params.gold} {params.tokenized}"
        " --output {params.folder:q} --threads {threads} --log {log[0]:q}"


rule align_shipped:
    input:
        corpus=rules.corpus.output.corpus,
        models=files_in("pipeline/models"),
    output:
        "results/{corpus}/align/{shipped}/alignments.jsonl",
    log:
        "results/{corpus}/logs/align-{shipped}.log",
    benchmark:
        "results/{corpus}/benchmarks/align-{shipped}.tsv"
    threads: 1
    resources:
        mem_mb=memory(6000, 1),
        runtime=runtime(240, 0.3),
    params:
        *code("pipeline.align", "pipeline.semihmm.jumps.relative"),
        model=lambda wildcards: f"pipeline/models/{SHIPPED[wildcards.shipped]}.npz",
    shell:
        "python -m pipeline.align --model {params.model:q} --corpus {input.corpus:q}"
        " --system {wildcards.shipped:q} --output {output:q} --threads {threads} --log {log:q}"


rule score_passages:
    input:
        unpack(field_files),
        **encoder_files(),
        corpus=rules.field_corpus.output.corpus,
    output:
        "results/field/{set}/align/{scoring}/evidence.jsonl",
    log:
        "results/field/{set}/logs/align-{scoring}.log",
    benchmark:
        "results/field/{set}/benchmarks/align-{scoring}.tsv"
    threads: 1
    resources:
        mem_mb=memory(3000, 5),
        runtime=runtime(240, 1),
    params:
        *code(*filter(find_spec, [f"{BASELINES}.passages"])),
        content=field_content,
        settings=settings.options(config["embed"] | {"model": encoder_folder()}),
    shell:
        "python -m pipeline.baselines.passages --method {wildcards.scoring:q} --corpus {input.corpus:q}"
        " --gold {input.gold:q} {params.settings} --output {output:q} --log {log:q}"


rule score_field:
    input:
        unpack(field_files),
        corpus=rules.field_corpus.output.corpus,
        alignments=lambda wildcards: field_outputs(wildcards, scoring=False),
        evidence=lambda wildcards: field_outputs(wildcards, scoring=True),
    output:
        "results/field/{set}/score/field.tsv",
    log:
        "results/field/{set}/logs/score-field.log",
    benchmark:
        "results/field/{set}/benchmarks/score-field.tsv"
    threads: 1
    resources:
        mem_mb=memory(4000),
        runtime=runtime(60),
    params:
        *code("pipeline.score.field"),
        content=field_content,
        evidence=lambda wildcards, input: "--evidence" if input.evidence else "",
        settings=settings.options(config["score"], only=("bootstrap",)),
        seed=config["seed"],
    shell:
        "python -m pipeline.score.field --corpus {input.corpus:q} --gold {input.gold:q}"
        " --alignments {input.alignments:q} {params.evidence} {input.evidence:q} {params.settings}"
        " --seed {params.seed} --output {output:q} --log {log:q}"


rule field:
    input:
        expand("results/field/{set}/score/field.tsv", set=FIELD_SETS),
