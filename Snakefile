"""The workflow, where `snakemake` finds it in a clone; workflow/Snakefile has its rules."""


include: "workflow/Snakefile"


workflow.default_target = "all"  # which an included file does not set
