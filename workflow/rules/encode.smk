"""
The encode stage: how alike the words and the sentences of each pair are, by a pretrained encoder.

Inputs:
    results/{corpus}/corpus/corpus.jsonl
    results/{corpus}/extract/extracts.jsonl
Outputs:
    results/{corpus}/encode/{scatteritem}/    of each part, of one part too: cosines of words and of sentences
    results/encoders/{encoder}/               the encoder, where the config gives the name of another
"""


rule encoder:
    output:
        directory("results/encoders/{encoder}"),
    log:
        "results/logs/encoder-{encoder}.log",
    benchmark:
        "results/benchmarks/encoder-{encoder}.tsv"
    retries: 2
    localrule: True  # a node of a cluster may have no network
    threads: 1
    resources:
        mem_mb=memory(1000),
        runtime=runtime(60),
    params:
        *code("pipeline.encode.fetch"),
    shell:
        "python -m pipeline.encode.fetch --name {wildcards.encoder:q} --output {output:q} --log {log:q}"


rule encode:
    input:
        **encoder_files(),
        corpus=rules.corpus.output.corpus,
        extracts=EXTRACTS,
    output:
        directory("results/{corpus}/encode/{scatteritem}"),
    log:
        "results/{corpus}/logs/encode/{scatteritem}.log",
    benchmark:
        "results/{corpus}/benchmarks/encode/{scatteritem}.tsv"
    threads: 1
    resources:
        mem_mb=memory(3000, 5),
        runtime=runtime(60, 1),
    params:
        *code("pipeline.encode"),
        part=part_option,
        settings=settings.options(config["embed"] | {"model": encoder_folder()}),
    shell:
        "python -m pipeline.encode --corpus {input.corpus:q} --extracts {input.extracts:q}"
        " {params.settings} {params.part} --output {output:q} --log {log:q}"
