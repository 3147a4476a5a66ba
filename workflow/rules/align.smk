"""
The align stage: aligns every pair with each trained semi-HMM.

Inputs:
    results/{corpus}/corpus/corpus.jsonl
    results/{corpus}{variant}/extract/extracts.jsonl
    results/{corpus}{variant}/train/{jump}/model.npz    see train.smk
    results/{corpus}{variant}/parse/trees.npz           for jumps over trees
    results/{corpus}{variant}/encode/                   if `semihmm.encoder` is true
    the file `semihmm.rescorer`                         if `semihmm.decoder` is rescored
Outputs:
    results/{corpus}/align/{semihmm}/alignments.jsonl   for semihmm-{jump} and each {variant}-{jump}

A large corpus has a job for each part: the rule `gather` concatenates the extracts and the alignments of the parts.
"""


rule align:
    input:
        unpack(sentences),
        unpack(rescorer),
        corpus=rules.corpus.output.corpus,
        model=model,
    output:
        part_output("results/{corpus}/align/{semihmm}/alignments.jsonl"),
    log:
        of_part("results/{corpus}/logs/align-{semihmm}.log"),
    benchmark:
        of_part("results/{corpus}/benchmarks/align-{semihmm}.tsv")
    threads: cores(8)
    resources:
        mem_mb=memory(1000, process=600, trees=10),
        runtime=runtime(11, corpus=0.02, extracts=2.4, similarities=0.01),
    params:
        *code("vorlage.semihmm.decode.load"),
        part=part_option,
        jump=code_of_jump("vorlage.semihmm.decode.load"),
        scorer=code_of_scorer,
        settings=lambda wildcards: (made := decoding(wildcards)).options(made.settings_read),
        trees=lambda wildcards, input: named_options(input, "trees"),
        similarities=similarities_option,
    shell:
        "vorlage align --model {input.model:q} --system {wildcards.semihmm:q} --corpus {input.corpus:q}"
        " --extracts {input.extracts:q} {params.trees} {params.similarities}"
        " {params.settings} {params.part} --output {output:q} --processes {threads} --log {log:q}"


if PARTS > 1:

    rule gather:
        input:
            parts=gather.pairs("results/{{corpus}}/{{parted}}/{scatteritem}.jsonl"),
        output:
            "results/{corpus}/{parted}.jsonl",
        log:
            "results/{corpus}/logs/gather/{parted}.log",
        benchmark:
            "results/{corpus}/benchmarks/gather/{parted}.tsv"
        threads: 1
        resources:
            mem_mb=memory(1000),
            runtime=runtime(10, parts=0.001),
        params:
            *code("vorlage.workflow.stages.gather"),
            folder=lambda wildcards, input: Path(input.parts[0]).parent,
            parts=PARTS,
        shell:
            "vorlage gather --parts {params.folder:q} --of {params.parts}"
            " --output {output:q} --log {log:q}"
