"""
The baselines, systems that the semi-HMM is compared with; translation.smk has those that are trained.

Inputs:
    results/{corpus}/corpus/corpus.jsonl
    results/{corpus}/extract/extracts.jsonl
Outputs:
    results/{corpus}/align/{baseline}/alignments.jsonl

The systems are those of the modules in pipeline/vorlage/workflow/baselines/systems/.
"""


rule baseline:
    input:
        unpack(encoder_of_baseline),
        corpus=rules.corpus.output.corpus,
        extracts=EXTRACTS,
    output:
        part_output("results/{corpus}/align/{baseline}/alignments.jsonl"),
    log:
        of_part("results/{corpus}/logs/align-{baseline}.log"),
    benchmark:
        of_part("results/{corpus}/benchmarks/align-{baseline}.tsv")
    threads: 1
    resources:
        mem_mb=memory(1500, encoder=4),
        runtime=runtime(10, corpus=0.04, extracts=lambda wildcards: 20 * reads_encoder(wildcards)),
    params:
        *code("vorlage.workflow.baselines.stage"),
        system=lambda wildcards: added_code("vorlage.workflow.baselines.stage", baseline_module(wildcards)),
        part=part_option,
        settings=baseline_options,
    shell:
        "vorlage baseline --system {wildcards.baseline:q} --corpus {input.corpus:q}"
        " --extracts {input.extracts:q} {params.settings} {params.part} --output {output:q} --log {log:q}"
