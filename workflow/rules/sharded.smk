"""
The train stage by shards: each iteration of EM is a job for each shard, then one for each part of the rows of the
index, which adds their lexical counts, and one for the other parameters.

Inputs:
    those of train.smk; these rules replace its rule if `semihmm.shards` is above 1
Outputs, below results/{corpus}/train:
    {direction}/shards/{shard}/          the pairs of a shard, for all jump models; `3-of-10`
    {direction}/index/                   words and longer phrases of all shards
    {direction}/entries/{part}/          their phrase pairs, in a part of the rows of the index; `2-of-3`
    forests/{shard}/                     the trees of their documents, for the jump model syntax
  where the direction is forward or reverse; and these, which are removed when the model exists:
    {jump}/em/{iteration}/{shard}.npz    the expectations of a shard
    {jump}/em/{iteration}/counts/{part}/ the lexical counts of a part of the rows after an iteration
    {jump}/em/{iteration}/state/         the other parameters after an iteration; 0: the start
"""

SHARDS = [f"{shard + 1}-of-{SEMIHMM['shards']}" for shard in range(SEMIHMM["shards"])]
# The rows of the index have a part for every 256 shards. With more parts, no job would take hours either, but
# Snakemake would take minutes to plan them, since every shard needs every part.
PARTS_OF_ROWS = -(-SEMIHMM["shards"] // 256)
ROW_PARTS = [f"{part + 1}-of-{PARTS_OF_ROWS}" for part in range(PARTS_OF_ROWS)]
TRAIN = "results/{corpus}/train"


wildcard_constraints:
    iteration=r"[1-9]\d*",  # `start` makes 0
    part=r"\d+-of-\d+",


ruleorder: finish > train


rule collect:
    input:
        unpack(similarities),
        **wordnet_folder(),
        corpus=rules.corpus.output.corpus,
        extracts=EXTRACTS,
    output:
        directory(f"{TRAIN}/{{direction}}/shards/{{shard}}"),
    log:
        "results/{corpus}/logs/collect-{direction}-{shard}.log",
    benchmark:
        "results/{corpus}/benchmarks/collect-{direction}-{shard}.tsv"
    threads: 1
    resources:
        mem_mb=memory(1000, 60 / SEMIHMM["shards"]),
        runtime=runtime(60, 2 / SEMIHMM["shards"]),
    params:
        *code("pipeline.train.sharded.collect"),
        settings=settings.options(SEMIHMM, only=settings.read_by("collect")),
        similarities=lambda wildcards, input: similarities_option(input),
        reversed=reverse_option,
        wordnet=lambda wildcards, input: wordnet_option(input),
    shell:
        "python -m pipeline.train.sharded.collect --corpus {input.corpus:q} --extracts {input.extracts:q}"
        " --part {wildcards.shard:q} {params.reversed} {params.wordnet} {params.similarities} {params.settings}"
        " --output {output:q} --log {log:q}"


rule forests:
    input:
        corpus=rules.corpus.output.corpus,
        extracts=EXTRACTS,
        trees="results/{corpus}/parse/trees.npz",
    output:
        directory(f"{TRAIN}/forests/{{shard}}"),
    log:
        "results/{corpus}/logs/forests-{shard}.log",
    benchmark:
        "results/{corpus}/benchmarks/forests-{shard}.tsv"
    threads: 1
    resources:
        mem_mb=memory(2000, 10),
        runtime=runtime(60, 0.5),
    params:
        *code("pipeline.train.sharded.forests"),
    shell:
        "python -m pipeline.train.sharded.forests --corpus {input.corpus:q} --extracts {input.extracts:q}"
        " --trees {input.trees:q} --part {wildcards.shard:q} --output {output:q} --log {log:q}"


rule index:
    input:
        **wordnet_folder(),
        shards=expand(f"{TRAIN}/{{direction}}/shards/{{shard}}", shard=SHARDS, allow_missing=True),
    output:
        directory(f"{TRAIN}/{{direction}}/index"),
    log:
        "results/{corpus}/logs/index-{direction}.log",
    benchmark:
        "results/{corpus}/benchmarks/index-{direction}.tsv"
    threads: 1
    resources:
        mem_mb=memory(2000, 0.1),
        runtime=runtime(30, 0.05),
    params:
        *code("pipeline.train.sharded.index"),
        settings=settings.options(SEMIHMM, only=settings.read_by("index")),
        folder=lambda wildcards, input: of_folder(input.shards),
        shards=SEMIHMM["shards"],
        parts=PARTS_OF_ROWS,
        wordnet=lambda wildcards, input: wordnet_option(input),
    shell:
        "python -m pipeline.train.sharded.index --shards {params.folder:q} --of {params.shards} --parts {params.parts}"
        " {params.wordnet} {params.settings} --output {output:q} --log {log:q}"


rule entries:
    input:
        shards=expand(f"{TRAIN}/{{direction}}/shards/{{shard}}", shard=SHARDS, allow_missing=True),
        index=f"{TRAIN}/{{direction}}/index",
    output:
        directory(f"{TRAIN}/{{direction}}/entries/{{part}}"),
    log:
        "results/{corpus}/logs/entries-{direction}-{part}.log",
    benchmark:
        "results/{corpus}/benchmarks/entries-{direction}-{part}.tsv"
    threads: 1
    resources:
        mem_mb=memory(2000, 0.5 / PARTS_OF_ROWS),
        runtime=runtime(30, 0.05 / PARTS_OF_ROWS),
    params:
        *code("pipeline.train.sharded.entries"),
        settings=settings.options(SEMIHMM, only=settings.read_by("entries")),
        folder=lambda wildcards, input: of_folder(input.shards),
        shards=SEMIHMM["shards"],
    shell:
        "python -m pipeline.train.sharded.entries --shards {params.folder:q} --of {params.shards} --index {input.index:q}"
        " --part {wildcards.part:q} {params.settings} --output {output:q} --log {log:q}"


rule start:
    input:
        unpack(trees),
        index=index_folder,
    output:
        temp(directory(f"{TRAIN}/{{jump}}/em/0/state")),
    log:
        "results/{corpus}/logs/start-{jump}.log",
    benchmark:
        "results/{corpus}/benchmarks/start-{jump}.tsv"
    threads: 1
    resources:
        mem_mb=memory(2000, 0.7),
        runtime=runtime(30),
    params:
        *code("pipeline.train.sharded.start"),
        jump=code_of_jump("pipeline.train.sharded.start"),
        settings=settings.options(SEMIHMM, only=settings.read_by("train")),
        trees=lambda wildcards, input: named_options(input, "trees"),
        reversed=reverse_option,
        jump_model=jump_of,
    shell:
        "python -m pipeline.train.sharded.start --jump {params.jump_model:q} {params.reversed} --index {input.index:q}"
        " {params.trees} {params.settings} --output {output:q} --log {log:q}"


rule expect:
    input:
        unpack(expected_from),
        shard=shard_folder,
        index=index_folder,
        entries=all_entries,
    output:
        temp(f"{TRAIN}/{{jump}}/em/{{iteration}}/{{shard}}.npz"),
    log:
        "results/{corpus}/logs/expect-{jump}-{iteration}-{shard}.log",
    benchmark:
        "results/{corpus}/benchmarks/expect-{jump}-{iteration}-{shard}.tsv"
    threads: 4
    resources:
        mem_mb=memory(1500, 8 / SEMIHMM["shards"]),
        runtime=runtime(60, 0.5),
    params:
        *code("pipeline.train.sharded.expect"),
        jump=code_of_jump("pipeline.train.sharded.expect"),
        shards=SEMIHMM["shards"],
        options=lambda wildcards, input: named_options(input, "forests", "previous"),
        entries=lambda wildcards, input: of_folder(input.entries),
        counts=lambda wildcards, input: counts_option(input),
    shell:
        "python -m pipeline.train.sharded.expect --shard {input.shard:q} --index {input.index:q} --entries {params.entries:q}"
        " --state {input.state:q} {params.counts} {params.options} --shards {params.shards} --output {output:q}"
        " --threads {threads} --log {log:q}"


rule add:
    input:
        unpack(counts_before),
        index=index_folder,
        entries=entries_of_part,
        state=state_before,
        expectations=all_expectations,
    output:
        temp(directory(f"{TRAIN}/{{jump}}/em/{{iteration}}/counts/{{part}}")),
    log:
        "results/{corpus}/logs/add-{jump}-{iteration}-{part}.log",
    benchmark:
        "results/{corpus}/benchmarks/add-{jump}-{iteration}-{part}.tsv"
    threads: 1
    resources:
        mem_mb=memory(1500, 1 / PARTS_OF_ROWS),
        runtime=runtime(30, 0.01 / PARTS_OF_ROWS),
    params:
        *code("pipeline.train.sharded.add"),
        entries=lambda wildcards, input: Path(input.entries).parent,
        expectations=lambda wildcards, input: of_folder(input.expectations),
        shards=SEMIHMM["shards"],
        options=lambda wildcards, input: named_options(input, "previous"),
    shell:
        "python -m pipeline.train.sharded.add --index {input.index:q} --entries {params.entries:q} --state {input.state:q}"
        " --part {wildcards.part:q} {params.options} --expectations {params.expectations:q} --of {params.shards}"
        " --output {output:q} --log {log:q}"


rule maximise:
    input:
        index=index_folder,
        state=state_before,
        counts=expand(
            f"{TRAIN}/{{jump}}/em/{{iteration}}/counts/{{part}}", part=ROW_PARTS, allow_missing=True
        ),
        expectations=all_expectations,
    output:
        temp(directory(f"{TRAIN}/{{jump}}/em/{{iteration}}/state")),
    log:
        "results/{corpus}/logs/maximise-{jump}-{iteration}.log",
    benchmark:
        "results/{corpus}/benchmarks/maximise-{jump}-{iteration}.tsv"
    threads: 1
    resources:
        mem_mb=memory(2000, 0.1),
        runtime=runtime(30, 0.001),
    params:
        *code("pipeline.train.sharded.maximise"),
        jump=code_of_jump("pipeline.train.sharded.maximise"),
        expectations=lambda wildcards, input: of_folder(input.expectations),
        shards=SEMIHMM["shards"],
        counts=lambda wildcards, input: counts_option(input),
    shell:
        "python -m pipeline.train.sharded.maximise --index {input.index:q} --state {input.state:q} {params.counts}"
        " --expectations {params.expectations:q} --of {params.shards} --output {output:q} --log {log:q}"


rule finish:
    input:
        unpack(trees),
        unpack(reverse_model),
        unpack(similarities),
        **wordnet_folder(),
        corpus=rules.corpus.output.corpus,
        extracts=EXTRACTS,
        index=index_folder,
        entries=all_entries,
        state=f"{TRAIN}/{{jump}}/em/{SEMIHMM['iterations']}/state",
        counts=counts_after,
    output:
        model=rules.train.output.model,
        em=rules.train.output.em,
    log:
        "results/{corpus}/logs/finish-{jump}.log",
    benchmark:
        "results/{corpus}/benchmarks/finish-{jump}.tsv"
    threads: 1
    resources:
        mem_mb=memory(2000, 1),
        runtime=runtime(30, 0.01),
    params:
        # The outputs of the iterations are removed, so a change of their code must rerun this rule.
        *code(*COMMANDS),
        jump=code_of_jump("pipeline.train.sharded.finish"),
        settings=settings.options(SEMIHMM, only=("shards", *settings.read_by("train"))),
        wordnet=lambda wildcards, input: wordnet_option(input),
        options=lambda wildcards, input: named_options(input, "trees", "reverse_model"),
        similarities=lambda wildcards, input: similarities_option(input),
        entries=lambda wildcards, input: of_folder(input.entries),
        counts=lambda wildcards, input: counts_option(input),
    shell:
        "python -m pipeline.train.sharded.finish --corpus {input.corpus:q} --extracts {input.extracts:q}"
        " --index {input.index:q} --entries {params.entries:q} --state {input.state:q} {params.counts} {params.wordnet}"
        " {params.options} {params.similarities} --model {output.model:q} --em {output.em:q} --log {log:q}"
