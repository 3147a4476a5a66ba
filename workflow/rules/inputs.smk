"""The inputs of the rules of each stage, and the options that name them. Contains no rules."""


def corpus_files():
    """Return the inputs of the corpus stage; `corpus_content` notices their changes."""
    return {name: ancient(CORPUS[name]) for name in ("path", "gold") if CORPUS[name]}


def corpus_content():
    """Return digests of the corpus and its gold."""
    return " ".join(f"{name} {content(CORPUS[name])}" for name in corpus_files())


def weights_input():
    """Return the input `weights` of the extracts of a part: counts of stems in the whole corpus."""
    return {"weights": "results/{corpus}/extract/weights.json"} if PARTS > 1 else {}


def cutpaste_options(wildcards):
    """Return the options of Cut & Paste; `cutpaste-1` sets its own length of runs, `…-document` takes documents."""
    system = wildcards.cutpaste.removesuffix("-document")
    documents = "--documents " if system != wildcards.cutpaste else ""
    run = system.partition("-")[2]
    return documents + settings.options(config["cutpaste"] | ({"run": int(run)} if run else {}))


def training_data(wildcards):
    """Return the inputs of a translation model: the model it starts from, or the corpus and its extracts."""
    results, start = f"results/{wildcards.corpus}", TRANSLATION_MODELS[wildcards.translation].start
    if start:
        return {"start": f"{results}/train/{start}-{wildcards.source}"}
    return {"corpus": f"{results}/corpus/corpus.jsonl", "extracts": f"{results}/extract/extracts.jsonl"}


def parser_files():
    """Return the inputs of the parser: its model, or the user's trees."""
    if PARSE["backend"] == "trees":
        return {"trees": PARSE["trees"]}
    if PARSE["backend"] == "benepar":
        model = PARSE["benepar_model"]
        return {"benepar_model": model if Path(model).exists() else f"results/benepar/{model}"}
    return {}


def parser_inputs():
    """Return the inputs of the parser for a rule; `parser_content` notices changes of a user's own files."""
    return {name: path if is_made(path) else ancient(path) for name, path in parser_files().items()}


def parser_content():
    """Return digests of the user's own files of the parser."""
    return " ".join(f"{name} {content(path)}" for name, path in parser_files().items() if not is_made(path))


def is_made(path):
    """Return whether a rule makes a file of the parser."""
    return path.startswith("results/benepar/")


def parser_options():
    """Return the options that name the parser and its files."""
    return settings.options({"backend": PARSE["backend"]} | parser_files())


def encoder_folder():
    """Return the folder of the encoder: an existing one, or the output of the rule `encoder`."""
    model = config["embed"]["model"]
    return find_model(model) or f"results/encoders/{model}"


def encoder_files():
    """Return the encoder as an input if a rule makes it."""
    folder = encoder_folder()
    return {"encoder": folder} if folder.startswith("results/encoders/") else {}


def similarities(wildcards):
    """Return the input `similarities` of a rule: the folders of all parts of the corpus."""
    if not SEMIHMM.get("encoder"):
        return {}
    return {"similarities": gather.pairs(f"results/{wildcards.corpus}/encode/{{scatteritem}}")}


def similarities_option(input):
    """Return the option that names the folder of the similarities."""
    if "similarities" not in input.keys():
        return ""
    return settings.options({"similarities": str(Path(input.similarities[0]).parent)})


def trees(wildcards):
    """Return the input `trees` of a rule, for a jump model over trees."""
    return {"trees": f"results/{wildcards.corpus}/parse/trees.npz"} if wildcards.jump == "syntax" else {}


def reverse_model(wildcards):
    """Return the input `reverse_model` of a training: the model of the other direction, if there is one."""
    if wildcards.jump == REVERSE or not SEMIHMM["agreement"]:
        return {}
    return {"reverse_model": f"results/{wildcards.corpus}/train/{REVERSE}/model.npz"}


def direction(wildcards):
    """Return the direction of a model."""
    return "reverse" if wildcards.jump == REVERSE else "forward"


def shard_folder(wildcards):
    """Return the folder of a shard, in the direction of the model."""
    return f"results/{wildcards.corpus}/train/{direction(wildcards)}/shards/{wildcards.shard}"


def index_folder(wildcards):
    """Return the folder of the index of all shards, in the direction of the model."""
    return f"results/{wildcards.corpus}/train/{direction(wildcards)}/index"


def all_entries(wildcards):
    """Return the entries in all parts of the rows of the index, in the direction of the model."""
    return expand(f"results/{wildcards.corpus}/train/{direction(wildcards)}/entries/{{part}}", part=ROW_PARTS)


def entries_of_part(wildcards):
    """Return the entries in a part of the rows of the index, in the direction of the model."""
    return f"results/{wildcards.corpus}/train/{direction(wildcards)}/entries/{wildcards.part}"


def reverse_option(wildcards):
    """Return the option for the other direction."""
    return "--reverse" if REVERSE in (wildcards.get("jump"), wildcards.get("direction")) else ""


def em_folder(wildcards, iteration):
    """Return the folder of an iteration of a sharded training."""
    return f"results/{wildcards.corpus}/train/{wildcards.jump}/em/{iteration}"


def state_before(wildcards):
    """Return the parameters that an iteration begins with."""
    return f"{em_folder(wildcards, int(wildcards.iteration) - 1)}/state"


def expected_from(wildcards):
    """Return the inputs of an E-step besides the shard and the index."""
    made = {"state": state_before(wildcards)}
    if wildcards.iteration != "1":
        before = f"{em_folder(wildcards, int(wildcards.iteration) - 1)}/counts/{{part}}"
        made["counts"] = expand(before, part=ROW_PARTS)
    if wildcards.jump == "syntax":
        made["forests"] = f"results/{wildcards.corpus}/train/forests/{wildcards.shard}"
    if (SEMIHMM["prune"] or SEMIHMM["remade_extracts"]) and int(wildcards.iteration) > 1:
        made["previous"] = f"{em_folder(wildcards, int(wildcards.iteration) - 1)}/{wildcards.shard}.npz"
    return made


def all_expectations(wildcards):
    """Return the expectations that the M-step adds: those of all shards."""
    return expand(f"{em_folder(wildcards, wildcards.iteration)}/{{shard}}.npz", shard=SHARDS)


def counts_before(wildcards):
    """Return the lexical counts that an iteration begins with in a part of the rows; the first has none."""
    if wildcards.iteration == "1":
        return {}
    return {"previous": f"{em_folder(wildcards, int(wildcards.iteration) - 1)}/counts/{wildcards.part}"}


def counts_after(wildcards):
    """Return the lexical counts of all parts of the rows after the last iteration."""
    return expand(f"{em_folder(wildcards, SEMIHMM['iterations'])}/counts/{{part}}", part=ROW_PARTS)


def counts_option(input):
    """Return the option that names the folder of the lexical counts of all parts of the rows, if there are any."""
    return settings.options({"counts": str(of_folder(input.counts))}) if "counts" in input.keys() else ""


def of_folder(files):
    """Return the folder of files that are all in one."""
    return Path(files[0]).parent


def score_tables():
    """Return the tables of the score and decompose stages, which depend on the gold."""
    tables = [*ANALYSES, *DECOMPOSITIONS]
    tables += ["scores", "agreement"] * ("token" in gold_units())
    tables += ["phrases", "phrase_significance"] * ("char" in gold_units())
    return [f"results/{{corpus}}/score/{table}.tsv" for table in tables]


def figure_caption(figure):
    """Return the caption of a figure; the figure of scores shows phrases if the gold has characters alone."""
    return "phrases" if figure == "scores" and gold_units() == {"char"} else figure


def shown_settings():
    """Return the settings that the report page shows; a change of another setting does not remake the page."""
    shown = ("corpus", "extract", "semihmm", "systems", "score", "seed")
    return {name: config[name] for name in shown} | {"parser": parser_options()}
