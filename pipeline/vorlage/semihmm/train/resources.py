"""What a training reads besides its corpus: WordNet, trees, similarities, the other direction."""

from argparse import ArgumentParser, Namespace
from dataclasses import dataclass

from vorlage.command.errors import InputError
from vorlage.encoder.similarity_store import SimilarityStore
from vorlage.semihmm.jumps.base import jump_model
from vorlage.semihmm.model import Model
from vorlage.semihmm.rewrite.wordnet_distance import WordNetDistances
from vorlage.settings import SemiHmm
from vorlage.text.wordnet import open_wordnet
from vorlage.trees.tree_arrays import Trees
from vorlage.types import JsonObject

HELP = {
    "trees": "trees.npz of the parse stage, for a jump model that walks over trees",
    "similarities": "folder of the encode stage, needed where `encoder` is true",
    "reverse-model": "model.npz of the other direction, to store in this one",
}


@dataclass(frozen=True)
class Resources:
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


def add_resource_options(parser: ArgumentParser) -> None:
    """Add the options of `HELP` to a parser."""
    for name, text in HELP.items():
        parser.add_argument(f"--{name}", help=text)


def open_resources(options: Namespace, jump: str, settings: SemiHmm) -> Resources:
    """Open what the options of `add_resource_options` name.

    Raises:
        InputError: for what the jump model or the settings need and no option names, and for a model of the
            other direction with other settings or another encoder.
    """
    trees = similarities = None
    if jump_model(jump).TREES:
        if not options.trees:
            raise InputError(f"--trees is missing; the jump model {jump} needs the trees of the documents")
        trees = Trees.load(options.trees)
    if settings.encoder:
        if not options.similarities:
            raise InputError(
                "--similarities is missing; make the folder with `vorlage encode`, or pass --encoder false"
            )
        similarities = SimilarityStore(options.similarities)
    wordnet = WordNetDistances(open_wordnet(), settings.wordnet == "first") if settings.wordnet else None
    reverse = Model.load(options.reverse_model) if options.reverse_model else None
    resources = Resources(wordnet, trees, similarities, reverse)
    if reverse and not _is_other_direction(reverse, settings, resources.encoder):
        raise InputError(
            f"{options.reverse_model}: not the other direction of this model; train it with --reverse and "
            "the same settings and similarities"
        )
    return resources


def _is_other_direction(reverse: Model, settings: SemiHmm, encoder: JsonObject) -> bool:
    """Return whether a model can be the other direction of one of these settings and this encoder."""
    return (
        not reverse.reverse
        and not reverse.jumps.TREES
        and reverse.encoder == encoder
        and all(
            getattr(reverse.settings, key) == getattr(settings, key) for key in SemiHmm.read_by("reverse")
        )
    )
