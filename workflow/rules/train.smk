"""
The train stage: estimates one semi-HMM for each jump model by EM.

Inputs:
    results/{corpus}/corpus/corpus.jsonl
    results/{corpus}{variant}/extract/extracts.jsonl
    results/{corpus}{variant}/parse/trees.npz           for jumps over trees
    results/{corpus}{variant}/encode/                   if `semihmm.encoder` is true
Outputs:
    results/{corpus}{variant}/train/{jump}/model.npz    the parameters
    results/{corpus}{variant}/train/{jump}/em.tsv       objective and parameters after each iteration

A `variant` of the settings is /variants/{name}, or nothing for those of the config itself. It has no extracts and
models of its own where those of another variant have the same settings.

With `semihmm.agreement` a model of the other direction, train/reverse/, is trained first; the others store it.

More than 256 pairs are divided into blocks, which the job's processes work on; see docs/cluster.md.
"""


rule train:
    input:
        unpack(sentences),
        unpack(reverse_model),
        corpus=rules.corpus.output.corpus,
    output:
        model="results/{corpus}{variant}/train/{jump}/model.npz",
        em="results/{corpus}{variant}/train/{jump}/em.tsv",
    log:
        "results/{corpus}{variant}/logs/train-{jump}.log",
    benchmark:
        "results/{corpus}{variant}/benchmarks/train-{jump}.tsv"
    threads: cores(16)
    resources:
        mem_mb=memory(1000, process=600, corpus=5, trees=10),
        runtime=runtime(10, corpus=0.022, extracts=2.2, similarities=0.01),
        launcher="",
    params:
        *code("vorlage.cli.train"),
        jump=code_of_jump("vorlage.cli.train"),
        settings=lambda wildcards: VARIANTS[wildcards.variant].semihmm.options(Training.model_fields),
        options=lambda wildcards, input: named_options(input, "trees", "reverse_model"),
        similarities=similarities_option,
        direction=lambda wildcards: "--reverse" if wildcards.jump == REVERSE else "",
        jump_model=jump_of,
    shell:
        "{resources.launcher} $(command -v vorlage) train --jump {params.jump_model:q} --corpus {input.corpus:q}"
        " {params.direction}"
        " --extracts {input.extracts:q} {params.options} {params.similarities}"
        " {params.settings}"
        " --model {output.model:q} --em {output.em:q} --processes {threads} --log {log:q}"
