"""
The train stage by shards: each iteration of EM is one job for each shard and one job for all of them.

Inputs:
    those of train.smk; these rules replace its rule if `semihmm.shards` is above 1
Outputs, below results/{corpus}/train:
    {direction}/shards/{shard}/          the pairs of a shard, for all jump models; `3-of-10`
    {direction}/index/                   words and phrase pairs of all shards
    forests/{shard}/                     the trees of their documents, for the jump model syntax
  where the direction is forward or reverse; and these, which are removed when the model exists:
    {jump}/em/{iteration}/state/         the parameters after an iteration; 0: the start
    {jump}/em/{iteration}/{shard}.npz    the expectations of a shard
    {jump}/em/{iteration}/sum-{level}-{group}.npz    the sum of several shards, if there are many
"""

SHARDS = [f"{shard + 1}-of-{SEMIHMM['shards']}" for shard in range(SEMIHMM["shards"])]
TRAIN = "results/{corpus}/train"


wildcard_constraints:
    iteration=r"[1-9]\d*",  # `start` makes 0
    level=r"\d+",
    group=r"\d+",


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
        mem_mb=memory(2000, 0.5),
        runtime=runtime(30, 0.05),
    params:
        *code("pipeline.train.sharded.index"),
        settings=settings.options(SEMIHMM, only=settings.read_by("index")),
        folder=lambda wildcards, input: Path(input.shards[0]).parent,
        shards=SEMIHMM["shards"],
        wordnet=lambda wildcards, input: wordnet_option(input),
    shell:
        "python -m pipeline.train.sharded.index --shards {params.folder:q} --of {params.shards}"
        " {params.wordnet} {params.settings} --output {output:q} --log {log:q}"


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
    shell:
        "python -m pipeline.train.sharded.expect --shard {input.shard:q} --index {input.index:q}"
        " --state {input.state:q} {params.options} --shards {params.shards} --output {output:q}"
        " --threads {threads} --log {log:q}"


rule add:
    input:
        index=index_folder,
        expectations=lambda wildcards: added(wildcards, int(wildcards.level), int(wildcards.group)),
    output:
        temp(f"{TRAIN}/{{jump}}/em/{{iteration}}/sum-{{level}}-{{group}}.npz"),
    log:
        "results/{corpus}/logs/add-{jump}-{iteration}-{level}-{group}.log",
    benchmark:
        "results/{corpus}/benchmarks/add-{jump}-{iteration}-{level}-{group}.tsv"
    threads: 1
    resources:
        mem_mb=memory(1000, 0.7),
        runtime=runtime(30, 0.01),
    params:
        *code("pipeline.train.sharded.add"),
    shell:
        "python -m pipeline.train.sharded.add --index {input.index:q} --expectations {input.expectations:q}"
        " --output {output:q} --log {log:q}"


rule maximise:
    input:
        index=index_folder,
        state=state_before,
        expectations=all_expectations,
    output:
        temp(directory(f"{TRAIN}/{{jump}}/em/{{iteration}}/state")),
    log:
        "results/{corpus}/logs/maximise-{jump}-{iteration}.log",
    benchmark:
        "results/{corpus}/benchmarks/maximise-{jump}-{iteration}.tsv"
    threads: 1
    resources:
        mem_mb=memory(2000, 0.7),
        runtime=runtime(30, 0.01),
    params:
        *code("pipeline.train.sharded.maximise"),
        jump=code_of_jump("pipeline.train.sharded.maximise"),
    shell:
        "python -m pipeline.train.sharded.maximise --index {input.index:q} --state {input.state:q}"
        " --expectations {input.expectations:q} --output {output:q} --log {log:q}"


rule finish:
    input:
        unpack(trees),
        unpack(reverse_model),
        unpack(similarities),
        **wordnet_folder(),
        corpus=rules.corpus.output.corpus,
        extracts=EXTRACTS,
        index=index_folder,
        state=f"{TRAIN}/{{jump}}/em/{SEMIHMM['iterations']}/state",
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
    shell:
        "python -m pipeline.train.sharded.finish --corpus {input.corpus:q} --extracts {input.extracts:q}"
        " --index {input.index:q} --state {input.state:q} {params.wordnet} {params.options}"
        " {params.similarities} --model {output.model:q} --em {output.em:q} --log {log:q}"
