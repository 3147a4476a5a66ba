"""
The train stage: estimates one semi-HMM for each jump model by EM.

Inputs:
    results/{corpus}/corpus/corpus.jsonl
    results/{corpus}/extract/extracts.jsonl
    results/{corpus}/parse/trees.npz           for the jump model syntax
    results/{corpus}/encode/                   if `semihmm.encoder` is true
Outputs:
    results/{corpus}/train/{jump}/model.npz    the parameters
    results/{corpus}/train/{jump}/em.tsv       objective and parameters after each iteration

With `semihmm.agreement` a model of the other direction, results/{corpus}/train/reverse/, is trained first; the
others store it.

More than 256 pairs are divided into blocks, which the job's processes work on; see docs/scaling.md.
"""


rule train:
    input:
        unpack(trees),
        unpack(reverse_model),
        unpack(similarities),
        corpus=rules.corpus.output.corpus,
        extracts=EXTRACTS,
    output:
        model="results/{corpus}/train/{jump}/model.npz",
        em="results/{corpus}/train/{jump}/em.tsv",
    log:
        "results/{corpus}/logs/train-{jump}.log",
    benchmark:
        "results/{corpus}/benchmarks/train-{jump}.tsv"
    threads: cores(16)
    resources:
        mem_mb=memory(4000, 100),
        runtime=runtime(240, 15),
    params:
        *code("vorlage.semihmm.train.stage"),
        jump=code_of_jump("vorlage.semihmm.train.stage"),
        settings=SEMIHMM.options(SemiHmm.read_by("train")),
        options=lambda wildcards, input: named_options(input, "trees", "reverse_model"),
        similarities=similarities_option,
        direction=lambda wildcards: "--reverse" if wildcards.jump == REVERSE else "",
        jump_model=jump_of,
    shell:
        "vorlage train --jump {params.jump_model:q} --corpus {input.corpus:q} {params.direction}"
        " --extracts {input.extracts:q} {params.options} {params.similarities}"
        " {params.settings}"
        " --model {output.model:q} --em {output.em:q} --processes {threads} --log {log:q}"
