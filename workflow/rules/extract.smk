"""
The extract stage: finds the sentences of each document that its summary was made from.

Inputs:
    results/{corpus}/corpus/corpus.jsonl
    results/{corpus}/corpus/gold.jsonl         for the evaluation and the statistics
Outputs:
    results/{corpus}/extract/weights.json      for a corpus in several parts: counts of the stems
    results/{corpus}{variant}/extract/extracts.jsonl    the sentences kept of each document; see train.smk
    results/{corpus}{variant}/extract/evaluation.tsv    the extracts compared with the gold
    results/{corpus}/corpus/statistics.tsv     counts of documents, sentences and words
    results/{corpus}/corpus/overlap.tsv        coverage, density and novel n-grams of each pair
"""

if PARTS > 1:

    rule count_stems:
        input:
            corpus=rules.corpus.output.corpus,
        output:
            "results/{corpus}/extract/weights.json",
        log:
            "results/{corpus}/logs/count-stems.log",
        benchmark:
            "results/{corpus}/benchmarks/count-stems.tsv"
        threads: 1
        resources:
            mem_mb=memory(1000),
            runtime=runtime(10, corpus=0.02),
        params:
            *code("vorlage.workflow.stages.extract"),
        shell:
            "vorlage extract --corpus {input:q} --count-stems {output:q} --log {log:q}"


rule extract:
    input:
        **({"weights": "results/{corpus}/extract/weights.json"} if PARTS > 1 else {}),
        corpus=rules.corpus.output.corpus,
    output:
        part_output("results/{corpus}{variant}/extract/extracts.jsonl"),
    log:
        of_part("results/{corpus}{variant}/logs/extract.log"),
    benchmark:
        of_part("results/{corpus}{variant}/benchmarks/extract.tsv")
    threads: 1
    resources:
        mem_mb=memory(1000),
        runtime=runtime(10, corpus=0.03),
    params:
        *code("vorlage.workflow.stages.extract"),
        settings=lambda wildcards: VARIANTS[wildcards.variant].extract.options(),
        weights=lambda wildcards, input: named_options(input, "weights"),
        part=part_option,
    shell:
        "vorlage extract --corpus {input.corpus:q} {params.weights} {params.part}"
        " {params.settings} --output {output:q} --log {log:q}"


rule evaluate_extracts:
    input:
        corpus=rules.corpus.output.corpus,
        gold=rules.gold.output,
        extracts="results/{corpus}{variant}/extract/extracts.jsonl",
    output:
        "results/{corpus}{variant}/extract/evaluation.tsv",
    log:
        "results/{corpus}{variant}/logs/evaluate-extracts.log",
    benchmark:
        "results/{corpus}{variant}/benchmarks/evaluate-extracts.tsv"
    threads: 1
    resources:
        mem_mb=memory(1000),
        runtime=runtime(10, corpus=0.006),
    params:
        *code("vorlage.workflow.score.extracts"),
    shell:
        "vorlage evaluate-extracts --corpus {input.corpus:q} --gold {input.gold:q}"
        " --extracts {input.extracts:q} --output {output:q} --log {log:q}"


rule statistics:
    input:
        corpus=rules.corpus.output.corpus,
        gold=rules.gold.output,
        extracts=EXTRACTS,
    output:
        statistics=shown("results/{corpus}/corpus/statistics.tsv", "corpus statistics", category="Corpus"),
        pairs="results/{corpus}/corpus/overlap.tsv",
    log:
        "results/{corpus}/logs/statistics.log",
    benchmark:
        "results/{corpus}/benchmarks/statistics.tsv"
    threads: 1
    resources:
        mem_mb=memory(1000),
        runtime=runtime(10, corpus=0.006),
    params:
        *code("vorlage.workflow.stages.statistics"),
    shell:
        "vorlage statistics --corpus {input.corpus:q} --extracts {input.extracts:q}"
        " --gold {input.gold:q} --output {output.statistics:q} --pairs {output.pairs:q} --log {log:q}"
