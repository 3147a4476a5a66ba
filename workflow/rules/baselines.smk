"""
The baselines: the systems that the semi-HMM is compared with.

Inputs:
    results/{corpus}/corpus/corpus.jsonl
    results/{corpus}/extract/extracts.jsonl
Outputs:
    results/{corpus}/train/{model}-{source}/             a translation model; its source is `doc` or `sum`
    results/{corpus}/align/{model}-{source}/alignments.jsonl
    results/{corpus}/align/{model}-{heuristic}/alignments.jsonl    both directions combined
    results/{corpus}/align/identity/alignments.jsonl
    results/{corpus}/align/cutpaste/alignments.jsonl     and cutpaste-1, -2, -3, the least length of runs,
                                                         each with -document too, for whole documents
    results/{corpus}/align/giza-{source}/alignments.jsonl
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
        mem_mb=memory(1000, 2),
        runtime=runtime(15, 0.1),
    params:
        *code("vorlage.baselines.stage", "vorlage.baselines.identity"),
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
        mem_mb=memory(1000, 2),
        runtime=runtime(15, 0.1),
    params:
        *code("vorlage.baselines.stage", "vorlage.baselines.cutpaste"),
        part=part_option,
        settings=CONFIG.cutpaste.options(),
    shell:
        "vorlage baseline --system {wildcards.cutpaste:q} --corpus {input.corpus:q}"
        " --extracts {input.extracts:q} {params.settings} {params.part} --output {output:q} --log {log:q}"


rule train_translation:
    input:
        unpack(training_data),
    output:
        directory("results/{corpus}/train/{translation}-{source}"),
    log:
        "results/{corpus}/logs/train-{translation}-{source}.log",
    benchmark:
        "results/{corpus}/benchmarks/train-{translation}-{source}.tsv"
    threads: 1
    resources:
        mem_mb=memory(1000, 10),
        runtime=runtime(120, 5),
    params:
        *code("vorlage.baselines.translation"),
        settings=CONFIG.translation.options(),
        data=lambda wildcards, input: named_options(input, "start", "corpus", "extracts"),
        seed=CONFIG.seed,
    shell:
        "vorlage train-translation --model {wildcards.translation:q}"
        " --source {wildcards.source:q} {params.data} {params.settings} --seed {params.seed}"
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
        mem_mb=memory(1000, 5),
        runtime=runtime(60, 1),
    params:
        *code("vorlage.baselines.stage", "vorlage.baselines.translated"),
        part=part_option,
    shell:
        "vorlage baseline --system {wildcards.translation:q}-{wildcards.source:q}"
        " --translation {input.model:q} --corpus {input.corpus:q} --extracts {input.extracts:q} {params.part}"
        " --output {output:q} --log {log:q}"


rule giza:
    input:
        corpus=rules.corpus.output.corpus,
        extracts=EXTRACTS,
    output:
        "results/{corpus}/align/giza-{source}/alignments.jsonl",
    log:
        "results/{corpus}/logs/align-giza-{source}.log",
    benchmark:
        "results/{corpus}/benchmarks/align-giza-{source}.tsv"
    threads: 1
    resources:
        mem_mb=memory(2000, 20),
        runtime=runtime(240, 10),
    params:
        *code("vorlage.baselines.stage", "vorlage.baselines.giza"),
        settings=CONFIG.giza.options(),
    shell:
        "vorlage baseline --system giza-{wildcards.source:q} --corpus {input.corpus:q}"
        " --extracts {input.extracts:q} {params.settings} --output {output:q} --log {log:q}"


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
        mem_mb=memory(3000, 5),
        runtime=runtime(60, 1),
    params:
        *code("vorlage.baselines.stage", "vorlage.baselines.encoded"),
        part=part_option,
        settings=EMBED_OPTIONS,
    shell:
        "vorlage baseline --system {wildcards.encoded:q} --corpus {input.corpus:q}"
        " --extracts {input.extracts:q} {params.settings} {params.part} --output {output:q} --log {log:q}"


rule symmetrize:
    input:
        doc="results/{corpus}/align/{directed}-doc/alignments.jsonl",
        sum="results/{corpus}/align/{directed}-sum/alignments.jsonl",
    output:
        part_output("results/{corpus}/align/{directed}-{heuristic}/alignments.jsonl"),
    log:
        of_part("results/{corpus}/logs/align-{directed}-{heuristic}.log"),
    benchmark:
        of_part("results/{corpus}/benchmarks/align-{directed}-{heuristic}.tsv")
    threads: 1
    resources:
        mem_mb=memory(1000, 2),
        runtime=runtime(15, 0.1),
    params:
        *code("vorlage.baselines.symmetrize"),
        part=part_option,
    shell:
        "vorlage symmetrize --doc {input.doc:q} --sum {input.sum:q}"
        " --heuristic {wildcards.heuristic:q} --system {wildcards.directed:q}-{wildcards.heuristic:q}"
        " {params.part} --output {output:q} --log {log:q}"
