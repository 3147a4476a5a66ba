"""Opens a trained model with everything that aligning by it needs: WordNet, a parser, an encoder."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from vorlage.command.errors import InputError
from vorlage.command.progress import log
from vorlage.encoder.installed import PACKAGED, how_to_get
from vorlage.encoder.similarities import Measure, SimilarityStore, measure_all
from vorlage.encoder.transformer import open_encoder
from vorlage.semihmm.decode.aligner import Aligner
from vorlage.semihmm.model import Model
from vorlage.semihmm.wordnet import open_distances
from vorlage.settings import Parse, validate
from vorlage.trees.tree_arrays import Trees, sentence_id
from vorlage.types import StrPath

SHIPPED = Path(__file__).parents[2] / "models"  # those that come with the package


def open_aligner(
    model: Model | StrPath,
    trees: StrPath | None = None,
    similarities: StrPath | None = None,
    encoder: str | None = None,
) -> Aligner:
    """Return the aligner of a model.

    `trees`: a file of the parse stage instead of the parser; `similarities`: a folder of the encode stage
    instead of the encoder; `encoder`: its name or folder.

    Raises:
        InputError: for a file that is not a model, and for a missing or wrong parser or encoder.
    """
    model = model if isinstance(model, Model) else Model.load(model)
    find_trees = None
    if model.jumps.needs_trees:
        read = Trees.load(trees) if trees else None
        find_trees = (lambda sentences: read) if read else trees_by_parser(validate(Parse, model.parser))
    measure = _find_similarities(model, similarities, encoder) if model.settings.encoder else None
    return Aligner(model, open_distances(model.settings), find_trees, measure)


def trees_by_parser(settings: Parse) -> Callable[[list[list[str]]], Trees]:
    """Return a function from sentences to the trees that a parser makes of them."""
    from vorlage.trees import parser  # whose trees are NLTK's, which takes a second to import

    parse_all = parser.open_parser(settings)

    def parse(sentences: list[list[str]]) -> Trees:
        parses = parse_all([tuple(tokens) for tokens in sentences])
        return Trees.collect(
            (sentence_id(tokens), parser.list_constituents(parsed.tree))
            for tokens, parsed in zip(sentences, parses, strict=True)
        )

    return parse


def _find_similarities(model: Model, folder: StrPath | None, encoder: str | None) -> Measure:
    """Return a function from pairs and sentences to similarities: of a folder, or by the encoder."""
    get: Measure
    name = model.encoder.get("name", PACKAGED)
    if folder:
        store = SimilarityStore(folder)
        about, get = store.about, store.get_all
    else:
        opened = open_encoder(encoder or name, model.encoder["layer"])
        get = partial(measure_all, opened)
        if encoder is None:
            return get
        about = opened.about
    if about["layer"] != model.encoder["layer"] or about["model"] != model.encoder["model"]:
        if about["layer"] != model.encoder["layer"] or about.get("name", PACKAGED) != name:
            raise InputError(
                f"{folder or encoder}: not the encoder that the model was trained with, {name} (digest "
                f"{model.encoder['model']}) with layer {model.encoder['layer']}; install it with "
                f"{how_to_get(name)} and give it (--encoder), or similarities by it (--similarities)"
            )
        log.warning(f"the encoder {name} has other weights than in training, such as unrounded ones")
    return get
