"""
The corpus stage: reads documents and summaries of any supported format.

Inputs:
    the file or folder `corpus.path` and, where there is one, the file `corpus.gold`
Outputs:
    results/{corpus}/corpus/corpus.jsonl       the pairs, split into sentences and tokens
    results/{corpus}/corpus/corpus.offsets.npy where its lines begin
    results/{corpus}/corpus/gold.jsonl         their gold alignments; empty without `corpus.gold`
    results/{corpus}/corpus/rejected.tsv       pairs that cannot be used, and why
    results/{corpus}/corpus/statistics.tsv     counts of documents, sentences and words
"""


rule corpus:
    input:
        **corpus_files(),
    output:
        corpus="results/{corpus}/corpus/corpus.jsonl",
        offsets="results/{corpus}/corpus/corpus.offsets.npy",
        gold="results/{corpus}/corpus/gold.jsonl",
    log:
        "results/{corpus}/logs/corpus.log",
        # As a log it is still there when the stage fails because of what it lists.
        rejected="results/{corpus}/corpus/rejected.tsv",
    benchmark:
        "results/{corpus}/benchmarks/corpus.tsv"
    threads: 8
    resources:
        mem_mb=memory(4000, 0.1),
        runtime=runtime(60, 0.1),
    params:
        *code("pipeline.corpus"),
        settings=settings.options(CORPUS, without=("name", "path", "gold")),
        content=lambda wildcards: corpus_content(),
        gold=lambda wildcards, input: named_options(input, "gold"),
        seed=config["seed"],
        folder=subpath(output.corpus, parent=True),
    shell:
        "python -m pipeline.corpus --path {input.path:q} {params.gold} {params.settings}"
        " --seed {params.seed} --output {params.folder:q} --threads {threads} --log {log[0]:q}"


rule statistics:
    input:
        corpus=rules.corpus.output.corpus,
        gold=rules.corpus.output.gold,
        extracts="results/{corpus}/extract/extracts.jsonl",
    output:
        report(
            "results/{corpus}/corpus/statistics.tsv",
            caption="../../pipeline/report/captions/statistics.rst",
            category="Corpus",
            labels={"result": "corpus statistics", "kind": "table"},
        ),
    log:
        "results/{corpus}/logs/statistics.log",
    benchmark:
        "results/{corpus}/benchmarks/statistics.tsv"
    threads: 1
    resources:
        mem_mb=memory(1000, 2),
        runtime=runtime(15, 0.1),
    params:
        *code("pipeline.extract.statistics"),
    shell:
        "python -m pipeline.extract.statistics --corpus {input.corpus:q} --extracts {input.extracts:q}"
        " --gold {input.gold:q} --output {output:q} --log {log:q}"
