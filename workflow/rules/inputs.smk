"""Functions that give the inputs, options and resources of rules, and the default targets. Contains no rules."""


def memory(base, per_input_mb=0):
    """Return a resource in MB: `base` plus `per_input_mb` for each MB of input, times the attempt."""
    return lambda wildcards, input, attempt: math.ceil((base + per_input_mb * megabytes(input)) * attempt)


runtime = memory  # in minutes


def cores(count):
    """Return a number of threads: `count`, or 1 for a corpus so small that other jobs use the cores better."""
    return lambda wildcards, input: count if megabytes([input.corpus]) >= 1 else 1


def named_options(input, *names):
    """Return the options that name those of a rule's inputs that exist among `names`: `--trees trees.npz`."""
    return " ".join(
        f"--{name.replace('_', '-')} {shlex.quote(input[name])}" for name in names if name in input.keys()
    )


def shown(path, title, category="Scores", kind="table"):
    """Return an output that is shown in Snakemake's report."""
    caption = f"../../pipeline/vorlage/report/captions/{Path(path).stem}.rst"
    return report(path, caption=caption, category=category, labels={"result": title, "kind": kind})


def similarities(wildcards):
    """Return the input `similarities` of a rule: the folders of all parts of the corpus."""
    if not SEMIHMM.encoder:
        return {}
    return {"similarities": gather.pairs(f"results/{wildcards.corpus}/encode/{{scatteritem}}")}


def similarities_option(wildcards, input):
    """Return the option that names the folder of the similarities."""
    return f"--similarities results/{wildcards.corpus}/encode" if SEMIHMM.encoder else ""


def rescorer(wildcards):
    """Return the input `rescorer` of an alignment, for the decoder that is trained with gold."""
    return {"rescorer": SEMIHMM.rescorer} if SEMIHMM.decoder == "rescored" else {}


def trees(wildcards):
    """Return the input `trees` of a rule, for a jump model over trees."""
    return {"trees": f"results/{wildcards.corpus}/parse/trees.npz"} if wildcards.jump == "syntax" else {}


def reverse_model(wildcards):
    """Return the input `reverse_model` of a training: the model of the other direction, if there is one."""
    if wildcards.jump == REVERSE or not SEMIHMM.agreement:
        return {}
    return {"reverse_model": f"results/{wildcards.corpus}/train/{REVERSE}/model.npz"}


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


def translation_models():
    """Yield the names of the translation models of the systems, and of those that these start from."""
    for system in all_systems():
        model, _, source = system.rpartition("-")
        while model in TRANSLATION_MODELS and source in SOURCES:
            yield f"{model}-{source}"
            model = TRANSLATION_START.get(model)


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
    made += outputs(rules.train, jump=MODELS)
    made += [f"{results}/train/{model}" for model in translation_models()]
    made += [f"{results}/align/{system}/alignments.jsonl" for system in all_systems()]
    made += [EXTRACTS.format(corpus=CORPUS.name), *expand(SCORE_TABLES, corpus=CORPUS.name)]
    if CORPUS.gold:
        made += outputs(rules.evaluate_extracts)
    if SEMIHMM.encoder:
        made += gather.pairs(f"{results}/encode/{{scatteritem}}")
    if "syntax" in SEMIHMM.jumps:
        made += [f"{results}/parse/trees.npz", f"{results}/parse/trees.mrg"]
    if PARTS > 1:
        made += outputs(rules.count_stems)
    return sorted(set(made))
