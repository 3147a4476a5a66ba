"""What the rules of each stage read, and the options that name it to their commands. No rules."""

# So many expectations of shards are added up by one job.
ADDED = 16


def corpus_files():
    """The inputs of the corpus stage, which are watched by their `content`."""
    return {name: ancient(CORPUS[name]) for name in ("path", "gold") if CORPUS[name]}


def corpus_content():
    """Stands for what the corpus and its gold hold."""
    return " ".join(f"{name} {content(CORPUS[name])}" for name in corpus_files())


def weights_input():
    """The input `weights` of the extracts of a part: counts of stems in the whole corpus."""
    return {"weights": "results/{corpus}/extract/weights.json"} if PARTS > 1 else {}


def cutpaste_options(wildcards):
    """The options of Cut & Paste; `cutpaste-1` has its own length of runs."""
    run = wildcards.cutpaste.partition("-")[2]
    return settings.options(config["cutpaste"] | ({"run": int(run)} if run else {}))


def training_data(wildcards):
    """The inputs of a translation model: the model that it is trained from, or the corpus and its extracts."""
    results, start = f"results/{wildcards.corpus}", TRANSLATION_MODELS[wildcards.translation].start
    if start:
        return {"start": f"{results}/train/{start}-{wildcards.source}"}
    return {"corpus": f"{results}/corpus/corpus.jsonl", "extracts": f"{results}/extract/extracts.jsonl"}


def parse_shards():
    """The names of the shards of sentences."""
    return [f"{shard}-of-{PARSE['shards']}" for shard in range(PARSE["shards"])]


def parser_files():
    """The inputs of the parser: its model, or the user's trees."""
    if PARSE["backend"] == "trees":
        return {"trees": PARSE["trees"]}
    if PARSE["backend"] == "benepar":
        model = PARSE["benepar_model"]
        return {"benepar_model": model if Path(model).exists() else f"results/benepar/{model}"}
    return {}


def parser_inputs():
    """The same as Snakemake watches them: a user's own by their `content`."""
    return {name: path if is_made(path) else ancient(path) for name, path in parser_files().items()}


def parser_content():
    """Stands for what the user's own files of the parser hold."""
    return " ".join(f"{name} {content(path)}" for name, path in parser_files().items() if not is_made(path))


def is_made(path):
    """Whether a file of the parser is made by a rule."""
    return path.startswith("results/benepar/")


def parser_options():
    """The options that name the parser and its files to a command."""
    return settings.options({"backend": PARSE["backend"]} | parser_files())


def encoder_folder():
    """The folder of the encoder: one that is here, or what the rule `encoder` makes of its name."""
    model = config["embed"]["model"]
    return find_model(model) or f"results/encoders/{model}"


def encoder_files():
    """The inputs of what wants an encoder beside the corpus: the encoder, where a rule makes it."""
    folder = encoder_folder()
    return {"encoder": folder} if folder.startswith("results/encoders/") else {}


def similarities(wildcards):
    """The input `similarities` of the rules that use it: the folders of all parts of the corpus."""
    if not SEMIHMM.get("encoder"):
        return {}
    return {"similarities": gather.pairs(f"results/{wildcards.corpus}/encode/{{scatteritem}}")}


def similarities_option(input):
    """The option that names the folder of the similarities to a command."""
    if "similarities" not in input.keys():
        return ""
    return settings.options({"similarities": str(Path(input.similarities[0]).parent)})


def trees(wildcards):
    """The input `trees` of the rules that use it: a jump model that walks over trees."""
    return {"trees": f"results/{wildcards.corpus}/parse/trees.npz"} if wildcards.jump == "syntax" else {}


def wordnet_folder():
    """The input `wordnet` of the rules that use it."""
    return {"wordnet": "results/wordnet"} if SEMIHMM["wordnet"] else {}


def wordnet_option(input):
    """The option that names the WordNet folder to a command."""
    return settings.options({"wordnet-data": input.wordnet}) if SEMIHMM["wordnet"] else ""


def reverse_model(wildcards):
    """The input `reverse_model` of a training: the model of the other direction, where there is to be one."""
    if wildcards.jump == REVERSE or not SEMIHMM["agreement"]:
        return {}
    return {"reverse_model": f"results/{wildcards.corpus}/train/{REVERSE}/model.npz"}


def direction(wildcards):
    """The directory of the shards of a model."""
    return "reverse" if wildcards.jump == REVERSE else "forward"


def shard_folder(wildcards):
    """The pairs of a shard, in the direction of the model."""
    return f"results/{wildcards.corpus}/train/{direction(wildcards)}/shards/{wildcards.shard}"


def index_folder(wildcards):
    """The index of all shards, in the direction of the model."""
    return f"results/{wildcards.corpus}/train/{direction(wildcards)}/index"


def reverse_option(wildcards):
    """The option that asks a command for the other direction."""
    return "--reverse" if REVERSE in (wildcards.get("jump"), wildcards.get("direction")) else ""


def em_folder(wildcards, iteration):
    """The folder of an iteration of a sharded training."""
    return f"results/{wildcards.corpus}/train/{wildcards.jump}/em/{iteration}"


def state_before(wildcards):
    """The parameters that an iteration begins with."""
    return f"{em_folder(wildcards, int(wildcards.iteration) - 1)}/state"


def expected_from(wildcards):
    """What an expectation is made from, beside the shard and the index."""
    made = {"state": state_before(wildcards)}
    if wildcards.jump == "syntax":
        made["forests"] = f"results/{wildcards.corpus}/train/forests/{wildcards.shard}"
    if SEMIHMM["prune"] and int(wildcards.iteration) > 1:
        made["previous"] = f"{em_folder(wildcards, int(wildcards.iteration) - 1)}/{wildcards.shard}.npz"
    return made


def added(wildcards, level, group):
    """The expectations that sum `group` of a `level` is made from: on level 1 shards, above it sums."""
    below = reduction_sizes()[level - 1]
    members = range(ADDED * group, min(ADDED * (group + 1), below))
    folder = em_folder(wildcards, wildcards.iteration)
    if level == 1:
        return [f"{folder}/{member + 1}-of-{SEMIHMM['shards']}.npz" for member in members]
    return [f"{folder}/sum-{level - 1}-{member}.npz" for member in members]


def all_expectations(wildcards):
    """What the M-step adds up: all shards, or the last sums of them."""
    return added(wildcards, len(reduction_sizes()), 0)


def reduction_sizes():
    """How many expectations there are on each level of the reduction: shards, sums of them, …, at most ADDED."""
    sizes = [SEMIHMM["shards"]]
    while sizes[-1] > ADDED:
        sizes.append(-(-sizes[-1] // ADDED))
    return sizes


def score_tables():
    """The tables of the score stage: which scores there are depends on the gold."""
    tables = list(ANALYSES)
    tables += ["scores", "agreement"] * ("token" in gold_units())
    tables += ["phrases", "phrase_significance"] * ("char" in gold_units())
    return [f"results/{{corpus}}/score/{table}.tsv" for table in tables]


def scored_files():
    """What is scored of a corpus in several parts: its pairs, and the alignments of each system."""
    return [f"results/{{corpus}}/score/scored/{name}.jsonl" for name in ("corpus", *config["systems"])]


def profile_files():
    """The input `profiles` of the analysis of a corpus in several parts without gold in tokens."""
    if PARTS == 1 or "token" in gold_units():
        return {}
    return {"profiles": gather.pairs("results/{{corpus}}/score/profiles/{scatteritem}.json")}


def profiles_option(input):
    """The option that names the profiles to a command."""
    if "profiles" not in input.keys():
        return ""
    return settings.options({"profiles": str(Path(input.profiles[0]).parent), "of": PARTS})


def figure_caption(figure):
    """The caption of a figure; that of the scores is of phrases where these are what is scored."""
    return "phrases" if figure == "scores" and gold_units() == {"char"} else figure


def shown_settings():
    """The settings that the report page shows; a change of another one does not make the page again."""
    shown = ("corpus", "extract", "semihmm", "systems", "score", "seed")
    return {name: config[name] for name in shown} | {"parser": parser_options()}
