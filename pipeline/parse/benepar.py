"""Parser ``benepar``: the Berkeley neural parser (Kitaev & Klein 2018; Kitaev, Cao & Klein 2019).

It is installed by ``make benepar``, with torch. A model is a file or a folder; one of benepar's own is
fetched by ``python -m pipeline.parse.fetch``. From torch 2.6 on, loading a model runs no code that it holds.

A model that has no tagger leaves the tags to TextBlob. The trees of one run are the same as those of any
other on the same machine; a sentence's last digits depend on the sentences it is parsed with, so a near tie
may be decided otherwise where a store holds some of them already.
"""

import os
import warnings
from pathlib import Path

from pipeline.fingerprint import file_digest
from pipeline.io.checksums import check_folder
from pipeline.parse.brackets import ROOT, over, rooted
from pipeline.parse.parser import Parse, refuse
from pipeline.parse.pieces import cut
from pipeline.parse.tags import tag
from pipeline.run.errors import InputError
from pipeline.run.progress import log
from pipeline.text.nltk import nltk

# Limits of a batch: sentences, and words once all are padded to the longest; 64 of 500 take tens of GB.
BATCH, POSITIONS = 64, 4096
FOLDER = Path("results/benepar")


def open_parser(settings):
    """The parser with the model ``settings["benepar_model"]``: a path, or a name that has been fetched."""
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    os.environ["HF_HUB_OFFLINE"] = "1"  # a checkpoint would have parts of it downloaded
    path = _locate(settings["benepar_model"])
    try:
        import benepar
    except ImportError as error:
        raise InputError(
            f"benepar cannot be imported ({error}); install it with `make benepar`, or set `parse.backend`"
        ) from None
    return Benepar(benepar, path)


def _locate(model):
    for path in (Path(model), FOLDER / model):
        if path.exists():
            return path
    raise InputError(
        f"the benepar model {model} is not there; check the path, or fetch a model of benepar's own with "
        f"`python -m pipeline.parse.fetch --name {Path(model).name} --output {FOLDER / Path(model).name}`"
    )


class Benepar:
    """Parses with a model: in batches, on a GPU where torch finds one."""

    def __init__(self, benepar, path):
        """``benepar``: the library. Raises :class:`InputError` when ``path`` is no model."""
        check_folder(path)
        self.version = file_digest(path)
        self._sentence = benepar.InputSentence
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                self._parser = benepar.Parser(str(path), batch_size=BATCH)
            except Exception as error:  # whatever torch, pickle or transformers make of a wrong file
                reason = str(error).split(". ")[0]
                raise InputError(
                    f"{path}: not a benepar model ({type(error).__name__}: {reason}); "
                    "give the file or folder of one"
                ) from None
        model = self._parser._parser
        self._tokenizer = getattr(model.retokenizer, "tokenizer", None)
        # Of the positions the model knows, two are the marks of beginning and end.
        self.longest = model.config["hparams"]["encoder_max_len"] - 2
        if self._tokenizer is not None:
            self.longest = min(self.longest, self._tokenizer.model_max_length - 2)

    def parse(self, sentences):
        """Yield the :class:`Parse` of each sentence; one at which the model fails alone is refused."""
        pieces = [cut(list(tokens), self.longest, self._size) for tokens in sentences]
        trees = iter(self._trees([piece for cuts in pieces for piece in cuts]))
        for tokens, cuts in zip(sentences, pieces, strict=True):
            yield _joined(tokens, [next(trees) for _ in cuts])

    def _size(self, tokens):
        """Positions that the model wants for tokens."""
        if self._tokenizer is None:
            return len(tokens)
        return max(len(tokens), sum(len(self._tokenizer.tokenize(token)) for token in tokens))

    def _trees(self, pieces):
        """A tree for each piece, or the reason why there is none, as a string."""
        made = [None] * len(pieces)
        for chosen in batches(pieces):
            batch = [pieces[i] for i in chosen]
            try:
                trees = self._batch(batch)
            except Exception as error:
                log.info(f"a batch of {len(batch)} sentences failed ({error!r:.200}); trying them one by one")
                trees = [self._alone(piece) for piece in batch]
            for i, tree in zip(chosen, trees, strict=True):
                made[i] = tree
        return made

    def _alone(self, piece):
        try:
            return self._batch([piece])[0]
        except Exception as error:  # whatever happens inside the model, the other sentences go on
            return f"{type(error).__name__}: {error}"

    def _batch(self, pieces):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            made = list(self._parser.parse_sents([self._sentence(words=piece) for piece in pieces]))
        return [_tagged(over(rooted(tree), piece)) for tree, piece in zip(made, pieces, strict=True)]


def batches(pieces):
    """The indices of pieces in batches of similar length, padded to no more than ``POSITIONS`` words."""
    batch = []
    for i in sorted(range(len(pieces)), key=lambda i: len(pieces[i])):
        longest = len(pieces[i])
        if batch and (len(batch) == BATCH or (len(batch) + 1) * longest > POSITIONS):
            yield batch
            batch = []
        batch.append(i)
    if batch:
        yield batch


def _tagged(tree):
    """The tree with TextBlob's tags where the model has given none."""
    if all(label != "UNK" for _, label in tree.pos()):
        return tree
    for place, label in zip(tree.treepositions("leaves"), tag(tree.leaves()), strict=True):
        tree[place[:-1]].set_label(label)
    return tree


def _joined(tokens, trees):
    """The parse of a sentence from those of its pieces, each a tree or the reason why there is none."""
    reasons = [tree for tree in trees if isinstance(tree, str)]
    if reasons:
        return refuse(tokens, reasons[0])
    if len(trees) == 1:
        return Parse(trees[0])
    return Parse(nltk.Tree(ROOT, [nltk.Tree("S", [tree[0] for tree in trees])]), pieces=len(trees))
