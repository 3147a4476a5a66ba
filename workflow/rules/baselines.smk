"""
The baselines, systems that the semi-HMM is compared with; translation.smk has the translation models.

Inputs:
    results/{corpus}/corpus/corpus.jsonl
    results/{corpus}/extract/extracts.jsonl
Outputs:
    results/{corpus}/align/identity/alignments.jsonl
    results/{corpus}/align/cutpaste/alignments.jsonl     and cutpaste-1, -2, -3, the least length of runs,
                                                         each with -document too, for whole documents
    results/{corpus}/align/{encoded}/alignments.jsonl    by the encoder: embed, awesome, simalign-…, transport-…
"""


rule identity:
    input:
        corpus=rules.corpus.output.corpus,
        extracts=EXTRACTS,
    output:
        part_output("results/{corpus}/align/identity/alignments.jsonl"),
    log:
        of_part("results/{corpus}/logs/align-identity.log"),
    benchmark:
        of_part("results/{corpus}/benchmarks/align-identity.tsv")
    threads: 1
    resources:
        mem_mb=memory(1000),
        runtime=runtime(10, corpus=0.006),
    params:
        *code("vorlage.workflow.baselines.stage", "vorlage.workflow.baselines.identity"),
        part=part_option,
    shell:
        "vorlage baseline --system identity --corpus {input.corpus:q} --extracts {input.extracts:q}"
        " {params.part} --output {output:q} --log {log:q}"


rule cutpaste:
    input:
        corpus=rules.corpus.output.corpus,
        extracts=EXTRACTS,
    output:
        part_output("results/{corpus}/align/{cutpaste}/alignments.jsonl"),
    log:
        of_part("results/{corpus}/logs/align-{cutpaste}.log"),
    benchmark:
        of_part("results/{corpus}/benchmarks/align-{cutpaste}.tsv")
    threads: 1
    resources:
        mem_mb=memory(1000),
        runtime=runtime(10, corpus=0.016),
    params:
        *code("vorlage.workflow.baselines.stage", "vorlage.workflow.baselines.cutpaste"),
        part=part_option,
        settings=CONFIG.cutpaste.options(),
    shell:
        "vorlage baseline --system {wildcards.cutpaste:q} --corpus {input.corpus:q}"
        " --extracts {input.extracts:q} {params.settings} {params.part} --output {output:q} --log {log:q}"


rule embed:
    input:
        **ENCODER_INPUT,
        corpus=rules.corpus.output.corpus,
        extracts=EXTRACTS,
    output:
        part_output("results/{corpus}/align/{encoded}/alignments.jsonl"),
    log:
        of_part("results/{corpus}/logs/align-{encoded}.log"),
    benchmark:
        of_part("results/{corpus}/benchmarks/align-{encoded}.tsv")
    threads: 1
    resources:
        mem_mb=memory(2000, encoder=4),
        runtime=runtime(8, corpus=0.04, extracts=20),
    params:
        *code("vorlage.workflow.baselines.stage", "vorlage.workflow.baselines.encoded"),
        part=part_option,
        settings=EMBED_OPTIONS,
    shell:
        "vorlage baseline --system {wildcards.encoded:q} --corpus {input.corpus:q}"
        " --extracts {input.extracts:q} {params.settings} {params.part} --output {output:q} --log {log:q}"
