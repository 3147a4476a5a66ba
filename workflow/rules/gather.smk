"""
Gathers the parts of a large corpus: concatenates their files. A corpus in one part needs no gathering.

Inputs:
    results/{corpus}/{parted}/{scatteritem}.jsonl    the extracts, alignments or scored pairs of each part
Outputs:
    results/{corpus}/{parted}.jsonl
"""

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
