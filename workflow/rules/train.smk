"""
The train stage: estimates a semi-HMM, one for each jump model, by EM.

Inputs:
    results/{corpus}/corpus/corpus.jsonl
    results/{corpus}/extract/extracts.jsonl
    results/{corpus}/parse/trees.npz           for the jump model syntax
    results/wordnet/                           unless `semihmm.wordnet` is false
Outputs:
    results/{corpus}/train/{jump}/model.npz    the parameters
    results/{corpus}/train/{jump}/em.tsv       objective and parameters after each iteration

With `semihmm.shards` above 1, sharded.smk makes them by jobs that work on a shard each.
"""


rule train:
    input:
        unpack(trees),
        **wordnet_folder(),
        corpus=rules.corpus.output.corpus,
        extracts=EXTRACTS,
    output:
        model="results/{corpus}/train/{jump}/model.npz",
        em="results/{corpus}/train/{jump}/em.tsv",
    log:
        "results/{corpus}/logs/train-{jump}.log",
    benchmark:
        "results/{corpus}/benchmarks/train-{jump}.tsv"
    threads: 8
    resources:
        mem_mb=memory(4000, 100),
        runtime=runtime(240, 15),
    params:
        *code("pipeline.semihmm.train"),
        jump=code_of_jump("pipeline.semihmm.train"),
        settings=settings.options(SEMIHMM, without=("jumps", "shards", *DECODING)),
        wordnet=lambda wildcards, input: wordnet_option(input),
        trees=lambda wildcards, input: named_options(input, "trees"),
    shell:
        "python -m pipeline.semihmm.train --jump {wildcards.jump:q} --corpus {input.corpus:q}"
        " --extracts {input.extracts:q} {params.wordnet} {params.trees} {params.settings}"
        " --model {output.model:q} --em {output.em:q} --threads {threads} --log {log:q}"
