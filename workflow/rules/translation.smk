"""
The translation models, which the semi-HMM is compared with, and alignments of both directions combined.

Inputs:
    results/{corpus}/corpus/corpus.jsonl
    results/{corpus}/extract/extracts.jsonl
Outputs:
    results/{corpus}/train/{model}-{source}/                       a model; its source is `doc` or `sum`
    results/{corpus}/align/{model}-{source}/alignments.jsonl
    results/{corpus}/align/{model}-{heuristic}/alignments.jsonl    both directions combined
"""


rule train_translation:
    input:
        unpack(training_data),
    output:
        directory("results/{corpus}/train/{translation}-{source}"),
    log:
        "results/{corpus}/logs/train-{translation}-{source}.log",
    benchmark:
        "results/{corpus}/benchmarks/train-{translation}-{source}.tsv"
    # IBM 1, HMM and Model 4, each from the one before, are the longest chain of jobs: it begins first.
    priority: 1
    threads: 1
    resources:
        mem_mb=memory(1000, corpus=1.5, extracts=300, start=8),
        runtime=runtime(10, corpus=0.008, extracts=0.6, start=minutes_of_model),
    params:
        *code("vorlage.workflow.baselines.translation"),
        settings=CONFIG.translation.options(),
        data=lambda wildcards, input: named_options(input, "start", "corpus", "extracts"),
        seed=SEED,
    shell:
        "vorlage train-translation --model {wildcards.translation:q}"
        " --source {wildcards.source:q} {params.data} {params.settings} {params.seed}"
        " --output {output:q} --log {log:q}"


rule align_translation:
    input:
        corpus=rules.corpus.output.corpus,
        extracts=EXTRACTS,
        model=rules.train_translation.output,
    output:
        part_output("results/{corpus}/align/{translation}-{source}/alignments.jsonl"),
    log:
        of_part("results/{corpus}/logs/align-{translation}-{source}.log"),
    benchmark:
        of_part("results/{corpus}/benchmarks/align-{translation}-{source}.tsv")
    threads: 1
    resources:
        mem_mb=memory(1000),
        runtime=runtime(10, corpus=0.03),
    params:
        *code("vorlage.workflow.baselines.stage", "vorlage.workflow.baselines.translation"),
        part=part_option,
    shell:
        "vorlage baseline --system {wildcards.translation:q}-{wildcards.source:q}"
        " --translation {input.model:q} --corpus {input.corpus:q} --extracts {input.extracts:q} {params.part}"
        " --output {output:q} --log {log:q}"


rule symmetrize:
    input:
        doc="results/{corpus}/align/{translation}-doc/alignments.jsonl",
        sum="results/{corpus}/align/{translation}-sum/alignments.jsonl",
    output:
        part_output("results/{corpus}/align/{translation}-{heuristic}/alignments.jsonl"),
    log:
        of_part("results/{corpus}/logs/align-{translation}-{heuristic}.log"),
    benchmark:
        of_part("results/{corpus}/benchmarks/align-{translation}-{heuristic}.tsv")
    threads: 1
    resources:
        mem_mb=memory(1000),
        runtime=runtime(10, doc=0.01),
    params:
        *code("vorlage.workflow.baselines.symmetrize"),
        part=part_option,
    shell:
        "vorlage symmetrize --doc {input.doc:q} --sum {input.sum:q}"
        " --heuristic {wildcards.heuristic:q} --system {wildcards.translation:q}-{wildcards.heuristic:q}"
        " {params.part} --output {output:q} --log {log:q}"
