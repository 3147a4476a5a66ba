"""
The decompose stage: how each summary sentence was made from its document, by the links of each system.

Inputs:
    results/{corpus}/corpus/corpus.jsonl
    results/{corpus}/corpus/gold.jsonl
    results/{corpus}/align/{system}/alignments.jsonl
    of a corpus in several parts, only the pairs that are scored and shown
Outputs:
    results/{corpus}/decompose/sentences.tsv        a row for each system and summary sentence
    results/{corpus}/score/decomposition.tsv        a row for each system
    results/{corpus}/score/implied_extracts.tsv     scores of the extracts that the decompositions imply
"""


rule decompose:
    input:
        corpus=rules.corpus.output.corpus,
        gold=rules.gold.output,
        alignments=ALIGNED,
    output:
        **{
            table: shown(f"results/{{corpus}}/score/{table}.tsv", title, category)
            for table, (category, title) in DECOMPOSITIONS.items()
        },
        sentences="results/{corpus}/decompose/sentences.tsv",
    log:
        "results/{corpus}/logs/decompose.log",
    benchmark:
        "results/{corpus}/benchmarks/decompose.tsv"
    threads: 1
    resources:
        mem_mb=memory(1000),
        runtime=runtime(10, alignments=0.004),
    params:
        *code("vorlage.workflow.decompose.stage"),
    shell:
        "vorlage decompose --corpus {input.corpus:q} --gold {input.gold:q}"
        " --alignments {input.alignments:q} --output {output.sentences:q}"
        " --systems {output.decomposition:q} --extracts {output.implied_extracts:q} --log {log:q}"
