"""
The encode stage: similarities of the words and of the sentences of each pair, by a pretrained encoder.

Inputs:
    results/{corpus}/corpus/corpus.jsonl
    results/{corpus}{variant}/extract/extracts.jsonl
Outputs:
    results/{corpus}{variant}/encode/{scatteritem}/    cosines of words and of sentences, one folder for each part
    results/encoders/{encoder}/               the encoder, if the config names one that is not installed
"""

# An existing folder, or the output of the rule `encoder`, which then is an input of what reads the encoder.
ENCODER = find_model(CONFIG.embed.model) or f"results/encoders/{CONFIG.embed.model}"
ENCODER_INPUT = {"encoder": ENCODER} if ENCODER.startswith("results/encoders/") else {}
EMBED_OPTIONS = CONFIG.embed.model_copy(update={"model": ENCODER}).options()


rule encoder:
    output:
        directory("results/encoders/{encoder}"),
    log:
        "results/logs/encoder-{encoder}.log",
    benchmark:
        "results/benchmarks/encoder-{encoder}.tsv"
    retries: 2
    localrule: True  # the nodes of a cluster may have no network
    threads: 1
    resources:
        mem_mb=memory(1000),
        runtime=runtime(60),
    params:
        *code("vorlage.cli.fetch"),
    shell:
        "vorlage fetch --encoder {wildcards.encoder:q} --output {output:q} --log {log:q}"


rule encode:
    input:
        **ENCODER_INPUT,
        corpus=rules.corpus.output.corpus,
        extracts="results/{corpus}{variant}/extract/extracts.jsonl",
    output:
        directory("results/{corpus}{variant}/encode/{scatteritem}"),
    log:
        "results/{corpus}{variant}/logs/encode/{scatteritem}.log",
    benchmark:
        "results/{corpus}{variant}/benchmarks/encode/{scatteritem}.tsv"
    # Training waits for it, and takes longest.
    priority: 1
    threads: 1
    resources:
        mem_mb=memory(1000, encoder=4),
        runtime=runtime(8, corpus=0.04, extracts=20),
    params:
        *code("vorlage.workflow.stages.encode"),
        part=part_option,
        settings=EMBED_OPTIONS,
    shell:
        "vorlage encode --corpus {input.corpus:q} --extracts {input.extracts:q}"
        " {params.settings} {params.part} --output {output:q} --log {log:q}"
