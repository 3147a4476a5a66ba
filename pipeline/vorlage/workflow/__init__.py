"""The workflow: experiments on whole corpora, as `snakemake` runs them.

Readers of corpora and gold, a command for each stage, the systems to compare with, scores, decomposition and
the report, the settings of an experiment and the fingerprints of code by which Snakemake sees an edit. It may
import every room of the core and no other extension; the core finds it by `vorlage.extensions`.
"""

# Name, module below `vorlage`, and what the command does.
COMMANDS = {
    "corpus": ("workflow.stages.corpus", "make a corpus from the files of a format"),
    "gold": ("workflow.stages.gold", "check gold alignments against a corpus"),
    "extract": ("workflow.stages.extract", "choose the document sentences that summaries are aligned to"),
    "encode": ("workflow.stages.encode", "compute similarities of words by an encoder"),
    "parse": ("workflow.stages.parse", "parse sentences for a syntax model"),
    "fit-rescorer": ("workflow.rescorer.stage", "fit the decoder `rescored` of a model to gold"),
    "score": ("workflow.score.stage", "compare alignments with gold"),
    "decompose": (
        "workflow.decompose.stage",
        "find how each summary sentence was made: its sources, the operations",
    ),
    "export": ("workflow.stages.export", "convert alignments to other formats"),
    "report": ("workflow.report.stage", "make the report page of a corpus"),
}
# The other commands of the rules.
STEPS = {
    "count-stems": (
        "workflow.stages.count_stems",
        "count in how many sentences each stem of a corpus occurs",
    ),
    "evaluate-extracts": ("workflow.stages.evaluate_extracts", "compare extracts with gold"),
    "statistics": ("workflow.stages.statistics", "count documents, sentences and words"),
    "gather-trees": ("workflow.stages.gather_trees", "merge the trees of all parts"),
    "gather": ("workflow.stages.gather", "concatenate the parts of a corpus"),
    "baseline": ("workflow.baselines.stage", "align by a system to compare with"),
    "train-translation": ("workflow.baselines.systems.translation", "train an IBM model or the HMM"),
    "symmetrize": ("workflow.baselines.symmetrize", "combine the alignments of two directions"),
    "score-phrases": ("workflow.score.phrases", "compare phrases with gold in characters"),
    "agreement": ("workflow.score.agreement", "compare each annotator with each other"),
    "analysis": ("workflow.score.analysis", "describe alignments: identity, sizes, errors, calibration"),
    "figures": ("workflow.report.figures", "draw the figures of a report"),
}
# What scores links for the decoder `rescored`: the module whose `open_rescorer` opens it.
LINK_SCORER = "vorlage.workflow.rescorer.rescorer"
# What it writes as JSON: name, module below `vorlage`, and type.
SCHEMAS = {
    "gold": ("workflow.gold", "Gold"),
    "extract": ("extract.extracts", "Extract"),
    "rating": ("workflow.score.ratings", "Rating"),
}
