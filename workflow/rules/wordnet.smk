"""
The wordnet stage: gets WordNet for the rewrite model, once for all corpora. Not needed with `semihmm.wordnet: false`.

Inputs:
    none: a copy on this machine or a download
Outputs:
    results/wordnet/                           the database files, and wordnet.json with their version
"""


rule wordnet:
    output:
        directory("results/wordnet"),
    log:
        "results/logs/wordnet.log",
    benchmark:
        "results/benchmarks/wordnet.tsv"
    retries: 1
    localrule: True  # a node of a cluster may have no network
    threads: 1
    resources:
        mem_mb=memory(500),
        runtime=runtime(30),
    params:
        *code("vorlage.text.wordnet.download"),
    shell:
        "vorlage wordnet --output {output:q} --log {log:q}"
