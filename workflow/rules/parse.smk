"""
The parse stage: a constituency tree for each distinct sentence of the extracts.

Inputs:
    results/{corpus}/corpus/corpus.jsonl
    results/{corpus}{variant}/extract/extracts.jsonl
Outputs:
    results/{corpus}{variant}/parse/trees.npz           the trees as arrays, found by the tokens of a sentence
    results/{corpus}{variant}/parse/trees.mrg           Penn brackets, one tree per line
    results/benepar/{model}/                   benepar's model, if the config gives its name
"""

# The files of the parser: the user's trees, or the model, which a rule makes if it is a name.
PARSER_FILES, PARSER_INPUTS, PARSER_DIGEST = {}, {}, ""
if CONFIG.parse.backend == "trees":
    PARSER_FILES = {"trees": CONFIG.parse.trees}
elif CONFIG.parse.backend == "benepar":
    path = CONFIG.parse.benepar_model
    PARSER_FILES = {"benepar_model": path if Path(path).exists() else fetched_parser(path)}
for name, path in PARSER_FILES.items():
    made = path.startswith("results/benepar/")
    PARSER_INPUTS[name] = path if made else ancient(path)
    PARSER_DIGEST = "" if made else watched(path)
PARSED = any(needs_trees(jump) for _, jump in models())
# The parser as the report names it.
PARSER = {
    "pattern": "pattern, the bundled grammar",
    "benepar": f"benepar with {CONFIG.parse.benepar_model}",
    "trees": f"the trees of {CONFIG.parse.trees}",
}[CONFIG.parse.backend]

if (
    PARSED
    and CONFIG.parse.backend == "pattern"
    and config.get("parse", {}).get("backend", "auto") == "auto"
    and workflow.is_main_process
):
    logger.warning("benepar or its model is not installed: the bundled grammar makes the parse trees.")

PARSER_OPTIONS = CONFIG.parse.model_copy(update=PARSER_FILES).options(("backend", *PARSER_FILES))


rule benepar_model:
    output:
        directory("results/benepar/{model}"),
    log:
        "results/logs/benepar-{model}.log",
    benchmark:
        "results/benchmarks/benepar-{model}.tsv"
    retries: 2
    localrule: True  # the nodes of a cluster may have no network
    threads: 1
    resources:
        mem_mb=memory(1000),
        runtime=runtime(60),
    params:
        *code("vorlage.cli.fetch"),
    shell:
        "vorlage fetch --parser {wildcards.model:q} --output {output:q} --log {log:q}"


rule parse:
    input:
        **PARSER_INPUTS,
        corpus=rules.corpus.output.corpus,
        extracts="results/{corpus}{variant}/extract/extracts.jsonl",
    output:
        arrays=part_output("results/{corpus}{variant}/parse/trees.npz"),
        brackets=part_output("results/{corpus}{variant}/parse/trees.mrg"),
    log:
        of_part("results/{corpus}{variant}/logs/parse.log"),
    benchmark:
        of_part("results/{corpus}{variant}/benchmarks/parse.tsv")
    threads: 4 if CONFIG.parse.backend == "benepar" else 1
    resources:
        mem_mb=memory(4000 if CONFIG.parse.backend == "benepar" else 1000, corpus=1),
        runtime=runtime(240 if CONFIG.parse.backend == "benepar" else 10, corpus=0.02),
    params:
        *code("vorlage.workflow.stages.parse"),
        backend=added_code("vorlage.workflow.stages.parse", f"vorlage.trees.{CONFIG.parse.backend}"),
        part=part_option,
        parser=PARSER_OPTIONS,
        digest=PARSER_DIGEST,
    shell:
        "vorlage parse --corpus {input.corpus:q} --extracts {input.extracts:q} {params.parser}"
        " {params.part} --output {output.arrays:q} --log {log:q}"


if PARTS > 1:

    rule gather_trees:
        input:
            arrays=gather.pairs("results/{{corpus}}{{variant}}/parse/trees/{scatteritem}.npz"),
            brackets=gather.pairs("results/{{corpus}}{{variant}}/parse/trees/{scatteritem}.mrg"),
        output:
            arrays="results/{corpus}{variant}/parse/trees.npz",
            brackets="results/{corpus}{variant}/parse/trees.mrg",
        log:
            "results/{corpus}{variant}/logs/gather-trees.log",
        benchmark:
            "results/{corpus}{variant}/benchmarks/gather-trees.tsv"
        threads: 1
        resources:
            mem_mb=memory(1000, arrays=8),
            runtime=runtime(10, arrays=0.05),
        params:
            *code("vorlage.workflow.stages.gather"),
            folder=lambda wildcards, input: Path(input.arrays[0]).parent,
            parts=PARTS,
        shell:
            "vorlage gather --parts {params.folder:q} --of {params.parts}"
            " --output {output.arrays:q} --log {log:q}"
