"""The sets and the systems of `make field`, and the inputs of its rules, which are in rules.smk."""

from importlib.metadata import version
from importlib.util import find_spec

EXPERIMENTS = Path(workflow.current_basedir.join("..").get_path_or_uri(secret_free=False))
sys.path.insert(0, str(EXPERIMENTS))

from field import evidence_gold as gold_file
from field.convert import LAYOUTS

FIELD_STEP = f"python {shlex.quote(os.path.relpath(EXPERIMENTS / 'field_step.py'))}"
# What decides the outputs of the scripts: their content, and the libraries that only they import.
FIELD_SCRIPTS = digest(
    [file_digest(path) for path in sorted((EXPERIMENTS / "field").glob("*.py"))]
    + [version(name) for name in ("bert_score", "rank_bm25", "rouge_score") if find_spec(name)]
)

# The models of the package by the names of their systems; the first system is compared with all others.
SHIPPED = {
    "vorlage": "with-encoder",
    "vorlage-without-encoder": "without-encoder",
    "vorlage-multilingual": "with-multilingual-encoder",
}
# Systems that link words, by a rule below and those of the baselines, and the package that each needs, if any.
LINKING = {
    **dict.fromkeys([*SHIPPED, "identity", "cutpaste-1", "embed", "awesome"], ()),
    **dict.fromkeys(["simalign-argmax", "simalign-itermax"], ("simalign",)),
    **dict.fromkeys(["transport-balanced", "transport-partial", "transport-unbalanced"], ("ot",)),
}
# Translation models that are trained on the set itself, which takes the links of many pairs of sentences.
TRAINED = {"hmm-gdfa": (), "model4-intersect": (), "eflomal-intersect": ()}
# Methods of `passages.py`, which score passages or words and have no links.
SCORING = {
    **dict.fromkeys(["idf-overlap", "coverage", "density", "sentence-cosine", "greedy-matching"], ()),
    "bm25": ("rank_bm25",),
    "rouge-l": ("rouge_score",),
    "bertscore": ("bert_score",),
}
# Variants that documents do without, since they are like those that are kept.
FOR_SENTENCES = ("vorlage-multilingual", "simalign-itermax", "transport-balanced", "transport-unbalanced")
FOR_DOCUMENTS = [system for system in LINKING if system not in FOR_SENTENCES]
# The systems for each kind of gold.
FIELD_SYSTEMS = {
    gold_file.TOKENS: [*LINKING, *TRAINED],
    **dict.fromkeys([gold_file.CHARACTERS, gold_file.FUSED], FOR_DOCUMENTS),
    **dict.fromkeys(
        [gold_file.PASSAGES, gold_file.SUPPORTED, gold_file.UNSUPPORTED],
        [*FOR_DOCUMENTS, *SCORING],
    ),
}


def field_sets():
    """Return the sets of `make field` by name: the folders of the folder that the setting `field.data` names."""
    data, chosen = CONFIG.field.data, CONFIG.field.sets
    folders = Path(data).iterdir() if data and Path(data).is_dir() else ()
    sets = {folder.name: folder for folder in sorted(folders) if has_set(folder)}
    if not sets:
        sys.exit(f"error: config: `field.data` is {data or 'empty'}, which has no sets; see docs/results.md")
    for name in chosen or ():
        if name not in sets:
            sys.exit(f"error: config: `field.sets` has {name}; {data} has {', '.join(sets)}")
    return {name: folder for name, folder in sets.items() if chosen is None or name in chosen}


def has_set(folder):
    """Return whether a folder has a set: in input form with gold, or in a public layout that its name names."""
    named = re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", folder.name)
    return bool(
        named and (in_input_form(folder) or folder.is_dir() and folder.name.partition("-")[0] in LAYOUTS)
    )


def in_input_form(folder):
    """Return whether a folder has a set as a corpus with gold."""
    return all((folder / name).is_file() for name in ("corpus.jsonl", "gold.jsonl"))


FIELD_SETS = field_sets()
# The systems of all kinds, and those of them that cannot run because a package is missing.
ALL_SYSTEMS = {**LINKING, **TRAINED, **SCORING}
MISSING = [system for system, modules in ALL_SYSTEMS.items() if not all(map(find_spec, modules))]
MISSING += ["vorlage-multilingual"] * (find_model(MULTILINGUAL) is None)
CHOSEN_SYSTEMS = CONFIG.field.systems or list(ALL_SYSTEMS)
for system in CHOSEN_SYSTEMS:
    if system not in ALL_SYSTEMS:
        sys.exit(f"error: config: `field.systems` has {system}; choose from {', '.join(ALL_SYSTEMS)}")
LEFT_OUT = [system for system in MISSING if system in CHOSEN_SYSTEMS]
if FIELD_SETS and LEFT_OUT and workflow.is_main_process:
    logger.warning(f"Packages are missing, so these systems are left out: {', '.join(LEFT_OUT)}")


def field_systems(name):
    """Return the systems of a set: those of its kind that are chosen and can run."""
    systems = FIELD_SYSTEMS[field_kind(name)]
    return [system for system in systems if system in CHOSEN_SYSTEMS and system not in MISSING]


def field_folder(name):
    """Return the folder with the corpus.jsonl and the gold.jsonl of a set."""
    given = FIELD_SETS[name]
    return given if in_input_form(given) else Path(f"results/field/{name}/input")


@cache
def field_kind(name):
    """Return the kind of the gold of a set."""
    given = FIELD_SETS[name]
    try:
        if in_input_form(given):
            return gold_file.gold_kind(given / "gold.jsonl")
    except InputError as error:
        sys.exit(f"error: {one_line(str(error))}")
    return LAYOUTS[name.partition("-")[0]].kind


def field_files(wildcards):
    """Return the inputs of the corpus stage of a set."""
    folder = field_folder(wildcards.set)
    return {key: ancient(f"{folder}/{file}.jsonl") for key, file in (("path", "corpus"), ("gold", "gold"))}


def field_digest(wildcards):
    """Return the user's own files of a set with their digests."""
    given = FIELD_SETS[wildcards.set]
    paths = [given / "corpus.jsonl", given / "gold.jsonl"] if in_input_form(given) else [given]
    return [watched(str(path)) for path in paths]


def field_tokenized(wildcards):
    """Return whether the tokens of a set are separated by spaces: gold in tokens counts them."""
    return "true" if field_kind(wildcards.set) in (gold_file.TOKENS, gold_file.FUSED) else "false"


def field_outputs(wildcards, scoring):
    """Return the outputs of the systems of a set, of those that score passages or of those that link words."""
    systems = [name for name in field_systems(wildcards.set) if (name in SCORING) == scoring]
    file = "evidence" if scoring else "alignments"
    return [f"results/field/{wildcards.set}/align/{name}/{file}.jsonl" for name in systems]


wildcard_constraints:
    corpus="|".join(map(re.escape, [CORPUS.name, *(f"field/{name}" for name in FIELD_SETS)])),
    set="|".join(map(re.escape, FIELD_SETS)) or "none",
    shipped="|".join(SHIPPED),
    scoring="|".join(SCORING),
