"""
The score stage: compares the alignments of all systems with the gold.

Inputs:
    results/{corpus}/corpus/corpus.jsonl
    results/{corpus}/corpus/gold.jsonl
    results/{corpus}/align/{system}/alignments.jsonl
Outputs:
    results/{corpus}/score/scores.tsv          precision, recall and F of each system
    results/{corpus}/score/agreement.tsv       of annotators; made when asked for, wants two of them
"""


rule score:
    input:
        corpus=rules.corpus.output.corpus,
        gold=rules.corpus.output.gold,
        alignments=expand("results/{{corpus}}/align/{system}/alignments.jsonl", system=config["systems"]),
    output:
        "results/{corpus}/score/scores.tsv",
    log:
        "results/{corpus}/logs/score.log",
    benchmark:
        "results/{corpus}/benchmarks/score.tsv"
    threads: 1
    resources:
        mem_mb=growing(2000),
        runtime=growing(60),
    params:
        *code("pipeline.score"),
        settings=settings.options(config["score"]),
        seed=config["seed"],
    shell:
        "python -m pipeline.score --corpus {input.corpus} --gold {input.gold}"
        " --alignments {input.alignments} {params.settings} --seed {params.seed}"
        " --output {output} --log {log}"


rule agreement:
    input:
        corpus=rules.corpus.output.corpus,
        gold=rules.corpus.output.gold,
    output:
        "results/{corpus}/score/agreement.tsv",
    log:
        "results/{corpus}/logs/agreement.log",
    benchmark:
        "results/{corpus}/benchmarks/agreement.tsv"
    threads: 1
    resources:
        mem_mb=growing(2000),
        runtime=growing(30),
    params:
        *code("pipeline.score.agreement"),
    shell:
        "python -m pipeline.score.agreement --corpus {input.corpus} --gold {input.gold}"
        " --output {output} --log {log}"
