"""From a corpus of documents and their summaries to scored alignments of their words and phrases."""

from snakemake.utils import min_version

min_version("9.3")


configfile: "config.yaml"


include: "workflow/rules/common.smk"
include: "workflow/rules/variants.smk"
include: "workflow/rules/inputs.smk"


if CONFIG.field.data is not None:

    include: "experiments/field/sets.smk"


include: "workflow/rules/corpus.smk"
include: "workflow/rules/extract.smk"
include: "workflow/rules/encode.smk"
include: "workflow/rules/parse.smk"
include: "workflow/rules/train.smk"
include: "workflow/rules/align.smk"
include: "workflow/rules/baselines.smk"
include: "workflow/rules/translation.smk"
include: "workflow/rules/score.smk"
include: "workflow/rules/decompose.smk"
include: "workflow/rules/report.smk"


if CONFIG.field.data is not None:

    include: "experiments/field/rules.smk"


rule all:
    default_target: True
    input:
        targets(),


onsuccess:
    if any(job.rule.name == "page" for job in workflow.dag.jobs):
        from vorlage.report.stage import score_lines

        results = f"results/{CORPUS.name}"
        table = score_lines(f"{results}/score", SYSTEMS)
        logger.info(f"{table}\n\nReport: {results}/report/index.html".lstrip(), extra={"for_users": True})
