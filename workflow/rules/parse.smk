"""
The parse stage: a constituency tree for each distinct sentence of the extracts.

Inputs:
    results/{corpus}/corpus/corpus.jsonl
    results/{corpus}/extract/extracts.jsonl
Outputs:
    results/{corpus}/parse/trees.mrg           Penn brackets, one tree per line
    results/{corpus}/parse/sentences.txt       the sentences of the trees, tokens separated by spaces
    results/{corpus}/parse/trees.npz           the trees as arrays, found by the tokens of a sentence
    results/{corpus}/parse/statistics.tsv      numbers of sentences: all, cut into pieces, refused
    results/parses/                            the parses of each parser so far, shared by all corpora
    results/benepar/{model}/                   benepar's model, if the config gives its name
"""


rule sentences:
    input:
        corpus=rules.corpus.output.corpus,
        extracts=EXTRACTS,
    output:
        shards=expand("results/{{corpus}}/parse/sentences/{shard}.jsonl", shard=parse_shards()),
        text="results/{corpus}/parse/sentences.txt",
    log:
        "results/{corpus}/logs/sentences.log",
    benchmark:
        "results/{corpus}/benchmarks/sentences.tsv"
    threads: 1
    resources:
        mem_mb=memory(2000, 8),
        runtime=runtime(60, 0.05),
    params:
        *code("vorlage.trees.sentences"),
    shell:
        "vorlage sentences --corpus {input.corpus:q} --extracts {input.extracts:q}"
        " --output {output.shards:q} --text {output.text:q} --log {log:q}"


rule benepar_model:
    output:
        directory("results/benepar/{model}"),
    log:
        "results/logs/benepar-{model}.log",
    benchmark:
        "results/benchmarks/benepar-{model}.tsv"
    retries: 2
    localrule: True  # the nodes of a cluster may have no network
    threads: 1
    resources:
        mem_mb=memory(1000, 8),
        runtime=runtime(60, 0.05),
    params:
        *code("vorlage.trees.fetch"),
    shell:
        "vorlage fetch-parser --name {wildcards.model:q} --output {output:q} --log {log:q}"


rule parse:
    input:
        **parser_inputs(),
        sentences="results/{corpus}/parse/sentences/{shard}.jsonl",
    output:
        "results/{corpus}/parse/shards/{shard}.jsonl",
    log:
        "results/{corpus}/logs/parse-{shard}.log",
    benchmark:
        "results/{corpus}/benchmarks/parse-{shard}.tsv"
    threads: 4 if PARSE["backend"] == "benepar" else 1
    resources:
        mem_mb=memory(4000 if PARSE["backend"] == "benepar" else 1000, 8),
        runtime=runtime(240, 0.05),
    params:
        *code("vorlage.trees.stage"),
        backend=added_code("vorlage.trees.stage", f"vorlage.trees.{PARSE['backend']}"),
        parser=parser_options(),
        content=lambda wildcards: parser_content(),
    shell:
        "vorlage parse --sentences {input.sentences:q} {params.parser} --store results/parses"
        " --output {output:q} --log {log:q}"


rule gather_parses:
    input:
        expand("results/{{corpus}}/parse/shards/{shard}.jsonl", shard=parse_shards()),
    output:
        brackets="results/{corpus}/parse/trees.mrg",
        arrays="results/{corpus}/parse/trees.npz",
        statistics="results/{corpus}/parse/statistics.tsv",
    log:
        "results/{corpus}/logs/gather-parses.log",
    benchmark:
        "results/{corpus}/benchmarks/gather-parses.tsv"
    threads: 1
    resources:
        mem_mb=memory(4000, 8),
        runtime=runtime(60, 0.05),
    params:
        *code("vorlage.trees.gather"),
        parser=parser_options(),
        folder=lambda wildcards, output: Path(output.arrays).parent,
    shell:
        "vorlage gather-trees --shards {input:q} {params.parser} --output {params.folder:q}" " --log {log:q}"
