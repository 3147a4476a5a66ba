"""
The report stage draws the figures and puts scores, figures and alignments on one page.

Inputs:
    results/{corpus}/score/*.tsv
    results/{corpus}/train/{jump}/model.npz, em.tsv
    results/{corpus}/corpus/                        pairs, gold, statistics
    results/{corpus}/align/{system}/alignments.jsonl
Outputs:
    results/{corpus}/report/figures/{figure}.svg    also .png, .pdf, and .dark.svg for dark pages
    results/{corpus}/report/index.html              opens from disk without a network
    results/{corpus}/report/runs.jsonl              settings and scores of each run, one added when they change
"""

import json

from vorlage.workflow.report.columns import FIGURES

# The settings that the report page shows, as JSON; a change of another one does not remake the page.
SHOWN_SETTINGS = json.dumps(
    CONFIG.model_dump(
        mode="json", include={"corpus", "extract", "semihmm", "cutpaste", "systems", "score", "seed"}
    )
    | ({"parser": PARSER} if PARSED else {})
)


rule figures:
    input:
        tables=SCORE_TABLES,
        models=expand("results/{{corpus}}/train/{jump}/model.npz", jump=SEMIHMM.jumps),
        em=expand("results/{{corpus}}/train/{jump}/em.tsv", jump=SEMIHMM.jumps),
    output:
        [
            shown(f"results/{{corpus}}/report/figures/{figure}.svg", title, category, kind="figure")
            for figure, (category, title) in FIGURES.items()
        ],
        expand(
            "results/{{corpus}}/report/figures/{figure}{ending}",
            figure=FIGURES,
            ending=(".png", ".pdf", ".dark.svg"),
        ),
    log:
        "results/{corpus}/logs/figures.log",
    benchmark:
        "results/{corpus}/benchmarks/figures.tsv"
    threads: 1
    resources:
        mem_mb=memory(1000),
        runtime=runtime(10),
    params:
        *code("vorlage.workflow.report.figures", *map(JUMPS.module, SEMIHMM.jumps)),
        scores=lambda wildcards, input: Path(input.tables[0]).parent,
        folder=lambda wildcards, output: Path(output[0]).parent,
    shell:
        "vorlage figures --scores {params.scores:q} --models {input.models:q}"
        " --output {params.folder:q} --log {log:q}"


rule page:
    input:
        tables=SCORE_TABLES,
        figures=rules.figures.output,
        corpus=rules.corpus.output.corpus,
        gold=rules.gold.output,
        statistics=rules.statistics.output.statistics,
        overlap=rules.statistics.output.pairs,
        alignments=ALIGNED,
        templates=files_in("views/templates"),
        captions=files_in("workflow/report/captions"),
    output:
        page=report(
            "results/{corpus}/report/index.html",
            caption="../../pipeline/vorlage/workflow/report/captions/report.rst",
            category="Alignments",
            labels={"result": "report with the alignment viewer", "kind": "page"},
        ),
        runs=update("results/{corpus}/report/runs.jsonl"),
    log:
        "results/{corpus}/logs/report.log",
    benchmark:
        "results/{corpus}/benchmarks/report.tsv"
    threads: 1
    resources:
        mem_mb=memory(1000),
        runtime=runtime(10, alignments=0.004),
    params:
        *code("vorlage.workflow.report.stage"),
        settings=CONFIG.report.options(),
        shown=SHOWN_SETTINGS,
        systems=json.dumps(SYSTEMS),
        slider=SEMIHMM.options(("posterior_threshold", "candidate_threshold")),
        scores=lambda wildcards, input: Path(input.tables[0]).parent,
        figures=lambda wildcards, input: Path(input.figures[0]).parent,
    shell:
        "vorlage report --corpus {input.corpus:q} --gold {input.gold:q}"
        " --alignments {input.alignments:q} --statistics {input.statistics:q}"
        " --scores {params.scores:q} --figures {params.figures:q} --name {wildcards.corpus:q}"
        " --settings {params.shown:q} --systems {params.systems:q} {params.settings} {params.slider}"
        " --output {output.page:q} --log {log:q}"
