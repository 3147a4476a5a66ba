"""What a training reads besides its corpus: WordNet, trees, similarities, the other direction."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable
from typing import NamedTuple

from vorlage.command.errors import InputError
from vorlage.corpus.pair import Pair
from vorlage.encoder.similarities import Similarities, shape_of
from vorlage.encoder.similarity_store import SimilarityStore
from vorlage.extract.extracts import Extract
from vorlage.fingerprint import digest, file_digest, fingerprint
from vorlage.semihmm.jumps.base import jump_model
from vorlage.semihmm.model import Model, Origin, check_reverse
from vorlage.semihmm.rewrite.wordnet_distance import WordNetDistances
from vorlage.settings import from_options, read_by
from vorlage.text.wordnet import open_wordnet
from vorlage.trees.tree_arrays import Trees
from vorlage.types import JsonObject

HELP = {
    "trees": "trees.npz of the parse stage, for a jump model that walks over trees",
    "similarities": "folder of the encode stage, needed where `encoder` is true",
    "reverse-model": "model.npz of the other direction, to store in this one",
}


class Resources(NamedTuple):
    """What a training reads besides its corpus; None for what its settings and its jump model do without."""

    wordnet: WordNetDistances | None = None
    trees: Trees | None = None
    similarities: SimilarityStore | None = None
    reverse_model: Model | None = None

    @property
    def parser(self) -> JsonObject:
        """The settings of the parser of the trees, empty without trees."""
        return self.trees.parser if self.trees else {}

    @property
    def encoder(self) -> JsonObject:
        """A description of the encoder of the similarities, empty without similarities."""
        return self.similarities.about if self.similarities else {}


def add_resource_options(parser: ArgumentParser, *names: str) -> None:
    """Add the options of `HELP`, or those in `names`, to a parser."""
    for name in names or HELP:
        parser.add_argument(f"--{name}", help=HELP[name])


def open_resources(options: Namespace, jump: str, settings: JsonObject) -> Resources:
    """Open what the options of `add_resource_options` name.

    Raise `InputError` for what the jump model or the settings need and no option names.
    """
    resources = Resources(
        open_wordnet_distances(settings),
        open_trees(options.trees, jump),
        open_similarities(options.similarities, settings),
    )
    reverse = load_reverse(options.reverse_model, settings, resources.encoder)
    return resources._replace(reverse_model=reverse)


def open_wordnet_distances(settings: JsonObject) -> WordNetDistances | None:
    """Open WordNet where `settings["wordnet"]` is true."""
    return WordNetDistances(open_wordnet(), settings["wordnet_senses"]) if settings["wordnet"] else None


def open_trees(path: str | None, jump: str) -> Trees | None:
    """Load the trees of the documents where the jump model needs them."""
    if not jump_model(jump).TREES:
        return None
    if not path:
        raise InputError(f"--trees is missing; the jump model {jump} needs the trees of the documents")
    return Trees.load(path)


def open_similarities(folder: str | None, settings: JsonObject) -> SimilarityStore | None:
    """Open the similarities of words and sentences where `settings["encoder"]` is true."""
    if not settings["encoder"]:
        return None
    if not folder:
        raise InputError(
            "--similarities is missing; make the folder with `vorlage encode`, or pass --encoder false"
        )
    return SimilarityStore(folder)


def similarities_of(store: SimilarityStore) -> Callable[[Pair, Extract], Similarities]:
    """Return a function from a pair and its extract to their similarities in a `store`."""
    return lambda pair, extract: store.get(pair.id, shape_of(pair, extract.sentences))


def load_reverse(path: str | None, settings: JsonObject, encoder: JsonObject) -> Model | None:
    """Load the model of the other direction; return None without a path.

    `settings`, `encoder`: those of the model that will store it. Raise `InputError` for a model
    of other settings or another encoder.
    """
    if not path:
        return None
    reverse = Model.load(path)
    try:
        check_reverse(reverse, settings, encoder)
    except ValueError:
        raise InputError(
            f"{path}: not the other direction of this model; train it with --reverse and the same settings "
            "and similarities"
        ) from None
    return reverse


def check_direction(jump: str, reverse: bool) -> None:
    """Raise `InputError` if a jump model over trees would train the other direction."""
    if reverse and jump_model(jump).TREES:
        raise InputError(
            f"--reverse: the jump model {jump} needs trees, and summaries have none; choose another"
        )


def training_settings(options: Namespace) -> JsonObject:
    """Return the settings that training reads and a model stores; `auto` uses an encoder if there are
    similarities.
    """
    settings = from_options(options, "semihmm", encoder=bool(getattr(options, "similarities", None)))
    return {key: settings[key] for key in read_by("train")}


def origin_of(
    options: Namespace,
    commands: Iterable[str],
    jump: str,
    settings: JsonObject,
    encoder: JsonObject,
    reverse: bool,
    reverse_model: Model | None,
) -> Origin:
    """Return the fingerprints of the code, the settings and the inputs of a training.

    `commands`: the modules that train. `options`: `corpus`, `extracts`, `trees`.
    """
    code = fingerprint(*commands, f"vorlage.semihmm.jumps.{jump}")
    files = [file_digest(path) for path in (options.corpus, options.extracts, options.trees) if path]
    other = reverse_model.origin.fingerprint if reverse_model else ""
    return Origin(files[0], digest((code, settings, files, encoder, reverse, other)))
