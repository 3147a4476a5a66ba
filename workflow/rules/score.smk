"""
The score stage: compares the alignments of all systems with the gold, and describes them.

Inputs:
    results/{corpus}/corpus/corpus.jsonl
    results/{corpus}/corpus/gold.jsonl
    results/{corpus}/align/{system}/alignments.jsonl
Outputs:
    results/{corpus}/score/scores.tsv          precision, recall and F of each system; needs gold in tokens
    results/{corpus}/score/phrases.tsv         the same for phrases; needs gold in characters
    results/{corpus}/score/phrase_significance.tsv
    results/{corpus}/score/agreement.tsv       each annotator against each other
    results/{corpus}/score/{table}.tsv         the other tables
"""

from vorlage.workflow.report.columns import DECOMPOSITIONS
from vorlage.workflow.report.columns import TABLES as ANALYSES

ALIGNED = expand("results/{{corpus}}/align/{system}/alignments.jsonl", system=CONFIG.systems)

# The tables of the score and decompose stages, which depend on the gold.
SCORE_TABLES = [
    f"results/{{corpus}}/score/{table}.tsv"
    for table in (
        *ANALYSES,
        *DECOMPOSITIONS,
        *["scores", "agreement"] * ("token" in GOLD_UNITS),
        *["phrases", "phrase_significance"] * ("char" in GOLD_UNITS),
    )
]


rule score:
    input:
        corpus=rules.corpus.output.corpus,
        gold=rules.gold.output,
        alignments=ALIGNED,
    output:
        shown("results/{corpus}/score/scores.tsv", "scores of word links"),
    log:
        "results/{corpus}/logs/score.log",
    benchmark:
        "results/{corpus}/benchmarks/score.tsv"
    threads: 1
    resources:
        mem_mb=memory(1000),
        runtime=runtime(10, alignments=0.01),
    params:
        *code("vorlage.workflow.score.stage"),
        settings=CONFIG.score.options(("bootstrap", "skip")),
        seed=SEED,
    shell:
        "vorlage score --corpus {input.corpus:q} --gold {input.gold:q}"
        " --alignments {input.alignments:q} {params.settings} {params.seed}"
        " --output {output:q} --log {log:q} > /dev/null"


rule score_phrases:
    input:
        corpus=rules.corpus.output.corpus,
        gold=rules.gold.output,
        alignments=ALIGNED,
    output:
        scores=shown("results/{corpus}/score/phrases.tsv", "scores of phrases"),
        significance=shown(
            "results/{corpus}/score/phrase_significance.tsv", "systems against the best baseline"
        ),
    log:
        "results/{corpus}/logs/score-phrases.log",
    benchmark:
        "results/{corpus}/benchmarks/score-phrases.tsv"
    threads: 1
    resources:
        mem_mb=memory(1000),
        runtime=runtime(10, alignments=0.01),
    params:
        *code("vorlage.workflow.score.phrases"),
        settings=CONFIG.score.options(("bootstrap",)),
        seed=SEED,
    shell:
        "vorlage score-phrases --corpus {input.corpus:q} --gold {input.gold:q}"
        " --alignments {input.alignments:q} {params.settings} {params.seed}"
        " --output {output.scores:q} --significance {output.significance:q} --log {log:q} > /dev/null"


rule agreement:
    input:
        corpus=rules.corpus.output.corpus,
        gold=rules.gold.output,
    output:
        shown("results/{corpus}/score/agreement.tsv", "annotator agreement", category="Gold"),
    log:
        "results/{corpus}/logs/agreement.log",
    benchmark:
        "results/{corpus}/benchmarks/agreement.tsv"
    threads: 1
    resources:
        mem_mb=memory(1000),
        runtime=runtime(10, corpus=0.005),
    params:
        *code("vorlage.workflow.score.agreement"),
        settings=CONFIG.score.options(("skip",)),
    shell:
        "vorlage agreement --corpus {input.corpus:q} --gold {input.gold:q} {params.settings}"
        " --output {output:q} --log {log:q} > /dev/null"


rule analysis:
    input:
        corpus=rules.corpus.output.corpus,
        gold=rules.gold.output,
        alignments=ALIGNED,
    output:
        [
            shown(f"results/{{corpus}}/score/{table}.tsv", title, category)
            for table, (category, title) in ANALYSES.items()
        ],
    log:
        "results/{corpus}/logs/analysis.log",
    benchmark:
        "results/{corpus}/benchmarks/analysis.tsv"
    threads: 1
    resources:
        mem_mb=memory(1000),
        runtime=runtime(10, alignments=0.004),
    params:
        *code("vorlage.workflow.score.analysis"),
        settings=CONFIG.score.options(("bootstrap", "errors")),
        seed=SEED,
        folder=lambda wildcards, output: Path(output[0]).parent,
    shell:
        "vorlage analysis --corpus {input.corpus:q} --gold {input.gold:q}"
        " --alignments {input.alignments:q} {params.settings} {params.seed}"
        " --output {params.folder:q} --log {log:q}"
