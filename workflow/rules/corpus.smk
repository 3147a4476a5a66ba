"""
The corpus stage: reads documents and summaries of any supported format.

Inputs:
    the file or folder `corpus.path` and, if it is set, the file `corpus.gold`
Outputs:
    results/{corpus}/corpus/corpus.jsonl       the pairs, split into sentences and tokens
    results/{corpus}/corpus/rejected.tsv       pairs that are left out, and why
    results/{corpus}/corpus/gold.jsonl         the gold alignments of the pairs; empty without `corpus.gold`
"""

GOLD_INPUT = {"gold": ancient(CORPUS.gold)} if CORPUS.gold else {}
# The pairs with gold count in the corpus only where `select` keeps them for their gold.
SELECTED_BY_GOLD = GOLD if CORPUS.select.shortest or CORPUS.select.sample else []


rule corpus:
    input:
        path=ancient(CORPUS.path),
    output:
        corpus="results/{corpus}/corpus/corpus.jsonl",
    log:
        "results/{corpus}/logs/corpus.log",
        # Snakemake keeps a log when the job fails, and this file lists the reason.
        rejected="results/{corpus}/corpus/rejected.tsv",
    benchmark:
        "results/{corpus}/benchmarks/corpus.tsv"
    wildcard_constraints:
        corpus=re.escape(CORPUS.name),
    threads: cores(8, "path")
    resources:
        mem_mb=memory(500, process=100),
        runtime=runtime(10, path=0.04),
    params:
        *code("vorlage.workflow.stages.corpus"),
        settings=CORPUS.options(Corpus.model_fields.keys() - {"name", "path", "gold"}),
        digest=lambda wildcards: watched(CORPUS.path),
        gold=f"--gold {shlex.quote(CORPUS.gold)}" if SELECTED_BY_GOLD else "",
        annotated=f"'the pairs with gold' {digest(sorted({gold.id for gold in SELECTED_BY_GOLD}))}",
        seed=SEED,
        folder=subpath(output.corpus, parent=True),
    shell:
        "vorlage corpus --path {input:q} {params.gold} {params.settings}"
        " {params.seed} --output {params.folder:q} --threads {threads} --log {log[0]:q}"


rule gold:
    input:
        **GOLD_INPUT,
        corpus=rules.corpus.output.corpus,
    output:
        "results/{corpus}/corpus/gold.jsonl",
    log:
        "results/{corpus}/logs/gold.log",
    benchmark:
        "results/{corpus}/benchmarks/gold.tsv"
    threads: 1
    resources:
        mem_mb=memory(1000),
        runtime=runtime(10, corpus=0.001),
    params:
        *code("vorlage.workflow.stages.gold"),
        gold=lambda wildcards, input: named_options(input, "gold"),
        digest=watched(CORPUS.gold) if CORPUS.gold else "",
        rejected=rules.corpus.log.rejected,
    shell:
        "vorlage gold --corpus {input.corpus:q} {params.gold} --rejected {params.rejected:q}"
        " --output {output:q} --log {log:q}"
