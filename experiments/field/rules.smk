"""
The field: systems on the sets of a folder, by the measures that their gold allows. Run it by `make field`; the
Snakefile includes it where the setting `field.data` names a folder.

Inputs:
    {field.data}/{set}/corpus.jsonl, gold.jsonl    or, with a name such as `wice-dev`, the set in its public layout
Outputs:
    results/field/{set}/input/                     the corpus and the gold of a public layout
    results/field/{set}/corpus/                    and extract/, train/ and align/ by the rules of these stages
    results/field/{set}/align/{system}/            alignments.jsonl, or evidence.jsonl of a system without links
    results/field/{set}/score/field.tsv            the scores of all systems
"""


rule field_input:
    output:
        corpus="results/field/{set}/input/corpus.jsonl",
        gold="results/field/{set}/input/gold.jsonl",
    log:
        "results/field/{set}/logs/input.log",
    benchmark:
        "results/field/{set}/benchmarks/input.tsv"
    threads: 1
    resources:
        mem_mb=memory(2000),
        runtime=runtime(30),
    params:
        *code("vorlage.workflow.gold", "vorlage.documents.records"),
        scripts=FIELD_SCRIPTS,
        digest=field_digest,
        layout=lambda wildcards: wildcards.set.partition("-")[0],
        path=lambda wildcards: FIELD_SETS[wildcards.set],
        folder=subpath(output.corpus, parent=True),
    shell:
        "{FIELD_STEP} convert --layout {params.layout:q} --path {params.path:q}"
        " --output {params.folder:q} --log {log:q}"


rule field_corpus:
    input:
        unpack(field_files),
    output:
        corpus="results/field/{set}/corpus/corpus.jsonl",
    log:
        "results/field/{set}/logs/corpus.log",
        rejected="results/field/{set}/corpus/rejected.tsv",
    benchmark:
        "results/field/{set}/benchmarks/corpus.tsv"
    threads: 1
    resources:
        mem_mb=memory(4000),
        runtime=runtime(60),
    params:
        *code("vorlage.workflow.stages.corpus"),
        digest=field_digest,
        tokenized=field_tokenized,
        folder=subpath(output.corpus, parent=True),
    shell:
        "vorlage corpus --reader jsonl --path {input.path:q} --tokenized {params.tokenized}"
        " --output {params.folder:q} --threads {threads} --log {log[0]:q}"


rule align_shipped:
    input:
        corpus=rules.corpus.output.corpus,
        models=files_in("models"),
    output:
        "results/{corpus}/align/{shipped}/alignments.jsonl",
    log:
        "results/{corpus}/logs/align-{shipped}.log",
    benchmark:
        "results/{corpus}/benchmarks/align-{shipped}.tsv"
    threads: 1
    resources:
        mem_mb=memory(6000, corpus=1),
        runtime=runtime(240, corpus=0.3),
    params:
        *code("vorlage.semihmm.decode.load", "vorlage.semihmm.jumps.relative"),
        model=lambda wildcards: f"pipeline/vorlage/models/{SHIPPED[wildcards.shipped]}.npz",
    shell:
        "vorlage align --model {params.model:q} --corpus {input.corpus:q}"
        " --system {wildcards.shipped:q} --output {output:q} --processes {threads} --log {log:q}"


rule score_passages:
    input:
        unpack(field_files),
        **ENCODER_INPUT,
        corpus=rules.field_corpus.output.corpus,
    output:
        "results/field/{set}/align/{scoring}/evidence.jsonl",
    log:
        "results/field/{set}/logs/align-{scoring}.log",
    benchmark:
        "results/field/{set}/benchmarks/align-{scoring}.tsv"
    threads: 1
    resources:
        mem_mb=memory(3000, corpus=5),
        runtime=runtime(240, corpus=1),
    params:
        *code("vorlage.workflow.baselines.system", "vorlage.workflow.gold", "vorlage.encoder.transformer"),
        scripts=FIELD_SCRIPTS,
        digest=field_digest,
        settings=EMBED_OPTIONS,
    shell:
        "{FIELD_STEP} passages --method {wildcards.scoring:q} --corpus {input.corpus:q}"
        " --gold {input.gold:q} {params.settings} --output {output:q} --log {log:q}"


rule score_field:
    input:
        unpack(field_files),
        corpus=rules.field_corpus.output.corpus,
        alignments=lambda wildcards: field_outputs(wildcards, scoring=False),
        evidence=lambda wildcards: field_outputs(wildcards, scoring=True),
    output:
        "results/field/{set}/score/field.tsv",
    log:
        "results/field/{set}/logs/score-field.log",
    benchmark:
        "results/field/{set}/benchmarks/score-field.tsv"
    threads: 1
    resources:
        mem_mb=memory(4000),
        runtime=runtime(60),
    params:
        *code("vorlage.workflow.score.calibration", "vorlage.workflow.score.phrases", "vorlage.workflow.score.systems"),
        scripts=FIELD_SCRIPTS,
        digest=field_digest,
        settings=CONFIG.score.options(("bootstrap",)),
        seed=SEED,
    shell:
        "{FIELD_STEP} score --corpus {input.corpus:q} --gold {input.gold:q}"
        " --alignments {input.alignments:q} --evidence {input.evidence:q} {params.settings}"
        " {params.seed} --output {output:q} --log {log:q}"


rule field:
    input:
        expand("results/field/{set}/score/field.tsv", set=FIELD_SETS),
