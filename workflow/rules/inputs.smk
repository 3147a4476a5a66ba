"""Functions that give the inputs, options and resources of rules, and the default targets. Contains no rules."""

# The most that a job requests, in MB and in minutes.
MOST_MEMORY, MOST_RUNTIME = 256_000, 3 * 24 * 60
# Inputs of which the job for a part of the corpus reads its part.
PARTED = ("corpus", "extracts", "similarities", "doc")


def memory(base, process=0, **per_mb):
    """Return a resource in MB: `base`, and more for each process and for each MB of an input that the job reads."""
    return lambda wildcards, input, threads, attempt: request(
        base + process * threads + by_input(per_mb, wildcards, input), attempt, MOST_MEMORY
    )


def runtime(base, **per_mb):
    """Return a resource in minutes: `base`, and more for each MB of an input that the job's threads read."""
    return lambda wildcards, input, threads, attempt: request(
        base + by_input(per_mb, wildcards, input) / threads, attempt, MOST_RUNTIME
    )


def by_input(per_mb, wildcards, input):
    """Return the sum of what each MB of an input adds, a number or a function of the wildcards, times its MB."""
    total = 0
    for name, per in per_mb.items():
        if name not in input.keys():
            continue
        per = per(wildcards) if callable(per) else per
        of_part = name in PARTED and "scatteritem" in wildcards.keys()
        total += per * megabytes(input[name]) / (PARTS if of_part else 1)
    return total


def request(need, attempt, most):
    """Return the request of a job whose resources say `need`: in each retry twice as much, and never above `most`."""
    return min(most, math.ceil(need * 2 ** (attempt - 1)))


def cores(count, file="corpus"):
    """Return a number of threads: `count`, or 1 for an input so small that other jobs use the cores better."""
    return lambda wildcards, input: count if megabytes(input[file]) >= 1 else 1


def named_options(input, *names):
    """Return the options that name those of a rule's inputs that exist among `names`: `--trees trees.npz`."""
    return " ".join(
        f"--{name.replace('_', '-')} {shlex.quote(input[name])}" for name in names if name in input.keys()
    )


def shown(path, title, category="Scores", kind="table"):
    """Return an output that is shown in Snakemake's report."""
    caption = f"../../pipeline/vorlage/workflow/report/captions/{Path(path).stem}.rst"
    return report(path, caption=caption, category=category, labels={"result": title, "kind": kind})


def extract_folder(wildcards):
    """Return the folder of the results that come from the extracts of a semi-HMM."""
    return f"results/{wildcards.corpus}{extracted(variant_of(wildcards))}"


def sentences(wildcards):
    """Return the inputs of a semi-HMM: extracts, trees for jumps over them, and similarities by the encoder."""
    folder, files = extract_folder(wildcards), {}
    if needs_trees(jump_of(wildcards)):
        files["trees"] = f"{folder}/parse/trees.npz"
    if VARIANTS[variant_of(wildcards)].semihmm.encoder:
        files["similarities"] = gather.pairs(f"{folder}/encode/{{scatteritem}}")
    return files | {"extracts": f"{folder}/extract/extracts.jsonl"}


def similarities_option(wildcards, input):
    """Return the option that names the folder of the similarities."""
    return f"--similarities {extract_folder(wildcards)}/encode" if "similarities" in input.keys() else ""


def reads_encoder(wildcards):
    """Return whether a baseline reads the encoder."""
    return "embed" in {section.key for section in BASELINE_OF[wildcards.baseline].sections}


def encoder_of_baseline(wildcards):
    """Return the input `encoder` of a baseline that reads an encoder which a rule downloads."""
    return ENCODER_INPUT if reads_encoder(wildcards) else {}


def baseline_options(wildcards):
    """Return the settings of a baseline as options."""
    keys = [section.key for section in BASELINE_OF[wildcards.baseline].sections]
    return " ".join(EMBED_OPTIONS if key == "embed" else getattr(CONFIG, key).options() for key in keys)


def rescorer(wildcards):
    """Return the input `rescorer` of an alignment, for the decoder that is trained with gold."""
    settings = decoding(wildcards)
    return {"rescorer": settings.rescorer} if settings.decoder == "rescored" else {}


def model(wildcards):
    """Return the model of an alignment by a semi-HMM."""
    folder = f"results/{wildcards.corpus}{trained(variant_of(wildcards))}"
    return f"{folder}/train/{jump_of(wildcards)}/model.npz"


def reverse_model(wildcards):
    """Return the input `reverse_model` of a training: the model of the other direction, if there is one."""
    if wildcards.jump == REVERSE or not VARIANTS[wildcards.variant].semihmm.agreement:
        return {}
    return {"reverse_model": f"results/{wildcards.corpus}{wildcards.variant}/train/{REVERSE}/model.npz"}


def training_data(wildcards):
    """Return the inputs of a translation model: the model it starts from, or the corpus and its extracts."""
    results, start = f"results/{wildcards.corpus}", TRANSLATION_START.get(wildcards.translation)
    if start:
        return {"start": f"{results}/train/{start}-{wildcards.source}"}
    return {"corpus": f"{results}/corpus/corpus.jsonl", "extracts": f"{results}/extract/extracts.jsonl"}


def outputs(*made_by, **wildcards):
    """Return the outputs of rules for the corpus and values of their other wildcards."""
    return expand([str(file) for rule in made_by for file in rule.output], corpus=CORPUS.name, **wildcards)


def all_systems():
    """Return the systems, with both directions of those that are symmetrized."""
    both = {
        f"{directed}-{source}"
        for directed, _, heuristic in (system.rpartition("-") for system in CONFIG.systems)
        if heuristic in HEURISTICS
        for source in SOURCES
    }
    return sorted({*CONFIG.systems, *both})


def translation_models(systems):
    """Yield the names of the translation models of systems, and of those that these start from."""
    for system in systems:
        model, _, source = system.rpartition("-")
        while model in TRANSLATION_MODELS and source in SOURCES:
            yield f"{model}-{source}"
            model = TRANSLATION_START.get(model)


def extract_of(system):
    """Return the label of what a system aligns summaries to."""
    if system in SEMIHMMS:
        return VARIANTS[folder_of(SEMIHMMS[system].variant)].extract.label
    whole = system.endswith("-document")
    return CONFIG.extract.model_copy(update={"enabled": CONFIG.extract.enabled and not whole}).label


def benchmarks_of(system):
    """Return patterns of the benchmarks of the jobs that train a system and align with it."""
    name, _, heuristic = system.rpartition("-")
    directed = [f"{name}-{source}" for source in SOURCES] if heuristic in HEURISTICS else []
    jobs = [("", f"align-{job}" if PARTS == 1 else f"align-{job}/*") for job in (system, *directed)]
    jobs += [("", f"train-{model}") for model in dict.fromkeys(translation_models([system, *directed]))]
    if system in SEMIHMMS:
        variant, jump, _ = SEMIHMMS[system]
        variant = trained(folder_of(variant))
        both = [jump, REVERSE] if VARIANTS[variant].semihmm.agreement else [jump]
        jobs += [(variant, f"train-{jump}") for jump in both]
    return [f"results/{CORPUS.name}{variant}/benchmarks/{job}.tsv" for variant, job in jobs]


# What the report says about each system, see vorlage.workflow.report.frames.
SYSTEMS = {
    system: {"extract": extract_of(system), "benchmarks": benchmarks_of(system)} for system in CONFIG.systems
}


def targets():
    """Return all files and folders of the results that are not temporary.

    These are more files than a user looks at. Snakemake makes a missing target, but not a missing file on the way to
    an existing target; and a job that fails or is killed loses its earlier outputs. Without these targets, the next
    run would keep results that were made from the lost files.
    """
    results = f"results/{CORPUS.name}"
    made = outputs(
        rules.corpus, rules.gold, rules.statistics, rules.decompose, rules.analysis, rules.figures, rules.page
    )
    for variant, jump in models():
        made += outputs(rules.train, variant=variant, jump=jump)
        made += [
            f"{results}{extracted(variant)}/parse/trees.{end}" for end in ("npz", "mrg") if needs_trees(jump)
        ]
    for variant in {extracted(name) for name in VARIANTS}:
        made.append(f"{results}{variant}/extract/extracts.jsonl")
        made += outputs(rules.evaluate_extracts, variant=variant) if CORPUS.gold else []
    for variant in {extracted(name) for name, config in VARIANTS.items() if config.semihmm.encoder}:
        made += gather.pairs(f"{results}{variant}/encode/{{scatteritem}}")
    made += [f"{results}/train/{model}" for model in translation_models(all_systems())]
    made += [f"{results}/align/{system}/alignments.jsonl" for system in all_systems()]
    made += expand(SCORE_TABLES, corpus=CORPUS.name)
    if PARTS > 1:
        made += outputs(rules.count_stems)
    return sorted(set(made))


def minutes_of_model(wildcards):
    """Return the minutes for each MB of the model that a translation model starts from; most for Model 4 of `sum`."""
    return {"hmm": 0.15, "model4": 5 if wildcards.source == "sum" else 0.5}[wildcards.translation]
