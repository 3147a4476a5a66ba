"""
The corpus stage: reads documents and summaries of any supported format.

Inputs:
    the file or folder `corpus.path` and, if it is set, the file `corpus.gold`
Outputs:
    results/{corpus}/corpus/corpus.jsonl       the pairs, split into sentences and tokens
    results/{corpus}/corpus/gold.jsonl         their gold alignments; empty without `corpus.gold`
    results/{corpus}/corpus/rejected.tsv       pairs that are left out, and why
"""


rule corpus:
    input:
        **corpus_files(),
    output:
        corpus="results/{corpus}/corpus/corpus.jsonl",
        gold="results/{corpus}/corpus/gold.jsonl",
    log:
        "results/{corpus}/logs/corpus.log",
        # Snakemake keeps a log when the job fails, and this file lists the reason.
        rejected="results/{corpus}/corpus/rejected.tsv",
    benchmark:
        "results/{corpus}/benchmarks/corpus.tsv"
    wildcard_constraints:
        corpus=re.escape(CORPUS["name"]),
    threads: 8
    resources:
        mem_mb=memory(4000, 0.1),
        runtime=runtime(60, 0.1),
    params:
        *code("vorlage.corpus.stage"),
        settings=settings.options(CORPUS, without=("name", "path", "gold")),
        content=lambda wildcards: corpus_content(),
        gold=lambda wildcards, input: named_options(input, "gold"),
        seed=config["seed"],
        folder=subpath(output.corpus, parent=True),
    shell:
        "vorlage corpus --path {input.path:q} {params.gold} {params.settings}"
        " --seed {params.seed} --output {params.folder:q} --threads {threads} --log {log[0]:q}"
