"""
The parts of a large corpus, put one behind the other. Of a corpus in one part nothing is gathered.

Inputs:
    results/{corpus}/{parted}/{scatteritem}.jsonl    of each part: extracts, alignments, what is scored
Outputs:
    results/{corpus}/{parted}.jsonl
    results/{corpus}/{parted}.offsets.npy            where its lines begin
"""

if PARTS > 1:

    # The alignments of a system that takes the corpus as a whole.
    ruleorder: giza > gather

    rule gather:
        input:
            gather.pairs("results/{{corpus}}/{{parted}}/{scatteritem}.jsonl"),
        output:
            whole="results/{corpus}/{parted}.jsonl",
            offsets="results/{corpus}/{parted}.offsets.npy",
        log:
            "results/{corpus}/logs/gather/{parted}.log",
        benchmark:
            "results/{corpus}/benchmarks/gather/{parted}.tsv"
        threads: 1
        resources:
            mem_mb=memory(1000),
            runtime=runtime(60, 0.05),
        params:
            *code("pipeline.io.gather"),
            folder=lambda wildcards, input: Path(input[0]).parent,
            parts=PARTS,
        shell:
            "python -m pipeline.io.gather --parts {params.folder:q} --of {params.parts}"
            " --output {output.whole:q} --log {log:q}"
