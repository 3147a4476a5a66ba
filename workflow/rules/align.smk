"""
The align stage: aligns every pair with each trained semi-HMM.

Inputs:
    results/{corpus}/corpus/corpus.jsonl
    results/{corpus}/extract/extracts.jsonl
    results/{corpus}/train/{jump}/model.npz    for semihmm-{jump}
    results/{corpus}/parse/trees.npz           for the jump model syntax
    results/{corpus}/encode/                   for semihmm-{jump}, if `semihmm.encoder` is true
    the file `semihmm.rescorer`                if `semihmm.decoder` is rescored
Outputs:
    results/{corpus}/align/semihmm-{jump}/alignments.jsonl

A large corpus has a job for each part: the rule `gather` concatenates the extracts and the alignments of the parts.
"""


rule align:
    input:
        unpack(trees),
        unpack(similarities),
        unpack(rescorer),
        corpus=rules.corpus.output.corpus,
        extracts=EXTRACTS,
        model=rules.train.output.model,
    output:
        part_output("results/{corpus}/align/semihmm-{jump}/alignments.jsonl"),
    log:
        of_part("results/{corpus}/logs/align-semihmm-{jump}.log"),
    benchmark:
        of_part("results/{corpus}/benchmarks/align-semihmm-{jump}.tsv")
    threads: cores(8)
    resources:
        mem_mb=memory(6000, 1),
        runtime=runtime(120, 0.3),
    params:
        *code("vorlage.semihmm.decode.load"),
        part=part_option,
        jump=code_of_jump("vorlage.semihmm.decode.load"),
        settings=SEMIHMM.options(SemiHmm.read_by("decode")),
        trees=lambda wildcards, input: named_options(input, "trees"),
        similarities=similarities_option,
    shell:
        "vorlage align --model {input.model:q} --corpus {input.corpus:q}"
        " --extracts {input.extracts:q} {params.trees} {params.similarities}"
        " {params.settings} {params.part} --output {output:q} --processes {threads} --log {log:q}"


if PARTS > 1:

    # A system that aligns the corpus as a whole writes this file itself.
    ruleorder: giza > gather

    rule gather:
        input:
            gather.pairs("results/{{corpus}}/{{parted}}/{scatteritem}.jsonl"),
        output:
            "results/{corpus}/{parted}.jsonl",
        log:
            "results/{corpus}/logs/gather/{parted}.log",
        benchmark:
            "results/{corpus}/benchmarks/gather/{parted}.tsv"
        threads: 1
        resources:
            mem_mb=memory(1000),
            runtime=runtime(60, 0.05),
        params:
            *code("vorlage.files.gather"),
            folder=lambda wildcards, input: Path(input[0]).parent,
            parts=PARTS,
        shell:
            "vorlage gather --parts {params.folder:q} --of {params.parts}"
            " --output {output:q} --log {log:q}"
