"""
The extract stage: finds the sentences of each document that its summary was made from.

Inputs:
    results/{corpus}/corpus/corpus.jsonl
    results/{corpus}/corpus/gold.jsonl         to evaluate the extracts
Outputs:
    results/{corpus}/extract/extracts.jsonl    the sentences kept of each document
    results/{corpus}/extract/evaluation.tsv    how they agree with the gold
"""


rule extract:
    input:
        rules.corpus.output.corpus,
    output:
        "results/{corpus}/extract/extracts.jsonl",
    log:
        "results/{corpus}/logs/extract.log",
    benchmark:
        "results/{corpus}/benchmarks/extract.tsv"
    threads: 1
    resources:
        mem_mb=growing(4000),
        runtime=growing(120),
    params:
        *code("pipeline.extract"),
        settings=settings.options(config["extract"]),
    shell:
        "python -m pipeline.extract --corpus {input} {params.settings} --output {output} --log {log}"


rule evaluate_extracts:
    input:
        corpus=rules.corpus.output.corpus,
        gold=rules.corpus.output.gold,
        extracts=rules.extract.output,
    output:
        "results/{corpus}/extract/evaluation.tsv",
    log:
        "results/{corpus}/logs/evaluate-extracts.log",
    benchmark:
        "results/{corpus}/benchmarks/evaluate-extracts.tsv"
    threads: 1
    resources:
        mem_mb=growing(2000),
        runtime=growing(30),
    params:
        *code("pipeline.extract.evaluate"),
    shell:
        "python -m pipeline.extract.evaluate --corpus {input.corpus} --gold {input.gold}"
        " --extracts {input.extracts} --output {output} --log {log}"
