"""The semi-HMMs among the systems, and the variants of the settings that they have. Contains no rules."""

import copy

from snakemake.utils import update_config
from vorlage.workflow.settings import semihmm_system

SEMIHMMS = {name: system for name in CONFIG.systems if (system := semihmm_system(name))}
# In paths, the name of the model from summary to document, the other direction, in place of a jump model.
REVERSE = "reverse"


def config_of(variant):
    """Return the config with the settings of a variant in place of its own."""
    values, sections = copy.deepcopy(config), CONFIG.variants[variant]
    try:
        if isinstance(sections, str):  # a file in the working directory, or in the folder of the workflow
            bundled = workflow.current_basedir.join(f"../../{sections}").get_path_or_uri(secret_free=False)
            sections = read_yaml(sections if Path(sections).exists() else bundled) or {}
        values |= {"corpus": CORPUS.model_dump(), "variants": CONFIG.variants | {variant: sections}}
        update_config(values, sections)
        return load_config(values)
    except InputError as error:
        sys.exit(f"error: variant {variant}: {one_line(str(error))}")


def folder_of(variant):
    """Return what is between the folder of the corpus and those of the stages; of the config itself, nothing."""
    return f"{os.sep}variants{os.sep}{variant}" if variant in CONFIG.variants else ""


# The config and those of the variants that the systems have, by their folders.
VARIANTS = {"": CONFIG} | {
    folder_of(name): config_of(name)
    for name in dict.fromkeys(system.variant for system in SEMIHMMS.values())
    if name in CONFIG.variants
}
SEMIHMM = VARIANTS[""].semihmm

if (
    not SEMIHMM.encoder
    and config.get("semihmm", {}).get("encoder", "auto") == "auto"
    and workflow.is_main_process
):
    logger.warning(f"The encoder {CONFIG.embed.model} is not installed: links are found without it.")


wildcard_constraints:
    variant=f"(?:{'|'.join(map(re.escape, VARIANTS))})",  # may be empty
    semihmm="|".join(map(re.escape, SEMIHMMS)) or "none",
    jump="|".join([*JUMPS.names(), REVERSE]),


def variant_of(wildcards):
    """Return the variant, a key of `VARIANTS`, of a job that trains a semi-HMM or aligns by it."""
    return (
        folder_of(SEMIHMMS[wildcards.semihmm].variant) if "semihmm" in wildcards.keys() else wildcards.variant
    )


def jump_of(wildcards):
    """Return the jump model of a job; that of the other direction is by distance: summaries are not parsed."""
    jump = SEMIHMMS[wildcards.semihmm].jump if "semihmm" in wildcards.keys() else wildcards.jump
    return "relative" if jump == REVERSE else jump


def needs_trees(jump):
    """Return whether a jump model, or `REVERSE`, needs the trees of the documents."""
    return jump != REVERSE and jump_model(jump).needs_trees


def extracted(variant):
    """Return the first variant with the same extracts; these, their trees and similarities are those of both."""
    return next(other for other in VARIANTS if VARIANTS[other].extract == VARIANTS[variant].extract)


def trained(variant):
    """Return the first variant with the same extracts and settings of training; its models are those of both."""
    keys = ("agreement", *Training.model_fields)
    settings = {name: (extracted(name), config.semihmm.options(keys)) for name, config in VARIANTS.items()}
    return next(other for other in VARIANTS if settings[other] == settings[variant])


def models():
    """Return the variant and the jump model, or `REVERSE`, of each model to train."""
    made = {("", jump) for jump in SEMIHMM.jumps}
    made |= {(trained(folder_of(system.variant)), system.jump) for system in SEMIHMMS.values()}
    return made | {(variant, REVERSE) for variant, _ in made if VARIANTS[variant].semihmm.agreement}


def decoding(wildcards):
    """Return the settings of an alignment by a semi-HMM."""
    settings = VARIANTS[variant_of(wildcards)].semihmm
    viterbi = SEMIHMMS[wildcards.semihmm].viterbi
    return settings.model_copy(update={"decoder": "viterbi"}) if viterbi else settings
