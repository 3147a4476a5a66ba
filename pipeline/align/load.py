"""Opens a trained model with all that aligning by it takes: WordNet, a parser, an encoder."""

from functools import partial
from pathlib import Path

from pipeline.align.aligner import Aligner
from pipeline.encode.similarities import measure, shape_of
from pipeline.encode.similarity_store import SimilarityStore
from pipeline.parse.parser import open_parser
from pipeline.parse.sentences import sentence_id
from pipeline.parse.tree_arrays import Trees
from pipeline.run.errors import InputError
from pipeline.semihmm.model import Model
from pipeline.semihmm.phrases.wordnet_distance import Senses
from pipeline.settings import section
from pipeline.wordnet.digest import wordnet_digest
from pipeline.wordnet.reader import open_wordnet

WORDNET = Path("results/wordnet")


def find_trees(model, path=None):
    """A function from sentences to their trees: those of the file ``path``, or made by the model's parser."""
    if path:
        trees = Trees.load(path)
        return lambda sentences: trees
    if "backend" not in model.parser:
        raise InputError("the model does not say which parser its trees are of; give trees (--trees)")
    parser = open_parser(section("parse", model.parser))

    def parse(sentences):
        parses = parser.parse([tuple(tokens) for tokens in sentences])
        return Trees.collect(
            (sentence_id(tokens), made.tree) for tokens, made in zip(sentences, parses, strict=True)
        )

    return parse


def find_similarities(model, folder=None, encoder=None):
    """A function from a pair and sentences to similarities: of a ``folder``, or by the model's encoder."""
    if folder:
        store = SimilarityStore(folder)
        about, get = store.about, lambda pair, sentences: store.get(pair.id, shape_of(pair, sentences))
    else:
        from pipeline.encode.transformer import open_encoder  # here alone: no other model wants it

        opened = open_encoder(encoder or section("embed", {})["model"], model.encoder["layer"])
        about, get = opened.about, partial(measure, opened)
    if about != model.encoder:
        raise InputError(
            f"{folder or 'the encoder'}: not the encoder that the model was trained with; give that one "
            "(--encoder), or similarities by it (--similarities)"
        )
    return get


def open_aligner(path, wordnet, trees=None, similarities=None, encoder=None):
    """The :class:`Aligner` of a ``model.npz`` with all that the model wants: WordNet, a parser, an encoder.

    ``wordnet``: the folder, opened if wanted; ``trees``: a file of the parse stage in place of the parser;
    ``similarities``: a folder of the encode stage in place of the ``encoder``, a name or folder.
    """
    model = Model.load(path)
    senses = None
    if model.settings["wordnet"]:
        senses = Senses(open_wordnet(wordnet))
        if model.origin.wordnet not in ("", wordnet_digest(wordnet)):
            raise InputError(f"{wordnet}: not the WordNet that {path} was trained with; give its folder")
    return Aligner(
        model,
        senses,
        find_trees(model, trees) if model.jumps.TREES else None,
        find_similarities(model, similarities, encoder) if model.settings["encoder"] else None,
    )
